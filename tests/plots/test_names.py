"""Names in pictures: short, and never two alike."""

from hypothesis import given, strategies as st

from credibly._core.text import escaped
from credibly.render.names import folded, shortened, width, wrapped

ENDINGS = st.lists(st.text("ab_ 01", max_size=8), min_size=1, max_size=6, unique=True)


@given(ENDINGS, st.integers(12, 40), st.text("xy…(1)", max_size=60), st.text("z ", max_size=60))
def test_names_stay_apart_and_fit(middles, longest, start, end):
    names = [start + m + end for m in middles]
    made = shortened(names, longest)
    assert list(made) == names
    assert len(set(made.values())) == len(names)
    assert all(len(text) <= longest for text in made.values())
    assert all(made[n] == n for n in names if len(n) <= longest)


def test_what_tells_names_apart_is_kept():
    names = [f"gradient_boosting_with_depth_{i}_and_rate_0.1" for i in (1, 2, 10)]
    made = shortened(names, 28)
    for name, i in zip(names, (1, 2, 10), strict=True):
        assert f"depth_{i}_" in made[name]
        assert made[name].startswith("gradient")


def test_lines_and_signs_that_are_obeyed_are_written():
    assert shortened(["a\nb", "c\x1bd"], 20) == {"a\nb": "a b", "c\x1bd": escaped("c\x1bd")}


def test_texts_are_parted_between_words():
    assert folded("logistic regression", 70) == ["logistic ", "regression"]
    assert folded("extraordinarily", 40) is None
    assert wrapped("", 100) == []
    for line in wrapped("pointwise 95 % band; dashed: chance; axes cut", 150):
        assert width(line) <= 150
