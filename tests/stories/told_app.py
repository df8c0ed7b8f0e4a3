"""An application over assay-target/1 that says what a file tells it to say. Its first argument is that file.

Told a list, it answers one repetition after the other; told `timed_out`, never; told `unknown: …`, without evidence.
"""

import json
import sys
import time
from pathlib import Path

TOLD = json.loads(Path(sys.argv[1]).read_text())
ASKED = {}


def say(message):
    print(json.dumps(message), flush=True)


def answer(request):
    case = request["input"]["text"].split()[1].rstrip("?")
    told, number = TOLD[case], ASKED.setdefault(case, 0)
    ASKED[case] += 1
    said = told[number] if isinstance(told, list) else told
    if said == "timed_out":
        time.sleep(600)
    unknown = said.startswith("unknown: ")
    say(
        {
            "type": "answer",
            "request_id": request["request_id"],
            "output": {"text": said.removeprefix("unknown: ")},
            "evidence": {"capture": "unknown"} if unknown else {"capture": "complete", "excerpts": []},
            "session": {"id": request["session"]["id"], "clean_start": True, "turns": []},
        }
    )


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        identity = {"name": "told", "revision": "1"}
        capabilities = ["reset", "request_identity"]
        say({"type": "hello", "protocol": "assay-target/1", "identity": identity, "capabilities": capabilities})
    elif message["type"] == "request":
        answer(message)
    else:
        break
