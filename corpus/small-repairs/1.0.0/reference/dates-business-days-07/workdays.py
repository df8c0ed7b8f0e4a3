# canary: marble-thicket-83-saffron-plover-gimbal
from datetime import date, timedelta


def add_business_days(day, count, holidays):
    """The date so many business days away; nought means today or the next one that works."""
    closed = {date.fromisoformat(holiday) for holiday in holidays}

    def works(moment):
        return moment.weekday() < 5 and moment not in closed

    here = date.fromisoformat(day)
    step = timedelta(days=-1 if count < 0 else 1)
    if count == 0:
        while not works(here):
            here += step
        return here.isoformat()
    left = abs(count)
    while left:
        here += step
        left -= works(here)
    return here.isoformat()
