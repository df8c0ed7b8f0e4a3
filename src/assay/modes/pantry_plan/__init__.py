"""PantryPlan: a feasible allocation of ingredients under exact nutritional bounds; the mode is the set of ids used.

`reference` reads a task into integers, `allocation` judges `id=grams` answers, `projection` finds the first feasible
amounts for a set of ingredients (level 1 answers name only the set).
"""
