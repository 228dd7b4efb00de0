import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ModelId } from "../../../src/message/ModelId.ts"
import * as CheckSources from "../../../src/wiki/writing/CheckSources.ts"
import * as Declared from "../../../src/wiki/writing/Declared.ts"
import * as MaterialLimits from "../../../src/wiki/writing/MaterialLimits.ts"
import * as PartMaterial from "../../../src/wiki/writing/PartMaterial.ts"
import * as PartRequest from "../../../src/wiki/writing/PartRequest.ts"
import * as Wiki from "./Wiki.fixture.ts"

const atTop = (path: string, ...lines: ReadonlyArray<string>) =>
  Declared.linesOf(Declared.atTop(path, lines.join("\n")))

const within = (path: string, ...lines: ReadonlyArray<string>) =>
  Declared.linesOf(Declared.within(path, lines.join("\n")))

describe("what a file declares when it is loaded", () => {
  const cases: ReadonlyArray<readonly [what: string, path: string, code: ReadonlyArray<string>, lines: Array<string>]> =
    [
      [
        "options with their defaults and help",
        "cli.py",
        [
          "parser = Parser()",
          "parser.add_argument(",
          "    '--timeout',",
          "    '-t',",
          "    type=float,",
          "    default=30,",
          '    help="""',
          "    Seconds to wait. Zero waits for ever.",
          '    """,',
          ")",
          "parser.add_argument('--all', action='store_true', default=False)",
        ],
        ["--timeout, -t; default=30 — Seconds to wait.", "--all"],
      ],
      [
        "options of a chain of calls",
        "cli.js",
        ['program.option("-p, --port <n>", "The port to use", 80).option("--quiet", "Print nothing")'],
        ["-p, --port <n>; 80 — The port to use", "--quiet — Print nothing"],
      ],
      [
        "what is registered, without the bodies of functions",
        "app.js",
        ["const app = make()", 'app.get("/items", (req, res) => { res.send("--none") })', "app.use(json, logs)"],
        ['app.get("/items", (req, res) => {…})', "app.use(json, logs)"],
      ],
      [
        "types of comments, with what their fields are for",
        "types.lua",
        [
          "---@class Hooks",
          "---@field init? fun(self) Will always be run. Later too.",
          "---@field opts? table",
          "",
          "---@class Bare",
          "---@field one number",
          "---@class Own",
          "---@field a table<string, number>",
          "---@field b number",
          "---@field _c? number",
        ],
        ["type Hooks: init? (Will always be run.), opts?"],
      ],
      [
        "types of comments in JavaScript",
        "types.js",
        [
          "/**",
          " * @typedef {Object} Options",
          " * @property {string} [root=x] - Where to look",
          " * @property {number} depth",
          " */",
          "export {}",
        ],
        ["type Options: root (Where to look), depth"],
      ],
      ["help that is a name of something", "cli.py", ["p.add_argument('--old', help=SUPPRESS)"], ["--old"]],
      [
        "neither definitions nor what runs inside them",
        "run.py",
        ["import os", "def main(a):", "    start('x', a)", "if (main):", "    main()", "x = make('--x')", "print('y')"],
        [],
      ],
      ["no functions of languages with braces", "run.cpp", ["Box::Box(int x) {", "  fill(x);", "}"], []],
    ]
  for (const [what, path, code, lines] of cases) {
    it(`are ${what}`, () => assert.deepStrictEqual(atTop(path, ...code), lines))
  }

  it("keeps to its room, and names all options before it says what one is for", () => {
    const declared = Array.from({ length: 20 }, (_, at) => ({
      isOption: true,
      text: `--option-${at}`,
      help: "It says what the option is for in many words that take room.",
    }))
    const lines = Declared.write(declared, 150)
    assert.lengthOf(lines, 20)
    assert.isTrue(lines[0]?.includes("—"))
    assert.isFalse(lines[19]?.includes("—"))
    assert.strictEqual(Declared.write(declared, 60).at(-1), `… ${20 - Declared.write(declared, 60).length + 1} more`)
  })
})

describe("what a function declares", () => {
  it("has the options of its decorators and of its body", () => {
    assert.deepStrictEqual(
      within("a.py", "@app.command('run')", "@app.option('--n', default=1)", "def run(n):", "  pass"),
      ["@app.command('run')", "--n; default=1"],
    )
    assert.deepStrictEqual(
      within("a.go", "func main() {", '  flag.Int("port", 80, "port to use")', '  run("--port")', "}"),
      ["--port; 80 — port to use"],
    )
  })

  it("has neither options that are passed on nor sentences about some", () => {
    assert.deepStrictEqual(
      within("a.py", "def run(n):", "  pip('install', '--upgrade')", "  self.on('--x needs --y', n)"),
      [],
    )
  })
})

const room: CheckSources.Room = {
  tokens: 2000,
  each: 500,
  whole: 500,
  document: 400,
  held: 200,
  beside: 200,
  type: 300,
  comment: 80,
  missing: 0,
}

describe("the options of a file", () => {
  const files = {
    "src/options.ts": `import { program } from "./program.ts"

export const name = "shop"

program.option("--dry-run", "Sell nothing")
program.option("--limit <n>", "The most articles", 20)
`,
    "src/program.ts": "export const program = make()\n",
  }
  const parts = [{ name: "options", title: "Options", line: "", files: Object.keys(files) }]

  it.scoped("are shown to the writer of its part and to the check, which has them cited by the file", () =>
    Effect.gen(function* () {
      const { project } = yield* Wiki.open(files)
      const [part] = parts
      if (part === undefined) return
      const gathered = yield* PartMaterial.gather(project, part, parts, MaterialLimits.defaults.part)
      const message = PartRequest.messageOf([{ about: project.about, part, parts, ...gathered }])
      const number = Number(/\[(\d+)\] the file in src\/options\.ts declares/.exec(message)?.[1])
      assert.include(message, "--limit <n>; 20 — The most articles")
      const draft = {
        paragraphs: [[{ t: "`--limit` is 20.", c: [number], kind: "claim" as const }]],
        change: [],
        refused: 0,
      }
      const { page } = PartRequest.toPage(
        { part, material: gathered.material, room: 1 },
        draft,
        new ModelId({ provider: "test", name: "model" }),
      )
      const [statement] = page?.sections[0]?.blocks[0] ?? []
      assert.deepInclude(statement?.citations[0], { path: "src/options.ts" })
      assert.isString(statement?.citations[0]?.hash)
      if (statement === undefined) return
      const { sources, subjects } = yield* CheckSources.prepare(project, [statement], room, {
        sources: [],
        labelsOf: new Map(),
      })
      assert.deepStrictEqual(subjects[0]?.sources, ["S1"])
      assert.include(sources.flatMap(({ lines }) => lines).join("\n"), "the program read: --limit <n>; 20")
    }),
  )
})
