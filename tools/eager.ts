/**
 * Puts parentheses around the functions of the built program that its usual runs call: V8 compiles such a function
 * together with its file, and Node keeps it in the compile cache. What is compiled when it is first called is not kept,
 * and that was a fifth of the time of `vibe query`.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { parseSync, Visitor } from "rolldown/utils"
import { inFolder, root, run } from "./process.ts"

const chunks = path.join(root, "dist/chunks")

/** Of an indexed folder. */
const usual: ReadonlyArray<ReadonlyArray<string>> = [
  ["--help"],
  ["query", "make a text loud"],
  ["query", "shout", "--json"],
  ["show", "shout"],
  ["status"],
  // Nobody says anything.
  ["chat", "--ephemeral", "--model", "offline"],
]

const project = { "tool.py": 'def shout(text):\n    """Makes a text loud."""\n    return text.upper()\n' }

/** What V8 reports, as far as it is read here: of each function its own range comes first. */
interface Coverage {
  readonly result: ReadonlyArray<{
    readonly url: string
    readonly functions: ReadonlyArray<{ readonly ranges: readonly [Range, ...ReadonlyArray<Range>] }>
  }>
}

interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

/** The ranges of functions that were called, by file. */
const called = (): Promise<ReadonlyMap<string, ReadonlySet<string>>> =>
  inFolder(project, async (cwd) => {
    const coverage = path.join(cwd, "coverage")
    const vibe = (args: ReadonlyArray<string>, env = {}) =>
      run(process.execPath, [path.join(root, "dist/bin.js"), ...args], {
        cwd,
        env: { PATH: process.env.PATH, HOME: cwd, NODE_DISABLE_COMPILE_CACHE: "1", ...env },
      })
    await vibe(["index", "--model", "offline"])
    for (const args of usual) await vibe(args, { NODE_V8_COVERAGE: coverage })
    const found = new Map<string, Set<string>>()
    for (const name of fs.readdirSync(coverage)) {
      const { result }: Coverage = JSON.parse(fs.readFileSync(path.join(coverage, name), "utf8"))
      for (const { functions, url } of result.filter(({ url }) => url.startsWith("file:"))) {
        const ranges = found.get(fileURLToPath(url)) ?? new Set()
        found.set(fileURLToPath(url), ranges)
        for (const {
          ranges: [own],
        } of functions)
          if (own.count > 0) ranges.add(`${own.startOffset}-${own.endOffset}`)
      }
    }
    return found
  })

/** Where the functions begin and end that may stand in parentheses: no declarations, and no methods. */
const expressions = (file: string, text: string): ReadonlyArray<readonly [start: number, end: number]> => {
  const found: Array<readonly [number, number]> = []
  const note = ({ end, start }: { readonly start: number; readonly end: number }) => void found.push([start, end])
  new Visitor({
    ArrowFunctionExpression: note,
    FunctionExpression: (node) => {
      if (/^(?:async\s+)?function\b/.test(text.slice(node.start, node.start + 20))) note(node)
    },
  }).visit(parseSync(file, text).program)
  return found
}

const marked = (file: string, text: string, ranges: ReadonlySet<string>): string => {
  const marks = expressions(file, text)
    .filter(([start, end]) => ranges.has(`${start}-${end}`))
    .flatMap(([start, end]) => [
      { at: start, mark: "(" },
      { at: end, mark: ")" },
    ])
    // Where one ends and another begins, the end comes first.
    .sort((one, other) => one.at - other.at || (one.mark === ")" ? -1 : 1))
  let from = 0
  return marks
    .map(({ at, mark }) => {
      const before = text.slice(from, at)
      from = at
      return before + mark
    })
    .concat(text.slice(from))
    .join("")
}

let marks = 0
for (const [file, ranges] of await called()) {
  if (path.dirname(file) !== chunks) continue
  const text = fs.readFileSync(file, "utf8")
  const better = marked(file, text, ranges)
  marks += (better.length - text.length) / 2
  fs.writeFileSync(file, better)
}
if (marks === 0) throw new Error("the parser does not find the functions that V8 has counted")
