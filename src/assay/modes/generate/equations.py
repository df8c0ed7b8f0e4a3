"""The equation families of the MathIR generator, by level, each with menus known to allow exactly five trajectories.

How many trajectories a menu allows depends on its actions, hardly on the values: the menus were found by searching
pools of plausible and useless actions, and every task made from them is enumerated again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Family:
    """Both sides of an equation in the coefficients a to d, and menus of six actions each."""

    left: str
    right: str
    menus: tuple[str, ...]


FAMILIES: Mapping[int, tuple[Family, ...]] = {
    1: (
        Family(
            "add(mul(a,x),b)",
            "c",
            (
                "sub(b) div(a) sub(c) add(b) div(b) sub(div(b,a))",
                "sub(b) div(a) add(b) div(b) sub(add(b,c)) sub(div(b,a))",
                "sub(b) div(a) add(b) mul(a) sub(mul(a,x)) sub(div(b,a))",
                "sub(b) div(a) add(b) mul(a) sub(add(b,c)) sub(div(b,a))",
                "sub(b) div(a) add(b) div(b) sub(div(b,a)) add(sub(c,b))",
            ),
        ),
        Family(
            "add(div(x,a),b)",
            "c",
            (
                "sub(b) mul(a) div(a) add(b) sub(mul(a,b)) sub(div(x,a))",
                "sub(b) mul(a) add(b) sub(c) add(mul(a,c)) sub(add(b,b))",
                "sub(b) mul(a) add(b) sub(mul(a,b)) sub(div(x,a)) mul(neg(a))",
                "sub(b) mul(a) div(a) add(b) sub(c) sub(mul(a,b))",
                "sub(b) mul(a) add(b) sub(mul(a,b)) add(mul(a,c)) mul(neg(a))",
            ),
        ),
        Family(
            "sub(mul(a,x),b)",
            "c",
            (
                "add(b) div(a) sub(b) mul(a) add(div(b,a)) sub(mul(a,x))",
                "add(b) div(a) sub(c) sub(b) add(div(b,a)) sub(add(b,c))",
                "add(b) div(a) sub(b) mul(a) add(div(b,a)) sub(add(b,c))",
                "add(b) div(a) sub(c) sub(b) add(div(b,a)) div(neg(a))",
                "add(b) div(a) sub(b) add(div(b,a)) sub(add(b,c)) sub(mul(a,x))",
            ),
        ),
        Family(
            "add(mul(a,x),b)",
            "add(mul(c,x),d)",
            (
                "sub(mul(c,x)) div(sub(a,c)) div(sub(c,a)) sub(add(mul(c,x),b)) add(b) mul(div(neg(a),a))",
                "sub(b) sub(mul(c,x)) sub(mul(a,x)) div(sub(c,a)) add(b) mul(div(neg(a),a))",
                "sub(b) sub(mul(c,x)) sub(mul(a,x)) div(sub(a,c)) sub(add(mul(c,x),b)) add(b)",
                "sub(b) sub(d) sub(mul(c,x)) div(sub(c,a)) add(b) mul(div(neg(a),a))",
                "sub(b) sub(mul(c,x)) div(sub(a,c)) div(sub(c,a)) sub(add(mul(c,x),b)) add(b)",
            ),
        ),
    ),
    2: (
        Family(
            "add(mul(a,x),b)",
            "add(mul(b,x),a)",
            (
                "sub(b) sub(a) sub(mul(b,x)) div(sub(b,a)) mul(div(neg(a),a)) add(b)",
                "sub(b) sub(a) sub(mul(b,x)) div(sub(a,b)) sub(add(mul(b,x),b)) add(b)",
                "sub(b) sub(mul(b,x)) div(sub(a,b)) div(sub(b,a)) sub(add(mul(b,x),b)) add(b)",
                "sub(b) sub(mul(b,x)) sub(mul(a,x)) div(sub(a,b)) sub(add(mul(b,x),b)) add(b)",
                "sub(b) sub(mul(b,x)) div(sub(a,b)) sub(add(mul(b,x),b)) sub(add(mul(a,x),a)) add(b)",
            ),
        ),
        Family(
            "add(mul(a,x),b)",
            "sub(c,mul(a,x))",
            (
                "sub(b) add(mul(a,x)) div(a) div(add(a,a)) add(b) sub(sub(b,mul(a,x)))",
                "sub(b) add(mul(a,x)) div(add(a,a)) add(b) sub(sub(b,mul(a,x))) mul(div(a,add(a,a)))",
                "sub(b) div(a) div(add(a,a)) add(b) add(sub(mul(a,x),b)) mul(div(a,add(a,a)))",
                "add(mul(a,x)) div(a) div(add(a,a)) sub(mul(a,x)) sub(sub(b,mul(a,x))) mul(div(a,add(a,a)))",
                "sub(b) add(mul(a,x)) div(add(a,a)) add(b) add(sub(mul(a,x),b)) mul(div(a,add(a,a)))",
            ),
        ),
        Family(
            "sub(mul(a,x),b)",
            "add(mul(c,x),b)",
            (
                "add(b) sub(b) sub(mul(c,x)) div(sub(a,c)) sub(sub(mul(c,x),b)) add(sub(b,mul(c,x)))",
                "add(b) sub(b) sub(mul(c,x)) div(sub(a,c)) div(sub(c,a)) sub(add(mul(c,x),b))",
                "add(b) sub(b) sub(mul(c,x)) div(sub(a,c)) sub(add(mul(c,x),b)) mul(div(neg(a),a))",
                "add(b) sub(b) sub(mul(a,x)) div(sub(a,c)) div(sub(c,a)) add(sub(b,mul(c,x)))",
                "add(b) sub(b) sub(mul(c,x)) sub(mul(a,x)) div(sub(a,c)) sub(add(mul(c,x),b))",
            ),
        ),
    ),
    3: (
        Family(
            "div(add(x,b),a)",
            "c",
            (
                "mul(a) sub(b) sub(c) sub(div(b,a)) add(b) div(a)",
                "mul(a) sub(b) sub(div(b,a)) add(b) sub(mul(a,c)) sub(div(x,a))",
                "mul(a) sub(b) sub(div(b,a)) add(b) sub(mul(a,c)) mul(neg(a))",
                "mul(a) sub(b) sub(div(b,a)) add(b) div(a) sub(mul(a,c))",
                "mul(a) sub(b) sub(c) sub(div(b,a)) add(b) mul(neg(a))",
            ),
        ),
        Family(
            "add(mul(a,x),b)",
            "add(c,b)",
            (
                "sub(b) div(a) add(b) mul(a) add(c) sub(div(b,a))",
                "sub(b) div(a) sub(add(b,c)) sub(c) add(b) sub(div(b,a))",
                "sub(b) div(a) sub(add(b,c)) sub(c) add(b) add(c)",
                "sub(b) div(a) sub(add(b,c)) add(b) sub(mul(a,x)) sub(div(b,a))",
                "div(a) sub(add(b,c)) sub(c) mul(a) add(c) sub(div(b,a))",
            ),
        ),
    ),
    4: (
        Family(
            "div(sub(x,b),a)",
            "div(c,d)",
            (
                "mul(a) add(b) add(div(b,a)) sub(b) div(a) mul(div(a,d))",
                "mul(a) add(b) mul(d) add(div(b,a)) mul(mul(a,d)) sub(b)",
                "mul(a) add(b) mul(d) add(div(b,a)) sub(b) add(mul(b,d))",
                "mul(a) add(b) div(d) add(div(b,a)) sub(b) mul(div(a,d))",
                "mul(a) add(b) div(d) sub(div(c,d)) add(div(b,a)) sub(b)",
            ),
        ),
        Family(
            "add(div(x,a),div(b,c))",
            "d",
            ("mul(a) mul(c) div(c) mul(mul(a,c)) sub(b) sub(mul(a,b))",),
        ),
        Family(
            "div(mul(a,x),b)",
            "sub(c,d)",
            (
                "mul(b) div(a) mul(div(b,a)) sub(c) div(neg(a)) mul(neg(b))",
                "mul(b) div(a) mul(div(b,a)) mul(d) div(neg(a)) mul(neg(b))",
                "mul(b) div(a) mul(div(b,a)) sub(sub(c,d)) div(neg(a)) mul(neg(b))",
                "mul(b) div(a) mul(div(b,a)) div(d) div(neg(a)) mul(neg(b))",
                "mul(b) div(a) mul(div(b,a)) add(d) div(neg(a)) mul(neg(b))",
            ),
        ),
    ),
    5: (
        Family(
            "sub(div(x,add(a,b)),c)",
            "d",
            (
                "add(c) mul(add(a,b)) sub(d) sub(c) add(mul(c,add(a,b))) div(add(a,b))",
                "add(c) mul(add(a,b)) sub(c) add(mul(c,add(a,b))) add(add(c,d)) mul(a)",
                "add(c) mul(add(a,b)) sub(d) sub(c) add(mul(c,add(a,b))) mul(neg(add(a,b)))",
                "add(c) mul(add(a,b)) sub(c) add(mul(c,add(a,b))) add(add(c,d)) mul(sub(a,b))",
                "add(c) mul(add(a,b)) sub(c) add(mul(c,add(a,b))) div(add(a,b)) mul(a)",
            ),
        ),
        Family(
            "add(div(x,sub(a,b)),c)",
            "d",
            (
                "sub(c) mul(sub(a,b)) add(c) div(sub(a,b)) add(d) add(mul(c,sub(b,a)))",
                "sub(c) mul(sub(a,b)) sub(d) add(c) sub(mul(c,sub(a,b))) div(sub(a,b))",
                "sub(c) mul(sub(a,b)) add(c) sub(mul(c,sub(a,b))) mul(add(a,b)) add(mul(c,sub(b,a)))",
                "sub(c) mul(sub(a,b)) add(c) sub(mul(c,sub(a,b))) div(sub(a,b)) add(d)",
                "sub(c) mul(sub(a,b)) add(c) mul(sub(b,a)) add(d) add(mul(c,sub(b,a)))",
            ),
        ),
    ),
}
