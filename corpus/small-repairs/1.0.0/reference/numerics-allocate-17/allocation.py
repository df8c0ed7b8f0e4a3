# canary: marble-thicket-83-saffron-plover-gimbal
def allocate(total, weights):
    """Shares by largest remainder that add up to the total."""
    whole = sum(weights)
    if not weights or min(weights) < 0 or whole == 0:
        raise ValueError(f"weights must be non-negative and not all 0 (got {weights})")
    amount = abs(total)
    shares = [amount * weight // whole for weight in weights]
    rests = [amount * weight % whole for weight in weights]
    order = sorted(range(len(weights)), key=lambda i: -rests[i])
    for i in order[: amount - sum(shares)]:
        shares[i] += 1
    return [-share for share in shares] if total < 0 else shares
