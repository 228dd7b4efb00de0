/** The known agents, each run as a program of its name that reports how it was called. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Either, Stream } from "effect"
import * as Message from "../../../src/message/Message.ts"
import type * as AgentProgram from "../../../src/model/AgentProgram.ts"
import { toModel } from "../../../src/model/AgentProgram.ts"
import type * as LanguageModel from "../../../src/model/LanguageModel.ts"
import * as CliAgent from "../../../src/provider/agents/CliAgent.ts"
import { temporaryFolder } from "../../disk/TemporaryFolder.ts"
import * as transcripts from "./events/transcripts.ts"

/** A loop of the shell that prints its input: the programs have no others on their PATH. */
const cat = `while IFS= read -r line; do printf '%s\\n' "$line"; done; printf '%s' "$line"`

/** Reports its arguments, its variables and its input. A shell starts in a tenth of the time of Node. */
const teller = `#!/bin/sh
printf '%s\\n' "$@"
echo --
/usr/bin/env
echo --
${cat}
`

/** Reads a report of `teller`. */
const parse = (report: string) => {
  const [args = "", env = "", stdin = ""] = report.split(/^--\n/m)
  const lines = (text: string) => text.split("\n").slice(0, -1)
  return {
    args: lines(args),
    env: Object.fromEntries(
      lines(env).map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
    ),
    stdin,
  }
}

/** A folder with programs of these names. */
const installed = (names: ReadonlyArray<string>) =>
  Effect.tap(temporaryFolder, (folder) => {
    for (const name of names) fs.writeFileSync(path.join(folder, name), teller, { mode: 0o755 })
  })

const opened = (name: string, entries: Record<string, AgentProgram.AgentEntry> = {}, environment = {}) =>
  Either.getOrThrow(CliAgent.open(name, entries, environment))

const rejection = (name: string, entries: Record<string, AgentProgram.AgentEntry> = {}) =>
  Either.getOrThrow(Either.flip(CliAgent.open(name, entries, {}))).message

/** Asks an agent and joins what it prints, which comes in pieces. */
const printedBy = (agent: AgentProgram.Service) =>
  Stream.mkString(Stream.map(agent.ask("Why?"), (output) => (output._tag === "Stdout" ? output.text : "")))

const run = (agent: AgentProgram.Service) => Effect.map(printedBy(agent), parse)

/** No agent may ask for approval, write, or store a session; and none may run what the prompt says. */
const commandLines: Readonly<Record<string, string>> = {
  claude:
    "--print --output-format stream-json --verbose --include-partial-messages --tools  --strict-mcp-config --setting-sources user --no-session-persistence",
  codex: "exec --json --sandbox read-only --skip-git-repo-check --ephemeral --color never -",
  gemini: "--output-format stream-json --approval-mode default",
  opencode: "run --format json",
  pi: "--print --mode json --no-tools --no-session --no-approve",
}

const keys = {
  ANTHROPIC_API_KEY: "a",
  OPENAI_API_KEY: "o",
  GEMINI_API_KEY: "g",
  OPENROUTER_API_KEY: "r",
  DEPLOY_PASSWORD: "p",
}

const needed: Readonly<Record<string, ReadonlyArray<string>>> = {
  claude: ["ANTHROPIC_API_KEY"],
  codex: ["OPENAI_API_KEY"],
  gemini: ["GEMINI_API_KEY"],
  opencode: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"],
  pi: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"],
}

describe("CliAgent.open", () => {
  it("has an agent for every command line below", () => {
    assert.deepStrictEqual(CliAgent.names, Object.keys(commandLines))
  })

  it.scopedLive.each(CliAgent.names)("runs %s once, with the prompt on stdin and no key but its own", (name) =>
    Effect.gen(function* () {
      const PATH = yield* installed([name])
      const { args, env, stdin } = yield* run(opened(name, {}, { PATH, ...keys }))
      assert.strictEqual(args.join(" "), commandLines[name])
      assert.strictEqual(stdin, "Why?")
      assert.deepStrictEqual(
        Object.keys(keys).filter((key) => key in env),
        needed[name],
      )
    }),
  )

  it.scopedLive("disables the tools of opencode through its environment", () =>
    Effect.gen(function* () {
      const PATH = yield* installed(["opencode"])
      const { env } = yield* run(opened("opencode", {}, { PATH, OPENCODE_PERMISSION: '"allow"' }))
      assert.deepInclude(env, { OPENCODE_PERMISSION: '{"*":"deny"}', OPENCODE_DISABLE_PROJECT_CONFIG: "true" })
    }),
  )

  it.scopedLive.each(CliAgent.names)("passes %s the model after its name", (name) =>
    Effect.gen(function* () {
      const agent = opened(`${name}/vendor/large`, {}, { PATH: yield* installed([name]) })
      assert.strictEqual(String(agent.id), `cli/${name}/vendor/large`)
      const { args } = yield* run(agent)
      assert.strictEqual(args.join(" "), `${commandLines[name]} --model vendor/large`)
    }),
  )

  it.scopedLive("renders a conversation under headings for agents that interpret tags", () =>
    Effect.gen(function* () {
      const model = toModel(opened("claude", {}, { PATH: yield* installed(["claude"]) }))
      const { blocks } = yield* model.generate({ system: "Be brief.", messages: [Message.user("Why?")], tools: [] })
      const { stdin } = parse(Message.text({ role: "assistant", content: blocks }))
      assert.strictEqual(stdin, "## Instructions\n\nBe brief.\n\n## Current Request\n\nWhy?")
    }),
  )

  const printing = (name: string, printed: string, code = 0) =>
    Effect.tap(temporaryFolder, (folder) => {
      const file = path.join(folder, `${name}.printed`)
      fs.writeFileSync(file, printed)
      fs.writeFileSync(path.join(folder, name), `#!/bin/sh\n(${cat}) < '${file}'\nexit ${code}\n`, { mode: 0o755 })
    })

  const question = { system: "", messages: [Message.user("Why?")], tools: [] }

  it.scopedLive("gives the answer, the usage and the cost that the events of an agent report, and what it does", () =>
    Effect.gen(function* () {
      const PATH = yield* printing("claude", transcripts.claude)
      const told: Array<LanguageModel.Report> = []
      const report = (said: LanguageModel.Report) => Effect.sync(() => void told.push(said))
      const reply = yield* toModel(opened("claude", {}, { PATH })).generate(question, { report })
      assert.strictEqual(
        Message.text({ role: "assistant", content: reply.blocks }),
        "I look it up.\n\nThe answer\nis 42.",
      )
      assert.deepStrictEqual([reply.usage.inputTokens, reply.usage.outputTokens, reply.cost], [3210, 20, 0.0125])
      assert.deepStrictEqual(told, [
        { text: "retry 1 of 10: server error", isDiagnostic: false },
        { text: "Read src/a.ts", isDiagnostic: false },
      ])
    }),
  )

  it.scopedLive.each<readonly [name: string, printed: string, code: number, tag: string, message: string]>([
    ["pi", transcripts.piFailed, 0, "ProgramFailed", "401 invalid x-api-key"],
    ["claude", transcripts.claudeRefused, 1, "Unauthorized", "Invalid API key · Please run /login"],
    [
      "claude",
      transcripts.claudeRefused.replaceAll("Invalid API key · Please run /login", "Prompt is too long"),
      1,
      "ContextOverflow",
      "Prompt is too long",
    ],
  ])("fails as the events of %s say", ([name, printed, code, tag, message]) =>
    Effect.gen(function* () {
      const PATH = yield* printing(name, printed, code)
      const { reason } = yield* Effect.flip(Stream.runDrain(opened(name, {}, { PATH }).ask("Why?")))
      assert.deepStrictEqual([reason._tag, reason.message], [tag, message])
    }),
  )

  it.scopedLive("takes the output of other arguments as it is", () =>
    Effect.gen(function* () {
      const PATH = yield* printing("claude", transcripts.claudeWhole)
      const printed = yield* printedBy(opened("claude", { claude: { args: ["-p"] } }, { PATH }))
      assert.strictEqual(printed, transcripts.claudeWhole)
    }),
  )

  it.scopedLive("overrides a known agent by the user's configuration", () =>
    Effect.gen(function* () {
      const folder = yield* installed(["my claude"])
      const command = path.join(folder, "my claude")
      const agent = opened(
        "claude/opus",
        { claude: { command, args: ["-p"], format: "xml", env: ["DEPLOY_PASSWORD"] } },
        keys,
      )
      assert.strictEqual(agent.format, "xml")
      const { args, env } = yield* run(agent)
      assert.deepStrictEqual(args, ["-p", "--model", "opus"])
      assert.deepInclude(env, { ANTHROPIC_API_KEY: "a", DEPLOY_PASSWORD: "p" })
    }),
  )

  it.scopedLive("runs any command that the user configured", () =>
    Effect.gen(function* () {
      const PATH = yield* installed(["ask-it"])
      const mine = { command: "ask-it", args: ["--now"], timeout: Duration.seconds(5) }
      const agent = opened("mine", { mine }, { PATH, ...keys })
      assert.strictEqual(agent.format, "xml")
      const { args, env } = yield* run(agent)
      assert.deepStrictEqual(args, ["--now"])
      assert.doesNotHaveAnyKeys(env, Object.keys(keys))
    }),
  )

  it.live("explains an invalid name", () =>
    Effect.gen(function* () {
      assert.include(rejection("klaude"), "there is no agent 'klaude'; there are claude, codex, gemini, opencode, pi")
      assert.include(rejection("toString"), "there is no agent 'toString'")
      assert.include(rejection("mine", { mine: { args: [] } }), "has no command for the agent 'mine'")
      assert.include(rejection("mine/large", { mine: { command: "x" } }), "'mine' has no models to choose from")
      const { reason } = yield* Effect.flip(opened("pi/x", {}, { PATH: "/nowhere" }).ready)
      assert.strictEqual(reason._tag, "ModelNotFound")
      assert.include(reason.message, "there is no 'pi' on PATH: install it, or name it as command in [agents.pi]")
    }),
  )
})
