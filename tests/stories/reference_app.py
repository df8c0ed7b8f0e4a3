"""An application over assay-target/1 that keeps its sessions itself. Its first argument switches a fault on.

Faults: forgets (answers from a scripted history), shares (one session for everybody), unknown (does not capture its
evidence), rope (needs what the user excluded), slow (never answers the last turn).
"""

import json
import sys
import time

FAULT = sys.argv[1] if len(sys.argv) > 1 else "none"
SESSIONS = {}
ANSWERS = {
    "lever": "A lever turns round its pivot; a longer arm needs less force.",
    "blow": "Lay the wood so that air can pass." if FAULT != "rope" else "Keep blowing.",
    "week": "Drain the pipes. Is there heating?",
}


def say(message):
    print(json.dumps(message), flush=True)


def answer(request):
    wanted, text = request["session"]["id"], request["input"]["text"]
    session = "everybody" if FAULT == "shares" else wanted
    if request["session"]["start"]:
        SESSIONS[wanted] = []
    turns = SESSIONS[wanted]
    if FAULT == "slow" and "lever" in text:
        time.sleep(600)
    said = next((words for key, words in ANSWERS.items() if key in text), "Cross the poles and wind.")
    scripted = [{"user": one["user"], "answer": "Use paracord."} for one in turns]
    evidence = {"capture": "unknown"} if FAULT == "unknown" else {"capture": "complete", "excerpts": []}
    consumed = scripted if FAULT == "forgets" else list(turns)
    say(
        {
            "type": "answer",
            "request_id": request["request_id"],
            "output": {"text": said},
            "evidence": evidence,
            "session": {"id": session, "clean_start": bool(request["session"]["start"]), "turns": consumed},
            "usage": {"words": len(said.split())},
            "device": {"thermal": "nominal"},
        }
    )
    turns.append({"user": text, "answer": said})


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        capabilities = ["session", "reset", "request_identity", "evidence_capture", "injection"]
        say(
            {
                "type": "hello",
                "protocol": "assay-target/1",
                "identity": {"name": "reference", "revision": "1"},
                "capabilities": capabilities,
            }
        )
    elif message["type"] == "request":
        answer(message)
    else:
        break
