def decide(requests, limit, period):
    window = []
    answers = []
    for second, cost in requests:
        window = [(s, c) for s, c in window if s >= second - period]
        window.append((second, cost))
        answers.append(sum(c for _, c in window) <= limit)
    return answers
