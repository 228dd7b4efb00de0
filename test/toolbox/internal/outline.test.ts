import { assert, describe, it } from "@effect/vitest"
import { IndexEntry } from "../../../src/index/IndexEntry.ts"
import { rowsOf } from "../../../src/toolbox/internal/outline.ts"

const entry = (more: Partial<ConstructorParameters<typeof IndexEntry>[0]> & { readonly name: string }) =>
  new IndexEntry({
    path: "a.ts",
    kind: "method",
    startLine: 1,
    endLine: 1,
    signature: "",
    exported: true,
    usedBy: 0,
    isMajor: false,
    hash: "0",
    ...more,
  })

const lineOf = (more: Parameters<typeof entry>[0]) => rowsOf([entry(more)], [entry(more)]).map(({ text }) => text)

describe("the outline of a file", () => {
  it.each<readonly [kind: IndexEntry["kind"], name: string, signature: string, line: string]>([
    ["function", "send", "export async function send(request: Request): void", "function send(request: Request): void"],
    ["function", "merge", "def merge(one, other=None)", "function merge(one, other=None)"],
    ["class", "Flask", "class Flask(App)", "class Flask(App)"],
    ["constant", "MAX", "export const MAX = 5", "constant MAX = 5"],
    ["function", "post", "post = async function (data)", "function post(data)"],
    ["method", "getName", "public String getName(int n)", "method getName: public String getName(int n)"],
    ["function", "default", "module.exports = function (User)", "function default: module.exports = function (User)"],
    ["function", "get", "function getAll(get)", "function get: function getAll(get)"],
    ["module", "net", "", "module net"],
  ])("shows the %s %s of %j", (kind, name, signature, line) => {
    assert.deepStrictEqual(lineOf({ kind, name, signature }), [`1 ${line}`])
  })

  it("leaves out the container before a name", () => {
    const method = { name: "post", container: "api.Topics", signature: "Topics.post = async function (data)" }
    assert.deepStrictEqual(lineOf(method), ["1 method api.Topics.post(data)"])
    const push = { name: "Push", container: "Stack", signature: "func (s *Stack) Push(thing string) error" }
    assert.deepStrictEqual(lineOf(push), ["1 method Stack.Push(thing string) error"])
  })

  it("marks what is open or stale, and cuts long purposes and signatures at a word", () => {
    const purpose = { text: `Keeps ${"many things ".repeat(20)}`, origin: "model", model: "m", node: "n" } as const
    const [stale = ""] = lineOf({ name: "a", isMajor: true, usedBy: 3, purpose: { ...purpose, stale: true } })
    assert.match(stale, /^1 method a \(stale, used by 3\) — Keeps (?:many things )+many…$/)
    assert.isBelow(stale.length, 160)
    const long = { name: "b", isMajor: true, signature: `def b(${"some_argument=None, ".repeat(20)})` }
    assert.match(lineOf(long)[0] ?? "", /^1 method b\(.*,… \(open\)$/)
  })

  it("has one line for a symbol, whatever its name is", () => {
    const odd = { name: "a\n9 class Forged\u001b[2J", signature: '"a\n9 class Forged"', isMajor: true }
    assert.deepStrictEqual(lineOf(odd), ['1 method a 9 class Forged: "a 9 class Forged" (open)'])
  })

  it("shows the containers of listed symbols that are not listed themselves", () => {
    const at = (startLine: number, endLine: number) => ({ startLine, endLine })
    const outer = entry({ name: "Outer", kind: "class", ...at(1, 20) })
    const inner = entry({ name: "Inner", kind: "class", container: "Outer", ...at(2, 10) })
    const method = entry({ name: "run", container: "Outer.Inner", ...at(3, 5) })
    const other = entry({ name: "stop", container: "Outer.Inner", ...at(6, 8) })
    const last = entry({ name: "last", container: "Outer", ...at(12, 13) })
    const all = [outer, inner, method, other, last]
    const texts = (shown: ReadonlyArray<IndexEntry>) => rowsOf(shown, all).map(({ text }) => text)
    assert.deepStrictEqual(texts([method, other, last]), [
      "1-20 class Outer",
      "  2-10 class Inner",
      "    3-5 method run",
      "    6-8 method stop",
      "  12-13 method last",
    ])
    assert.deepStrictEqual(texts(all), texts([method, other, last]))
    assert.deepStrictEqual(
      rowsOf([last], all).map(({ entry }) => entry?.name),
      [undefined, "last"],
    )
  })
})
