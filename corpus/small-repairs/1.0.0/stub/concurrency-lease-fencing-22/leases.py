class Leases:
    def __init__(self):
        self.live = {}
        self.written = {}

    def acquire(self, resource, now, length):
        if resource in self.live and self.live[resource][1] >= now:
            return None
        token = len(self.live) + 1
        self.live[resource] = [token, now + length]
        return token

    def renew(self, resource, token, now, length):
        if resource not in self.live:
            return False
        self.live[resource][1] = now + length
        return True

    def release(self, resource, token, now):
        return self.live.pop(resource, None) is not None

    def may_write(self, resource, token):
        if token < self.written.get(resource, 0):
            return False
        self.written[resource] = token
        return True


def replay(steps):
    """Each step is [method, argument, ...]; the answers, in order."""
    leases = Leases()
    return [getattr(leases, method)(*arguments) for method, *arguments in steps]
