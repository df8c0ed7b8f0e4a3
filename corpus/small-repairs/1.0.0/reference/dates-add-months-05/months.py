# canary: marble-thicket-83-saffron-plover-gimbal
from calendar import monthrange
from datetime import date


def add_months(day, months, sticky=False):
    """The date so many calendar months away, cut to the length of the target month."""
    shape = "".join("9" if char in "0123456789" else char for char in day)
    if shape != "9999-99-99":
        raise ValueError(f"expected YYYY-MM-DD, got {day!r}")
    start = date.fromisoformat(day)
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        raise ValueError(f"{months} months from {day} leave the calendar")
    length = monthrange(year, month + 1)[1]
    at_end = start.day == monthrange(start.year, start.month)[1]
    target = length if sticky and at_end else min(start.day, length)
    return date(year, month + 1, target).isoformat()
