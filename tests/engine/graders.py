"""Functions that pool workers are given: pure ones, and ones that go wrong in every way a grader can."""

from __future__ import annotations

import ctypes
import os
import time


def double(value):
    return value * 2


def misbehave(what):
    """Do what the value says, or give it back."""
    match what:
        case "loop":
            while True:
                pass
        case "loop in C":
            return sum(range(10**13))
        case "swallow":
            while True:
                try:
                    while True:
                        pass
                except Exception:  # noqa: BLE001 (the mistake this grader is here to make)
                    pass
        case "memory":
            return bytearray(1 << 40)
        case "growing":
            grown = []
            while True:
                grown.append(b"x" * (1 << 20))
        case "exit":
            os._exit(0)
        case "killed":
            os.kill(os.getpid(), 9)
        case "segfault":
            ctypes.string_at(0)
        case "raise":
            raise ValueError("broken")
        case "system exit":
            raise SystemExit(0)
        case "sleep":
            time.sleep(3600)
        case "unsendable":
            return lambda: None
    return what


def worker(value):
    return os.getpid()


def empty(value):
    return None


def spin(microseconds):
    """Use a fixed amount of CPU work, about 100 microseconds for 2,000 rounds."""
    total = 0
    for number in range(microseconds):
        total += number
    return total
