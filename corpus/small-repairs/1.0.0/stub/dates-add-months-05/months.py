from datetime import date


def add_months(day, months, sticky=False):
    start = date.fromisoformat(day)
    year = start.year + (start.month + months) // 12
    month = (start.month + months) % 12
    return start.replace(year=year, month=month).isoformat()
