/**
 * Lets V8 compile the functions that a start needs together with their file.
 *
 * **The problem.** V8 compiles a function when it is first called; before that it only checks the syntax. Node's
 * compile cache, which `bin.ts` turns on, keeps what V8 has compiled when a file is loaded, and nothing that is
 * compiled later. So each start compiled the same functions anew.
 *
 * **The remedy.** A function expression in parentheses looks to V8 like one that is called immediately, so it compiles
 * `(() => …)` together with its file. The program means the same with and without the parentheses.
 *
 * **How.** This step runs the built program as users do (`usualRuns`) in a folder of one file, and has V8 count the
 * calls of each function (NODE_V8_COVERAGE). In `dist/chunks`, arrow functions and function expressions that were
 * called get parentheses. Declarations and methods cannot have any, and stay as they are.
 *
 * **What it is worth.** A sixth of a start. Milliseconds of CPU, the least of 60 runs each, taken in turns with a build
 * without this step (Node 24.21, two cores, a warm compile cache, an index of two files):
 *
 * |               | without | with |       |
 * | ------------- | ------: | ---: | ----: |
 * | `vibe query`  |     119 |  100 | −16 % |
 * | `vibe status` |     110 |   92 | −16 % |
 * | `vibe --help` |      81 |   73 | −10 % |
 * | `node -e 0`   |      25 |   24 |       |
 *
 * **What it costs.** Nine runs of the program, and this file. It takes part in `prepack` alone, so no build of a
 * checkout waits for it. `npm run check` builds by `prepack`, so what is published is what was tested.
 *
 * **When to remove it.** When Node's compile cache keeps functions that were compiled after their file was loaded, or
 * when the table, measured again, shows less than a tenth. Nothing depends on it.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { parseSync, Visitor } from "rolldown/utils"
import { inFolder, root, run } from "./process.ts"

const chunks = path.join(root, "dist/chunks")

interface Run {
  readonly args: ReadonlyArray<string>
  /** What is on stdin. */
  readonly input?: string
  /** The text of stdout at which stdin ends. */
  readonly until?: string
}

/** The messages of a coding agent, up to its first question. */
const agentMessages = [
  {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "agent", version: "1" } },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list" },
  { id: 3, method: "tools/call", params: { name: "query", arguments: { query: "make a text loud" } } },
]

/** The first one makes the index of which the others ask. It names its model, so that no local one is asked. */
const usualRuns: ReadonlyArray<Run> = [
  { args: ["index", "--model", "offline"] },
  { args: ["--help"] },
  { args: ["query", "make a text loud"] },
  { args: ["query", "shout", "--json"] },
  { args: ["show", "shout"] },
  { args: ["map"] },
  { args: ["status"] },
  // With an empty stdin: it starts, and ends.
  { args: ["chat", "--ephemeral", "--model", "scripted/answers.json"] },
  {
    args: ["mcp", "--root", "."],
    input: agentMessages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""),
    until: '"id":3}',
  },
]

/** A folder with what most projects have: types, calls between files and folders, a test and documents. */
const project = {
  "README.md": "# Shop\n\nA shop for **loud** texts.\n\n## Use\n\n```python\nfrom shop.cart import Cart\n```\n",
  "pyproject.toml": '[project]\nname = "shop"\ndescription = "A shop."\n[project.scripts]\nshop = "shop.cart:main"\n',
  "tool.py": 'def shout(text):\n    """Makes a text loud."""\n    return text.upper()\n',
  "shop/cart.py": `import sys
from tool import shout

class Shelf:
    """Holds what can be bought."""
    def __init__(self, prices=None):
        self.prices = prices or {}

class Cart(Shelf):
    def add(self, name: str) -> "Cart":
        if name not in self.prices:
            raise KeyError(shout(name))
        self.names = [name]
        return self

    def total(self, *, discount=0):
        return sum(self.prices[name] for name in self.names) - discount

def main():
    cart = Cart({"tea": 3})
    print(shout(f"{cart.add(sys.argv[1]).total()}"))
`,
  "tests/test_cart.py":
    "from shop.cart import Cart\n\ndef test_add():\n    assert Cart({'tea': 3}).add('tea').total() == 3\n",
  "page/view.ts": `import { format } from "./format"

/** Shows a cart. */
export class View<T extends { readonly price: number }> {
  readonly #items: Array<T> = []
  add(item: T): void {
    this.#items.push(item)
  }
  render = (title = "cart") => \`\${title}: \${this.#items.map(({ price }) => format(price)).join(", ")}\`
}
`,
  "page/format.ts": "export const format = (price: number): string => price.toFixed(2)\n",
  "answers.json": "[]",
}

/** What is read here of V8's report. The first range of a function is that of the whole function. */
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

/** The ranges (`start-end`) of the functions that the usual runs call, by file. */
const findCalledFunctions = (): Promise<ReadonlyMap<string, ReadonlySet<string>>> =>
  inFolder(project, async (cwd) => {
    const coverage = path.join(cwd, "coverage")
    const vibe = ({ args, input, until }: Run, env = {}) =>
      run(process.execPath, [path.join(root, "dist/bin.js"), ...args], {
        cwd,
        input,
        until,
        env: { PATH: process.env.PATH, HOME: cwd, NODE_DISABLE_COMPILE_CACHE: "1", ...env },
      })
    for (const each of usualRuns) await vibe(each, { NODE_V8_COVERAGE: coverage })
    const found = new Map<string, Set<string>>()
    for (const name of fs.readdirSync(coverage)) {
      const { result }: Coverage = JSON.parse(fs.readFileSync(path.join(coverage, name), "utf8"))
      for (const { functions, url } of result.filter(({ url }) => url.startsWith("file:"))) {
        const ranges = found.get(fileURLToPath(url)) ?? new Set()
        found.set(fileURLToPath(url), ranges)
        for (const {
          ranges: [whole],
        } of functions)
          if (whole.count > 0) ranges.add(`${whole.startOffset}-${whole.endOffset}`)
      }
    }
    return found
  })

/** Where the arrow functions and function expressions of a file begin and end. */
const findExpressions = (file: string, text: string): ReadonlyArray<readonly [start: number, end: number]> => {
  const found: Array<readonly [number, number]> = []
  const note = ({ end, start }: { readonly start: number; readonly end: number }) => void found.push([start, end])
  new Visitor({
    ArrowFunctionExpression: note,
    FunctionExpression: (node) => {
      // The parser reports methods as function expressions, too.
      if (/^(?:async\s+)?function\b/.test(text.slice(node.start, node.start + 20))) note(node)
    },
  }).visit(parseSync(file, text).program)
  return found
}

/** Puts parentheses around the functions that stand in these ranges. */
const parenthesise = (file: string, text: string, ranges: ReadonlySet<string>): string => {
  const parentheses = findExpressions(file, text)
    .filter(([start, end]) => ranges.has(`${start}-${end}`))
    .flatMap(([start, end]) => [
      { at: start, sign: "(" },
      { at: end, sign: ")" },
    ])
    // Where one function ends and another begins, the closing one comes first.
    .sort((one, other) => one.at - other.at || (one.sign === ")" ? -1 : 1))
  let from = 0
  return parentheses
    .map(({ at, sign }) => {
      const before = text.slice(from, at)
      from = at
      return before + sign
    })
    .concat(text.slice(from))
    .join("")
}

/** Rewrites `dist/chunks`. Throws if no function is found, as when V8's report and the parser count differently. */
export const compileEagerly = async (): Promise<void> => {
  let changed = 0
  for (const [file, ranges] of await findCalledFunctions()) {
    if (path.dirname(file) !== chunks) continue
    const text = fs.readFileSync(file, "utf8")
    const better = parenthesise(file, text, ranges)
    if (better !== text) changed += 1
    fs.writeFileSync(file, better)
  }
  if (changed === 0) throw new Error("the parser finds none of the functions that V8 has counted")
}
