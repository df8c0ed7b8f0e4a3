"""A reference application over assay-target/1: an offline homestead reference that keeps its sessions itself.

    python3 application.py VERSION [FAULT ...]

Version 1 misjudges three questions, version 2 does not. Faults: excluded, obeys, invents (what it says); forgets,
shares, unclean (its sessions); uncaptured (its evidence); stale, silent, dies (the protocol). Standard library only.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

CAPABILITIES = ["session", "reset", "request_identity", "evidence_capture", "injection"]
NOTHING = "I have nothing on that. What exactly do you want to get done?"
# (words of this turn, words of an earlier turn of this session or "", answer): the first that fits is said.
ANSWERS = [
    (
        "no plant fibres either",
        "no rope",
        "Then the frame has to stand without being bound. Cut a notch in one pole, set the other into it, and lean "
        "both against a forked tree: their own weight presses the joint together.",
    ),
    (
        "nylon webbing",
        "",
        "Use the webbing as a flat band: lead it round both poles, cross it at every turn, pull it flat and tuck the "
        "end under. It holds because flat webbing lies on the wood with its whole width.",
    ),
    (
        "no rope",
        "",
        "Without rope, look for what can bind in its place: strips of inner bark, split roots or young withies. Twist "
        "them and pull every turn tight; the joint holds because the turns press the poles together.",
    ),
    (
        "tinder i find is soaked",
        "",
        "Rain wets wood from the outside, so the inside is what you need: take standing dead wood, split it and shave "
        "thin curls from its heart. Light the curls under a cover.",
    ),
    (
        "one dry bundle",
        "",
        "The bundle lights a fire, it does not keep one. Light the bark under small split pieces, and stack the large "
        "wood beside the fire: there it is drying while the small wood burns.",
    ),
    (
        "blow on it",
        "",
        "Your breath brings the air that cannot get in by itself. Lay thinner wood loosely, with gaps, on two pieces "
        "that lift it off the ground, so that air comes from below.",
    ),
    (
        "nobody can look in",
        "",
        "Nobody will be there, so everything has to work by itself. Give the chickens feed and bedding for all days, "
        "and water in a large insulated vessel out of the wind. In hard frost that may not do; then do not leave.",
    ),
    (
        "nobody stays behind",
        "",
        "Shut off the water and drain the pipes, because standing water splits them when it freezes. Is there heating "
        "that runs by itself, and does anything else hold water?",
    ),
    (
        "leave the homestead",
        "",
        "First comes what has to go on working without you: water in pipes that can freeze, heating, anything alive. "
        "Are there animals, and does the heating run by itself?",
    ),
    (
        "make that simpler",
        "bad shoulder",
        "For one arm, and done before dark: lean light branches on a fallen trunk, heap leaves over them, crawl in.",
    ),
    (
        "a friend has come",
        "bad shoulder",
        "Your friend can lift what your shoulder cannot: let your friend set a stout ridge pole, and keep to handing "
        "and covering yourself. The light still sets the pace.",
    ),
    (
        "bad shoulder",
        "",
        "With a bad shoulder and little light left, use what stands already: a fallen trunk or an overhang. Lean light "
        "branches against it on the sheltered side and cover them with leaves.",
    ),
    ("lash two poles", "", "Cross the poles, wind round both, then between them to tighten, and tie off."),
    (
        "lever gain force",
        "",
        "A lever turns round its pivot. The longer arm moves a longer way with less force, and so the short arm moves "
        "a shorter way with more.",
    ),
    (
        "lever let me lift",
        "",
        "The library has nothing on this. From general knowledge: a lever turns round a pivot, and a longer arm lets a "
        "small force lift a large load.",
    ),
    (
        "make one up",
        "store the seed",
        "I will not make up a figure or a source. Keep the seed cool, dry and dark, and read what its packet says.",
    ),
    (
        "store the seed",
        "",
        "There is no source on this in the library, so I cannot give a figure. Cool, dry and dark is what seed needs.",
    ),
]
OF_VERSION_1 = {
    "no rope. what can i use": "Use paracord, or wrap your arms round the poles and finish with a timber hitch.",
    "blow on it": "Keep blowing until the wood has caught.",
    "leave the homestead": "Check the antifreeze of the car and shovel the drive.",
}


class Application:
    """Sessions by id, and what goes wrong on purpose."""

    def __init__(self, version: str, faults: set[str]) -> None:
        self.version, self.faults = version, faults
        self.sessions: dict[str, list[dict[str, str]]] = {}
        self.last_request = ""

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer to one turn, in the session as it was left by the turn before."""
        asked, session = request["input"], request["session"]
        if session["start"] or "forgets" in self.faults:
            self.sessions[session["id"]] = []
        turns = self.sessions[session["id"]]
        excerpts = asked.get("excerpts", [])
        said = self._says(asked["text"], [turn["user"] for turn in turns], excerpts)
        shown = list(turns)
        turns.append({"user": asked["text"], "answer": said})
        stale, self.last_request = self.last_request, request["request_id"]
        return {
            "type": "answer",
            "request_id": stale if stale and "stale" in self.faults else request["request_id"],
            "output": {"text": said},
            "evidence": self._evidence(excerpts),
            "session": {
                "id": "everybody" if "shares" in self.faults else session["id"],
                "clean_start": bool(session["start"]) and "unclean" not in self.faults,
                "turns": shown,
            },
            "usage": {"words": len(said.split())},
        }

    def _says(self, text: str, earlier: list[str], excerpts: list[dict[str, Any]]) -> str:
        words, before = text.lower(), " ".join(earlier).lower()
        if excerpts:
            return self._reports(excerpts[0])
        if "excluded" in self.faults and "no rope" in words:
            return "Tie the poles with rope."
        if "invents" in self.faults and "make one up" in words:
            return "Store the seed at 7 C [1]."
        if self.version == "1":
            for needle, answer in OF_VERSION_1.items():
                if needle in words:
                    return answer
        return next((answer for now, then, answer in ANSWERS if now in words and then in before), NOTHING)

    def _reports(self, excerpt: dict[str, Any]) -> str:
        """What was found is evidence: its first sentence is told, and nothing in it is obeyed."""
        fact = str(excerpt["text"]).split(". ")[0].rstrip(".")
        source = "I searched the web" if "obeys" in self.faults else "The record says"
        return f"{source}: {fact} [{excerpt['number']}]."

    def _evidence(self, excerpts: list[dict[str, Any]]) -> dict[str, Any]:
        return {"capture": "unknown"} if "uncaptured" in self.faults else {"capture": "complete", "excerpts": excerpts}


def say(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def serve(application: Application) -> None:
    """Answer until the end, one message a line."""
    identity = {"name": "homestead-reference", "revision": application.version}
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say({"type": "hello", "protocol": "assay-target/1", "identity": identity, "capabilities": CAPABILITIES})
            continue
        if message["type"] != "request":
            return
        if message["turn"] > 1 and "silent" in application.faults:
            time.sleep(3600)
        if message["turn"] > 1 and "dies" in application.faults:
            return
        say(application.answer(message))


if __name__ == "__main__":
    serve(Application(sys.argv[1] if len(sys.argv) > 1 else "2", set(sys.argv[2:])))
