"""However large a file of responses is, an import holds few of its records, and never all that it commits."""

from __future__ import annotations

import json
import tracemalloc

import pytest

from assay.engine.isolation import probe
from assay.flows import responses_in
from assay.flows.work import Bench
from assay.record.kinds import SHARD_ABOVE

TASK = {"verifier": "countdown", "numbers": [3, 6, 9], "target": 18}
ANSWERS = ["3+6+9", "3+(6+9)", "18", "no"]
FEW, MANY = 2 * SHARD_ABOVE, 4 * SHARD_ABOVE


def peak(story, file) -> int:
    """The most bytes that Python objects take up at any moment of an import."""
    request = responses_in.ResponsesRequest()
    bench = Bench(probe)
    tracemalloc.start()
    try:
        with story.ledger as ledger:
            _, found = responses_in.check_responses(ledger, file, request)
            responses_in.import_responses(ledger, found, request, bench)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_a_prompt_takes_a_place_in_memory_and_not_its_records(assay, story, tmp_path):
    peaks, sizes = [], []
    for prompts in (FEW, MANY):
        padded = [*ANSWERS, "x" * 8_000]
        file = tmp_path / f"{prompts}.jsonl"
        with file.open("w") as lines:
            for n in range(prompts):
                record = {"id": f"{prompts}-{n}", "level": 1, "domain": "countdown", "answer": TASK}
                lines.write(json.dumps({**record, "responses": [*padded, str(n)]}) + "\n")
        sizes.append(file.stat().st_size)
        peaks.append(peak(story, file))

    grown, more = peaks[1] - peaks[0], sizes[1] - sizes[0]
    assert more > 16_000_000
    assert grown < more / 2, f"{grown} bytes of memory for {more} bytes of responses"
    assert assay("verify").code == 0
