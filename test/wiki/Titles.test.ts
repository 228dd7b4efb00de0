import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Part } from "../../src/wiki/Plan.ts"
import * as Titles from "../../src/wiki/Titles.ts"

const part = (title: string, ...files: ReadonlyArray<string>): Part => ({ name: title, title, line: "", files })

/** Returns the titles that some parts get, by the texts of the files. */
const titlesOf = (parts: ReadonlyArray<Part>, texts: Readonly<Record<string, string>> = {}) =>
  Effect.map(
    Titles.give(parts, [...parts.flatMap(({ files }) => files), ...Object.keys(texts)], (path) =>
      Effect.succeed(texts[path]),
    ),
    (given) => given.map(({ title }) => title),
  )

describe("Titles.give", () => {
  it.effect("takes the title of the README of a folder, or what its package is called, or the folder", () =>
    Effect.gen(function* () {
      const parts = [
        part("src/forest", "src/forest/a.ts", "src/forest/b.ts"),
        part("src/auth", "src/auth/__init__.py", "src/auth/b.py"),
        part("src/deep/cart", "src/deep/cart/a.ts", "src/deep/cart/b.ts"),
        part("src/mail", "src/mail/a.ts", "src/mail/b.ts"),
      ]
      const texts = {
        "src/forest/README.md": "# Trees of conversations\n\nKeeps them.\n",
        "src/auth/__init__.py": '"""This package contains the login providers for people."""\n',
        "src/mail/README.md": "# A title that has far too many words for any box of a picture\n",
      }
      assert.deepStrictEqual(yield* titlesOf(parts, texts), [
        "Trees of conversations",
        "Login providers",
        "deep/cart",
        "Mail",
      ])
    }),
  )

  it.effect("takes what the comment of a single file calls it, or its name as words", () =>
    Effect.gen(function* () {
      const parts = [
        part("lib/auth", "lib/auth.py"),
        part("lib/ProjectFacts", "lib/ProjectFacts.ts"),
        part("lib/http_client", "lib/http_client.py"),
      ]
      const texts = {
        "lib/auth.py": '"""\nlib.auth\n~~~~~~~~\n\nThis module contains the authentication handlers for Lib.\n"""\n',
        "lib/http_client.py": '"""Sends requests and waits for what comes back."""\n',
      }
      assert.deepStrictEqual(yield* titlesOf(parts, texts), ["Authentication handlers", "Project facts", "HTTP client"])
    }),
  )

  it.effect("takes the names of their pages if parts of one file have the same path, too", () =>
    Effect.gen(function* () {
      const parts = ["prop-check", "check", "analytics-prop-check"].map(
        (name): Part => ({ ...part(name === "check" ? "Checks" : "prop_check", "src/Checks.hs"), name }),
      )
      assert.deepStrictEqual(yield* titlesOf(parts), ["Prop check", "Checks", "Analytics prop check"])
    }),
  )

  it.effect("keeps the paths of parts that would be called the same, and says nothing of the folder of all", () =>
    Effect.gen(function* () {
      const parts = [
        part("src/a", "src/a/x.ts", "src/a/y.ts"),
        part("src/a_", "src/a_/x.ts", "src/a_/y.ts"),
        part("src/f04, src/f05 and 2 more", "src/f04.ts", "src/f05.ts", "src/f06.ts"),
        part("Helpers", "src/log.ts"),
      ]
      assert.deepStrictEqual(yield* titlesOf(parts), ["a", "a_", "f04, f05 and 2 more", "Helpers"])
    }),
  )

  it.effect("leaves the folder of all out of a list of names", () =>
    Effect.gen(function* () {
      const parts = [
        part("src/utils/merge, src and 5 more", "src/utils/merge.ts", "src/index.ts", "src/utils/b.ts"),
        part("src/a/x", "src/a/x.ts"),
      ]
      assert.deepStrictEqual(yield* titlesOf(parts), ["utils/merge and 6 more", "a/x"])
    }),
  )

  it("makes no title of a sentence that says what a module does", () => {
    assert.isUndefined(Titles.fromSentence("Reads what a file says of itself."))
    assert.isUndefined(Titles.fromSentence("This module handles what happens when the user, who is new, signs in."))
    assert.strictEqual(
      Titles.fromSentence("This module provides a Session object to manage settings (cookies)."),
      "Session object",
    )
    assert.isUndefined(Titles.fromSentence("A library for parsing the keys of nested objects."))
    assert.isUndefined(Titles.fromSentence("Some common utilities that are used everywhere."))
    assert.strictEqual(Titles.fromSentence("A library of icons for maps."), "Library of icons")
    assert.strictEqual(Titles.fromSentence("The calls from a symbol, in order."), "Calls")
  })
})

describe("Titles.fromPath", () => {
  it.each([
    ["ssl_.py", "SSL"],
    ["html", "HTML"],
    ["url_parser", "URL parser"],
    ["http2", "http2"],
    ["identity", "Identity"],
    ["output/ssl", "output/ssl"],
  ])("writes %s as %s", (path, title) => assert.strictEqual(Titles.fromPath(path), title))
})
