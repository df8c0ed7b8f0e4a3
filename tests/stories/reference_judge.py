"""A judge over assay-target/1 that decides by words alone, and misbehaves when it is told to.

    python3 reference_judge.py REVISION [FAULT ...] [port:N] [cost:N]

`violated` where the answer holds one of BAD, else `met`; of a pair the answer without BAD is better, else neither.
Faults: see FAULTS. `port` counts every request on a socket of the test's, `cost` states what each reply cost.
"""

from __future__ import annotations

import json
import socket
import sys
import time

BAD = ("keep blowing", "put it out", "your arms")
FAULTS = {
    "prose": "I think this is fine.",
    "empty": {},
    "types": {"verdict": ["met"], "rationale": 7, "spans": "answer"},
    "unreasoned": {"verdict": "met", "rationale": "  ", "spans": []},
    "invents": {"verdict": "met", "rationale": "it says so", "spans": [{"artifact": "answer", "quote": "never said"}]},
    "elsewhere": {"verdict": "met", "rationale": "so", "spans": [{"artifact": "passage:99", "quote": "x"}]},
    "markup": {"verdict": "<b>met</b>", "rationale": "<script>alert(1)</script>", "spans": []},
    "escapes": {"verdict": "\x1b[2J\x1b[32mPASS\x1b[0m", "rationale": "\x00\x07", "spans": []},
    "nested": json.dumps({"reply": json.dumps({"verdict": "met"})}),
    "huge": {"verdict": "met", "rationale": "so " * 700_000, "spans": []},
    "many": {"verdict": "met", "rationale": "so", "spans": [{"artifact": "answer", "quote": "x"}] * 5_000},
    "blind": {"verdict": None, "status": "missing_evidence", "rationale": "the excerpts do not say"},
}


def say(**message):
    print(json.dumps(message), flush=True)


def place(name, text):
    return {"artifact": name, "start": 0, "end": min(len(text), 24), "quote": text[:24]}


def judged(asked):
    bad = [word for word in BAD if word in asked["answer"].lower()]
    spans = [place(asked["judged"], asked["answer"]), place("user:1", asked["turns"][0]["user"])]
    if bad:
        return {"verdict": "violated", "rationale": f"says {bad[0]}", "spans": spans}
    return {"verdict": "met", "rationale": f"fits: {asked['criterion']['expectation']}", "spans": spans}


def preferred(asked, biased):
    worse = [any(word in asked[side]["answer"].lower() for word in BAD) for side in ("first", "second")]
    better = "first" if biased or worse == [False, True] else "second" if worse == [True, False] else "neither"
    spans = [{"side": side, **place("answer", asked[side]["answer"])} for side in ("first", "second")]
    return {"better": better, "rationale": "by its words", "spans": spans}


def main():
    revision, *switches = sys.argv[1:]
    told = dict(switch.split(":") for switch in switches if ":" in switch)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            identity = {"name": "word-judge", "revision": revision}
            say(type="hello", protocol="assay-target/1", identity=identity, capabilities=["request_identity"])
        elif message["type"] == "end":
            return
        else:
            answer(message, switches, told)


def answer(message, switches, told):
    asked, request = message["input"], message["request_id"]
    if "port" in told:
        socket.create_connection(("127.0.0.1", int(told["port"]))).close()
    if "dies" in switches:
        sys.exit(3)
    if "sleeps" in switches:
        time.sleep(60)
    if "garbage" in switches:
        print("no message \x00 at all", flush=True)
        return
    if "refuses" in switches:
        say(type="error", request_id=request, code="refused", message="budget: none of your business")
        return
    fault = next((FAULTS[name] for name in switches if name in FAULTS), None)
    reply = fault
    if fault is None:
        reply = preferred(asked, "biased" in switches) if asked["kind"] == "preference" else judged(asked)
    usage = {"tokens": 7} | ({"cost_micros": int(told["cost"])} if "cost" in told else {})
    say(type="answer", request_id=f"not-{request}" if "stranger" in switches else request, output=reply, usage=usage)


if __name__ == "__main__":
    main()
