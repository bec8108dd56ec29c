"""Every formula of every declared thing is mathematics in a page and one plain line elsewhere."""

import re
from xml.etree import ElementTree as ET

import pytest

from credibly._core.formulas import FormulaError, formulas, in_plain_text, to_mathml
from credibly.catalogue import show
from credibly.catalogue.registries import HOMES, registry_of

DECLARED = {
    formula: f"{kind} {entry.name}"
    for kind in HOMES
    for entry in registry_of(kind)
    for formula in formulas(str(entry.doc))
}


def test_no_source_is_left():
    assert len(DECLARED) > 100
    for formula, where in DECLARED.items():
        drawn = re.sub(r"&#x\w+;", "", to_mathml(formula))
        assert drawn.endswith("</math>"), where
        plain = in_plain_text(formula)
        for text in (drawn, plain):
            assert not re.search(r"\\|[{}]|&#|\$", text), where
        assert "  " not in plain, where
        assert plain.count("(") == plain.count(")"), where


@pytest.mark.parametrize(
    ("formula", "written"),
    [
        (r"\frac1n \sum (v - a)^2", "1/n ∑ (v - a)^2"),
        (r"\sum |v - a| / \sum |\bar a_{\text{train}} - a|", "∑ |v - a| / ∑ |a\u0304_train - a|"),
        (r"-\frac1n \sum \ln p_{\text{actual}}", "-1/n ∑ ln p_actual"),
        (r"\Pr(S_+ > S_-) + \tfrac12 \Pr(S_+ = S_-)", "Pr(S_+ > S_-) + 1/2 Pr(S_+ = S_-)"),
        (r"\frac{1}{K} \sum_t p_t(c_j \mid x)", "1/K ∑_t p_t(c_j | x)"),
        (r"m^{1 - n}", "m^(1 - n)"),
        ("TP / (TP + FN)", "TP / (TP + FN)"),
    ],
)
def test_plain_text_keeps_what_binds(formula, written):
    assert in_plain_text(formula) == written


def test_capitals_in_braces_are_one_name():
    assert to_mathml(r"\frac{2 TP}{n}") == to_mathml(r"\frac{2 \mathrm{TP}}{n}")


def test_an_unknown_command_is_refused():
    with pytest.raises(FormulaError, match="no MathML"):
        to_mathml(r"\nosuchcommand x")


def test_what_is_shown_of_a_measure_is_plain_and_its_json_has_the_source():
    entries = show("mse")
    assert "1/n ∑ (v - a)^2" in str(entries)
    assert r"\frac" not in str(entries)
    assert r"\frac1n" in entries.to_json().replace("\\\\", "\\")


def test_fractions_without_braces_are_read_as_tex_reads_them():
    assert "<mfrac><mn>1</mn><mn>2</mn></mfrac>" in to_mathml(r"\tfrac12 \Pr(A)")


def test_capitals_are_one_name():
    assert '<mi mathvariant="normal">T</mi>' in to_mathml("TP_k / n")
    assert to_mathml(r"\mathrm{TP} / n") == to_mathml("TP / n")


def test_what_is_shown_in_a_notebook_is_mathematics():
    root = ET.fromstring(show("mse")._repr_html_())
    assert root.find(".//{http://www.w3.org/1998/Math/MathML}mfrac") is not None
    text = "".join(root.itertext())
    assert "frac" not in text
    assert ">>> mse(" in text
