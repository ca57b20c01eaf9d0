"""Entries of the ledger and how they are told."""

from jourdain.results.ledger import Entry, Ledger

HIT = Entry("impact", "left, right", 0.5, 0.5, float("nan"), 2.0, -0.25)
REST = Entry("contact", "left", 0.5, 2.0, 9.81, 14.7, -0.1, (("slip", 0.5), ("stick", 0.75)), False)


def test_table():
    head, hit, rest = str(Ledger([HIT, REST])).splitlines()
    assert head.split()[:2] == ["kind", "name"]
    assert "nan" not in hit
    assert rest.split() == (
        [
            "contact",
            "left",
            "0.5",
            "to",
            "2",
            "9.81",
            "14.7",
            "-0.1",
            "slip",
            "0.5",
            "stick",
            "0.75",
            "forces",
            "are",
            "not",
            "unique",
        ]
    )


def test_long_tables_are_cut():
    lines = str(Ledger([HIT] * 50)).splitlines()
    assert lines[-1] == "and 10 more"


def test_entries_of_one_contact():
    both = Ledger([HIT, REST])
    assert both.of("left") == both
    assert both.of("right") == (HIT,)
    assert isinstance(both.of("right"), Ledger)
