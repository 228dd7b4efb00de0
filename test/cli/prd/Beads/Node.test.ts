/** The program `bd`, replaced by a script on PATH that records its arguments. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import * as NodeBeads from "../../../../src/cli/prd/Beads/Node.ts"
import * as Beads from "../../../../src/conversation/prd/Beads.ts"
import { temporaryFolder } from "../../../disk/TemporaryFolder.ts"
import * as ProcessCoordinator from "../../../utils/ProcessCoordinator.ts"

/** A folder with this script as the program `bd`. */
const bd = (script: string | undefined) =>
  Effect.map(temporaryFolder, (folder) => {
    if (script !== undefined) fs.writeFileSync(path.join(folder, "bd"), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    return folder
  })

const program = path.resolve(import.meta.dirname, "../../../provider/agents/CliAgent.program.ts")

/** Starts a program that waits. Node 22.16 runs TypeScript only with an option, which `bd` does not inherit. */
const agent = `NODE_OPTIONS='${process.env.NODE_OPTIONS ?? ""}' exec '${process.execPath}' '${program}'`

const issue: Beads.Issue = {
  title: "US-001: Say '$HOME' and `ls`; \"now\"",
  description: "--two\nlines",
  acceptance: "- [ ] It is so",
  priority: 0,
  labels: ["ui", "night"],
}

const reason = (effect: Effect.Effect<unknown, Beads.BeadsError>) =>
  Effect.map(Effect.flip(effect), ({ reason }) => `${reason._tag}: ${reason.message}`)

type Variables = Readonly<Record<string, string>>

const withBeads = <A, E>(environment: Variables, use: (beads: Beads.Service) => Effect.Effect<A, E>) =>
  Effect.provide(Effect.flatMap(Beads.Beads, use), NodeBeads.layer(environment))

const creating = (environment: Variables, made = issue) => withBeads(environment, ({ create }) => create(made))

describe.runIf(process.platform !== "win32")("Beads by its program", () => {
  it.scopedLive("passes each argument unchanged, without a shell", () =>
    Effect.gen(function* () {
      const PATH = yield* bd(
        'for word in "$@"; do echo "<$word>" >> "${0%/*}/told"; done\necho \'{"id": "bd-a1", "title": "x"}\'',
      )
      assert.strictEqual(yield* creating({ PATH }), "bd-a1")
      yield* creating({ PATH }, { ...issue, acceptance: "", labels: [] })
      yield* withBeads({ PATH }, ({ depend }) => depend("bd-2", "bd-1"))
      const told = fs.readFileSync(path.join(PATH, "told"), "utf8")
      const title = `<create>\n<${issue.title}>\n<--description=--two\nlines>\n`
      assert.strictEqual(
        told,
        `${title}<--acceptance=- [ ] It is so>\n<--priority=0>\n<--labels=ui,night>\n<--json>\n${title}<--priority=0>\n<--json>\n<dep>\n<add>\n<bd-2>\n<bd-1>\n`,
      )
    }),
  )

  it.scopedLive("is missed where it is not installed", () =>
    Effect.gen(function* () {
      const PATH = yield* bd(undefined)
      assert.strictEqual(yield* reason(creating({ PATH })), "NotInstalled: the program bd of Beads is not installed")
    }),
  )

  it.scopedLive("is not looked for in relative folders of PATH", () =>
    Effect.gen(function* () {
      const folder = yield* bd('echo \'{"id": "bd-1"}\'')
      const PATH = path.relative(process.cwd(), folder)
      assert.isTrue(fs.existsSync(path.join(PATH, "bd")))
      assert.strictEqual((yield* Effect.flip(creating({ PATH }))).reason._tag, "NotInstalled")
      assert.strictEqual((yield* Effect.flip(creating({ PATH: `${PATH}:.::` }))).reason._tag, "NotInstalled")
      assert.strictEqual(yield* creating({ PATH: `${PATH}:${folder}` }), "bd-1")
    }),
  )

  it.scopedLive("is given no keys, but the password of its own database", () =>
    Effect.gen(function* () {
      const PATH = yield* bd(`export -p > "\${0%/*}/env"; echo '{"id": "bd-1"}'`)
      yield* creating({
        PATH,
        HOME: PATH,
        OPENAI_API_KEY: "a-key-of-openai",
        GITHUB_PAT: "a-pat-of-github",
        BEADS_DOLT_PASSWORD: "a-password-of-dolt",
      })
      const given = fs.readFileSync(path.join(PATH, "env"), "utf8")
      assert.include(given, PATH)
      assert.include(given, "a-password-of-dolt")
      assert.notInclude(given, "a-key-of-openai")
      assert.notInclude(given, "a-pat-of-github")
    }),
  )

  it.scopedLive("is ended with what it has started where its caller is interrupted", () =>
    Effect.gen(function* () {
      const processes = yield* ProcessCoordinator.open
      const PATH = yield* bd(`(${agent} leaves) & wait`)
      const creation = yield* Effect.fork(creating({ PATH, COORDINATOR: String(processes.port) }))
      yield* processes.waitFor("deaf", "deaf")
      yield* processes.waitFor("leaves", "here")
      yield* Fiber.interrupt(creation)
      yield* processes.waitFor("leaves", "gone")
      yield* processes.waitFor("deaf", "gone")
    }),
  )

  it.scoped("is given up after thirty seconds", () =>
    Effect.gen(function* () {
      const processes = yield* ProcessCoordinator.open
      const PATH = yield* bd(`${agent} waits`)
      const creation = yield* Effect.fork(reason(creating({ PATH, COORDINATOR: String(processes.port) })))
      yield* processes.waitFor("waits", "here")
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(yield* Fiber.join(creation), "NotMade: bd did not end within 30 seconds")
      yield* processes.waitFor("waits", "gone")
    }),
  )

  it.scopedLive("reports the program's message when it fails", () =>
    Effect.gen(function* () {
      const PATH = yield* bd("echo 'Error: no database' >&2; exit 1")
      assert.strictEqual(yield* reason(creating({ PATH })), "NotMade: bd failed: Error: no database")
    }),
  )

  it.scopedLive("reports the exit code when it fails without a message", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* reason(creating({ PATH: yield* bd("exit 3") })), "NotMade: bd ended with exit code 3")
      assert.strictEqual(
        yield* reason(creating({ PATH: yield* bd("kill -KILL $$") })),
        "NotMade: bd was ended by SIGKILL",
      )
    }),
  )

  it.scopedLive("is not believed without an id", () =>
    Effect.gen(function* () {
      const PATH = yield* bd("echo Created something")
      assert.strictEqual(yield* reason(creating({ PATH })), "NotMade: bd did not say what it made: Created something")
    }),
  )

  it.scopedLive("reports arguments that are too long for a process", () =>
    Effect.gen(function* () {
      const PATH = yield* bd("exit 0")
      const found = yield* reason(creating({ PATH }, { ...issue, title: "a\0b" }))
      assert.match(found, /^NotMade: bd cannot be run: /)
    }),
  )
})
