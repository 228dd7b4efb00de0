import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { digest, invalidate, isUpToDate, markBuilt, partsOf } from "../../tools/upToDate.ts"

const files = {
  "package.json": "{}",
  "package-lock.json": "{}",
  "rolldown.config.js": "",
  "tsconfig.json": "{}",
  "tsconfig.build.json": "{}",
  "tools/build.ts": "",
  "tools/moduleHeaders.ts": "",
  "src/bin.ts": "run()",
  "src/code/Files.ts": "export const read = 1",
  "dist/bin.js": "run()",
  "dist/lib/index.js": "",
}

const write = (checkout: string, name: string, text: string) => {
  fs.mkdirSync(path.dirname(path.join(checkout, name)), { recursive: true })
  fs.writeFileSync(path.join(checkout, name), text)
}

/** A checkout that has just been built. */
const builtCheckout = Effect.acquireRelease(
  Effect.sync(() => {
    const checkout = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-test-"))
    for (const [name, text] of Object.entries(files)) write(checkout, name, text)
    markBuilt(checkout, digest(checkout))
    return checkout
  }),
  (checkout) => Effect.sync(() => fs.rmSync(checkout, { recursive: true })),
)

describe("a build", () => {
  it.scoped("is up to date when only times have changed", () =>
    Effect.gen(function* () {
      const checkout = yield* builtCheckout
      assert.isTrue(isUpToDate(checkout, "all"))
      fs.utimesSync(path.join(checkout, "src/bin.ts"), 0, 0)
      write(checkout, "src/code/Files.ts", files["src/code/Files.ts"])
      assert.isTrue(isUpToDate(checkout, "all"))
    }),
  )

  it.scoped("needs the library only if that was built before", () =>
    Effect.gen(function* () {
      const checkout = yield* builtCheckout
      assert.strictEqual(partsOf(checkout), "all")
      fs.rmSync(path.join(checkout, "dist/lib"), { recursive: true })
      assert.strictEqual(partsOf(checkout), "program")
      assert.isTrue(isUpToDate(checkout, "program"))
      write(checkout, "src/bin.ts", "stop()")
      assert.isFalse(isUpToDate(checkout, "program"))
    }),
  )

  it.each<readonly [what: string, change: (checkout: string) => void]>([
    ["a source file has changed", (checkout) => write(checkout, "src/bin.ts", "stop()")],
    ["there is a new source file", (checkout) => write(checkout, "src/code/Output.ts", "")],
    ["a source file is gone", (checkout) => fs.rmSync(path.join(checkout, "src/code/Files.ts"))],
    [
      "a source file has another name",
      (checkout) => fs.renameSync(path.join(checkout, "src/bin.ts"), path.join(checkout, "src/main.ts")),
    ],
    ["the bundler is set up differently", (checkout) => write(checkout, "rolldown.config.js", "export default {}")],
    ["other packages are installed", (checkout) => write(checkout, "package-lock.json", '{ "packages": {} }')],
    ["the program is gone", (checkout) => fs.rmSync(path.join(checkout, "dist/bin.js"))],
    ["the library is gone", (checkout) => fs.rmSync(path.join(checkout, "dist/lib/index.js"))],
    ["nothing was ever built", (checkout) => fs.rmSync(path.join(checkout, "dist"), { recursive: true })],
    ["the last build did not end", invalidate],
  ])("is out of date when %s", (_, change) =>
    Effect.gen(function* () {
      const checkout = yield* builtCheckout
      change(checkout)
      assert.isFalse(isUpToDate(checkout, "all"))
    }).pipe(Effect.scoped, Effect.runSync),
  )

  it.scoped("leaves out what changes while it runs", () =>
    Effect.gen(function* () {
      const checkout = yield* builtCheckout
      const inputs = digest(checkout)
      write(checkout, "src/bin.ts", "stop()")
      markBuilt(checkout, inputs)
      assert.isFalse(isUpToDate(checkout, "all"))
    }),
  )
})
