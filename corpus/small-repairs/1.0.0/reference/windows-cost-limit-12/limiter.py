# canary: marble-thicket-83-saffron-plover-gimbal
from collections import deque


def decide(requests, limit, period):
    """One answer per request; only what was let through is charged."""
    if limit < 0 or period < 1:
        raise ValueError(f"limit {limit} or period {period} out of range")
    window = deque()
    spent = 0
    answers = []
    previous = None
    for second, cost in requests:
        if cost < 1 or (previous is not None and second < previous):
            raise ValueError(f"bad request [{second}, {cost}]")
        previous = second
        while window and window[0][0] <= second - period:
            spent -= window.popleft()[1]
        passes = spent + cost <= limit
        if passes:
            window.append((second, cost))
            spent += cost
        answers.append(passes)
    return answers
