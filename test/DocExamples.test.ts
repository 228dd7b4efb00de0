/** The examples in docstrings compile as users write them, run, and print what their last comments say. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { check, type Example, examplesIn } from "./utils/docExamples.ts"

const src = path.resolve(import.meta.dirname, "../src")

const sources = fs
  .readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file: file.replaceAll(path.sep, "/"), source: fs.readFileSync(path.join(src, file), "utf8") }))

const examples = sources.flatMap(({ file, source }) => examplesIn(file, source))

/** The services that people meet first, each with the file and the line that declares it. */
const services: ReadonlyArray<readonly [declaration: string, file: string]> = [
  ["class IndexingOrchestrator", "explore/IndexingOrchestrator.ts"],
  ["class IndexObserver", "explore/IndexObserver.ts"],
  ["class IndexStore", "index/IndexStore.ts"],
  ["class Symbols", "code/Symbols.ts"],
  ["class Files", "code/Files.ts"],
  ["interface Workspace", "code/Workspace.ts"],
  ["class LanguageModel", "model/LanguageModel.ts"],
  ["class ModelRegistry", "model/ModelRegistry.ts"],
  ["class Agent", "model/AgentProgram.ts"],
  ["interface Tool", "tool/Tool.ts"],
  ["class ToolRegistry", "tool/ToolRegistry.ts"],
  ["class Forest", "forest/Forest.ts"],
  ["class LoomEngine", "agent/LoomEngine.ts"],
  ["class ChatEngine", "conversation/engines/ChatEngine.ts"],
  ["class ConversationEngine", "conversation/engines/ConversationEngine.ts"],
  ["class ConversationManager", "conversation/engines/ConversationManager.ts"],
  ["class SessionManager", "conversation/engines/SessionManager.ts"],
]

/** Writes a docstring with an example of these last lines. */
const docstringOf = (...lines: ReadonlyArray<string>): string =>
  ["/**", "Example:", "", "```ts", 'import { Files } from "vibe-index"', "", "void Files", ...lines, "```"].join(
    "\n * ",
  )

const good = docstringOf("console.log(6 * 7)", "// prints: 42")

/** Docstrings with an example that is wrong, and what is reported. */
const wrong: ReadonlyArray<readonly [title: string, docstring: string, problem: string]> = [
  ["does not compile", docstringOf("console.log(Files.size)", "// prints: 42"), "Property 'size' does not exist"],
  ["imports what is not exported", docstringOf('import "vibe-index/disk"', "// prints: 42"), "vibe-index/disk"],
  ["prints something else", docstringOf("console.log(41)", "// prints: 42"), 'it prints "41", not "42"'],
  ["prints more", docstringOf("console.log(42)", "console.log(43)", "// prints: 42"), 'it prints "42\\n43", not "42"'],
  ["throws", docstringOf('throw new Error("no such file")', "// prints: 42"), 'it prints "Error: no such file"'],
  ["does not say what it prints", docstringOf("console.log(42)"), "it does not end with a comment"],
]

/** The milliseconds that compiling all sources may take on a busy machine: it takes 3 seconds of processor time. */
const COMPILER_TIMEOUT = 600_000

describe("the examples in docstrings", () => {
  const madeUp = [good, ...wrong.map(([, docstring]) => docstring)].map((docstring) =>
    examplesIn("madeUp.ts", docstring),
  )
  let problems: ReadonlyMap<Example, ReadonlyArray<string>> = new Map()
  beforeAll(async () => {
    problems = await check([...examples, ...madeUp.flat()])
  }, COMPILER_TIMEOUT)

  it.each(examples)("$at compiles, runs and prints what it says", (example) => {
    assert.deepStrictEqual(problems.get(example), [])
  })

  it("are all found", () => {
    const fences = sources.reduce((count, { source }) => count + source.split(/^[ \t]*\*.*```ts/m).length - 1, 0)
    assert.lengthOf(examples, fences)
  })

  it.each(services)("say when to use %s", (declaration, file) => {
    const source = sources.find((one) => one.file === file)?.source ?? ""
    const [before = ""] = source.split(`\nexport ${declaration} `)
    const docstring = before.slice(before.lastIndexOf("/**"))
    assert.match(docstring, /^ \* When to use it: /m)
    assert.lengthOf(examplesIn(file, docstring), 1)
    assert.match(docstring, /\*\/$/)
  })

  it("are accepted if they print what they say", () => {
    const [[example] = []] = madeUp
    assert.deepStrictEqual(example && problems.get(example), [])
  })

  it.each(wrong.map(([title, , problem], index) => [title, problem, index + 1] as const))(
    "are refused if one %s",
    (_, problem, index) => {
      const [example] = madeUp[index] ?? []
      assert.include(example && problems.get(example)?.join("\n"), problem)
    },
  )
})
