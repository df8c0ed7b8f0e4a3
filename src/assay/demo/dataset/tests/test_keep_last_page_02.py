# canary: copper-lighthouse-29-juniper-falcon-astrolabe
import os
import sys

import pytest

sys.path[:0] = [os.getcwd()]


def test_the_rest_gets_a_page():
    import pages

    assert pages.pages(7, 3) == [[1, 3], [4, 6], [7, 7]]


def test_full_pages_only():
    import pages

    assert pages.pages(6, 3) == [[1, 3], [4, 6]]


def test_less_than_one_page():
    import pages

    assert pages.pages(2, 5) == [[1, 2]]


def test_impossible_numbers():
    import pages

    for total, size in ((-1, 3), (4, 0)):
        with pytest.raises(ValueError):
            pages.pages(total, size)
