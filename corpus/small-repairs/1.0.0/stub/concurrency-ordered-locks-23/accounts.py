def transfer(balances, locks, source, target, amount):
    locks[source].acquire()
    locks[target].acquire()
    if balances[source] < amount:
        raise ValueError("not enough")
    balances[source] = balances[source] - amount
    balances[target] = balances[target] + amount
    locks[source].release()
    locks[target].release()


class LoggedLock:
    def __init__(self, name, log):
        self.name, self.log, self.held = name, log, False

    def acquire(self):
        if self.held:
            self.log.append(f"blocked {self.name}")
            raise RuntimeError(f"{self.name} is held already")
        self.held = True
        self.log.append(f"take {self.name}")

    def release(self):
        if not self.held:
            self.log.append(f"not held {self.name}")
            raise RuntimeError(f"{self.name} is not held")
        self.held = False
        self.log.append(f"drop {self.name}")


def trace(balances, transfers):
    """Make the transfers [source, target, amount] in turn; the balances at the end and all that happened."""
    balances = dict(balances)
    log = []
    locks = {name: LoggedLock(name, log) for name in balances}
    for source, target, amount in transfers:
        try:
            transfer(balances, locks, source, target, amount)
        except (ValueError, KeyError, RuntimeError) as error:
            log.append(type(error).__name__)
    return {"balances": balances, "log": log}
