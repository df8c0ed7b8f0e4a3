# canary: marble-thicket-83-saffron-plover-gimbal
from fractions import Fraction


def percentile(values, percent):
    """The exact percentile as text, by linear interpolation between neighbours."""
    if not values or not 0 <= percent <= 100:
        raise ValueError(f"no percentile {percent} of {len(values)} values")
    ranked = sorted(values)
    whole, rest = divmod((len(ranked) - 1) * percent, 100)
    if rest == 0:
        return str(ranked[whole])
    step = ranked[whole + 1] - ranked[whole]
    return str(ranked[whole] + Fraction(rest, 100) * step)
