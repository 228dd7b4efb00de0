import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import { Browser } from "../../../src/cli/serve/Browser.ts"
import * as PageOpener from "../../../src/cli/serve/PageOpener.ts"

const address = "http://127.0.0.1:4300/"

/** What the browser was given. */
const opened: Array<string> = []

const browser = Layer.succeed(Browser, { open: (url) => Effect.sync(() => void opened.push(url)) })

/** Opens the page. Returns the file that the browser was given. */
const open = (opener: PageOpener.PageOpener) =>
  Effect.map(
    Effect.zipRight(
      opener.open(address),
      Effect.sync(() => opened.at(-1) ?? assert.fail()),
    ),
    fileURLToPath,
  )

const codeIn = (file: string): string =>
  new RegExp(`url=${address}\\?code=([\\w-]{32})"`).exec(fs.readFileSync(file, "utf8"))?.[1] ?? assert.fail(file)

describe("PageOpener", () => {
  it.scoped("gives the browser a file of the user alone, whose name says nothing, and removes it at the end", () =>
    Effect.gen(function* () {
      const opener = PageOpener.make()
      const file = yield* Effect.scoped(
        Effect.gen(function* () {
          const file = yield* open(opener)
          assert.notInclude(opened.at(-1), codeIn(file))
          if (process.platform !== "win32") {
            assert.strictEqual(fs.statSync(file).mode & 0o777, 0o600)
            assert.strictEqual(fs.statSync(path.dirname(file)).mode & 0o777, 0o700)
          }
          return file
        }),
      )
      assert.isFalse(fs.existsSync(path.dirname(file)))
    }).pipe(Effect.provide(browser)),
  )

  it.scoped("takes a code once, and for ten minutes", () =>
    Effect.gen(function* () {
      const opener = PageOpener.make()
      const [used, late] = [codeIn(yield* open(opener)), codeIn(yield* open(opener))]
      assert.notStrictEqual(used, late)
      for (const wrong of ["", "guess", used.slice(1), `${used} `]) assert.isFalse(yield* opener.redeem(wrong))
      yield* TestClock.adjust("9 minutes")
      assert.isTrue(yield* opener.redeem(used))
      assert.isFalse(yield* opener.redeem(used))
      yield* TestClock.adjust("61 seconds")
      assert.isFalse(yield* opener.redeem(late))
    }).pipe(Effect.provide(browser)),
  )

  it.scoped("says why the browser is not opened", () =>
    Effect.gen(function* () {
      const before = process.env.TMPDIR
      process.env.TMPDIR = "/nowhere/at/all"
      const why = yield* Effect.ensuring(
        Effect.flip(PageOpener.make().open(address)),
        Effect.sync(() => {
          if (before === undefined) delete process.env.TMPDIR
          else process.env.TMPDIR = before
        }),
      )
      assert.match(why, /^the browser is not opened: .*ENOENT/)
    }).pipe(Effect.provide(browser)),
  )
})
