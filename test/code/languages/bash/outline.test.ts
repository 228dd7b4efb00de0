import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { docs, outlined, rows, signatures, withSymbols } from "../../Symbols/outlined.ts"

const source = `#!/bin/bash
# License

# Greets.
# Politely.
greet() {
  local name=$1
  LOCAL=2
  echo "hello $name"
}
function leave { exit 0; }
source ./lib.sh
. "$DIR/other.sh"
readonly limit=1
declare -r MOST=2
export PATH_TO=3
NAME=store
lower=1
MODE=x run --flag some/path greet
if true; then conditional() { :; }; fi
for EACH in a b; do INSIDE=1; done
`

withSymbols("the outline of Bash", (it) => {
  it.effect("has functions and constants", () =>
    Effect.gen(function* () {
      const outline = yield* outlined("bin/run.sh", source)
      assert.deepStrictEqual(rows(outline), [
        "+ function greet 6-10",
        "+ function leave 11-11",
        "+ constant limit 14-14",
        "+ constant MOST 15-15",
        "+ constant PATH_TO 16-16",
        "+ constant NAME 17-17",
        "+ function conditional 20-20",
      ])
      assert.deepStrictEqual(outline.imports, ["./lib.sh", "$DIR/other.sh"])
      assert.deepStrictEqual(docs(outline), { greet: "Greets.\nPolitely." })
      assert.deepStrictEqual(signatures(outline), {
        greet: "greet()",
        leave: "function leave",
        limit: "readonly limit=1",
        MOST: "declare -r MOST=2",
        PATH_TO: "export PATH_TO=3",
        NAME: "NAME=store",
        conditional: "conditional()",
      })
    }),
  )

  it.effect("counts words that could be names, and no options or paths", () =>
    Effect.gen(function* () {
      const { identifiers } = yield* outlined("bin/run.sh", source)
      assert.strictEqual(identifiers.get("greet"), 2)
      assert.strictEqual(identifiers.get("name"), 2)
      assert.isFalse(identifiers.has("--flag"))
      assert.isFalse(identifiers.has("some/path"))
    }),
  )

  it.effect("has aliases, and the functions behind syntax errors, with a note", () =>
    Effect.gen(function* () {
      const text = `#!/usr/bin/env bash
alias ll='ls -l' la="ls -a"
one() {
  echo 1
}
broken() {
  if [[ $a == (x|y) ]; then
  case
}
two() {
  echo 2
}
three() {
  for x in \${(f)y}; do :; 
}
function four() {
  alias inner=1
}
A=1
`
      const outline = yield* outlined("a.sh", text)
      assert.deepStrictEqual(rows(outline), [
        "+ function ll 2-2",
        "+ function la 2-2",
        "+ function one 3-5",
        "+ function two 10-12",
        "+ function four 16-18",
        "+ constant A 19-19",
      ])
      assert.match(outline.note ?? "", /^syntax error at line \d+: the outline may be incomplete$/)
      assert.strictEqual(outline.cut, "syntax")
    }),
  )
})
