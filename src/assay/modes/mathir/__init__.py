"""MathIR: solve a linear equation by exact operations on both sides; the mode is the trajectory of normal forms.

Three steps, each in its own file: `language` (text to expression trees), `quotient` over `polynomial` (the exact
normal form and its spelling), `programs` (references, commands and their execution).
"""
