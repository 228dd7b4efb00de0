import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { parse as parseJson } from "jsonc-parser"
import { parse as parseToml } from "smol-toml"
import * as NodeFiles from "../../src/code/Files/Node.ts"
import * as Files from "../../src/code/Files.ts"
import * as Agent from "../../src/install/Agent.ts"
import * as Guide from "../../src/install/Guide.ts"
import * as Install from "../../src/install/Install.ts"
import { Machine, type Service } from "../../src/install/Launch.ts"
import * as Section from "../../src/install/Section.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"
import { type Sample, samples } from "./samples.ts"

const machine: Service = {
  node: "/opt/node/bin/node",
  script: "/opt/vibe-index/dist/bin.js",
  platform: "linux",
}

const npx = ["npx", "-y", "vibe-index", "mcp"]
const local = ["npx", "--no", "vibe-index", "mcp"]
const own = [machine.node, machine.script, "mcp"]

const agentOf = (name: string): Agent.Agent => {
  const agent = Agent.find(name)
  assert.isDefined(agent)
  return agent
}

const request = (agent: string, more: Partial<Install.Request> = {}): Install.Request => ({
  agent: agentOf(agent),
  scope: { project: "/home/ada/engine" },
  name: "vibe",
  skill: false,
  notes: false,
  ...more,
})

const user = (agent: string, more: Partial<Install.Request> = {}) => request(agent, { scope: "user", ...more })

type World = Files.Service

/** Ada's home, with her project. */
const world = (contents: Readonly<Record<string, Files.Content>> = {}): World =>
  Files.makeMemory({ "/home/ada/engine/mill.ts": "", "/etc/passwd": "{}", ...contents })

const provided =
  (files: World, variables: Readonly<Record<string, string>> = { HOME: "/home/ada" }, on: NodeJS.Platform = "linux") =>
  <A, E>(effect: Effect.Effect<A, E, Files.Files | Machine>): Effect.Effect<A, E> =>
    effect.pipe(
      Effect.provide(
        Layer.merge(Layer.succeed(Files.Files, files), Layer.succeed(Machine, { ...machine, platform: on })),
      ),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(variables)))),
    )

const install = (request: Install.Request) =>
  Effect.flatMap(Install.plan(request), (changes) =>
    Effect.forEach(changes.filter(Install.isChange), Install.apply, { discard: true }),
  )

const remove = (request: Install.Request) =>
  Effect.flatMap(Install.planRemoval(request), (changes) =>
    Effect.forEach(changes.filter(Install.isChange), Install.apply, { discard: true }),
  )

const textOf = (files: World, path: string) =>
  Effect.map(files.read(path, { most: 100_000 }), (bytes) => new TextDecoder("utf8", { ignoreBOM: true }).decode(bytes))

const isThere = (files: World, path: string) => Effect.isSuccess(files.stat(path))

/** The words of the server `vibe`, as the agent reads them. */
const wordsIn = (agent: string, text: string): unknown => {
  const { format, servers } = agentOf(agent)
  const root: unknown = format === "toml" ? parseToml(text) : parseJson(text, [], { allowTrailingComma: true })
  const entry = [...servers, "vibe"].reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    root,
  )
  return Agent.wordsOf(entry)
}

const failure = <A, R>(effect: Effect.Effect<A, unknown, R>) => Effect.map(Effect.flip(effect), String)

const expectedFor = (agent: string, words: ReadonlyArray<string>) =>
  agent === "cursor" ? [...words, "--root", "${workspaceFolder}"] : words

/** The scopes that the agent has: the file, the request, and the words that start vibe. */
const places = (sample: Sample) =>
  [
    ["project", `/home/ada/engine/${sample.project}`, request(sample.agent), own] as const,
    ["project, by npx", `/home/ada/engine/${sample.project}`, request(sample.agent, { way: "npx" }), npx] as const,
    ["user", `/home/ada/${sample.user}`, user(sample.agent), own] as const,
  ].filter(([scope]) => scope !== "user" || sample.user !== undefined)

describe.each(samples)("vibe install $agent", (sample) => {
  const { agent, text } = sample

  it.effect("adds the server to a file that has others, once, and takes it back byte for byte", () =>
    Effect.forEach(places(sample), ([, file, request, words]) =>
      Effect.gen(function* () {
        const files = world({ [file]: text })
        const run = provided(files)
        yield* run(install(request))
        const installed = yield* textOf(files, file)
        assert.deepStrictEqual(wordsIn(agent, installed), expectedFor(agent, words))
        assert.isFalse((yield* run(Install.plan(request))).some(Install.isChange))
        yield* run(remove(request))
        assert.strictEqual(yield* textOf(files, file), text)
      }),
    ),
  )

  it.effect("makes the file and its folders where there are none, and removes them again", () =>
    Effect.forEach(places(sample), ([scope, file, request, words]) =>
      Effect.gen(function* () {
        const files = world()
        const run = provided(files)
        yield* run(install({ ...request, skill: true, notes: scope === "project" }))
        assert.deepStrictEqual(wordsIn(agent, yield* textOf(files, file)), expectedFor(agent, words))
        yield* run(remove(request))
        const { entries } = yield* files.list("/home/ada/engine")
        assert.deepStrictEqual(
          entries.map(({ name }) => name),
          ["mill.ts"],
        )
        const home = yield* files.list("/home/ada")
        assert.deepStrictEqual(
          home.entries.map(({ name }) => name),
          ["engine"],
        )
        assert.isFalse(yield* isThere(files, file))
      }),
    ),
  )

  it.effect("writes the skill where the agent looks for it", () =>
    Effect.gen(function* () {
      const files = world()
      const [change] = (yield* provided(files)(Install.plan(request(agent, { skill: true })))).slice(1)
      assert.match(change?.target.path ?? "", /^\/home\/ada\/engine\/\.\w+\/skills\/vibe\/SKILL\.md$/)
      assert.strictEqual(change?.text, Guide.skill)
    }),
  )
})

describe("Install.plan", () => {
  it.effect("has cmd.exe start npx where an agent on Windows does not, and knows that entry again", () =>
    Effect.gen(function* () {
      for (const [agent, file, words] of [
        ["claude", ".mcp.json", ["cmd", "/c", ...npx]],
        ["gemini", ".gemini/settings.json", npx],
      ] as const) {
        const files = world()
        const run = provided(files, undefined, "win32")
        yield* run(install(request(agent, { way: "npx" })))
        assert.deepStrictEqual(wordsIn(agent, yield* textOf(files, `/home/ada/engine/${file}`)), words)
        yield* run(install(request(agent)))
        assert.deepStrictEqual(wordsIn(agent, yield* textOf(files, `/home/ada/engine/${file}`)), own)
      }
    }),
  )

  it.effect("uses the folders that the agents' variables name", () =>
    Effect.gen(function* () {
      const variables = {
        HOME: "/home/ada",
        CODEX_HOME: "/srv/codex",
        CLAUDE_CONFIG_DIR: "/srv/claude",
        XDG_CONFIG_HOME: "/srv/config",
      }
      const files = world({ "/srv/x": "" })
      const pathFor = (agent: string) =>
        Effect.map(provided(files, variables)(Install.plan(user(agent, { skill: true }))), (changes) =>
          changes.map(({ target }) => target.path),
        )
      assert.deepStrictEqual(yield* pathFor("claude"), ["/srv/claude/.claude.json", "/srv/claude/skills/vibe/SKILL.md"])
      assert.deepStrictEqual((yield* pathFor("codex"))[0], "/srv/codex/config.toml")
      assert.deepStrictEqual((yield* pathFor("opencode"))[0], "/srv/config/opencode/opencode.json")
    }),
  )

  it.effect("changes the file that OpenCode has, and the key of its version", () =>
    Effect.gen(function* () {
      const file = "/home/ada/engine/.opencode/opencode.jsonc"
      const files = world({ [file]: '{\n  "mcp": {\n    "servers": { // version 2\n    }\n  }\n}\n' })
      yield* provided(files)(install(request("opencode")))
      assert.deepStrictEqual(parseJson(yield* textOf(files, file)), {
        mcp: { servers: { vibe: { type: "local", command: own } } },
      })
      const named = world({ [file]: '{"mcp": {"servers": {"type": "local", "command": ["a"]}}}' })
      yield* provided(named)(install(request("opencode")))
      assert.deepInclude(parseJson(yield* textOf(named, file)).mcp, { vibe: { type: "local", command: own } })
    }),
  )

  it.effect("names the server as requested, beside another", () =>
    Effect.gen(function* () {
      const file = "/home/ada/engine/.mcp.json"
      const files = world({ [file]: '{"mcpServers": {"vibe": {"url": "https://vibe.example/mcp"}}}' })
      assert.include(
        yield* failure(provided(files)(Install.plan(request("claude")))),
        "'mcpServers.vibe' is another server",
      )
      assert.include(
        yield* failure(provided(files)(Install.planRemoval(request("claude")))),
        "'mcpServers.vibe' is another server",
      )
      yield* provided(files)(install(request("claude", { name: "vibe-index" })))
      assert.hasAllKeys(JSON.parse(yield* textOf(files, file)).mcpServers, ["vibe", "vibe-index"])
    }),
  )

  it.effect("changes how an agent starts vibe, and leaves what else the entry says", () =>
    Effect.gen(function* () {
      const file = "/home/ada/engine/.mcp.json"
      const files = world({
        [file]: '{"mcpServers": {"vibe": {"command": "vibe", "args": ["mcp"], "env": {"A": "b"}}}}',
      })
      yield* provided(files)(install(request("claude", { way: "path" })))
      assert.deepStrictEqual(JSON.parse(yield* textOf(files, file)).mcpServers.vibe, {
        command: machine.node,
        args: [machine.script, "mcp"],
        env: { A: "b" },
      })
    }),
  )

  it.effect("starts the vibe of a project that depends on it, and takes that back", () =>
    Effect.gen(function* () {
      const files = world({ "/home/ada/engine/package.json": '{"devDependencies": {"vibe-index": "^0.1.0"}}' })
      const run = provided(files)
      yield* run(install(request("claude")))
      assert.deepStrictEqual(wordsIn("claude", yield* textOf(files, "/home/ada/engine/.mcp.json")), local)
      yield* run(remove(request("claude")))
      assert.isFalse(yield* isThere(files, "/home/ada/engine/.mcp.json"))
      // Cursor starts its servers in the home, and the user's own file is for all projects.
      for (const other of [request("cursor"), user("claude")]) {
        const [change] = yield* run(Install.plan(other))
        assert.include(change?.text, machine.script)
      }
    }),
  )

  it.effect("does not put a server where it would find no project", () =>
    Effect.map(failure(provided(world())(Install.plan(user("vscode")))), (message) =>
      assert.include(message, "VS Code starts the servers of your own file in your home"),
    ),
  )

  it.effect("fails without a home only where it needs one", () =>
    Effect.gen(function* () {
      const run = provided(world(), {})
      assert.include(yield* failure(run(Install.plan(user("gemini")))), "HOME")
      assert.lengthOf(yield* run(Install.plan(request("gemini"))), 1)
    }),
  )
})

describe("Install, with the skill and the notes", () => {
  const skill = "/home/ada/engine/.claude/skills/vibe/SKILL.md"
  const notes = "/home/ada/engine/CLAUDE.md"

  it.effect("adds a section to notes that are there, once, and takes it back byte for byte", () =>
    Effect.forEach(["# Engine\n\nRun `make`.\n", "no end", "", "a\r\nb\r\n", "\ufeff# Engine\n"], (text) =>
      Effect.gen(function* () {
        const files = world({ [notes]: text })
        const run = provided(files)
        yield* run(install(request("claude", { notes: true })))
        const installed = yield* textOf(files, notes)
        assert.isTrue(installed.startsWith(text))
        assert.include(installed, "## Find code with vibe")
        yield* run(install(request("claude", { notes: true })))
        assert.strictEqual(yield* textOf(files, notes), installed)
        yield* run(remove(request("claude")))
        assert.strictEqual(yield* textOf(files, notes), text)
      }),
    ),
  )

  it.effect("replaces an earlier section in its place", () =>
    Effect.gen(function* () {
      const earlier = Section.create(["an earlier text"])
      const files = world({ [notes]: `a\n\n${earlier}\nb\n` })
      yield* provided(files)(install(request("claude", { notes: true })))
      const text = yield* textOf(files, notes)
      assert.notInclude(text, "earlier")
      assert.match(
        text,
        /^a\n\n<!-- vibe install: begin \(\w+\) -->\n## Find[\s\S]*\n<!-- vibe install: end -->\n\nb\n$/,
      )
    }),
  )

  it.effect("neither replaces nor removes a section that was edited", () =>
    Effect.gen(function* () {
      const edited = Section.create(["a line"]).replace("a line", "my line")
      const files = world({ [notes]: edited })
      const run = provided(files)
      assert.include(yield* failure(run(install(request("claude", { notes: true })))), "somebody has edited it")
      const changes = yield* run(Install.planRemoval(request("claude")))
      assert.deepStrictEqual(
        changes.filter(Install.isKept).map(({ subject }) => subject),
        ["notes"],
      )
      yield* run(remove(request("claude")))
      assert.strictEqual(yield* textOf(files, notes), edited)
    }),
  )

  it.effect.each<readonly [agent: string, file: string, text: string, problem: string]>([
    ["claude", ".mcp.json", '{"mcpServers": {"vibe": {"command": "vibe", "args": ["mcp"]}}}', "has a command, which"],
    [
      "vscode",
      ".vscode/mcp.json",
      '{"servers": {"vibe": {"type": "stdio", /* mine */ "command": "npx", "args": ["-y", "vibe-index", "mcp"]}}}',
      "has comments, which",
    ],
    [
      "codex",
      ".codex/config.toml",
      '[mcp_servers.vibe]\n# mine\ncommand = "npx"\nargs = ["-y", "vibe-index", "mcp"]\n',
      "has comments, which",
    ],
    [
      "codex",
      ".codex/config.toml",
      '[mcp_servers.vibe]\ncommand = "npx"\nargs = ["-y", "vibe-index", "mcp"]\n[mcp_servers.vibe.env]\nA = "1"\n',
      "has env, which",
    ],
  ])("leaves an entry of %s that the user wrote or added to: %s %s", ([agent, file, text, problem]) =>
    Effect.gen(function* () {
      const files = world({ [`/home/ada/engine/${file}`]: text })
      assert.include(yield* failure(provided(files)(remove(request(agent)))), problem)
      assert.strictEqual(yield* textOf(files, `/home/ada/engine/${file}`), text)
    }),
  )

  it.effect("leaves an entry that has more than vibe wrote", () =>
    Effect.gen(function* () {
      const text = '{"mcpServers": {"vibe": {"command": "vibe", "args": ["mcp"], "env": {"A": "1"}, "timeout": 5}}}'
      const files = world({ "/home/ada/engine/.mcp.json": text })
      const error = yield* failure(provided(files)(remove(request("claude"))))
      assert.include(error, "'mcpServers.vibe' has env, timeout, which vibe did not write")
      assert.strictEqual(yield* textOf(files, "/home/ada/engine/.mcp.json"), text)
    }),
  )

  it.effect("replaces a skill of an earlier version, and no other", () =>
    Effect.gen(function* () {
      const edited = world({ [skill]: `${Guide.skill}mine\n` })
      for (const files of [edited, world({ [skill]: "---\nname: vibe\n---\n" })]) {
        const message = yield* failure(provided(files)(Install.plan(request("claude", { skill: true }))))
        assert.include(message, "is there already")
      }
      const windows = world({ [skill]: Guide.skill.replaceAll("\n", "\r\n") })
      const [, change] = yield* provided(windows)(Install.plan(request("claude", { skill: true })))
      assert.strictEqual(change?.text, Guide.skill)
    }),
  )

  it.effect("leaves a skill that was edited, and says so", () =>
    Effect.gen(function* () {
      const files = world({ [skill]: `${Guide.skill}mine\n` })
      const changes = yield* provided(files)(Install.planRemoval(request("claude")))
      assert.isFalse(changes.some(Install.isChange))
      assert.deepStrictEqual(
        changes.filter(Install.isKept).map(({ target }) => target.path),
        [skill],
      )
    }),
  )
})

describe("Install, on files that it must not change", () => {
  const file = "/home/ada/engine/.mcp.json"
  const refused = (contents: Readonly<Record<string, Files.Content>>) =>
    Effect.gen(function* () {
      const files = world(contents)
      const run = provided(files)
      const message = yield* failure(run(Install.plan(request("claude"))))
      assert.strictEqual(yield* failure(run(Install.planRemoval(request("claude")))), message)
      return message
    })

  it.effect.each<readonly [what: string, contents: Readonly<Record<string, Files.Content>>, problem: string]>([
    ["half a JSON", { [file]: '{"mcpServers": {' }, "not valid JSON"],
    ["servers that are a list", { [file]: '{"mcpServers": []}' }, "'mcpServers' is a list and not an object"],
    ["a text of another encoding", { [file]: new Uint8Array([0x7b, 0xe9, 0x7d]) }, "is not UTF-8"],
    ["a folder in its place", { [`${file}/x`]: "" }, "a folder is in the place of the file"],
    ["a huge file", { [file]: new Uint8Array(20_000_001) }, "larger than 20000000 bytes"],
    ["a link out of the project", { [file]: { link: "/etc/passwd" } }, "leads by a link to /etc/passwd"],
    [
      "a link into the home",
      { [file]: { link: "/home/ada/.x.json" }, "/home/ada/.x.json": "{}" },
      "leads by a link to",
    ],
    ["a link to nothing", { [file]: { link: "nowhere.json" } }, "is a link to a file that does not exist"],
    ["a link to itself", { [file]: { link: ".mcp.json" } }, "not a file"],
  ])("refuses %s", ([, contents, problem]) =>
    Effect.map(refused(contents), (message) => assert.include(message, problem)),
  )

  it.effect("refuses a folder that is a link out of the project", () =>
    Effect.gen(function* () {
      const files = world({ "/home/ada/engine/.cursor": { link: "/etc" } })
      const message = yield* failure(provided(files)(Install.plan(request("cursor"))))
      assert.include(message, "leads by a link to /etc/mcp.json, outside of /home/ada/engine")
    }),
  )

  it.effect("writes through a link that stays in the home, and leaves the link", () =>
    Effect.gen(function* () {
      const files = world({
        "/home/ada/.cursor/mcp.json": { link: "../dotfiles/cursor.json" },
        "/home/ada/dotfiles/cursor.json": "{}\n",
      })
      const run = provided(files)
      yield* run(install(user("cursor")))
      assert.strictEqual((yield* files.stat("/home/ada/.cursor/mcp.json")).kind, "link")
      assert.include(yield* textOf(files, "/home/ada/dotfiles/cursor.json"), '"vibe"')
      yield* run(remove(user("cursor")))
      assert.strictEqual(yield* textOf(files, "/home/ada/dotfiles/cursor.json"), "{}\n")
    }),
  )

  it.effect("writes nothing over what was written after the change was shown", () =>
    Effect.gen(function* () {
      const files = world({ [file]: "{}\n" })
      const run = provided(files)
      const [change] = yield* run(Install.plan(request("claude")))
      assert.isDefined(change)
      yield* files.write(file, '{"mine": 1}\n')
      assert.include(yield* failure(run(Install.apply(change))), "was changed meanwhile")
      assert.strictEqual(yield* textOf(files, file), '{"mine": 1}\n')
    }),
  )
})

describe.runIf(process.platform !== "win32")("Install, on the disk", () => {
  const home = Effect.map(temporaryFolder, (folder) => {
    const real = fs.realpathSync(folder)
    fs.mkdirSync(path.join(real, ".gemini"))
    return {
      file: path.join(real, ".gemini/settings.json"),
      run: provided(NodeFiles.make({ descriptors: process.platform === "linux" }), { HOME: real }),
    }
  })

  it.scoped("keeps the mode of a file", () =>
    Effect.gen(function* () {
      const { file, run } = yield* home
      fs.writeFileSync(file, "{}\n", { mode: 0o600 })
      yield* run(install(user("gemini")))
      assert.strictEqual(fs.statSync(file).mode & 0o777, 0o600)
      yield* run(remove(user("gemini")))
      assert.strictEqual(fs.readFileSync(file, "utf8"), "{}\n")
    }),
  )

  it.scoped("says what to do about a file that is read-only, and leaves it", () =>
    Effect.gen(function* () {
      const { file, run } = yield* home
      fs.writeFileSync(file, "{}\n", { mode: 0o444 })
      const error = yield* Effect.flip(run(install(user("gemini"))))
      assert.propertyVal(error, "advice", "Make it writable and run this again")
      assert.strictEqual(fs.readFileSync(file, "utf8"), "{}\n")
    }),
  )
})

describe("Agent.isOwn", () => {
  it.each<readonly [entry: unknown, isOwn: boolean]>([
    [{ command: "vibe", args: ["mcp"] }, true],
    [{ command: "npx", args: ["-y", "vibe-index@0.3.1", "mcp", "--root", "x"] }, true],
    [{ type: "local", command: ["C:\\npm\\vibe.cmd", "mcp"] }, true],
    [{ command: "/usr/bin/node", args: ["/opt/vibe-index/dist/bin.js", "mcp"] }, true],
    [{ command: "vibe" }, false],
    [{ command: "vibe-kanban", args: ["mcp"] }, false],
    [{ command: "npx", args: ["-y", "@other/vibe-kit", "mcp"] }, false],
    [{ url: "https://vibe.example/mcp" }, false],
    [{ command: ["mcp"] }, false],
    ["vibe mcp", false],
    [null, false],
    [{ command: 3, args: { 0: "mcp" } }, false],
  ])("of %j is %s", (entry, isOwn) => {
    assert.strictEqual(Agent.isOwn(entry), isOwn)
  })
})

describe("Guide", () => {
  it("is short: the notes cost at most 130 tokens, what is always read of the skill at most 90", () => {
    const [, frontmatter = ""] = Guide.skill.split("---\n")
    assert.isAtMost(Guide.notes.join("\n").length / 4, 130)
    assert.isAtMost(frontmatter.length / 4, 90)
    assert.isAtMost(/^description: (.*)$/m.exec(frontmatter)?.[1]?.length ?? 0, 1024)
  })
})
