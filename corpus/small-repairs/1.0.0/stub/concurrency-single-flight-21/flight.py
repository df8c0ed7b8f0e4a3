import threading


class Call:
    def __init__(self):
        self.done = threading.Event()
        self.value = None


class SingleFlight:
    def __init__(self, on_wait=None):
        self.lock = threading.Lock()
        self.calls = {}
        self.on_wait = on_wait

    def do(self, key, compute):
        with self.lock:
            call = self.calls.get(key)
            if call is None:
                call = self.calls[key] = Call()
                try:
                    call.value = compute()
                finally:
                    call.done.set()
                del self.calls[key]
                return call.value
        if self.on_wait:
            self.on_wait(key)
        call.done.wait()
        return call.value


def drill(rounds):
    """Each round is [callers, outcome]: that many threads ask for one key, and the computation gives the outcome.

    An outcome that starts with "!" is raised. Per round: how often it was computed, and what the callers got.
    """
    joined = threading.Semaphore(0)
    flight = SingleFlight(on_wait=lambda key: joined.release())
    return [_round(flight, joined, callers, outcome) for callers, outcome in rounds]


def _round(flight, joined, callers, outcome):
    computed, answers, begun = [], [], threading.Event()

    def compute():
        computed.append(1)
        begun.set()
        all(joined.acquire(timeout=1) for _ in range(callers - 1))
        if outcome.startswith("!"):
            raise LookupError(outcome)
        return outcome

    def ask():
        try:
            answers.append(f"got {flight.do('key', compute)}")
        except LookupError as error:
            answers.append(f"raised {error.args[0]}")
        begun.set()

    threads = [threading.Thread(target=ask, daemon=True) for _ in range(callers)]
    for thread in threads:
        thread.start()
        begun.wait(2)
    for thread in threads:
        thread.join(2)
    return {"computed": len(computed), "answers": sorted(answers)}
