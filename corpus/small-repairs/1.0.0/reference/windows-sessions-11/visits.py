# canary: marble-thicket-83-saffron-plover-gimbal
def sessions(events, gap):
    """Visits of all users, in order of their first view."""
    if gap < 0:
        raise ValueError(f"gap is not negative (got {gap})")
    found = []
    latest = {}
    for user, second in sorted((user, second) for user, second in events):
        visit = latest.get(user)
        if visit is None or second - visit[2] > gap:
            visit = latest[user] = [user, second, second, 0]
            found.append(visit)
        visit[2] = second
        visit[3] += 1
    return sorted(found, key=lambda visit: (visit[1], visit[0]))
