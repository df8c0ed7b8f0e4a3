# canary: marble-thicket-83-saffron-plover-gimbal
from datetime import datetime, timedelta


def to_utc(stamp):
    """The same moment in UTC with its fraction untouched; ValueError for anything outside the format."""
    shape = "".join("9" if char in "0123456789" else char for char in stamp)
    if shape[:19] != "9999-99-99T99:99:99":
        raise ValueError(f"expected YYYY-MM-DDThh:mm:ss, got {stamp!r}")
    zone_at = len(stamp) - (1 if stamp.endswith("Z") else 6)
    zone, fraction = stamp[zone_at:], stamp[19:zone_at]
    if zone_at < 19 or (zone != "Z" and shape[zone_at:] not in ("+99:99", "-99:99")):
        raise ValueError(f"bad offset in {stamp!r}")
    if fraction and (fraction[0] != "." or set(shape[20:zone_at]) != {"9"}):
        raise ValueError(f"bad fraction in {stamp!r}")
    local = datetime.fromisoformat(stamp[:19])
    shift = timedelta(0)
    if zone != "Z":
        hours, minutes = int(zone[1:3]), int(zone[4:])
        if hours > 23 or minutes > 59:
            raise ValueError(f"offset out of range in {stamp!r}")
        shift = timedelta(hours=hours, minutes=minutes) * (-1 if zone[0] == "-" else 1)
    try:
        moment = local - shift
    except OverflowError:
        raise ValueError(f"{stamp!r} leaves the calendar in UTC") from None
    return f"{moment.isoformat()}{fraction}Z"
