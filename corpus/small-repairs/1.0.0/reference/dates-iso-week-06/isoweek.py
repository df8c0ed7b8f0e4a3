# canary: marble-thicket-83-saffron-plover-gimbal
from datetime import date


def week_label(day):
    """ISO year and week of a date."""
    year, week, _ = date.fromisoformat(day).isocalendar()
    return f"{year:04d}-W{week:02d}"


def week_start(label):
    """The Monday that opens an ISO week; ValueError when there is no such week."""
    shape = "".join("9" if char in "0123456789" else char for char in label)
    if shape != "9999-W99":
        raise ValueError(f"expected YYYY-Www, got {label!r}")
    return date.fromisocalendar(int(label[:4]), int(label[6:]), 1).isoformat()
