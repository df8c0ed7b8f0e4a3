# canary: marble-thicket-83-saffron-plover-gimbal
def transfer(balances, locks, source, target, amount):
    """Move an amount with all locks of the accounts held, taken in one order for everybody."""
    if amount < 1:
        raise ValueError(f"amount is at least 1 (got {amount})")
    for account in (source, target):
        if account not in balances:
            raise KeyError(account)
    taken = []
    try:
        for account in sorted({source, target}):
            locks[account].acquire()
            taken.append(account)
        if balances[source] < amount:
            raise ValueError(f"{source} holds less than {amount}")
        balances[source] -= amount
        balances[target] += amount
    finally:
        for account in reversed(taken):
            locks[account].release()


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
