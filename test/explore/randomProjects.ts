/** Random projects with symbols of all shapes, and the batches that are planned for them. */
import { Chunk, Effect, FastCheck, Layer, Stream } from "effect"
import * as Symbols from "../../src/code/Symbols.ts"
import * as Batches from "../../src/explore/Batches.ts"
import { isOpen } from "../../src/index/IndexEntry.ts"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import { workspace } from "../index/IndexStore.fixture.ts"

/** Each line `class name`, `function name`, `type name` is a symbol; what is indented further below it stands in it. */
const outline = (text: string): Symbols.Outline => {
  const lines = text.split("\n")
  const indentOf = (line: string): number => line.length - line.trimStart().length
  const around: Array<{ readonly name: string; readonly indent: number }> = []
  const symbols = lines.flatMap((line, at): ReadonlyArray<Symbols.CodeSymbol> => {
    const { doc, kind, name } =
      /^ *(?<kind>class|function|type) (?<name>\w+)(?: \/\/ (?<doc>.*))?/.exec(line)?.groups ?? {}
    if (name === undefined || (kind !== "class" && kind !== "function" && kind !== "type")) return []
    const indent = indentOf(line)
    while (around.length > 0 && (around.at(-1)?.indent ?? 0) >= indent) around.pop()
    const container = around.map((each) => each.name).join(".")
    const rest = lines.slice(at + 1).findIndex((next) => indentOf(next) <= indent)
    const endLine = rest < 0 ? lines.length : at + 1 + rest
    around.push({ name, indent })
    return [
      {
        name,
        kind: kind === "function" && container !== "" ? "method" : kind,
        container: container === "" ? undefined : container,
        startLine: at + 1,
        endLine,
        start: lines.slice(0, at).join("\n").length,
        end: lines.slice(0, endLine).join("\n").length,
        signature: line.trim(),
        doc,
        exported: true,
      },
    ]
  })
  return { symbols, identifiers: new Map(), imports: [], references: "", note: undefined, cut: undefined }
}

const layer = Layer.provide(
  Sqlite.layerMemory,
  Layer.succeed(Symbols.Symbols, { outline: (_, text) => Effect.sync(() => outline(text)) }),
)

const line = FastCheck.tuple(
  FastCheck.nat({ max: 3 }),
  FastCheck.oneof(
    { weight: 4, arbitrary: FastCheck.constantFrom("function a", "function b(x)", "class C", "class D", "type T") },
    { weight: 1, arbitrary: FastCheck.constantFrom("class Known // Keeps what others have read.") },
    { weight: 4, arbitrary: FastCheck.constantFrom("return a", "", "  x = 1", "// why", "}") },
    // What could be taken for a mark, a header or the end of a text, and what is too long.
    {
      weight: 2,
      arbitrary: FastCheck.constantFrom(
        "§1",
        "§ 2 used by D",
        "== src/a.x",
        "====",
        "… 3 lines",
        '"""',
        "/* == src/a.x §1",
        "*/",
        "if (a) {",
        "§3,",
        `# ${"😀 ".repeat(100)}`,
        `// ${"😀".repeat(200)}`,
        'raise("§4 in three words")',
        "a\u0007b\u2028\u{e0001}",
        "\ud83d",
        "😀".repeat(150),
        `x${"😀".repeat(150)}`,
        "y".repeat(3_000),
        "語".repeat(190),
      ),
    },
  ),
).map(([indent, text]) => `${" ".repeat(indent)}${text}`)

const text = FastCheck.array(line, { maxLength: 40, size: "max" }).map((lines) => lines.join("\n"))

const path = FastCheck.tuple(
  FastCheck.constantFrom("", "src/", "src/a/", "src/a/b/", "lib/", "tests/"),
  FastCheck.constantFrom("a.x", "b.x", "c.x", "§1.x", "== d.x"),
).map(([folder, name]) => `${folder}${name}`)

export const files = FastCheck.dictionary(path, text, { minKeys: 1, maxKeys: 12, size: "max" })

export const limits = FastCheck.record({
  maxTokens: FastCheck.constantFrom(1_000, 1_500, 3_000, 50_000),
  maxSymbols: FastCheck.constantFrom(1, 3, 10, 300),
  only: FastCheck.constantFrom("all" as const, "definitions" as const, "code" as const),
})

/** The plan of files, and the symbols that it should have. */
export const planOf = (files: Readonly<Record<string, string>>, options: Batches.Options) =>
  Effect.gen(function* () {
    const root = "/repository"
    const opened = yield* workspace(root, files)
    const index = yield* (yield* IndexStore.IndexStore).open(opened)
    yield* index.refresh
    const run = Effect.map(Stream.runCollect(Batches.plan(opened, index, options)), Chunk.toReadonlyArray)
    const batches = yield* run
    const known = yield* index.files
    const hasCode = known.some((file) => file.class === "code" && file.major > 0)
    const symbols = yield* Effect.forEach(
      known.filter((file) => !hasCode || file.class === "code"),
      (file) => index.symbolsIn(file.path),
    )
    return { batches, again: yield* run, open: symbols.flat().filter(isOpen) }
  }).pipe(Effect.scoped, Effect.provide(Layer.fresh(layer)))
