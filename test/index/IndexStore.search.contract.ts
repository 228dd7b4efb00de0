/** The contract of IndexStore: symbols found by words and by vectors. */

import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type * as IndexStore from "../../src/index/IndexStore.ts"
import { openIndex, record, withIndex } from "./IndexStore.fixture.ts"
import { files, type It, type NewRoot } from "./IndexStore.project.ts"

export const findsSymbols = (it: It, root: NewRoot): void => {
  it.scoped("finds a symbol by the words of its purpose", () =>
    Effect.gen(function* () {
      const index = yield* openIndex(yield* root, files)
      yield* record(index, "weave", "Grows several answers from one message.")
      const [best] = yield* index.search("Where do several answers grow?", { limit: 3 })
      assert.strictEqual(best?.entry.name, "weave")
      assert.strictEqual(best?.entry.purpose?.text, "Grows several answers from one message.")
    }),
  )

  it.scoped("answers the same from the same code, whatever it was in between", () =>
    Effect.gen(function* () {
      const at = yield* root
      const words = (number: number) => (number < 3 ? "apple" : number < 7 ? "banana" : "cherry")
      const text = (number: number, more: string) =>
        `// Peels the ${words(number)}.\nexport function peel${number}() {\n  return ${words(number)}\n}\n${more}`
      const project = (more: string) =>
        Object.fromEntries(
          Array.from({ length: 21 }, (_, number) => [`src/f${number}.ts`, text(number, number < 3 ? more : "")]),
        )
      const answers = (index: IndexStore.Index) =>
        Effect.map(index.search("apple or banana", { limit: 10 }), (hits) =>
          hits.map(({ entry, score }) => [entry.qualifiedName, score]),
        )
      const before = yield* withIndex(at, project(""), answers)
      assert.strictEqual(before.length, 7)
      yield* withIndex(at, project("// Changed.\n"), answers)
      assert.deepStrictEqual(yield* withIndex(at, project(""), answers), before)
    }),
  )

  it.scoped("finds a file of the code that declares nothing by its words, and no script of the tests", () =>
    Effect.gen(function* () {
      const index = yield* openIndex(yield* root, {
        "src/run.ts": "startServer(portOf(settings))\n",
        "test/seed.ts": "startServer(portOf(fixture))\n",
      })
      const paths = Effect.map(index.search("start server port", { limit: 5 }), (hits) =>
        hits.map(({ entry }) => entry.path),
      )
      assert.deepStrictEqual(yield* paths, ["src/run.ts"])
    }),
  )

  it.scoped("ranks a purpose with all words of a question above code with one of them", () =>
    Effect.gen(function* () {
      const index = yield* openIndex(yield* root, {
        "src/Retry.ts": "export function patience() {\n  return wait(2)\n}\n",
        ...Object.fromEntries(
          [1, 2, 3, 4].map((n) => [
            `src/Call${n}.ts`,
            `export function call${n}(message) {\n  return provider.send(message)\n}\n`,
          ]),
        ),
      })
      yield* record(index, "patience", "Waits for a busy provider to recover.")
      const [best] = yield* index.search("busy provider", { limit: 5 })
      assert.strictEqual(best?.entry.name, "patience")
    }),
  )

  it.scoped("keeps the rank of right answers without a purpose when other symbols get one", () =>
    Effect.gen(function* () {
      const index = yield* openIndex(yield* root, {
        "src/app.ts":
          "export function handle(request) {\n  const response = route(request)\n  return finish(response)\n}\n",
        "src/config.ts": "export function load(file) {\n  return merge(parse(file), defaults)\n}\n",
        "src/cookies.ts":
          "export function open(app, request) {\n  const signer = signing(app)\n  return signer.unsign(request.cookies)\n}\n",
        "src/retry.ts":
          "export function send(request) {\n  while (isBusy(request)) pause(backoff(request))\n  return post(request)\n}\n",
        "src/views.ts": "export function render(name, context) {\n  return escape(template(name), context)\n}\n",
      })
      const questions = [
        ["Where are the cookies of a request signed?", "open"],
        ["How long does the application pause before a request is sent again?", "send"],
      ] as const
      const right = Effect.forEach(questions, ([question]) =>
        Effect.map(index.search(question, { limit: 1 }), ([best]) => best?.entry.name),
      )
      const expected: ReadonlyArray<string | undefined> = questions.map(([, name]) => name)
      assert.deepStrictEqual(yield* right, expected)
      yield* record(
        index,
        "handle",
        "Answers a request of the application, with its session and its cookies opened before.",
      )
      yield* record(index, "load", "Reads the configuration of the application before the first request is sent.")
      assert.deepStrictEqual(yield* right, expected)
    }),
  )

  it.scoped("finds a symbol by its name", () =>
    Effect.gen(function* () {
      const index = yield* openIndex(yield* root, files)
      for (const { name } of yield* index.symbolsIn("src/Forest.ts")) {
        const [best] = yield* index.search(name, { limit: 5 })
        assert.strictEqual(best?.entry.name, name)
      }
    }),
  )

  it.scoped("finds the symbols of one file or folder, and of no other", () =>
    Effect.gen(function* () {
      const source = (name: string) => `export function ${name}(cookie) {\n  return sign(cookie)\n}\n`
      const index = yield* openIndex(yield* root, {
        "src/a.ts": source("bake"),
        "src/jar/b.ts": source("brew"),
        "src/jar/deep/c.ts": source("boil"),
        // Neither is in `src/jar`.
        "src/jar.ts": source("beat"),
        "src/jars/d.ts": source("blend"),
      })
      const found = (question: string, path: string) =>
        Effect.map(index.search(question, { limit: 9, path }), (hits) => hits.map(({ entry }) => entry.name).sort())
      assert.deepStrictEqual(yield* found("sign a cookie", "src/jar"), ["boil", "brew"])
      assert.deepStrictEqual(yield* found("sign a cookie", "src/jar.ts"), ["beat"])
      assert.lengthOf(yield* found("sign a cookie", "."), 5)
      assert.deepStrictEqual(yield* found("sign a cookie", "src/none"), [])
      assert.deepStrictEqual(yield* found("blend", "src/jar"), [])
      assert.deepStrictEqual(yield* found("where is beat.cookie, brew_it or bake", "src/jars"), ["blend"])
    }),
  )

  it.scoped("finds all of a small folder, whatever matches better elsewhere", () =>
    Effect.gen(function* () {
      const better = Array.from({ length: 150 }, (_, n): readonly [string, string] => [
        `src/cookies${n}.ts`,
        `// Signs a cookie.\nexport function signCookie() {\n  return cookie.sign(cookies)\n}\n`,
      ])
      const index = yield* openIndex(yield* root, {
        ...Object.fromEntries(better),
        "lib/far.ts": "export function last(tin) {\n  open(tin)\n  return tin.cookie\n}\n",
        "lib/name.ts": "export function signCookie() {\n  return 1\n}\n",
      })
      const hits = yield* index.search("sign cookies", { limit: 9, path: "lib" })
      assert.deepStrictEqual(hits.map(({ entry }) => entry.name).sort(), ["last", "signCookie"])
      const [named] = yield* index.search("signCookie", { limit: 1, path: "lib" })
      assert.strictEqual(named?.entry.path, "lib/name.ts")
    }),
  )

  it.scoped("finds symbols that only their vectors are near, in their place among those that words find", () =>
    Effect.gen(function* () {
      const source = (name: string, text: string) => `export function ${name}(tin) {\n  return ${text}(tin)\n}\n`
      const index = yield* openIndex(yield* root, {
        "src/a.ts": source("bake", "cookie"),
        "src/b.ts": source("brew", "coffee"),
        "src/c.ts": source("boil", "water"),
        "test/d.test.ts": source("burn", "toast"),
      })
      const similarTo = Effect.fnUntraced(function* (cosines: Readonly<Record<string, number>>) {
        const entries = yield* Effect.forEach(Object.keys(cosines), (name) => index.find(name))
        return entries.flat().map(({ hash, name, qualifiedName }) => ({
          qualifiedName,
          hash,
          similarity: cosines[name] ?? 0,
        }))
      })
      const names = (question: string, options: Partial<IndexStore.SearchOptions>) =>
        Effect.map(index.search(question, { limit: 9, ...options }), (hits) => hits.map(({ entry }) => entry.name))
      assert.deepStrictEqual(yield* names("cookie", { similar: [] }), ["bake"])
      const similar = yield* similarTo({ brew: 0.9, boil: 0.7, burn: 0.85, bake: 0.6 })
      assert.deepStrictEqual(yield* names("zzz", { similar }), ["brew", "burn", "boil"])
      assert.deepStrictEqual(yield* names("zzz", { similar, path: "test" }), ["burn"])
      const [best, ...others] = yield* names("cookie", { similar: yield* similarTo({ brew: 0.62, boil: 0.6 }) })
      assert.deepStrictEqual([best, others], ["bake", ["brew"]])
      // What the question names comes first, whatever is near it.
      assert.deepStrictEqual((yield* names("boil", { similar })).slice(0, 2), ["boil", "brew"])
      // One that has changed since, or is gone.
      assert.deepStrictEqual(yield* names("zzz", { similar: similar.map((each) => ({ ...each, hash: "old" })) }), [])
    }),
  )

  it.scoped("counts the symbols that have a word, in names and code, and says which words occur at all", () =>
    Effect.gen(function* () {
      const index = yield* openIndex(yield* root, {
        "src/one.ts": "import { peach } from './peach'\nexport function apple() {\n  return banana(1)\n}\n",
        "src/two.ts": "export function cherry() {\n  return banana(2)\n}\n",
      })
      const { anywhere, counts, symbols } = yield* index.termCounts(["appl", "banana", "peach", "zebra"])
      assert.strictEqual(symbols, 2)
      assert.deepStrictEqual(
        ["appl", "banana", "peach", "zebra"].map((term) => counts.get(term)),
        [1, 2, 0, 0],
      )
      assert.deepStrictEqual([...anywhere].sort(), ["appl", "banana", "peach"])
    }),
  )

  it.scoped("finds nothing for a question without words", () =>
    Effect.gen(function* () {
      const index = yield* openIndex(yield* root, files)
      for (const text of ["", "   ", '"', "* AND NEAR(", "the", "\0"]) {
        assert.deepStrictEqual(yield* index.search(text, { limit: 5 }), [])
      }
    }),
  )
}
