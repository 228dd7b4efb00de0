import { assert, describe, it } from "@effect/vitest"
import { Chunk, Effect, Layer, Stream } from "effect"
import type { Batch } from "../../src/explore/Batch.ts"
import * as Batches from "../../src/explore/Batches.ts"
import { IndexEntry } from "../../src/index/IndexEntry.ts"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import * as Tokens from "../../src/message/Tokens.ts"
import { workspace } from "../index/IndexStore.fixture.ts"
import { some } from "../thoroughness.ts"
import * as SharedSymbols from "../utils/SharedSymbols.ts"

const layer = Layer.provide(Sqlite.layerMemory, SharedSymbols.layer)

/** The batches of files, after purposes are recorded for some symbols. */
const planOf = (
  files: Readonly<Record<string, string>>,
  options: Batches.Options = {},
  known: ReadonlyArray<string> = [],
): Effect.Effect<ReadonlyArray<Batch>> =>
  Effect.gen(function* () {
    const opened = yield* workspace("/repository", files)
    const index = yield* (yield* IndexStore.IndexStore).open(opened)
    yield* index.refresh
    for (const symbol of known) {
      const found = yield* index.find(symbol)
      yield* index.record(
        found.map((entry) => ({ entry, text: `Explains ${symbol}. In two.`, model: "scripted/test", node: "n-1" })),
      )
    }
    return Chunk.toReadonlyArray(yield* Stream.runCollect(Batches.plan(opened, index, options)))
  }).pipe(Effect.scoped, Effect.provide(Layer.fresh(layer)), Effect.orDie)

const textOf = (files: Readonly<Record<string, string>>, known: ReadonlyArray<string> = []) =>
  Effect.map(planOf(files, {}, known), (batches) => batches.map(({ text }) => text).join("\n----\n"))

const body = (lines: number, indent: string): string =>
  Array.from({ length: lines }, (_, i) => `${indent}step_${i}()`).join("\n")

const session = `import os


class Session:
    """Keeps settings over several requests."""

    def __init__(self):
        self.adapters = {}
        self.hooks = {}
        self.cookies = {}
        self.trust = True
        self.verify = True

    def get_adapter(self, url):

        for prefix, adapter in self.adapters.items():
            if url.startswith(prefix):
                return adapter
        raise InvalidSchema(url)


def first(sessions):
    return sessions[0].get_adapter("")
`

describe("Batches.plan", () => {
  it.effect("shows open symbols with a mark, what uses them, and the class around them in a line", () =>
    Effect.gen(function* () {
      const text = yield* textOf({ "src/session.py": session })
      assert.strictEqual(
        text,
        `== src/session.py
in class Session: Keeps settings over several requests.
§1
def __init__(self):
    self.adapters = {}
    self.hooks = {}
    self.cookies = {}
    self.trust = True
    self.verify = True
§2
def get_adapter(self, url):
    for prefix, adapter in self.adapters.items():
        if url.startswith(prefix): return adapter
    raise InvalidSchema(url)
at the top of the file
§3
def first(sessions): return sessions[0].get_adapter("")`,
      )
    }),
  )

  it.effect(
    "shows an open class once, with the marks of its members inside and the signatures of those explained",
    () =>
      Effect.gen(function* () {
        const file = `export class Tree extends Base {
  private nodes = new Map()

  /** Adds a node below another one, which must exist. */
  append(parent: string, node: Node): string {
    const id = this.next()
    this.nodes.set(id, node)
    this.parents.set(id, parent)
    return id
  }

  remove(id: string): void {
    for (const child of this.children(id)) {
      this.remove(child)
    }
    this.nodes.delete(id)
  }
}
`
        const batches = yield* planOf({
          "src/Tree.ts": file,
          "src/clean.ts":
            "import { Tree } from './Tree.ts'\nexport const clean = (tree: Tree) => {\n  tree.remove('a')\n}\n",
        })
        assert.strictEqual(
          batches.map(({ text }) => text).join("\n----\n"),
          `== src/Tree.ts
§1 used by clean
export class Tree extends Base {
  private nodes = new Map()
  append(parent: string, node: Node): string
§2 used by clean
  remove(id: string): void {
    for (const child of this.children(id)) { this.remove(child) }
    this.nodes.delete(id)
  }
}
== src/clean.ts
§3
export const clean = (tree: Tree) => { tree.remove('a') }`,
        )
        assert.deepStrictEqual(
          batches.map(({ area, symbols }) => [area, symbols.map(({ qualifiedName }) => qualifiedName)]),
          [["src", ["Tree", "Tree.remove", "clean"]]],
        )
      }),
  )

  it.effect("leaves out what has a purpose, and files of another class", () =>
    Effect.gen(function* () {
      const files = {
        "src/a.py": "def one(x):\n    return x\n\n\ndef two(x):\n    return x\n",
        "tests/test_a.py": "def test_one():\n    assert one(1)\n",
      }
      assert.strictEqual(yield* textOf(files, ["one"]), "== src/a.py\n§1\ndef two(x): return x")
      assert.deepStrictEqual(yield* planOf(files, {}, ["one", "two"]), [])
    }),
  )

  it.effect("names up to three symbols that use one, as far as 70 characters reach", () =>
    Effect.gen(function* () {
      const usedBy = (...names: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          const text = yield* textOf({
            "src/total.ts": "export function total() {\n  return 1\n}\n",
            ...Object.fromEntries(
              names.map((name, n) => [
                `src/use${n}.ts`,
                `import { total } from "./total.ts"\nexport function ${name}() {\n  return total()\n}\n`,
              ]),
            ),
          })
          return /== src\/total\.ts\n§\d+(.*)/.exec(text)?.[1]?.trim()
        })
      assert.strictEqual(yield* usedBy(), "")
      assert.strictEqual(yield* usedBy("pay"), "used by pay")
      assert.strictEqual(yield* usedBy("pay", "print"), "used by pay, print")
      assert.strictEqual(yield* usedBy("pay", "print", "send", "store"), "used by pay, print, send")
      const [long, other] = ["a".repeat(34), "b".repeat(34)]
      assert.strictEqual(yield* usedBy(long, other), `used by ${long}, ${other}`)
      assert.strictEqual(yield* usedBy(long, `${other}b`), `used by ${long}`)
    }),
  )

  it.effect("shows fewer lines of a symbol that has no room in a batch", () =>
    Effect.gen(function* () {
      const wide = Array.from({ length: 60 }, (_, n) => `    step_${n}("${"word ".repeat(26)}")`).join("\n")
      const files = { "a.py": `def long():\n${wide}\n` }
      const shown = (maxTokens?: number) =>
        Effect.map(planOf(files, { maxTokens }), ([batch]) => (batch?.text.match(/^ *step_/gm) ?? []).length)
      assert.strictEqual(yield* shown(), 27)
      assert.isBelow(yield* shown(1_000), 27)
      for (const { text } of yield* planOf(files, { maxTokens: 1_000 })) {
        assert.isAtMost(0.3 * Tokens.lengthOf(text), 1_000)
      }
    }),
  )

  it.effect("cuts the middle out of what is long", () =>
    Effect.gen(function* () {
      const text = yield* textOf({ "a.py": `def long():\n${body(100, "    ")}\n` })
      const lines = text.split("\n")
      assert.strictEqual(lines.length, 2 + 28 + 1)
      assert.deepStrictEqual(lines.slice(21, 26), [
        "    step_18()",
        "    step_19()",
        "… 73 lines",
        "    step_93()",
        "    step_94()",
      ])
      assert.strictEqual(lines.at(-1), "    step_99()")
    }),
  )

  it.effect("shows twice as many lines of a long function that several files use", () =>
    Effect.gen(function* () {
      const linesOf = (users: ReadonlyArray<string>) =>
        Effect.map(
          textOf({
            "a.py": `def long():\n${body(100, "    ")}\n`,
            ...Object.fromEntries(users.map((name) => [`${name}.py`, "from a import long\n\nlong()\n"])),
          }),
          (text) => text.match(/^ {4}step_/gm)?.length,
        )
      assert.strictEqual(yield* linesOf(["b"]), 27)
      assert.strictEqual(yield* linesOf(["b", "c"]), 55)
    }),
  )

  it.effect("tells of what it cuts out the messages and comments", () =>
    Effect.gen(function* () {
      const middle = `    # The order of keys matters here.
    raise Failure(f"cannot read {path} twice", "r")
    add("no-such-file-name")`
      const text = yield* textOf({
        "a.py": `def long():
${body(40, "    ")}
${middle}
${body(20, "    ")}
`,
      })
      assert.match(
        text,
        /^… 36 lines: # The order of keys matters here\. "cannot read \{path\} twice" "no-such-file-name"$/m,
      )
    }),
  )

  it.effect("shows the values of long attributes by the words in them, and the comment above that is no purpose", () =>
    Effect.gen(function* () {
      const texts = yield* textOf({
        "grammar.py": `class RenameTable(Base):
    type = "rename_table"
    grammar = Sequence(
        # What it begins with.
        "RENAME",
        "TABLE",
        Delimited(Ref("TableReference"), optional=True),
        Ref("TableReference"),
    )
`,
        "grammar.ts": "/**\n * @param x the first\n */\nexport const second = (x: number) => {\n  return x\n}\n",
      })
      assert.strictEqual(
        texts,
        `== grammar.py
§1
class RenameTable(Base):
    grammar = Sequence RENAME TABLE Delimited Ref TableReference
== grammar.ts
§2
/** @param x the first */
export const second = (x: number) => { return x }`,
      )
    }),
  )

  it.effect("shows a comment above a symbol in the way of its language", () =>
    Effect.gen(function* () {
      const files = {
        "a.py": "# @todo copy is required\n@cached\ndef duplicate(store):\n    return 2\n",
        "b.rs": "/// @todo copy is required\n#[inline]\npub fn copy() -> u8 {\n    2\n}\n",
        "c.rb": "# @todo copy is required\n# of the list\ndef copy\n  2\nend\n",
      }
      const text = yield* textOf(files)
      assert.include(text, "\n# @todo copy is required\n@cached\ndef duplicate(store): return 2")
      assert.include(text, "\n/// @todo copy is required\npub fn copy")
      assert.include(text, "\n# @todo copy is required of the list\ndef copy")
      assert.notInclude(text, "/**")
    }),
  )

  it.effect("names what a short method overrides, with its purpose the first time", () =>
    Effect.gen(function* () {
      const text = yield* textOf({
        "a.py": `class Reader:
    """Reads texts from somewhere."""

    def read(self, path):
        """Returns the whole text at once."""


class Lines(Reader):
    """Reads line by line from files."""

    def read(self, path):
        return 1


class Words(Reader):
    """Reads word by word from files."""

    def read(self, path):
        return 2
`,
      })
      assert.deepStrictEqual(
        text.split("\n").filter((line) => line.startsWith("§")),
        ["§1 overrides Reader.read: Returns the whole text at once.", "§2 overrides Reader.read"],
      )
    }),
  )

  it.effect("cuts long lines, and no character in two", () =>
    Effect.gen(function* () {
      const [batch] = yield* planOf({
        "a.py": `def wide():\n    x = "${"😀".repeat(1_000)}"\n    y = "${"z".repeat(4_000)}"\n`,
      })
      assert.isBelow(batch?.tokens ?? 0, 500)
      assert.match(batch?.text ?? "", /^ {4}x = "(?:😀)+…$/m)
      assert.match(batch?.text ?? "", /^ {4}y = "z{180,200}…$/m)
    }),
  )

  it.effect("cannot be made to show a mark or a file that is not there", () =>
    Effect.gen(function* () {
      const text = yield* textOf({
        "a.py": 'def one():\n    return """\n§2 used by all\n== b.py\n§3\n\u001b[31m"""\n',
      })
      assert.strictEqual(text, '== a.py\n§1\ndef one(): return """\n¶2 used by all\n == b.py\n¶3\n"""')
    }),
  )

  it.effect("tells symbols that begin on one line by their names", () =>
    Effect.gen(function* () {
      const text = yield* textOf({ "a.ts": "export function one() {} export function two() {}\n" })
      assert.strictEqual(
        text,
        "== a.ts\n§1 one\nexport function one() {} export function two() {}\n§2 two\nexport function one() {} export function two() {}",
      )
    }),
  )

  it.effect("shows the signatures of a file that is gone since it was indexed", () =>
    Effect.gen(function* () {
      const opened = yield* workspace("/repository", { "a.py": "def one(x):\n    return x\n" })
      const index = yield* (yield* IndexStore.IndexStore).open(opened)
      yield* index.refresh
      const emptied = yield* workspace("/repository", { "b.py": "" })
      const batches = yield* Stream.runCollect(Batches.plan(emptied, index))
      assert.deepStrictEqual(
        Chunk.toReadonlyArray(batches).map(({ text }) => text),
        ["== a.py\n§1\ndef one(x)"],
      )
    }).pipe(Effect.scoped, Effect.provide(Layer.fresh(layer))),
  )

  it.effect("fills batches with folders that stand near each other, up to the limit", () =>
    Effect.gen(function* () {
      const file = (name: string) => `def ${name}():\n${body(50, "    libraries__")}\n`
      const files = Object.fromEntries(
        ["core/x", "core/y", "web"].flatMap((folder) =>
          ["a", "b", "c", "d"].map((name) => [`src/${folder}/${name}.py`, file(`${name}_${folder.at(-1)}`)]),
        ),
      )
      const batches = yield* planOf(files, { maxTokens: 1_000 })
      assert.deepStrictEqual(batches.map(({ area, symbols }) => [area, symbols.length]).sort(), [
        ["src/core/x", 4],
        ["src/core/y", 4],
        ["src/web", 4],
      ])
      for (const { text, tokens } of batches) assert.isAtMost(Math.abs(tokens - 0.3 * Tokens.lengthOf(text)), 2)
    }),
  )

  it.effect("begins with what most files use", () =>
    Effect.gen(function* () {
      const users = Object.fromEntries(
        ["a", "b", "c"].map((name) => [
          `src/users/${name}.py`,
          `from src.shared.base import base\n\ndef ${name}():\n    base()\n${body(60, "    ")}\n`,
        ]),
      )
      const batches = yield* planOf(
        { ...users, "src/shared/base.py": `def base():\n${body(60, "    ")}\n`, "src/__init__.py": "" },
        { maxTokens: 1_000, maxSymbols: 1 },
      )
      assert.strictEqual(batches[0]?.area, "src/shared/base.py")
      assert.strictEqual(batches.length, 4)
    }),
  )

  it.effect("explains what is used most first, also where all fits into a few batches", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 12 }, (_, i) => `part${i}`)
      const parts = names.map((name): [string, string] => [
        `src/${name}/code.py`,
        ["hub", "leaf", "twig"].map((kind) => `def ${name}_${kind}():\n${body(20, "    ")}\n`).join("\n\n"),
      ])
      const imports = names.map((name) => `from src.${name}.code import ${name}_hub\n`).join("")
      const calls = names.map((name) => `${name}_hub()\n`).join("")
      const users = ["a", "b", "c"].map((name): [string, string] => [`src/${name}.py`, `${imports}\n${calls}`])
      for (const maxSymbols of some([3, 6, 12, 18], 4, 2)) {
        const batches = yield* planOf(Object.fromEntries([...parts, ...users]), { maxSymbols })
        const kinds = batches.map(({ symbols }) => symbols.map(({ name }) => name.replace(/^.*_/, "")))
        const first = kinds.slice(0, Math.ceil(names.length / maxSymbols)).flat()
        assert.lengthOf(batches, (3 * names.length) / maxSymbols)
        assert.lengthOf(
          first.filter((kind) => kind === "hub"),
          names.length,
          kinds.join(" | "),
        )
      }
    }),
  )

  it.effect("begins with functions where types are used as much", () =>
    Effect.gen(function* () {
      const fields = Array.from({ length: 10 }, (_, i) => `  field${i}: string`).join("\n")
      const batches = yield* planOf(
        {
          "a/Types.ts": `export interface Types {\n${fields}\n}\n`,
          "b/calls.ts": `export function calls() {\n${body(10, "  ")}\n}\n`,
        },
        { maxSymbols: 1 },
      )
      assert.deepStrictEqual(
        batches.map(({ area }) => area),
        ["b/calls.ts", "a/Types.ts"],
      )
    }),
  )

  it.effect("asks for the first of a family of functions, and says which are alike", () =>
    Effect.gen(function* () {
      const colours = ["red", "green", "blue", "black"]
      const text = yield* textOf({
        "colours.ts": [
          "import { paint } from './paint.ts'",
          "export function paintAll(texts: string[]) {\n  return texts.map((text) => paint(text, 7))\n}",
          ...colours.map((name, at) => `export function ${name}(text: string) {\n  return paint(text, ${at})\n}`),
        ].join("\n"),
      })
      const marks = text.split("\n").filter((line) => line.startsWith("§"))
      assert.deepStrictEqual(marks, ["§1", "§2 and alike: green blue black"])
      assert.include(text, "return paint(text, 0)")
    }),
  )

  it.effect("parts definitions from code where that is asked for", () =>
    Effect.gen(function* () {
      const files = {
        "a.ts":
          "export interface Node {\n  id: string\n}\n\nexport type Id = string | number\n\nexport function find(id: Id) {\n  return id\n}\n",
      }
      const namesOf = (only: Batches.Options["only"]) =>
        Effect.map(planOf(files, { only }), (batches) =>
          batches.flatMap(({ symbols }) => symbols.map(({ name }) => name)),
        )
      assert.deepStrictEqual(yield* namesOf("definitions"), ["Node", "Id"])
      assert.deepStrictEqual(yield* namesOf("code"), ["find"])
    }),
  )

  it.effect(
    "names the owner and the trait of a member that does not stand in its owner, and says where that ends",
    () =>
      Effect.gen(function* () {
        const text = yield* textOf({
          "src/extension.rs": `pub struct Extension<T>(pub T);

impl<T> Layer for Extension<T> {
    fn layer(&self, inner: T) -> T {
        let service = self.0.clone();
        inner.join(service);
        log(inner);
        inner
    }
}

impl<T> Extension<T> {
    pub fn name(&self, n: u8) -> String {
        n.to_string()
    }
}

pub fn connect(n: u8) -> Extension<u8> {
    Extension(n)
}
`,
          "lua/runner.lua":
            "local Runner = {}\n\nfunction Runner:start(a)\n  a()\n  a()\n  a()\n  a()\nend\n\nreturn Runner\n",
        })
        assert.match(text, /^in impl Layer for Extension\n§\d+\nfn layer/m)
        assert.match(text, /^in Extension\n§\d+\npub fn name/m)
        assert.match(text, /^at the top of the file\n§\d+\npub fn connect/m)
        // The declaration itself names the owner.
        assert.notInclude(text, "in Runner")
      }),
  )

  it.effect("shows the attributes that turn what a symbol means", () =>
    Effect.gen(function* () {
      const text = yield* textOf({
        "src/lib.rs": `#[cfg(unix)]
#[inline]
pub fn open(n: u8) -> u8 {
    n
}

#[cfg(windows)]
pub fn open(n: u8) -> u8 {
    n + 1
}

#[deprecated(note = "use open")]
#[inline]
pub fn open_old(n: u8) -> u8 {
    n
}
`,
      })
      assert.match(text, /^§\d+\n#\[cfg\(unix\)\]\npub fn open/m)
      assert.match(text, /^§\d+\n#\[cfg\(windows\)\]\npub fn open/m)
      assert.match(text, /^#\[deprecated\(note = "use open"\)\]\npub fn open_old/m)
      assert.notInclude(text, "inline")
    }),
  )

  it.effect("sends 120 symbols at a time, and more if there would be too many batches for one exploration", () =>
    Effect.gen(function* () {
      const EACH = 40
      const entriesOf = (path: string) =>
        Array.from({ length: EACH }, (_, at) => {
          const name = `${path.replace(/\W/g, "_")}${at}`
          return new IndexEntry({
            path,
            name,
            container: undefined,
            kind: "function",
            startLine: 1 + at,
            endLine: 1 + at,
            signature: `function ${name}()`,
            exported: true,
            usedBy: 0,
            isMajor: true,
            hash: "0123456789abcdef",
            purpose: undefined,
          })
        })
      /** An index of so many open symbols, whose files are gone. */
      const indexOf = (count: number): Batches.OpenSymbols => ({
        files: Effect.succeed(
          Array.from({ length: count / EACH }, (_, at) => ({
            path: `src/part${at}.ts`,
            class: "code",
            language: "typescript",
            bytes: 1_000,
            lines: EACH,
            symbols: EACH,
            major: EACH,
            open: EACH,
            importance: 0,
            note: undefined,
            cut: undefined,
          })),
        ),
        symbolsIn: (path) => Effect.sync(() => entriesOf(path)),
        callersIn: () => Effect.succeed(new Map()),
        fileEntry: () => Effect.succeed(undefined),
        find: () => Effect.succeed([]),
      })
      const opened = yield* workspace("/repository", { "README.md": "" })
      const sizesOf = (count: number) =>
        Effect.map(Batches.measure(opened, indexOf(count)), ({ batches }) => batches.map(({ symbols }) => symbols))
      const few = yield* sizesOf(480)
      assert.strictEqual(Math.max(...few), 120)
      assert.strictEqual(
        few.reduce((sum, size) => sum + size, 0),
        480,
      )
      const many = yield* sizesOf(2_120)
      assert.strictEqual(
        many.reduce((sum, size) => sum + size, 0),
        2_120,
      )
      assert.isAbove(Math.max(...many), 120)
      assert.isAtMost(many.length, 20)
    }),
  )
})

describe("Batches.measure", () => {
  const files = Object.fromEntries(
    Array.from({ length: 12 }, (_, n) => [
      `src/f${"abcdefghijkl".charAt(n)}.ts`,
      Array.from({ length: n < 6 ? 2 : 4 }, (_, at) => `export function f${n}x${at}(n: number) { return n }\n`).join(
        "",
      ),
    ]),
  )

  const measured = (options: Parameters<typeof Batches.measure>[2]) =>
    Effect.gen(function* () {
      const opened = yield* workspace("/repository", files)
      const index = yield* (yield* IndexStore.IndexStore).open(opened)
      yield* index.refresh
      return yield* Batches.measure(opened, index, options)
    }).pipe(Effect.scoped, Effect.provide(Layer.fresh(layer)))

  it.effect("has the sizes of the batches of a plan if there are no more files than may be read", () =>
    Effect.gen(function* () {
      const batches = yield* planOf(files, { maxSymbols: 9 })
      for (const maxFiles of [undefined, 12]) {
        const sizes = yield* measured({ maxSymbols: 9, maxFiles })
        assert.isFalse(sizes.isSampled)
        assert.deepStrictEqual(
          sizes.batches.map(({ symbols }) => symbols),
          batches.map(({ symbols }) => symbols.length),
        )
      }
    }),
  )

  it.effect("says how many batches there will be from some of the files, in equal shares", () =>
    Effect.gen(function* () {
      const all = yield* measured({ maxSymbols: 9 })
      const sizes = yield* measured({ maxSymbols: 9, maxFiles: 6 })
      const sum = (of: "symbols" | "tokens", of_: typeof sizes) =>
        of_.batches.reduce((total, size) => total + size[of], 0)
      assert.isTrue(sizes.isSampled)
      // 36 symbols of 9 a batch, of which nine tenths are filled.
      assert.deepStrictEqual(
        sizes.batches.map(({ symbols }) => symbols),
        [7, 7, 8, 7, 7],
      )
      assert.lengthOf(new Set(sizes.batches.map(({ tokens }) => tokens)), 1)
      assert.approximately(sum("tokens", sizes) / sum("tokens", all), 1, 0.2)
      const byTokens = yield* measured({ maxTokens: 1_000, maxFiles: 6, maxSymbols: 1_000 })
      assert.lengthOf(byTokens.batches, Math.ceil(sum("tokens", byTokens) / 1_000 / 0.9))
    }),
  )
})
