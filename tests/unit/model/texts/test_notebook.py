"""HTML of reports."""

from xml.etree import ElementTree

from jourdain.model.texts import notebook


def test_texts_are_escaped_and_indented():
    page = ElementTree.fromstring(notebook.card("a < b", [notebook.text(["<b>", "  deeper"])]))
    assert [part.text for part in page] == ["a < b", "<b>\n\u2002\u2002deeper"]
    assert notebook.text([]) == ""


def test_a_table_with_titles():
    table = ElementTree.fromstring(notebook.grid([("└─ a", "x & y")], ("body", "joint")))
    rows = [[cell.text for cell in row] for row in table.iter("tr")]
    assert rows == [["body", "joint"], ["└─ a", "x & y"]]
