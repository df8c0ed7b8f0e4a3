class Resequencer:
    def __init__(self, first=0, window=4):
        self.next = first
        self.window = window
        self.stored = {}

    def accept(self, number, item):
        if number > self.next + self.window:
            raise BufferError(number)
        self.stored[number] = item
        if self.next in self.stored:
            self.next += 1
            return [self.stored.pop(self.next - 1)]
        return []

    def skip(self, number):
        if number == self.next:
            self.next += 1
        return []

    def pending(self):
        return len(self.stored)


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
