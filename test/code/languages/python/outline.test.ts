import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { docs, outlined, rows, signatures, withSymbols } from "../../Symbols/outlined.ts"

const source = `#!/usr/bin/env python
"""About the module."""
from __future__ import annotations
import os.path as path, sys
from . import sibling
from .near.by import one as two
from far import *

LIMIT: int = 3
_private = first = 1
left, right = 1, 2
double = lambda x: x * 2
type Alias = int

# Keeps things.
@dataclass
@other(1)
class Store(Base, metaclass=Meta):
    """
    A store.

        indented
    """
    size: int = 0
    DEFAULT = 1
    def __init__(self, path: str) -> None:
        self.path = path
    @property
    async def name(self) -> str:
        r'''The name.'''
        def inner(): pass
        return ""
    def _hidden(self): ...
    class Inner:
        def run(self): ...

try:
    import json
except ImportError:
    json = None
if sys.platform == "linux":
    def conditional():
        # about the return
        return 1
for each in []:
    loop = each
if __name__ == "__main__":
    main = 1
# Adds numbers.
# All of them.
def add(
    *numbers: int,
) -> int:
    total = 0
    return total
self.attribute = 1
LIMIT = 4
`

withSymbols("the outline of Python", (it) => {
  it.effect("has classes, functions and what is bound at the top", () =>
    Effect.gen(function* () {
      const outline = yield* outlined("a.py", source)
      assert.deepStrictEqual(rows(outline), [
        "+ constant LIMIT 9-9",
        "- variable _private 10-10",
        "+ variable first 10-10",
        "+ variable left 11-11",
        "+ variable right 11-11",
        "+ function double 12-12",
        "+ type Alias 13-13",
        "+ class Store 16-35",
        "+ field Store.size 24-24",
        "+ constant Store.DEFAULT 25-25",
        "+ method Store.__init__ 26-27",
        "+ method Store.name 28-32",
        "- method Store._hidden 33-33",
        "+ class Store.Inner 34-35",
        "+ method Store.Inner.run 35-35",
        "+ variable json 40-40",
        "+ function conditional 42-44",
        "+ function add 51-55",
      ])
      assert.deepStrictEqual(outline.imports, ["__future__", "os.path", "sys", ".", ".near.by", "far", "json"])
    }),
  )

  it.effect("has the strings below values, and comments above them where there are none", () =>
    Effect.gen(function* () {
      const lines = [
        '"""The module."""',
        "LIMIT = 3",
        '"""How many at most."""',
        "",
        "# How long to wait.",
        "WAIT = 4",
        "class Source(Enum):",
        '    """Where it is from."""',
        "    PROMPT = auto()",
        "    '''Asked for.'''",
        "    LINE: int = auto()",
        "    ENVIRONMENT = auto()",
        "    print('no documentation')",
      ]
      assert.deepStrictEqual(docs(yield* outlined("a.py", lines.join("\n"))), {
        LIMIT: "How many at most.",
        WAIT: "How long to wait.",
        Source: "Where it is from.",
        "Source.PROMPT": "Asked for.",
      })
    }),
  )

  it.effect("has docstrings, and comments where there are none", () =>
    Effect.gen(function* () {
      const outline = yield* outlined("a.py", source)
      assert.deepStrictEqual(docs(outline), {
        Store: "A store.\n\n    indented",
        "Store.name": "The name.",
        add: "Adds numbers.\nAll of them.",
      })
      assert.deepStrictEqual(signatures(outline), {
        LIMIT: "LIMIT: int = 3",
        _private: "_private = first = 1",
        first: "_private = first = 1",
        left: "left, right = 1, 2",
        right: "left, right = 1, 2",
        double: "double = lambda x: x * 2",
        Alias: "type Alias = int",
        Store: "class Store(Base, metaclass=Meta)",
        "Store.size": "size: int = 0",
        "Store.DEFAULT": "DEFAULT = 1",
        "Store.__init__": "def __init__(self, path: str) -> None",
        "Store.name": "async def name(self) -> str",
        "Store._hidden": "def _hidden(self)",
        "Store.Inner": "class Inner",
        "Store.Inner.run": "def run(self)",
        json: "json = None",
        conditional: "def conditional()",
        add: "def add(*numbers: int) -> int",
      })
    }),
  )

  it.effect("exports what __all__ lists, where there is one", () =>
    Effect.gen(function* () {
      const all =
        '__all__ = ["_a", "B"]\n__all__ += ["C"]\ndef _a(): pass\nclass B:\n  def m(self): pass\nC = 1\nd = 2\n'
      assert.deepStrictEqual(rows(yield* outlined("a.py", all)), [
        "+ function _a 3-3",
        "+ class B 4-5",
        "+ method B.m 5-5",
        "+ constant C 6-6",
        "- variable d 7-7",
      ])
    }),
  )
})
