"""Items by seeds, and which plans are refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.coding.freeze import freeze_sealed
from assay.coding.options import Options, read_options
from assay.contract.demands import demands_of
from assay.contract.suite import Fixture
from assay.errors import InputError
from coding.dataset import EXTENDED, FILES, SOURCE, SUITE, a_fixture, read


def refusal_of(**options):
    with pytest.raises(InputError) as caught:
        read_options({"replicates": [11], **options})
    return "\n".join(caught.value.faults)


def test_samples_are_items_by_seeds_in_order():
    more = SOURCE.partition("items:\n")[2].replace("id: last-members-01", "id: second-02")

    samples = SUITE.plan(a_fixture(SOURCE + more), {"replicates": [47, 11]})

    assert [sample.id for sample in samples] == [
        "last-members-01.47",
        "last-members-01.11",
        "second-02.47",
        "second-02.11",
    ]
    assert [sample.ordinal for sample in samples] == [1, 2, 3, 4]
    assert samples[0].replicate == {"seed": 47}


def test_unset_options_have_their_documented_values():
    assert read_options({"replicates": [11, 29]}) == Options((11, 29), 0, "none", 2000)


@pytest.mark.parametrize("seeds", [[11, 11, 11], [11, 29, 29], ["11", 11, 11.0], [11, "11"], [7, 7.0]])
def test_one_seed_in_several_places_or_spellings_is_named(seeds):
    told = refusal_of(replicates=seeds)

    assert "is one seed" in told and str(seeds[-1]) in told


@pytest.mark.parametrize("seed", ["11", 11.0, 1.5, True, None, [1], 2**53, "x"])
def test_a_seed_is_an_integer(seed):
    assert f"expected an integer, got {seed!r}" in refusal_of(replicates=[seed])


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"replicates": []}, "at least one integer"),
        ({"repair_loops": 21}, "repair_loops: expected an integer from 0 to 20, got 21"),
        ({"repair_loops": True}, "repair_loops"),
        ({"feedback": "all"}, "feedback: expected none or tail"),
        ({"feedback_bytes": 0}, "feedback_bytes"),
        ({"loops": 1}, "loops: unknown option"),
    ],
)
def test_other_options_are_bounded(options, told):
    assert told in refusal_of(**options)


def test_all_faults_of_options_come_together():
    assert len(refusal_of(replicates=["a", "b"], repair_loops=-1, feedback=3).split("\n")) == 4


@given(st.lists(st.integers(-(10**9), 10**9), min_size=1, max_size=5, unique=True))
def test_distinct_integers_are_kept_in_their_order(seeds):
    assert read_options({"replicates": seeds}).seeds == tuple(seeds)


def test_a_sealed_fixture_gives_no_tails_to_solvers():
    frozen = freeze_sealed(read(EXTENDED), secret=bytes(16))
    content = SUITE.load(frozen.record, {**frozen.payloads, **FILES})
    fixture = Fixture(frozen.record, "sha256:" + "0" * 64, "corpus/tail-holdout/1.0/fixture.json", content)

    assert len(SUITE.plan(fixture, {"replicates": [11], "repair_loops": 2})) == 1
    with pytest.raises(InputError, match="sealed"):
        SUITE.plan(fixture, {"replicates": [11], "repair_loops": 2, "feedback": "tail"})


def test_a_fixture_demands_everything_unless_it_says_otherwise():
    relaxed = SOURCE + "controls: {network: on, isolation: any, temperature: any}\n"

    strict, loose = demands_of(SUITE, a_fixture(SOURCE)), demands_of(SUITE, a_fixture(relaxed))

    assert (strict.solver_network_off, strict.isolation, strict.temperature) == (True, True, True)
    assert (loose.solver_network_off, loose.isolation, loose.temperature) == (False, False, False)
    assert loose.fresh_process and loose.fresh_workdir


def test_references_and_stubs_are_probes():
    probes = SUITE.probes(a_fixture(EXTENDED))

    assert [(probe.item, probe.kind, sorted(probe.files)) for probe in probes] == [
        ("last-members-01", "reference", ["members.py"]),
        ("last-members-01", "stub", ["members.py"]),
    ]
    assert SUITE.probes(a_fixture(SOURCE)) == ()
