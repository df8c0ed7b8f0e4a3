from datetime import date, timedelta


def week_label(day):
    return date.fromisoformat(day).strftime("%Y-W%V")


def week_start(label):
    year, week = label.split("-W")
    first = date(int(year), 1, 1)
    monday = first - timedelta(days=first.weekday())
    return (monday + timedelta(weeks=int(week) - 1)).isoformat()
