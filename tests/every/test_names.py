"""What must hold of every name that people know, whoever uses it and whatever has it."""

from difflib import SequenceMatcher

import pytest

from credibly._core.names import VOCABULARIES, Names, name_key
from credibly.catalogue.registries import HOMES, registry_of
from credibly.errors import OPPOSITES, UnknownNameError, _is_opposite, did_you_mean
from each import Each

ENTRIES = [(kind, entry) for kind in HOMES for entry in registry_of(kind)]
NAMED = [(k, e) for k, e in ENTRIES if e.aliases or getattr(e.aliases, "unlike", None)]
by_entry = Each("kind, entry", NAMED, lambda named: f"{named[0]}-{named[1].name}")


def known(entry):
    return Names.beside(entry.name, entry.aliases).known


@by_entry
def test_names_have_an_origin_and_lead_to_what_has_them(kind, entry):
    registry = registry_of(kind)
    for alias in known(entry):
        assert alias.origin in VOCABULARIES.values()
        assert "," not in alias.name
        for spelled in (alias.name, alias.name.upper(), alias.name.replace("_", " ")):
            found, arguments = registry.read(spelled, "")
            assert found is entry
            assert arguments == alias.arguments
        if alias.arguments and hasattr(entry, "given"):
            assert alias.name in entry.given(**alias.arguments).also


@Each("m", [m for m in registry_of("measure") if m.parameters])
def test_an_argument_by_position_is_known_as_one_by_name(m):
    first = m.parameters[0]
    value = next((v for v in (first.default, 2, 0.5, "linear") if first.rule.accepts(v)), None)
    if value is None:
        return
    placed = f"{m.name}({value!r})"
    assert placed in registry_of("measure").parse(placed).also


@by_entry
def test_a_name_says_one_thing_of_an_entry(kind, entry):
    said = {}
    for alias in known(entry):
        assert said.setdefault(alias.key, alias.arguments) == alias.arguments


@Each("kind", HOMES)
def test_a_key_belongs_to_one_entry_of_a_kind(kind):
    owner = {}
    for entry in registry_of(kind):
        for key in {name_key(entry.name), *(a.key for a in known(entry))}:
            assert owner.setdefault(key, entry.name) == entry.name


@by_entry
def test_false_friends_are_refused_with_the_choice(kind, entry):
    registry = registry_of(kind)
    for name, why in getattr(entry.aliases, "unlike", {}).items():
        assert registry.meanings(name)[entry.name] == why
        if name in registry:  # to which it belongs here
            assert registry[name].name != entry.name
            continue
        with pytest.raises(UnknownNameError) as refused:
            registry[name]
        assert entry.name in refused.value.choices
        assert why in str(refused.value)


@Each("kind", HOMES)
def test_the_contrary_is_never_offered(kind):
    registry = registry_of(kind)
    for name in registry.names():
        for contraries in OPPOSITES:
            words = name_key(name).split("_")
            if len(contraries & set(words)) > 1:  # it speaks of both
                continue
            for i in (i for i, word in enumerate(words) if word in contraries):
                for other in contraries - {words[i]}:
                    asked = "_".join([*words[:i], other, *words[i + 1 :]])
                    offered = did_you_mean(asked, registry.names())
                    assert f" {name}?" not in offered
                    assert f" {name} or" not in offered


def likeness(one, other):
    plain = (t.lower().replace("-", "_").replace(" ", "_") for t in (one, other))
    return SequenceMatcher(None, *plain).ratio()


@Each("kind", HOMES)
def test_a_slip_leads_to_no_contrary(kind):
    """A letter is lost: of a name and its contrary, the one that is further away is not offered."""
    names = sorted(registry_of(kind).names())
    for name in names[:: 1 + len(names) // 20]:
        for i in range(0, len(name), 4):
            slip = name[:i] + name[i + 1 :]
            said = did_you_mean(slip, names).removeprefix(" Did you mean ").removesuffix("?")
            for offered in filter(None, said.replace(", ", " or ").split(" or ")):
                contrary = _is_opposite(name, offered) or _is_opposite(offered, name)
                assert not contrary or likeness(offered, slip) >= likeness(name, slip), slip


def test_slips_of_names_that_say_the_contrary():
    names = registry_of("measures").names()
    for slip, meant in {
        "Correctly Classifed Instances": "Correctly Classified Instances",
        "Mean_Nex_Pred_Value": "Mean_Neg_Pred_Value",
        "1sensitivity": "1-sensitivity",
        "neg_log_los": "neg_log_loss",
    }.items():
        assert did_you_mean(slip, names) == f" Did you mean {meant}?"
    for other in ("neg_acuracy", "top_k_accuracy"):
        assert not did_you_mean(other, names)
