import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import type { Outline } from "../../../src/code/Symbols.ts"
import type { File } from "../../../src/code/Workspace.ts"
import * as Copies from "../../../src/index/IndexStore/internal/structure/Copies.ts"

const outlineOf = (path: string): Outline => ({
  symbols: [],
  identifiers: new Map(),
  imports: [path],
  references: "",
  note: undefined,
  cut: undefined,
})

const file = (path: string, size: number): File => ({ kind: "file", path, stat: { kind: "file", size, modified: 0 } })

/** Outlines files in order by a parser that notes the paths it was given. */
const outlineAll = (files: ReadonlyArray<readonly [path: string, text: string]>) =>
  Effect.gen(function* () {
    const parsed: Array<string> = []
    const outline = Copies.outliner(
      { outline: (path) => Effect.sync(() => outlineOf(parsed[parsed.push(path) - 1] ?? "")) },
      files.map(([path, text]) => file(path, text.length)),
    )
    const outlines = yield* Effect.forEach(files, ([path, text]) => outline(file(path, text.length), text, text))
    return { parsed, outlines }
  })

const long = (text: string) => text.padEnd(2_000)

describe("Copies.outliner", () => {
  it.effect("outlines files of one name and content once, in any folders", () =>
    Effect.gen(function* () {
      const copies = ["a/x.h", "b/x.h", "b/c/x.h"].map((path) => [path, long("int x;")] as const)
      const { outlines, parsed } = yield* outlineAll(copies)
      assert.deepStrictEqual(parsed, ["a/x.h"])
      assert.deepStrictEqual(outlines, [outlineOf("a/x.h"), outlineOf("a/x.h"), outlineOf("a/x.h")])
    }),
  )

  it.effect("outlines each that has only the name, the size or the content of another", () =>
    Effect.gen(function* () {
      const files = [
        ["a/x.h", long("int x;")],
        ["b/x.h", long("int y;")],
        ["b/y.h", long("int x;")],
        ["c/x.h", `${long("int x;")} `],
      ] as const
      const { parsed } = yield* outlineAll(files)
      assert.deepStrictEqual(parsed, ["a/x.h", "b/x.h", "b/y.h", "c/x.h"])
    }),
  )

  it.effect("outlines a copy again after millions of characters of other texts", () =>
    Effect.gen(function* () {
      const others = Array.from({ length: 5 }, (_, n) => `${n}`.padEnd(1_000_000))
      const first = ["a/x.h", long("int x;")] as const
      const copyOf = ([path, text]: readonly [string, string]) => [`copies/${path}`, text] as const
      const between = others.map((text, n) => [`${n}.h`, text] as const)
      const { parsed } = yield* outlineAll([first, ...between, copyOf(first), ...between.map(copyOf)])
      assert.deepStrictEqual(parsed, ["a/x.h", "0.h", "1.h", "2.h", "3.h", "4.h", "copies/a/x.h", "copies/0.h"])
    }),
  )

  it.effect("lets copies wait for the first one, and fail as it does", () =>
    Effect.gen(function* () {
      const text = long("int x;")
      const [first, second] = [file("a/x.h", text.length), file("b/x.h", text.length)]
      const parsed = yield* Deferred.make<Outline>()
      const outline = Copies.outliner({ outline: () => Deferred.await(parsed) }, [first, second])
      const fibers = yield* Effect.forEach([first, second], (each) => Effect.fork(outline(each, text, text)))
      yield* Effect.yieldNow()
      yield* Deferred.die(parsed, "no memory")
      const exits = yield* Effect.forEach(fibers, Fiber.await)
      assert.deepStrictEqual(exits, [Exit.die("no memory"), Exit.die("no memory")])
    }),
  )
})
