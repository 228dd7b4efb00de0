import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { referencesIn } from "./References.fixture.ts"

it.effect("ends where values hold one another", () =>
  Effect.gen(function* () {
    const lines = yield* referencesIn({
      "a.py": "one = two\ntwo = one\n\ndef use():\n    one.member()\n    two.member\n",
      "b.ts": "export const one = two\nexport const two = one\nexport const use = () => one.member()\n",
    })
    assert.isTrue(lines.every((line) => !line.includes("member")))
  }),
)

it.effect("ends where classes inherit from each other, and no method of theirs has that number of arguments", () =>
  Effect.gen(function* () {
    const lines = yield* referencesIn({
      "One.cs": "namespace N;\nclass One : Two { public void Go(int a) {} public void Use() { Go(); } }\n",
      "Two.cs": "namespace N;\nclass Two : One { public void Go(int a, int b) {} }\n",
    })
    assert.deepStrictEqual(lines, ["One.cs N.One -> Two.cs N.Two: 2", "Two.cs N.Two -> One.cs N.One: 2"])
  }),
)

it.effect("looks for a method with that number of arguments in at most 50 classes above one", () =>
  Effect.gen(function* () {
    const classes = (depth: number) =>
      Array.from({ length: depth }, (_, n) => `class C${n} : C${n + 1} { public void Go(int a) {} }\n`).join("")
    const foundBelow = (depth: number) =>
      Effect.map(
        referencesIn({
          "All.cs": `namespace N;\n${classes(depth)}class C${depth} { public void Go() {} }\n`,
          "Use.cs": "namespace N;\nclass Use { void Run(C0 c) { c.Go(); } }\n",
        }),
        (lines) => lines.filter((line) => line.includes(".Go:")),
      )
    assert.deepStrictEqual(yield* foundBelow(50), ["Use.cs N.Use.Run -> All.cs N.C50.Go: 2"])
    assert.deepStrictEqual(yield* foundBelow(51), [])
  }),
)
