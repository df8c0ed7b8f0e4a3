from datetime import date, timedelta


def add_business_days(day, count, holidays):
    start = date.fromisoformat(day)
    end = start
    left = count
    while left > 0:
        end += timedelta(days=1)
        if end.weekday() < 5:
            left -= 1
    for holiday in sorted(holidays):
        if start < date.fromisoformat(holiday) <= end:
            end += timedelta(days=1)
            while end.weekday() > 4:
                end += timedelta(days=1)
    return end.isoformat()
