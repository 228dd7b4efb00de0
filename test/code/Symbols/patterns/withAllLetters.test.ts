import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { outlined, rows, withSymbols } from "../outlined.ts"

const sources: ReadonlyArray<readonly [file: string, text: string, expected: ReadonlyArray<string>]> = [
  [
    "a.kt",
    "class Größe(val höhe: Int) {\n  fun läuft() = 1\n}\nfun Größe.名前() = 2\n",
    ["class Größe", "field Größe.höhe", "method Größe.läuft", "method Größe.名前"],
  ],
  [
    "a.swift",
    "struct Größe { var höhe = 1; func läuft() {} }\nextension Größe { func 名前😀() {} }\n",
    ["class Größe", "field Größe.höhe", "method Größe.läuft", "method Größe.名前😀"],
  ],
  [
    "a.scala",
    "class Größe {\n  def läuft = 1\n  val höhe = 1\n}\n",
    ["class Größe", "method Größe.läuft", "field Größe.höhe"],
  ],
  ["a.groovy", "class Größe {\n  int läuft(int a) { 1 }\n}\n", ["class Größe", "method Größe.läuft"]],
  [
    "a.m",
    "@interface Größe\n@property int Übergang;\n- (int)läuft:(int)a übrig:(int)b;\n@end\n",
    ["class Größe", "field Größe.Übergang", "method Größe.läuft:übrig:"],
  ],
  ["a.ex", "defmodule Größe do\n  def läuft?(x), do: x\nend\n", ["module Größe", "function Größe.läuft?"]],
  ["a.jl", "struct Größe\n  höhe::Int\nend\nfunction läuft(x)\n  x\nend\n", ["class Größe", "function läuft"]],
  ["a.r", "läuft <- function(x) x\n", ["function läuft"]],
  ["a.pl", "use utf8;\nsub läuft {\n  1\n}\n", ["function läuft"]],
  ["a.ps1", "function Läuft-Weg {\n  1\n}\n", ["function Läuft-Weg"]],
  ["a.sql", "CREATE TABLE größe (höhe int);\n", ["class größe"]],
  ["a.lua", "function läuft() end\n", ["function läuft"]],
]

withSymbols("names with letters of any script", (it) => {
  for (const [file, text, expected] of sources) {
    it.effect(`are whole in ${file}`, () =>
      Effect.gen(function* () {
        const found = rows(yield* outlined(file, text)).map((row) => row.replace(/^[+-] | \d+-\d+$/g, ""))
        assert.deepStrictEqual(
          expected.filter((row) => !found.includes(row)),
          [],
          found.join(", "),
        )
      }),
    )
  }
})
