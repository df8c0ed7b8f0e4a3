def sessions(events, gap):
    events.sort(key=lambda event: event[1])
    found = []
    open_ = {}
    for user, second in events:
        visit = open_.get(user)
        if visit is not None and second - visit[1] >= gap:
            found.append(visit)
            visit = None
        if visit is None:
            visit = open_[user] = [user, second, second, 0]
        visit[2] = second
        visit[3] += 1
    return found
