"""Two tests that the warm parent rehearses with: one passes, one fails, so that both paths are imported."""


def test_that_passes() -> None:
    assert [1] == [1]


def test_that_fails() -> None:
    assert [1] == [2]
