import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { object, out, session, talk } from "./session.ts"

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
