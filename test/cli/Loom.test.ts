/** The commands of `vibe loom`, run one after the other on one forest in memory. */
import * as fs from "node:fs"
import * as path from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Option, Ref, TestClock } from "effect"
import * as DisplayWidth from "../../src/base/DisplayWidth.ts"
import * as Command from "../../src/cli/arguments/Command.ts"
import * as Cli from "../../src/cli/Cli.ts"
import * as Read from "../../src/cli/loom/readCommands.ts"
import * as Write from "../../src/cli/loom/writeCommands.ts"
import { entryWithoutLayer } from "../../src/cli/Table.ts"
import * as Confirm from "../../src/cli/terminal/Confirm.ts"
import * as Pager from "../../src/cli/terminal/Pager.ts"
import * as Screen from "../../src/cli/terminal/Screen.ts"
import * as Stdin from "../../src/cli/terminal/Stdin.ts"
import * as NodeFiles from "../../src/code/Files/Node.ts"
import * as Forest from "../../src/forest/Forest.ts"
import * as SqliteForestStore from "../../src/forest/ForestStore/Sqlite.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as ModelCatalog from "../../src/model/ModelCatalog.ts"
import * as ModelRegistry from "../../src/model/ModelRegistry.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import * as ToolServers from "../../src/tool/ToolServers.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"
import { unite } from "../utils/commands.ts"
import * as Local from "../utils/Local.ts"

/** The commands of loom on the services of a test. */
const vibe = [
  {
    heading: "Talk",
    rows: [
      {
        command: Command.group("loom", "Talks"),
        load: async () => ({
          entries: unite([
            entryWithoutLayer({ command: Write.append, run: () => import("../../src/cli/loom/append.ts") }),
            entryWithoutLayer({
              command: Write.bookmark,
              run: async () => ({ run: (await import("../../src/cli/loom/bookmarks.ts")).bookmark }),
            }),
            entryWithoutLayer({
              command: Write.copy,
              run: async () => ({ run: (await import("../../src/cli/loom/changes.ts")).copy }),
            }),
            entryWithoutLayer({
              command: Write.join,
              run: async () => ({ run: (await import("../../src/cli/loom/changes.ts")).join }),
            }),
            entryWithoutLayer({
              command: Write.move,
              run: async () => ({ run: (await import("../../src/cli/loom/changes.ts")).move }),
            }),
            entryWithoutLayer({
              command: Write.switchCommand,
              run: async () => ({ run: (await import("../../src/cli/loom/bookmarks.ts")).switchTo }),
            }),
            entryWithoutLayer({
              command: Read.bookmarks,
              run: async () => ({ run: (await import("../../src/cli/loom/bookmarks.ts")).bookmarks }),
            }),
            entryWithoutLayer({ command: Read.diff, run: () => import("../../src/cli/loom/diff.ts") }),
            entryWithoutLayer({
              command: Write.edit,
              run: async () => ({ run: (await import("../../src/cli/loom/changes.ts")).edit }),
            }),
            entryWithoutLayer({ command: Read.exportCommand, run: () => import("../../src/cli/loom/export.ts") }),
            entryWithoutLayer({ command: Write.generate, run: () => import("../../src/cli/loom/generate.ts") }),
            entryWithoutLayer({ command: Write.importCommand, run: () => import("../../src/cli/loom/import.ts") }),
            entryWithoutLayer({
              command: Read.history,
              run: async () => ({ run: (await import("../../src/cli/loom/undo.ts")).history }),
            }),
            entryWithoutLayer({ command: Read.log, run: () => import("../../src/cli/loom/log.ts") }),
            entryWithoutLayer({
              command: Write.redo,
              run: async () => ({ run: (await import("../../src/cli/loom/undo.ts")).redo }),
            }),
            entryWithoutLayer({
              command: Write.purge,
              run: async () => ({ run: (await import("../../src/cli/loom/maintenance.ts")).purge }),
            }),
            entryWithoutLayer({ command: Write.deleteCommand, run: () => import("../../src/cli/loom/delete.ts") }),
            entryWithoutLayer({
              command: Read.roots,
              run: async () => ({ run: (await import("../../src/cli/loom/trees.ts")).roots }),
            }),
            entryWithoutLayer({ command: Read.search, run: () => import("../../src/cli/loom/search.ts") }),
            entryWithoutLayer({
              command: Read.show,
              run: async () => ({ run: (await import("../../src/cli/loom/trees.ts")).show }),
            }),
            entryWithoutLayer({
              command: Write.split,
              run: async () => ({ run: (await import("../../src/cli/loom/changes.ts")).split }),
            }),
            entryWithoutLayer({
              command: Read.tree,
              run: async () => ({ run: (await import("../../src/cli/loom/trees.ts")).tree }),
            }),
            entryWithoutLayer({
              command: Write.undo,
              run: async () => ({ run: (await import("../../src/cli/loom/undo.ts")).undo }),
            }),
            entryWithoutLayer({
              command: Read.verify,
              run: async () => ({ run: (await import("../../src/cli/loom/maintenance.ts")).verify }),
            }),
          ]),
        }),
      },
    ],
  },
]

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

type Run = (...argv: ReadonlyArray<string>) => Effect.Effect<Ended>

/** `test/asked` answers with the parameters of its request. */
const model = ModelRegistry.ModelRegistry.of({
  providers: ["test"],
  known: Effect.succeed([]),
  open: ({ name }) =>
    Scripted.make(
      name === "asked"
        ? ({ maxOutputTokens, temperature }) => `temperature ${temperature}, at most ${maxOutputTokens}`
        : ["Roses are red."],
    ),
})

type Written = Ref.Ref<ReadonlyArray<Screen.Written>>

const nothingWritten: Effect.Effect<Written> = Ref.make<ReadonlyArray<Screen.Written>>([])

/** Ids are n-0, n-1, …; time stands still at the beginning of time. */
const session = <E>(
  use: (run: Run) => Effect.Effect<void, E>,
  stdin: Option.Option<string> = Option.none(),
  confirm: Confirm.Service = { ask: () => Effect.succeedNone },
  terminal: { readonly columns?: number; readonly pager?: Pager.Service; readonly written?: Written } = {},
) =>
  Effect.gen(function* () {
    const written = terminal.written ?? (yield* nothingWritten)
    const layer = Layer.mergeAll(
      Forest.layer.pipe(Layer.provideMerge(SqliteForestStore.layerMemory), Layer.provide(Ids.layerSequence)),
      Layer.succeed(Stdin.Stdin, { text: Effect.succeed(stdin) }),
      Layer.succeed(Confirm.Confirm, confirm),
      Layer.succeed(ModelRegistry.ModelRegistry, model),
      ModelCatalog.layer,
      Layer.succeed(ToolServers.ToolServers, ToolServers.of(ToolServers.none)),
      terminal.pager === undefined ? Pager.layerNone : Layer.succeed(Pager.Pager, terminal.pager),
      Screen.layerMemory(written, { isTerminal: terminal.columns !== undefined, columns: terminal.columns }),
      Local.none,
      NodeFiles.layer,
      NodeContext.layer,
    )
    const program = Effect.gen(function* () {
      const context = yield* Effect.context<Layer.Layer.Success<typeof layer>>()
      yield* use((...argv) =>
        Effect.gen(function* () {
          yield* Ref.set(written, [])
          const code = yield* Cli.run(vibe, {
            argv: ["loom", ...argv],
            version: "1.2.3",
            position: () => ({ person: "ann", folder: "/work" }),
          })
          const all = yield* Ref.get(written)
          const on = (stream: "out" | "err") => all.flatMap(({ text, to }) => (to === stream ? [text] : [])).join("")
          return { code, out: on("out"), err: on("err") }
        }).pipe(Effect.provide(context)),
      )
    })
    yield* Effect.provide(program, layer)
  })

/** n-0 is the root, n-1 "Hello" of the user, n-2 "Hi there" of an assistant. */
const talk = <E>(use: (run: Run) => Effect.Effect<void, E>, stdin?: Option.Option<string>, confirm?: Confirm.Service) =>
  session(
    (run) =>
      Effect.gen(function* () {
        yield* run("append", "--system", "Be kind", "Hello")
        yield* run("append", "@", "Hi", "there", "--role", "assistant")
        yield* use(run)
      }),
    stdin,
    confirm,
  )

const out = (ended: Effect.Effect<Ended>) =>
  Effect.map(ended, ({ code, err, out }) => {
    assert.strictEqual(code, 0, err)
    return out.trimEnd()
  })

const object = (ended: Effect.Effect<Ended>) =>
  Effect.map(out(ended), (text) => {
    assert.lengthOf(text.split("\n"), 1)
    return JSON.parse(text)
  })

describe("vibe loom", () => {
  it.effect("prints a conversation, newest last, or only its end", () =>
    talk((run) =>
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* out(run("log"))).split("\n"), [
          "n-0  root  loom  1970-01-01 00:00:00Z",
          "    Be kind",
          "",
          "n-1  user  1970-01-01 00:00:00Z",
          "    Hello",
          "",
          "n-2 @  assistant  1970-01-01 00:00:00Z",
          "    Hi there",
        ])
        assert.strictEqual(yield* out(run("log", "@^", "--limit", "1")), "n-1  user  1970-01-01 00:00:00Z\n    Hello")
      }),
    ),
  )

  it.effect("draws a tree down to the given depth", () =>
    talk((run) =>
      Effect.gen(function* () {
        yield* run("append", "n-1", "Another way")
        assert.strictEqual(
          yield* out(run("tree")),
          'n-0 root "Be kind"\nn-1 user "Hello"\n├─ n-2 assistant "Hi there"\n└─ n-3 @ user "Another way"',
        )
        assert.strictEqual(yield* out(run("tree", "n-0", "--depth", "1")), 'n-0 root "Be kind"\nn-1 user "Hello"')
        assert.strictEqual(
          yield* out(run("log", "--graph", "--limit", "1")),
          '* n-0 root "Be kind"\n* … n-3 @ user "Another way"',
        )
      }),
    ),
  )

  it.effect("appends the same message only once", () =>
    talk((run) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* out(run("append", "--system", "Be kind", "Hello")), "n-1")
        assert.match(yield* out(run("verify")), /^all is well: 1 tree, 2 nodes, 0 bookmarks/)
      }),
    ),
  )

  it.effect("reads the text from stdin only if none is given", () =>
    session(
      (run) =>
        Effect.gen(function* () {
          yield* run("append", "--system", "x")
          yield* run("append", "@", "typed")
          const { nodes } = yield* object(run("log", "--json"))
          const texts = nodes.map(({ message }: { message: { content: unknown } }) => message.content)
          assert.deepStrictEqual(texts, [[{ type: "text", text: "piped\nin" }], [{ type: "text", text: "typed" }]])
        }),
      Option.some("piped\nin\r\n"),
    ),
  )

  it.effect("names nodes by bookmarks, lists and removes them", () =>
    talk((run) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* out(run("bookmark", "my talk", "@^")), "my talk names n-1")
        assert.strictEqual(yield* out(run("bookmarks")), 'n-1 user "Hello" [my talk]')
        assert.strictEqual((yield* object(run("show", "my talk", "--json"))).node.id, "n-1")
        assert.strictEqual(yield* out(run("bookmark", "--delete", "my talk")), "removed my talk, which named n-1")
        assert.strictEqual(yield* out(run("bookmarks")), "")
      }),
    ),
  )

  it.effect("undoes the latest operation of vibe loom as a whole, or the given operation or tree", () =>
    talk((run) =>
      Effect.gen(function* () {
        yield* run("append", "--system", "Another", "Hello")
        assert.strictEqual(yield* out(run("undo", "n-1")), "undone: 3 loom append (1 node taken away) in the tree n-0")
        assert.strictEqual(
          yield* out(run("undo")),
          "undone: 4 loom append (1 node taken away, 1 tree taken away) in the tree n-3",
        )
        assert.strictEqual(
          yield* out(run("undo", "1")),
          "undone: 1 loom append (1 node taken away, 1 tree taken away) in the tree n-0",
        )
        assert.deepStrictEqual(yield* run("undo"), {
          code: 2,
          out: "",
          err: "vibe: there is nothing to undo. 'vibe loom history' lists what others did; 'vibe loom undo OPERATION' takes it back\n",
        })
        assert.strictEqual((yield* object(run("roots", "--json"))).roots.length, 0)
      }),
    ),
  )

  it.effect("says of a bookmark whether it was taken away, put back or moved", () =>
    talk((run) =>
      Effect.gen(function* () {
        yield* run("bookmark", "here", "@^")
        assert.match(yield* out(run("undo")), /\(1 bookmark taken away\)/)
        assert.match(yield* out(run("redo")), /\(1 bookmark brought back\)/)
        yield* run("bookmark", "here", "@")
        assert.match(yield* out(run("undo")), /\(1 bookmark moved back\)/)
        yield* run("bookmark", "--delete", "here")
        assert.match(yield* out(run("undo")), /\(1 bookmark brought back\)/)
      }),
    ),
  )

  it.effect("redoes the last undo, until the tree is changed", () =>
    talk((run) =>
      Effect.gen(function* () {
        const before = yield* out(run("log"))
        yield* run("edit", "@", "Hi again")
        yield* run("undo")
        assert.strictEqual(yield* out(run("redo")), "redone: 4 loom edit (1 node changed again) in the tree n-0")
        assert.include(yield* out(run("log")), "Hi again")
        yield* run("undo")
        assert.strictEqual(yield* out(run("log")), before)
        yield* run("edit", "@", "Other words")
        const { code, err } = yield* run("redo")
        assert.strictEqual(code, 2)
        assert.match(
          err,
          /^vibe: Operation 4 cannot be redone: n-2 was changed since \(operation (\d+)\)\. 'vibe loom undo \1'/,
        )
        yield* run("undo")
        assert.deepInclude((yield* object(run("redo", "--json"))).redone[0], { author: "loom edit", isUndone: false })
      }),
    ),
  )

  it.effect("names the operation to undo first, where a later one depends on an earlier one", () =>
    talk((run) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* run("undo", "1"), {
          code: 2,
          out: "",
          err: "vibe: Operation 1 cannot be undone: n-2 stands on it (operation 3). 'vibe loom undo 3' takes that back first\n",
        })
        assert.match((yield* run("undo", "99")).err, /^vibe: There is no operation 99\n$/)
      }),
    ),
  )

  it.effect("lists operations with time, command, changes, and whether they are undone", () =>
    talk((run) =>
      Effect.gen(function* () {
        yield* run("undo")
        assert.deepStrictEqual((yield* out(run("history"))).split("\n"), [
          "4  1970-01-01 00:00:00Z  loom undo  undo of 3  1 node in n-0",
          "3  1970-01-01 00:00:00Z  loom append  append  1 node in n-0  undone",
          "1  1970-01-01 00:00:00Z  loom append  root, append  1 node in n-0",
        ])
        const { operations } = yield* object(run("history", "--limit", "2", "--json"))
        assert.deepStrictEqual(operations, [
          {
            id: 4,
            at: 0,
            kinds: ["undo"],
            trees: ["n-0"],
            nodes: 1,
            isUndone: false,
            isUnderWay: false,
            author: "loom undo",
            of: 3,
          },
          {
            id: 3,
            at: 0,
            kinds: ["append"],
            trees: ["n-0"],
            nodes: 1,
            isUndone: true,
            isUnderWay: false,
            author: "loom append",
            of: null,
          },
        ])
      }),
    ),
  )

  it.effect("prints the answer on stdout, and its id on stderr", () =>
    talk((run) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* run("generate", "@", "And", "now?", "--model", "test/x"), {
          code: 0,
          out: "Roses are red.\n",
          err: "n-4 (scripted/test)\n",
        })
        assert.include(yield* out(run("log")), "And now?")
      }),
    ),
  )

  it.effect("prints one object with --json", () =>
    talk((run) =>
      Effect.gen(function* () {
        yield* run("bookmark", "here", "@")
        const commands: ReadonlyArray<readonly [key: string, ...argv: ReadonlyArray<string>]> = [
          ["roots", "roots"],
          ["nodes", "log"],
          ["nodes", "log", "--graph"],
          ["node", "show", "@"],
          ["top", "tree"],
          ["node", "append", "@", "more"],
          ["nodes", "generate", "@", "--model", "test/x"],
          ["node", "edit", "n-1", "Bye"],
          ["left", "split", "here", "2"],
          ["bookmark", "bookmark", "there", "@"],
          ["bookmarks", "bookmarks"],
          ["removed", "bookmark", "--delete", "there"],
          ["nodes", "search", "more"],
          ["common", "diff", "here", "@"],
          ["nodes", "export", "n-0"],
          ["deleted", "delete", "@", "--cascade"],
          ["undone", "undo"],
          ["redone", "redo"],
          ["operations", "history"],
          ["problems", "verify"],
        ]
        for (const [key, ...argv] of commands) assert.property(yield* object(run(...argv, "--json")), key)
      }),
    ),
  )

  it.effect("reports on stderr that there is no match", () =>
    talk((run) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* run("search", "zebra"), {
          code: 0,
          out: "",
          err: "no message matches: zebra\n",
        })
      }),
    ),
  )
})

describe("vibe loom switch", () => {
  it.effect("moves '@', which commands that add messages move, too", () =>
    talk((run) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* out(run("switch", "n-1")), 'n-1 @ user "Hello"')
        assert.include(yield* out(run("tree")), 'n-1 @ user "Hello"')
        assert.strictEqual(yield* out(run("append", "@", "More")), "n-3")
        assert.strictEqual((yield* object(run("show", "@", "--json"))).node.id, "n-3")
        yield* run("switch", "n-1")
        assert.strictEqual((yield* object(run("switch", "--newest", "--json"))).node.id, "n-3")
        for (const wrong of [["switch"], ["switch", "@", "--newest"], ["switch", "nowhere"]]) {
          assert.strictEqual((yield* run(...wrong)).code, 2)
        }
      }),
    ),
  )
})

describe("vibe loom move, join and copy", () => {
  it.effect("change the tree, and undo and redo take that back and put it back", () =>
    talk((run) =>
      Effect.gen(function* () {
        yield* run("append", "n-2", "Bye")
        const before = yield* out(run("tree"))
        assert.strictEqual(yield* out(run("move", "n-3", "--to", "n-1")), "n-3 is below n-1")
        assert.include(yield* out(run("tree")), '├─ n-2 assistant "Hi there"\n└─ n-3 @ user "Bye"')
        assert.match(yield* out(run("undo")), /loom move \(1 branch moved back\)/)
        assert.strictEqual(yield* out(run("tree")), before)
        assert.match(yield* out(run("redo")), /loom move \(1 branch moved again\)/)
        yield* run("undo")
        const [left] = (yield* out(run("split", "n-3", "1"))).split("\n")
        assert.strictEqual(yield* out(run("join", left ?? "")), "n-3")
        assert.strictEqual(yield* out(run("tree")), before)
      }),
    ),
  )

  it.effect("copy a conversation under another system prompt, where it goes on", () =>
    talk((run) =>
      Effect.gen(function* () {
        const copied = yield* run("copy", "@", "--system", "Be brief")
        assert.match(copied.err, /^2 messages copied$/m)
        assert.match(yield* out(run("tree")), /^n-\d root "Be brief"\nn-\d user "Hello"\nn-\d @ assistant "Hi there"$/)
        assert.match(
          (yield* run("copy", "@", "--system", "Be brief")).err,
          /^0 messages copied, 2 were there already$/m,
        )
        const { copied: branch } = yield* object(run("copy", "n-2", "--to", "@", "--json"))
        assert.deepInclude(branch, { added: 1, known: 0 })
        yield* run("undo")
        yield* run("undo")
        assert.include(yield* out(run("tree")), 'root "Be kind"')
      }),
    ),
  )

  it.effect("say what they need, and what they refuse", () =>
    talk((run) =>
      Effect.gen(function* () {
        const errors = yield* Effect.forEach(
          [
            ["copy", "@"],
            ["copy", "@", "--system", "x", "--to", "n-1"],
            ["join", "@"],
            ["move", "n-1", "--to", "@"],
          ],
          (argv) => Effect.map(run(...argv), ({ code, err }) => `${code} ${err.trim()}`),
        )
        assert.deepStrictEqual(errors, [
          "2 vibe: 'loom copy' needs --system TEXT, --system-file FILE or --to NODE. See 'vibe loom copy --help'",
          "2 vibe: 'loom copy' takes either a system prompt or --to NODE. See 'vibe loom copy --help'",
          "2 vibe: Cannot join n-2: nothing is below it",
          "2 vibe: Cannot move n-1 below n-2, which is in its own branch",
        ])
      }),
    ),
  )
})

describe("vibe loom, of a message that an edit has divided", () => {
  /** n-1 "Write a poem" with the reply n-2; its edit is n-3 "Write a " and n-4 "longer poem". */
  const edited = <E>(use: (run: Run) => Effect.Effect<void, E>) =>
    session((run) =>
      Effect.gen(function* () {
        yield* run("append", "--system", "Be kind", "Write", "a", "poem")
        yield* run("append", "@", "Roses", "--role", "assistant")
        yield* run("edit", "n-1", "Write a longer poem")
        yield* use(run)
      }),
    )

  it.effect("draws it whole in each branch, with the ids of its parts", () =>
    edited((run) =>
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* out(run("tree", "n-0"))).split("\n"), [
          'n-0 root "Be kind"',
          '├─ n-3 + n-1 user "Write a poem"',
          '│  n-2 assistant "Roses"',
          '└─ n-3 + n-4 @ user "Write a longer poem"',
        ])
        assert.include(yield* out(run("log", "--graph")), '* n-3 + n-4 @ user "Write a longer poem"')
        const { nodes } = yield* object(run("tree", "n-0", "--json"))
        assert.lengthOf(nodes, 4)
      }),
    ),
  )

  it.effect("finds, lists and exports it whole", () =>
    edited((run) =>
      Effect.gen(function* () {
        const texts = (lines: string) => lines.split("\n").map((line) => line.split(/ {2}/).at(-1))
        assert.deepStrictEqual(texts(yield* out(run("search", "poem"))), ["Write a longer poem", "Write a poem"])
        assert.deepStrictEqual(texts(yield* out(run("search", "write"))), ["Write a poem"])
        assert.deepStrictEqual(yield* out(run("switch", "@")), 'n-3 + n-4 @ user "Write a longer poem"')
        yield* run("bookmark", "long", "n-4")
        assert.strictEqual(yield* out(run("bookmarks")), 'n-3 + n-4 @ user "Write a longer poem" [long]')
        const markdown = "# Write a longer poem\n\n## System\n\nBe kind\n\n## 1. User\n\nWrite a longer poem"
        assert.strictEqual(yield* out(run("export")), markdown)
        assert.lengthOf((yield* object(run("export", "--format", "json"))).nodes, 2)
      }),
    ),
  )
})

describe("vibe loom, of long conversations", () => {
  const long = (run: Run) =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "long.jsonl")
      const root = { type: "root", id: "r", owner: "loom", systemPrompt: "Be kind", createdAt: 1 }
      const nodes = Array.from({ length: 250 }, (_, n) => ({
        type: "node",
        id: `m${n}`,
        parent: n === 0 ? "r" : `m${n - 1}`,
        root: "r",
        message: { role: "user", content: [{ type: "text", text: `message ${n}` }] },
        source: { type: "user" },
        createdAt: 1,
      }))
      fs.writeFileSync(file, [root, ...nodes].map((record) => JSON.stringify(record)).join("\n"))
      yield* run("import", file)
    }).pipe(Effect.scoped)

  it.effect("prints the newest messages, and says how many more there are", () =>
    session((run) =>
      Effect.gen(function* () {
        yield* long(run)
        const log = yield* run("log")
        assert.match(log.out, /^n-51 {2}user.*\n {4}message 50\n/)
        assert.strictEqual(log.err, "50 earlier messages not printed; --limit 251 prints all of them\n")
        const whole = yield* run("log", "--limit", "251")
        assert.match(whole.out, /^n-0 {2}root/)
        assert.strictEqual(whole.err, "")
        const tree = yield* run("tree")
        assert.deepStrictEqual(tree.out.split("\n").slice(0, 2), ['n-0 root "Be kind"', '… n-51 user "message 50"'])
        assert.strictEqual(tree.err, "50 older messages not drawn; --limit 250 draws all of them\n")
        assert.strictEqual((yield* run("tree", "--limit", "250")).err, "")
        assert.lengthOf((yield* object(run("tree", "--json"))).nodes, 250)
        assert.deepInclude(yield* object(run("tree", "--json", "--limit", "3")), { more: 247 })
      }),
    ),
  )

  it.effect("compares two ends without reading what is in common", () =>
    session((run) =>
      Effect.gen(function* () {
        yield* long(run)
        assert.strictEqual(
          yield* out(run("diff", "@~3", "@")),
          "247 messages in common; then 0 in the first, 3 in the second\n\n{+user: message 247message 248message 249+}",
        )
        assert.include(yield* out(run("diff", "n-100", "@")), "100 messages in common")
      }),
    ),
  )

  it.effect("shows what is longer than the screen in the pager, unless told otherwise", () => {
    const shown: Array<string> = []
    const pager: Pager.Service = { show: (text) => Effect.sync(() => shown.push(text) > 0) }
    return session(
      (run) =>
        Effect.gen(function* () {
          yield* long(run)
          assert.strictEqual((yield* run("tree", "--limit", "2")).out, "")
          assert.match(shown.join(""), /^n-0 root "Be kind"\n… n-249 user "message 248"\nn-250 @ user "message 249"\n$/)
          assert.include((yield* run("tree", "--no-pager")).out, "message 248")
          assert.lengthOf(shown, 1)
        }),
      undefined,
      undefined,
      { columns: 80, pager },
    )
  })
})

describe("vibe loom, on a terminal", () => {
  it.effect.each([40, 80, 200])("fills %i columns and no more, with wide characters and deep branches", (columns) =>
    session(
      (run) =>
        Effect.gen(function* () {
          yield* run("append", "--system", "Be kind", "漢字と".repeat(100))
          for (let n = 0; n < 12; n++) {
            yield* run("append", "@", `${n} wörds `.repeat(100))
            yield* run("append", "@^", "😀".repeat(300))
          }
          yield* run("bookmark", "a name", "@")
          for (const command of [
            ["tree"],
            ["log", "--graph"],
            ["bookmarks"],
            ["roots"],
            ["history"],
            ["search", "wörds"],
          ]) {
            const lines = (yield* out(run(...command))).split("\n")
            const widths = lines.map(DisplayWidth.width)
            assert.isAtMost(Math.max(...widths), columns, command.join(" "))
            if (command[0] !== "roots" && command[0] !== "history")
              assert.isAtLeast(Math.max(...widths), columns - 2, command.join(" "))
          }
        }),
      undefined,
      undefined,
      { columns },
    ),
  )
})

describe("vibe loom import", () => {
  const session = [
    { type: "session", version: 3, id: "s", cwd: "/repo" },
    { type: "message", id: "a", parentId: null, message: { role: "user", content: "Hello" } },
    {
      type: "message",
      id: "b",
      parentId: "a",
      message: { role: "assistant", content: [{ type: "text", text: "Hi" }] },
    },
  ]
  const more = { type: "message", id: "c", parentId: "a", message: { role: "user", content: "Are you there?" } }
  const jsonl = (lines: ReadonlyArray<object>) => lines.map((line) => JSON.stringify(line)).join("\n")

  it.scoped("adds only new messages", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "session.jsonl")
      yield* talk((run) =>
        Effect.gen(function* () {
          fs.writeFileSync(file, jsonl(session))
          assert.strictEqual(
            yield* out(run("import", file)),
            "pi: 2 messages added, 0 known already, 1 line without a message",
          )
          fs.writeFileSync(file, `${jsonl([...session, more])}\n{"torn`)
          const counts = yield* object(run("import", file, "--json"))
          assert.deepInclude(counts, { format: "pi", known: 2, skipped: 2 })
          assert.include(yield* out(run("tree")), '├─ n-5 assistant "Hi"\n└─ n-6 @ user "Are you there?"')
        }),
      )
    }),
  )

  it.scoped("keeps the times of messages; those without one get the current time", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "session.jsonl")
      const said = "2024-05-06T07:08:09.123Z"
      fs.writeFileSync(file, jsonl([...session, { ...more, timestamp: said }]))
      yield* TestClock.setTime(Date.parse("2026-01-01T00:00:00Z"))
      yield* talk((run) =>
        Effect.gen(function* () {
          yield* run("import", file)
          const times = Effect.map(object(run("tree", "--json")), ({ nodes }) =>
            nodes.map(({ createdAt }: { readonly createdAt: number }) => new Date(createdAt).toISOString()),
          )
          const now = "2026-01-01T00:00:00.000Z"
          assert.deepStrictEqual(yield* times, [now, now, said])
          const found = (...options: ReadonlyArray<string>) =>
            Effect.map(object(run("search", "there", "--json", ...options)), ({ nodes }) => nodes.length)
          assert.deepStrictEqual(
            yield* Effect.all([found("--until", "2024-12-31"), found("--until", "2024-05-01")]),
            [1, 0],
          )
        }),
      )
    }),
  )

  it.scoped("imports two equal answers as two nodes, and recognises both in a second import", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "twins.jsonl")
      const root = { id: "r", owner: "loom", systemPrompt: "", createdAt: 1 }
      const node = (id: string, parent: string, role: string, text: string, source: object = { type: "user" }) => ({
        type: "node",
        id,
        root: "r",
        parent,
        message: { role, content: [{ type: "text", text }] },
        source,
        createdAt: 1,
      })
      const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0, thinkingTokens: 0 }
      const model = { type: "model", model: "test/x", finish: "stop", usage }
      fs.writeFileSync(
        file,
        jsonl([
          { type: "root", ...root },
          node("q", "r", "user", "Hi"),
          node("a", "q", "assistant", "Same.", model),
          node("b", "q", "assistant", "Same.", model),
          node("c", "a", "user", "One"),
          node("d", "b", "user", "Two"),
          node("blank", "d", "assistant", "  ", model),
        ]),
      )
      yield* talk((run) =>
        Effect.gen(function* () {
          assert.deepInclude(yield* object(run("import", file, "--json")), { added: 5, known: 0, skipped: 1 })
          const tree = yield* out(run("tree"))
          assert.match(tree, /"Same\."\n.* "One"\n.*"Same\."\n.* "Two"$/)
          assert.deepInclude(yield* object(run("import", file, "--json")), { added: 0, known: 5, skipped: 1 })
          assert.strictEqual(yield* out(run("tree")), tree)
        }),
      )
    }),
  )

  it.scoped("keeps the titles of other programs, which roots and search show", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "conversations.json")
      const asked = (title: string, text: string, more = {}) => ({
        id: title,
        title,
        mapping: {
          a: {
            message: { author: { role: "user" }, content: { content_type: "text", parts: [text] }, ...more },
            parent: null,
            children: [],
          },
        },
      })
      const all = [
        asked("Tax return 2025", "Hello"),
        asked("Réparer un vélo", "Hello"),
        { id: "none", title: "Nothing", mapping: {} },
      ]
      fs.writeFileSync(file, JSON.stringify(all))
      yield* talk((run) =>
        Effect.gen(function* () {
          const roots = Effect.map(object(run("roots", "--json")), ({ roots }) => roots)
          const before = (yield* roots).length
          assert.strictEqual((yield* object(run("import", file, "--json"))).roots.length, 2)
          const titles = Effect.map(roots, (all) =>
            all.slice(before).map(({ title }: { readonly title: string }) => title),
          )
          assert.deepStrictEqual(yield* titles, ["Tax return 2025", "Réparer un vélo"])
          assert.include(yield* out(run("roots")), "Tax return 2025")

          const found = (...words: ReadonlyArray<string>) =>
            Effect.map(object(run("search", "--json", ...words)), ({ conversations }) =>
              conversations.map(({ title }: { readonly title: string }) => title),
            )
          assert.deepStrictEqual(yield* found("tax", "return"), ["Tax return 2025"])
          assert.deepStrictEqual(yield* found("velo"), ["Réparer un vélo"])
          assert.deepStrictEqual(yield* found("rep*"), ["Réparer un vélo"])
          assert.deepStrictEqual(yield* found("tax", "vélo"), [])
          assert.deepStrictEqual(yield* found("--role", "user", "tax"), [])
          assert.deepStrictEqual(yield* found("--root", "n-0", "tax"), [])
          assert.deepStrictEqual(yield* found("--since", "2999-01-01", "tax"), [])
          assert.match(yield* out(run("search", "tax")), /^n-\d+( @)? {2}\S+ \S+ {2}Tax return 2025 {2}1 message$/)

          // Again, after the user has named one: nothing is added, and the name stays.
          assert.deepInclude(yield* object(run("import", file, "--json")), { added: 0, known: 2 })
          assert.deepStrictEqual(yield* titles, ["Tax return 2025", "Réparer un vélo"])
        }),
      )
    }),
  )

  it.effect("calls markdown md, too", () =>
    talk((run) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* out(run("export", "@", "--format", "md")), yield* out(run("export", "@")))
      }),
    ),
  )

  it.scoped("does not move an existing bookmark", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "talk.jsonl")
      yield* talk((run) =>
        Effect.gen(function* () {
          yield* run("bookmark", "here", "n-1")
          fs.writeFileSync(file, yield* out(run("export", "n-0", "--format", "jsonl")))
          yield* run("bookmark", "here", "n-2")
          const { code, err } = yield* run("import", file)
          assert.deepStrictEqual([code, err], [0, "vibe: the bookmark here stays where it is, on another node\n"])
          assert.strictEqual((yield* object(run("show", "here", "--json"))).node.id, "n-2")
        }),
      )
    }),
  )
})

describe("vibe loom purge", () => {
  /** Answers each question, and keeps it. */
  const answering = (answer: boolean, questions: Array<string> = []): Confirm.Service => ({
    ask: (question) =>
      Effect.sync(() => {
        questions.push(question)
        return Option.some(answer)
      }),
  })

  it.effect("asks with the number of nodes, and removes them for good", () => {
    const questions: Array<string> = []
    return talk(
      (run) =>
        Effect.gen(function* () {
          assert.strictEqual(yield* out(run("purge", "n-1")), "purged 2 nodes")
          assert.deepStrictEqual(questions, ["Remove 2 nodes for good? Nothing can bring it back [y/N] "])
          assert.strictEqual(yield* out(run("tree", "n-0")), 'n-0 @ root "Be kind"')
          assert.strictEqual((yield* run("show", "n-1")).code, 2)
          // What made the tree is all that is left to undo.
          assert.match(yield* out(run("undo")), /^undone: /)
        }),
      undefined,
      answering(true, questions),
    )
  })

  it.effect("removes nothing if the answer is no", () =>
    talk(
      (run) =>
        Effect.gen(function* () {
          const before = yield* out(run("log", "--json"))
          assert.deepStrictEqual(yield* run("purge", "@"), { code: 0, out: "", err: "nothing was purged\n" })
          assert.deepStrictEqual(yield* object(run("purge", "@", "--json")), { purged: null })
          assert.strictEqual(yield* out(run("log", "--json")), before)
        }),
      undefined,
      answering(false),
    ),
  )

  it.effect("does not ask with --yes: a tree, a deleted node, all deleted ones, and those with bookmarks", () =>
    talk((run) =>
      Effect.gen(function* () {
        yield* run("bookmark", "here", "@")
        const refused = yield* run("purge", "@", "--yes")
        assert.strictEqual(
          refused.err,
          "vibe: Deleting n-2 would take bookmarks with it: here. Add --bookmarks if that is meant\n",
        )
        assert.strictEqual(yield* out(run("purge", "@", "--yes", "--bookmarks")), "purged 1 node and the bookmark here")
        yield* run("append", "n-1", "first")
        yield* run("append", "n-1", "second")
        yield* run("delete", "n-3", "--cascade")
        yield* run("delete", "n-4", "--cascade")
        assert.include((yield* run("purge", "n-", "--yes")).err, "'n-' may be n-0")
        assert.deepStrictEqual(yield* object(run("purge", "n-3", "--yes", "--json")), {
          purged: { nodes: 1, trees: 0, texts: 0, bookmarks: [] },
        })
        assert.strictEqual(yield* out(run("purge", "--removed", "--yes")), "purged 1 node")
        assert.strictEqual(yield* out(run("purge", "--removed")), "purged 0 nodes")
        assert.strictEqual(yield* out(run("purge", "n-0", "--yes")), "purged 1 tree, 1 node")
        assert.strictEqual(yield* out(run("roots")), "")
        assert.match(yield* out(run("verify")), /^all is well: 0 trees, 0 nodes, 0 bookmarks/)
      }),
    ),
  )
})

describe("vibe loom with bad input", () => {
  it.effect.each<ReadonlyArray<string>>([["append"], ["append", " "], ["generate", " ", "--model", "test/x"]])(
    "plants no tree for white space: %s",
    (argv) =>
      session((run) =>
        Effect.gen(function* () {
          const { code, err } = yield* run(...argv, "--system", "Be kind")
          assert.deepStrictEqual([code, err], [2, "vibe: The text is empty\n"])
          assert.strictEqual(yield* out(run("roots")), "")
        }),
      ),
  )

  it.effect.each<readonly [argv: ReadonlyArray<string>, ...words: ReadonlyArray<string>]>([
    [["show", "nowhere"], "no node 'nowhere'; the forest has 1 tree. 'vibe loom roots' lists the trees"],
    [["show", "@~7"], "no node '@~7'"],
    [["show", "n"], `'n' may be n-0 (root "Be kind"), n-1 (user "Hello"), n-2 (assistant "Hi there")`],
    [["edit", "n-0", "other"], "Cannot edit root"],
    [["split", "n-0", "1"], "Cannot split root"],
    [["delete", "n-0", "--cascade"], "Cannot delete root"],
    [["bookmark", "top", "n-0"], "Cannot bookmark root"],
    [["search", "🎉", "…"], "'🎉 …' has no word in it to look for"],
    [["edit", "@", " "], "The text is empty"],
    [["edit", "@", ""], "'loom edit' needs TEXT"],
    [["append", "@", " "], "The text is empty"],
    [["append", "@"], "The text is empty"],
    [["append"], "'loom append' needs NODE, or --system TEXT"],
    [["append", "@", "x", "--role", "tool"], "'--role' takes user or assistant, not 'tool'"],
    [["split", "@", "0"], "Cannot split"],
    [["split", "@", "8"], "it is 8 characters long"],
    [["split", "@", "two"], "POSITION is a whole number, not 'two'"],
    [["move", "@"], "'loom move' needs --to NODE"],
    [["delete", "@"], "--cascade and --reparent"],
    [["delete", "@", "--cascade", "--reparent"], "--cascade and --reparent"],
    [["purge"], "'loom purge' needs one of NODE and --removed"],
    [["purge", "@", "--removed"], "'loom purge' needs one of NODE and --removed"],
    [["purge", "@"], "asks before it removes anything for good, and stdin is no terminal: add --yes"],
    [["purge", "nowhere", "--yes"], "no node 'nowhere'"],
    [["bookmark", "x"], "TITLE and NODE"],
    [["bookmark", "x", "@", "--delete", "x"], "TITLE and NODE"],
    [["bookmark", " x ", "@"], "cannot name a bookmark"],
    [["bookmark", "--delete", "x"], 'no bookmark "x"'],
    [["generate", "@", "Hi", "-n", "2", "--tool", "introspect"], "only supports n=1"],
    [["generate", "@", "Hi", "--temperature", "warm"], "'--temperature' takes a number from 0"],
    [["generate", "@", "Hi", "--max-tokens", "0"], "'--max-tokens' takes a number from 1"],
    [["generate", "@", "Hi", "--preset", "none"], "there is no preset 'none'; there are none"],
    [["generate", "@", "Hi", "-n", "0"], "'-n' takes a number"],
    [["generate", "@", "Hi", "--tool", "introspect", "--tool-choice", "rm"], 'Tool "rm" not found.'],
    [["generate", "@", "Hi", "--tool", "rm"], "no tool 'rm'", "current_date, introspect"],
    [["generate", "@", "Hi", "--model", "/x"], "a model is written PROVIDER/NAME"],
    [["generate", "@", " ", "--model", "test/x"], "The text is empty"],
    [["search", "x", "--since", "then"], "--since"],
    [["search", "x", "--root", "nowhere"], "no node 'nowhere'"],
    [["log", "--limit", "0"], "--limit"],
    [["tree", "--depth", "-1"], "--depth"],
    [["export", "--format", "pdf"], "'--format' takes markdown, md, json, jsonl or html, not 'pdf'"],
    [["import", "/nowhere/at.all"], "/nowhere/at.all: no such file"],
    [["import", "/"], "/: neither a regular file nor a pipe"],
    [["diff", "@"], "'loom diff' needs B"],
    [["lgo"], "did you mean 'loom log'?"],
  ])("says in a line what is wrong, and changes nothing: %j", ([argv, ...words]) =>
    talk((run) =>
      Effect.gen(function* () {
        const before = yield* out(run("log", "--json"))
        const { code, err, out: printed } = yield* run(...argv)
        assert.deepStrictEqual([code, printed], [2, ""], err)
        assert.lengthOf(err.trimEnd().split("\n"), 1, err)
        for (const word of words) assert.include(err, word)
        assert.strictEqual(yield* out(run("log", "--json")), before)
      }),
    ),
  )
})

describe("vibe loom generate", () => {
  it.effect("prints a single answer on a terminal while it is written, and its id below it", () =>
    Effect.gen(function* () {
      const written = yield* nothingWritten
      const writes = Effect.map(Ref.get(written), (all) => all.map(({ text, to }) => [to, text]))
      const use = (run: Run) =>
        Effect.gen(function* () {
          yield* run("append", "--system", "Be kind", "Hello")
          yield* run("generate", "@", "--model", "test/x")
          assert.deepStrictEqual(yield* writes, [
            ["out", "Roses are red."],
            ["out", "\n"],
            ["err", "n-2 (scripted/test)\n"],
          ])
          yield* run("generate", "@^", "--model", "test/x", "-n", "2")
          assert.deepStrictEqual((yield* writes).slice(0, 2), [
            ["err", "n-3 (scripted/test)\n"],
            ["out", "Roses are red.\n"],
          ])
        })
      yield* session(use, Option.none(), undefined, { columns: 80, written })
    }),
  )

  it.effect("uses the options of the command line, and the settings otherwise", () =>
    talk((run) =>
      Effect.gen(function* () {
        const ask = (...options: ReadonlyArray<string>) =>
          Effect.map(run("generate", "@", "--model", "test/asked", ...options), ({ out }) => out.trim())
        const set = ConfigProvider.fromMap(
          new Map([
            ["VIBE_TEMPERATURE", "0.7"],
            ["VIBE_MAX_TOKENS", "200"],
          ]),
        )
        assert.strictEqual(yield* ask(), "temperature undefined, at most undefined")
        assert.strictEqual(yield* Effect.withConfigProvider(ask(), set), "temperature 0.7, at most 200")
        const typed = ask("--temperature", "0.2", "--max-tokens", "9000")
        // Of an unknown model, and some of it is taken by what was said.
        assert.match(yield* Effect.withConfigProvider(typed, set), /^temperature 0.2, at most 81\d\d$/)
      }),
    ),
  )
})
