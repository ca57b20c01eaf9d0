"""Depth of a TOML text, measured before it is parsed: depth costs parsers time and memory."""

from __future__ import annotations

import re

DEEPEST = 50

_TOKEN = re.compile(
    r"""
      (?P<long>   "{3}(?:[^\\]|\\.)*?"{3,5} | '{3}.*?'{3,5} )
    | (?P<endless> "{3} | '{3} )
    | (?P<part>   "(?:[^"\\\n]|\\.)*" | '[^'\n]*' | [\w-]+ )
    | (?P<broken> ["'] )
    | (?P<dot>    [ \t]*\.[ \t]* )
    | (?P<open>   [\[{] )
    | (?P<close>  [\]}] )
    | (?P<comment> \#[^\n]* )
    """,
    re.VERBOSE | re.DOTALL,
)


def nesting_problem(text: str) -> str:
    """Say where brackets or dotted keys go too deep; empty if nowhere."""
    brackets = parts = end = 0
    before = ""
    for token in _TOKEN.finditer(text):
        kind = str(token.lastgroup)
        if kind in ("endless", "broken"):
            break  # a parser gets no further either
        joined = token.start() == end and "dot" in (kind, before)
        parts = parts * joined + (kind == "part")
        brackets = max(0, brackets + (kind == "open") - (kind == "close"))
        if max(brackets, parts) > DEEPEST:
            what = "brackets are open" if brackets > DEEPEST else "keys are joined by dots"
            line = text.count("\n", 0, token.start()) + 1
            return f"line {line}: more than {DEEPEST} {what}. Write it flatter."
        before, end = kind, token.end()
    return ""
