"""CPU seconds for reading, checking and scoring many gold files: `python tests/benchmarks/bench_findings.py`."""

from __future__ import annotations

import json
import random
import sys
import time

from assay.findings.catalogue import Catalogue
from assay.findings.coordinator import coordinate, duals_of
from assay.findings.corpus import read_corpus
from assay.findings.gold import FOLDER, read_gold
from assay.findings.payloads import read_payloads
from assay.findings.score import micro, score_review
from assay.findings.severity import SEVERITIES, verdict_of

CATALOGUE = Catalogue.of_keys([f"RULE_{letter}{number}" for letter in "ABCD" for number in range(10)])


def made_failure(chance: random.Random, number: int) -> tuple[str, bytes, bytes]:
    """A gold file with one to five findings, and a run of two reviewers that misses and invents some."""
    keys = chance.sample(sorted(CATALOGUE.keys), 6)
    findings = [
        {
            "file": f"src/part{chance.randrange(4)}.py",
            "line": chance.randrange(300),
            "rule_key": key,
            "severity": chance.choice(SEVERITIES),
            "owner_reviewer": "correctness",
        }
        for key in keys[: chance.randrange(1, 6)]
    ]
    gold = {
        "schema": "voyage-eval-gold/1",
        "source": f"docs/case-{number}.md",
        "description": f"case {number}",
        "expected_verdict": verdict_of(str(finding["severity"]) for finding in findings),
        "findings": findings,
    }
    run = [
        {"reviewer": "one", "findings": [finding for finding in findings if chance.random() < 0.8]},
        {"reviewer": "two", "findings": [*findings[:1], {**findings[0], "rule_key": keys[5]}]},
    ]
    return f"{FOLDER}/case-{number:05d}.json", json.dumps(gold, indent=2).encode(), json.dumps(run).encode()


def score_all(cases: list[tuple[str, bytes, bytes]]) -> tuple[int, int, int]:
    tallies = []
    for path, gold_bytes, run_bytes in cases:
        gold = read_gold(path, gold_bytes, CATALOGUE)
        review = coordinate(read_payloads(path, run_bytes), catalogue=CATALOGUE, duals=duals_of(gold.findings))
        tallies.append(score_review(review, gold).score.tally)
    total = micro(tallies)
    return total.tp, total.fp, total.fn


def main(count: int) -> None:
    chance = random.Random(11)
    cases = [made_failure(chance, number) for number in range(count)]
    score_all(cases[:200])
    started = time.process_time()
    print(f"{count} gold files read and scored against their runs: {score_all(cases)} (tp, fp, fn)")
    print(f"{time.process_time() - started:.3f} CPU s")
    started = time.process_time()
    corpus = read_corpus({path: data for path, data, _ in cases}, CATALOGUE)
    print(f"{len(corpus.current)} gold files checked alone and together: {time.process_time() - started:.3f} CPU s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
