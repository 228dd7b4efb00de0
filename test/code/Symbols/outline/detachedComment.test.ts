import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { docs, outlined, withSymbols } from "../outlined.ts"

/** A path, what comes before a comment in it, a comment that documents, and the declaration of `check`. */
const declarations: ReadonlyArray<readonly [path: string, before: string, comment: string, declaration: string]> = [
  ["a.js", "let a = 1\n", "/** Checks. */", "function check() {}\n"],
  ["a.ts", "let a = 1\n", "/**\n * Checks.\n */", "export function check() {}\n"],
  ["A.java", "class A {\n", "  /** Checks. */", "  void check() {}\n}\n"],
  ["a.php", "<?php\n$a = 1;\n", "/** Checks. */", "function check() {}\n"],
  ["a.rs", "mod a;\n", "/// Checks.", "fn check() {}\n"],
  ["a.rb", "A = 1\n", "# Checks.", "def check; end\n"],
  ["A.cs", "class A {\n", "  /// <summary>Checks.</summary>", "  void check() {}\n}\n"],
  ["a.kt", "val a = 1\n", "/** Checks. */", "fun check() {}\n"],
  ["a.swift", "let a = 1\n", "/// Checks.", "func check() {}\n"],
]

withSymbols("a comment above a blank line", (it) => {
  it.effect.each(declarations)("belongs to the declaration below it in %s", ([path, before, comment, declaration]) =>
    Effect.gen(function* () {
      const docOf = (text: string) =>
        Effect.map(outlined(path, text), (outline) => outline.symbols.find(({ name }) => name === "check")?.doc)
      assert.strictEqual(yield* docOf(`${before}${comment}\n${declaration}`), "Checks.")
      assert.strictEqual(yield* docOf(`${before}${comment}\n\n${declaration}`), "Checks.")
      assert.isUndefined(yield* docOf(`${before}${comment}\n\n\n\n\n${declaration}`))
    }),
  )

  it.effect("belongs to nothing in Go, nor if it is a note and no documentation", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(docs(yield* outlined("a.go", "package a\n\n// Checks.\n\nfunc check() {}\n")), {})
      assert.deepStrictEqual(docs(yield* outlined("a.ts", "let a = 1\n\n// Section\n\nfunction check() {}\n")), {})
      assert.deepStrictEqual(docs(yield* outlined("a.ts", "let a = 1\n\n/* Section */\n\nfunction check() {}\n")), {})
    }),
  )

  it.effect("belongs to the file if it is its header", () =>
    Effect.gen(function* () {
      const none = (path: string, text: string) =>
        Effect.map(outlined(path, text), (outline) => assert.deepStrictEqual(docs(outline), {}, text))
      yield* none("a.js", "/**\n * Copyright 2026 A. Uthor\n */\n\nfunction check() {}\n")
      yield* none("a.js", "/** @fileoverview All checks. */\n\nfunction check() {}\n")
      yield* none("a.php", "<?php\n/**\n * Functions of the theme.\n * @package Theme\n */\n\nfunction check() {}\n")
      yield* none("a.rb", "# All checks.\n\ndef check; end\n")
      assert.deepStrictEqual(docs(yield* outlined("a.ts", "/** Checks. */\n\nexport function check() {}\n")), {
        check: "Checks.",
      })
    }),
  )

  it.effect("goes no further up than the nearest comment", () =>
    Effect.gen(function* () {
      const text = "let a = 1\n/** Other. */\n\n/** Checks. */\n\nfunction check() {}\n"
      assert.deepStrictEqual(docs(yield* outlined("a.js", text)), { check: "Checks." })
    }),
  )
})
