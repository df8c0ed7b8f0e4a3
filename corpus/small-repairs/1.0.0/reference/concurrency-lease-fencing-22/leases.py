# canary: marble-thicket-83-saffron-plover-gimbal
class Leases:
    """Leases with fencing tokens: an old holder can neither touch a newer lease nor write after it."""

    def __init__(self):
        self.live = {}
        self.granted = []
        self.written = {}

    def acquire(self, resource, now, length):
        if self._holder(resource, now) is not None:
            return None
        self.granted.append(resource)
        token = len(self.granted)
        self.live[resource] = (token, now + length)
        return token

    def renew(self, resource, token, now, length):
        if self._holder(resource, now) != token or token is None:
            return False
        self.live[resource] = (token, now + length)
        return True

    def release(self, resource, token, now):
        if self._holder(resource, now) != token or token is None:
            return False
        del self.live[resource]
        return True

    def may_write(self, resource, token):
        known = token is not None and 1 <= token <= len(self.granted) and self.granted[token - 1] == resource
        if not known or token < self.written.get(resource, 0):
            return False
        self.written[resource] = token
        return True

    def _holder(self, resource, now):
        token, end = self.live.get(resource, (None, now))
        return token if now < end else None


def replay(steps):
    """Each step is [method, argument, ...]; the answers, in order."""
    leases = Leases()
    return [getattr(leases, method)(*arguments) for method, *arguments in steps]
