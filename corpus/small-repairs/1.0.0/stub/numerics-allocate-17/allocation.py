def allocate(total, weights):
    whole = sum(weights)
    shares = [round(total * weight / whole) for weight in weights]
    shares[-1] += total - sum(shares)
    return shares
