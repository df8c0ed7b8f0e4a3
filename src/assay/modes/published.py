"""Figures that ModeBench 0.4.0 publishes about itself: claims with their provenance, never our measurements.

Means over domains are stated beside the cells they are of, both rounded to three decimals. A mean recomputed from
rounded cells may differ from the stated one by half a digit of the cells and half a digit of its own: 0.001.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assay.modes.contracts import DOMAINS

NAME = "modebench-0.4.0"
PROVENANCE = (
    "claimed by the README of ModeBench 0.4.0 (package metadata on PyPI, sha256 "
    "5525bf9e91156b1577043ecce93ce1e4813bb12f467a54a048f42e84f4bf6dc5); not measured here"
)
TOLERANCE = Fraction(1, 1000)
BASE_MODELS = ("Qwen2.5-0.5B", "Qwen2.5-3B", "Qwen2.5-7B", "Qwen2.5-14B")
METHODS = ("Dr.GRPO", "Re:Dr", "MaxRL", "Re:Max")
# level, then mean pass@8 over the five domains of each base model
_GRID = """
1 0.387 0.436 0.532 0.518
2 0.276 0.368 0.429 0.495
3 0.344 0.359 0.468 0.472
4 0.194 0.272 0.398 0.411
5 0.169 0.150 0.318 0.359
"""
# level, domain, pass@8, distinct@8, PCMD, eligible prompts of 128: Qwen2.5-7B-Instruct
_CELLS_7B = """
1 graph_coloring 0.680 1.014 0.344 98
1 countdown 0.428 0.508 0.259 67
1 python_factors 1.000 1.062 0.023 128
1 mathir 0.330 0.338 0.020 46
1 pantry_plan 0.225 0.354 0.329 30
2 graph_coloring 0.344 0.447 0.404 50
2 countdown 0.117 0.117 - 14
2 python_factors 0.996 1.020 0.010 128
2 mathir 0.414 0.424 0.043 61
2 pantry_plan 0.271 0.387 0.260 36
3 graph_coloring 0.521 0.756 0.375 73
3 countdown 0.225 0.279 0.232 32
3 python_factors 1.000 1.027 0.013 128
3 mathir 0.400 0.408 0.028 54
3 pantry_plan 0.191 0.273 - 27
4 graph_coloring 0.490 0.781 0.447 71
4 countdown 0.084 0.088 - 13
4 python_factors 1.000 1.094 0.032 128
4 mathir 0.221 0.223 0.026 31
4 pantry_plan 0.195 0.256 - 29
5 graph_coloring 0.418 0.537 0.268 60
5 countdown 0.117 0.123 - 16
5 python_factors 0.781 0.814 0.033 103
5 mathir 0.156 0.158 - 20
5 pantry_plan 0.117 0.154 - 18
"""
# level, domain, then pass@8/PCMD/eligible seeds of each training method: Qwen2.5-0.5B-Instruct
_TRAINED = """
1 graph_coloring 0.323/0.001/5 0.969/0.560/5 0.537/0.087/5 0.945/0.526/5
1 countdown 0.480/0.007/5 0.672/0.487/5 0.582/0.022/5 0.666/0.511/5
1 python_factors 0.172/-/0 0.528/0.000/2 0.172/-/0 0.681/0.312/4
1 mathir 0.512/0.001/5 0.796/0.018/5 0.445/0.000/5 0.789/0.006/5
1 pantry_plan 0.522/0.000/5 0.729/0.334/5 0.531/0.000/5 0.721/0.317/5
2 graph_coloring 0.202/0.111/1 0.762/0.346/5 0.434/0.112/5 0.739/0.325/5
2 countdown 0.131/-/0 0.156/-/0 0.118/-/0 0.158/-/0
2 python_factors 0.812/0.000/5 0.887/0.181/5 0.812/0.000/5 0.850/0.088/5
2 mathir 0.502/0.000/3 0.994/0.000/5 0.785/0.000/5 0.958/0.001/5
2 pantry_plan 0.170/0.241/1 0.475/0.189/5 0.189/0.156/2 0.426/0.237/4
3 graph_coloring 0.426/0.015/3 0.982/0.420/5 0.764/0.004/5 0.980/0.336/5
3 countdown 0.099/-/0 0.179/0.110/1 0.122/-/0 0.134/-/0
3 python_factors 1.000/0.000/5 1.000/0.418/5 1.000/0.000/5 1.000/0.425/5
3 mathir 0.756/0.000/5 0.995/0.053/5 0.859/0.000/4 0.998/0.052/5
3 pantry_plan 0.141/0.363/1 0.343/0.243/5 0.216/0.380/2 0.338/0.285/5
"""
# level, method, pass@8 over four domains (without mathir), PCMD over graph_coloring, mathir and pantry_plan
_TRAINED_MEANS = """
1 Dr.GRPO 0.374 0.001
1 Re:Dr 0.724 0.304
1 MaxRL 0.455 0.029
1 Re:Max 0.753 0.283
2 Dr.GRPO 0.329 0.117
2 Re:Dr 0.570 0.179
2 MaxRL 0.388 0.089
2 Re:Max 0.543 0.187
3 Dr.GRPO 0.417 0.126
3 Re:Dr 0.626 0.238
3 MaxRL 0.526 0.128
3 Re:Max 0.613 0.225
"""


@dataclass(frozen=True)
class Published:
    """One published number, as stated; None where the source withholds it."""

    table: str
    subject: str
    metric: str
    value: str | None


@dataclass(frozen=True)
class Deviation:
    """A stated mean and what its own cells give."""

    subject: str
    metric: str
    stated: str
    recomputed: Fraction

    def __str__(self) -> str:
        return f"{self.subject}, {self.metric}: {self.stated} is stated, its cells give {float(self.recomputed):.4f}"


def published() -> tuple[Published, ...]:
    """Every figure, table by table."""
    return (*_grid(), *_cells(), *_trained(), *_means())


def deviations(figures: Sequence[Published] = ()) -> tuple[Deviation, ...]:
    """The stated means that are not those of the stated cells within rounding."""
    known = {(f.table, f.subject, f.metric): f.value for f in figures or published()}
    found = []
    for (table, subject, metric), stated in known.items():
        parts = [known[part] for part in _parts(table, subject, metric)]
        values = [Fraction(part) for part in parts if part is not None]
        if stated is not None and values:
            mean = sum(values, Fraction(0)) / len(values)
            if abs(mean - Fraction(stated)) > TOLERANCE:
                found.append(Deviation(subject, metric, stated, mean))
    return tuple(found)


def _parts(table: str, subject: str, metric: str) -> Iterator[tuple[str, str, str]]:
    """The cells that a stated number is the mean of; none for what is no mean."""
    if table == "base models" and subject.endswith(BASE_MODELS[2]):
        level = subject.partition(",")[0]
        yield from (("Qwen2.5-7B by domain", f"{level}, {domain}", metric) for domain in DOMAINS)
    if table == "training, means":
        level, _, method = subject.partition(", ")
        apart = {"pass@8": ("mathir",), "PCMD": ("countdown", "python_factors")}[metric]
        chosen = (domain for domain in DOMAINS if domain not in apart)
        yield from (("training by domain", f"{level}, {domain}, {method}", metric) for domain in chosen)


def _rows(text: str) -> Iterator[list[str]]:
    return (line.split() for line in text.strip().splitlines())


def _stated(text: str) -> str | None:
    return None if text == "-" else text


def _grid() -> Iterator[Published]:
    for level, *values in _rows(_GRID):
        for model, value in zip(BASE_MODELS, values, strict=True):
            yield Published("base models", f"level {level}, {model}", "pass@8", value)


def _cells() -> Iterator[Published]:
    for level, domain, *values in _rows(_CELLS_7B):
        for metric, value in zip(("pass@8", "distinct@8", "PCMD", "eligible of 128"), values, strict=True):
            yield Published("Qwen2.5-7B by domain", f"level {level}, {domain}", metric, _stated(value))


def _trained() -> Iterator[Published]:
    for level, domain, *entries in _rows(_TRAINED):
        for method, entry in zip(METHODS, entries, strict=True):
            subject = f"level {level}, {domain}, {method}"
            for metric, value in zip(("pass@8", "PCMD", "eligible seeds"), entry.split("/"), strict=True):
                yield Published("training by domain", subject, metric, _stated(value))


def _means() -> Iterator[Published]:
    for level, method, *values in _rows(_TRAINED_MEANS):
        for metric, value in zip(("pass@8", "PCMD"), values, strict=True):
            yield Published("training, means", f"level {level}, {method}", metric, value)


def as_tables() -> Mapping[str, tuple[Published, ...]]:
    """The figures by table."""
    tables: dict[str, list[Published]] = {}
    for figure in published():
        tables.setdefault(figure.table, []).append(figure)
    return {name: tuple(figures) for name, figures in tables.items()}
