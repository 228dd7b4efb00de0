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
