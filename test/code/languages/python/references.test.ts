import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Project, referencesIn } from "../../../index/IndexStore/references/References.fixture.ts"

const cases: ReadonlyArray<readonly [name: string, files: Project, expected: ReadonlyArray<string>]> = [
  [
    "follows relative and absolute imports, also out of a src folder and through packages",
    {
      "src/pkg/__init__.py": "from .core import run as start\nfrom .more import *\n",
      "src/pkg/core.py": "def run():\n    pass\n",
      "src/pkg/more.py": "def extra():\n    pass\n",
      "src/pkg/sub/deep.py": "from ..core import run\nfrom .. import more\n\ndef go():\n    run()\n    more.extra()\n",
      "tests/test_all.py":
        "import pkg\nimport pkg.sub.deep\nfrom pkg import *\n\ndef test():\n    pkg.start()\n    pkg.sub.deep.go()\n    extra()\n",
    },
    [
      "src/pkg/sub/deep.py go -> src/pkg/core.py run: 5",
      "src/pkg/sub/deep.py go -> src/pkg/more.py extra: 6",
      "tests/test_all.py test -> src/pkg/core.py run: 6",
      "tests/test_all.py test -> src/pkg/more.py extra: 8",
      "tests/test_all.py test -> src/pkg/sub/deep.py go: 7",
    ],
  ],
  [
    "ends where names hold themselves, or each other",
    {
      "a.py": "x = x\ny = z\nz = y\n\ndef go():\n    x.stop()\n    y.stop()\n    y().stop()\n",
    },
    [
      "a.py go -> a.py x: 6",
      "a.py go -> a.py y: 7 8",
      "a.py x -> a.py x: 1",
      "a.py y -> a.py z: 2",
      "a.py z -> a.py y: 3",
    ],
  ],
  [
    "resolves members of self, cls and super, through base classes of other modules",
    {
      "base.py": "class Base:\n    def stop(self):\n        pass\n",
      "a.py":
        "import base\n\nclass A(base.Base):\n    def go(self):\n        self.stop()\n        super().stop()\n\n    @classmethod\n    def make(cls):\n        return cls()\n\ndef top():\n    A.make().go()\n",
    },
    [
      "a.py A -> base.py Base: 3",
      "a.py A.go -> base.py Base.stop: 5 6",
      "a.py top -> a.py A.go: 13",
      "a.py top -> a.py A.make: 13",
      "a.py top -> a.py A: 13",
    ],
  ],
  [
    "resolves members by types that are declared, constructed, returned or checked",
    {
      "base.py": "class Base:\n    def stop(self):\n        pass\n\ndef make():\n    return Base()\n",
      "a.py": [
        "from typing import Optional",
        "from base import Base, make",
        "class A:",
        "    def __init__(self, base: Optional[Base], all: 'list[Base]'):",
        "        self.base = base",
        "        self.all = all",
        "    @property",
        "    def first(self) -> Base:",
        "        return self.all[0]",
        "    def go(self, other):",
        "        self.base.stop()",
        "        self.first.stop()",
        "        [each.stop() for each in self.all]",
        "        made = make()",
        "        made.stop()",
        "        if isinstance(other, Base):",
        "            other.stop()",
        "",
      ].join("\n"),
    },
    [
      "a.py A.__init__ -> base.py Base: 4",
      "a.py A.first -> base.py Base: 8",
      "a.py A.go -> a.py A.first: 12",
      "a.py A.go -> base.py Base.stop: 11 12 13 15 17",
      "a.py A.go -> base.py Base: 16",
      "a.py A.go -> base.py make: 14",
      "base.py make -> base.py Base: 6",
    ],
  ],
  [
    "takes the definition for what overloads declare",
    {
      "a.py":
        "from typing import overload\n\n@overload\ndef one(a: int): ...\n@overload\ndef one(a: str): ...\ndef one(a):\n    two()\n\ndef two():\n    one(1)\n",
    },
    ["a.py one -> a.py two: 8", "a.py two -> a.py one: 11"],
  ],
  [
    "does not take parameters, local names and keyword arguments for symbols",
    {
      "a.py":
        "def one():\n    pass\n\ndef two(one):\n    one()\n    print(one=1)\n\ndef three():\n    one = 1\n    return one\n",
    },
    [],
  ],
]

describe("references of Python", () => {
  for (const [name, files, expected] of cases) {
    it.effect(name, () => Effect.map(referencesIn(files), (lines) => assert.deepStrictEqual(lines, expected)))
  }
})
