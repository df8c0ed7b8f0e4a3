# canary: copper-lighthouse-29-juniper-falcon-astrolabe
import os
import sys

sys.path[:0] = [os.getcwd()]


def test_names_lose_spaces_and_capitals():
    import tidy

    assert tidy.tidy_header(" Article ;Net   Price\n") == "article;net-price\n"


def test_rows_stay_as_they_are():
    import tidy

    assert tidy.tidy_header("A;B\n 1 ;X Y\n\n2;Z") == "a;b\n 1 ;X Y\n\n2;Z"


def test_repeated_and_missing_names():
    import tidy

    assert tidy.tidy_header("Sum;sum;;SUM; ") == "sum;sum-2;unnamed;sum-3;unnamed-2"


def test_an_empty_export():
    import tidy

    assert tidy.tidy_header("") == ""
