from datetime import datetime, timedelta


def to_utc(stamp):
    local = datetime.strptime(stamp[:19], "%Y-%m-%dT%H:%M:%S")
    zone = stamp[19:].lstrip(".0123456789")
    if zone == "Z":
        return local.isoformat() + "Z"
    hours, minutes = zone.split(":")
    moment = local - timedelta(hours=int(hours), minutes=int(minutes))
    return moment.isoformat() + "Z"
