# canary: marble-thicket-83-saffron-plover-gimbal
import threading


class Resequencer:
    """Items leave in the order of their numbers, each once, however they come in."""

    def __init__(self, first=0, window=4):
        self.next = first
        self.window = window
        self.stored = {}
        self.lock = threading.Lock()

    def accept(self, number, item):
        return self._put(number, (item,))

    def skip(self, number):
        return self._put(number, ())

    def pending(self):
        with self.lock:
            return sum(len(items) for items in self.stored.values())

    def _put(self, number, items):
        with self.lock:
            if number >= self.next + self.window:
                raise BufferError(f"{number} is {self.window} or more ahead of {self.next}")
            if number < self.next or number in self.stored:
                return []
            self.stored[number] = items
            leaving = []
            while self.next in self.stored:
                leaving.extend(self.stored.pop(self.next))
                self.next += 1
            return leaving


def replay(steps, first, window):
    """Each step is [method, argument, ...]; the answers in order, "BufferError" where one was raised."""
    sequence = Resequencer(first, window)
    answers = []
    for method, *arguments in steps:
        try:
            answers.append(getattr(sequence, method)(*arguments))
        except BufferError:
            answers.append("BufferError")
    return answers
