/** The program `bd`, in place of which a script on PATH writes down what it was told. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as BeadsOfThisMachine from "../../../../src/cli/prd/Beads/Node.ts"
import * as Beads from "../../../../src/cli/prd/Beads.ts"

/** PATH is this folder alone while the scope is open. */
const bd = (script: string | undefined) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-beads-"))
      if (script !== undefined) fs.writeFileSync(path.join(folder, "bd"), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
      const before = process.env.PATH
      process.env.PATH = folder
      return { folder, before }
    }),
    ({ before, folder }) =>
      Effect.sync(() => {
        process.env.PATH = before
        fs.rmSync(folder, { recursive: true })
      }),
  )

const issue: Beads.Issue = {
  title: "US-001: Say '$HOME' and `ls`; \"now\"",
  description: "--two\nlines",
  acceptance: "- [ ] It is so",
  priority: 0,
  labels: ["ui", "night"],
}

const reason = (effect: Effect.Effect<unknown, Beads.BeadsError>) =>
  Effect.map(Effect.flip(effect), ({ reason }) => `${reason._tag}: ${reason.message}`)

const using = <A, E>(use: (beads: Beads.Service) => Effect.Effect<A, E>) =>
  Effect.provide(Effect.flatMap(Beads.Beads, use), BeadsOfThisMachine.layer)

describe.runIf(process.platform !== "win32")("Beads by its program", () => {
  it.scopedLive("is told each argument as it is, and no shell reads it", () =>
    Effect.gen(function* () {
      const { folder } = yield* bd(
        'for word in "$@"; do echo "<$word>" >> "${0%/*}/told"; done\necho \'{"id": "bd-a1", "title": "x"}\'',
      )
      assert.strictEqual(yield* using(({ create }) => create(issue)), "bd-a1")
      yield* using(({ create }) => create({ ...issue, acceptance: "", labels: [] }))
      yield* using(({ depend }) => depend("bd-2", "bd-1"))
      const told = fs.readFileSync(path.join(folder, "told"), "utf8")
      const title = `<create>\n<${issue.title}>\n<--description=--two\nlines>\n`
      assert.strictEqual(
        told,
        `${title}<--acceptance=- [ ] It is so>\n<--priority=0>\n<--labels=ui,night>\n<--json>\n${title}<--priority=0>\n<--json>\n<dep>\n<add>\n<bd-2>\n<bd-1>\n`,
      )
    }),
  )

  it.scopedLive("is missed where it is not installed", () =>
    Effect.gen(function* () {
      yield* bd(undefined)
      assert.strictEqual(
        yield* reason(using(({ create }) => create(issue))),
        "NotInstalled: the program bd of Beads is not installed",
      )
    }),
  )

  it.scopedLive("has its own words told when it refuses", () =>
    Effect.gen(function* () {
      yield* bd("echo 'Error: no database' >&2; exit 1")
      assert.strictEqual(yield* reason(using(({ create }) => create(issue))), "NotMade: bd failed: Error: no database")
    }),
  )

  it.scopedLive("is not believed without an id", () =>
    Effect.gen(function* () {
      yield* bd("echo Created something")
      assert.strictEqual(
        yield* reason(using(({ create }) => create(issue))),
        "NotMade: bd did not say what it made: Created something",
      )
    }),
  )

  it.scopedLive("says so where no process can be given what it is to be told", () =>
    Effect.gen(function* () {
      yield* bd("exit 0")
      const found = yield* reason(using(({ create }) => create({ ...issue, title: "a\0b" })))
      assert.match(found, /^NotMade: bd cannot be run: /)
    }),
  )
})
