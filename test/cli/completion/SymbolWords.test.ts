import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Completion from "../../../src/cli/completion/Completion.ts"
import * as SymbolWords from "../../../src/cli/completion/SymbolWords.ts"
import { FILES } from "../../../src/cli/completion/scripts.ts"
import { commands } from "../../utils/commands.ts"

const rows = [
  ["append", "Forest.append", 3],
  ["appendAll", "appendAll", 9],
  ["Forest", "Forest", 1],
] as const

/** A folder with an index of one file, and a folder below it. */
const project = Effect.acquireRelease(
  Effect.sync(() => {
    const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "vibe-symbols-")))
    fs.mkdirSync(path.join(root, ".vibe"))
    fs.mkdirSync(path.join(root, "src"))
    const database = new DatabaseSync(path.join(root, ".vibe/index.db"))
    database.exec(`create table file (id integer primary key, path text);
      create table symbol (file integer, name text, qualified text, used_by integer, major integer);
      insert into file values (1, 'src/Forest.ts')`)
    const insert = database.prepare("insert into symbol values (1, ?, ?, ?, 1)")
    for (const row of rows) insert.run(...row)
    database.close()
    return root
  }),
  (root) => Effect.sync(() => fs.rmSync(root, { recursive: true })),
)

describe("SymbolWords.complete", () => {
  it.scoped("offers names that begin so, by how much they are used, then members of a class, from any folder", () =>
    Effect.gen(function* () {
      const root = yield* project
      for (const folder of [root, path.join(root, "src")]) {
        assert.deepStrictEqual(SymbolWords.complete(["show", "app"], folder), [FILES, "appendAll", "append"])
        assert.deepStrictEqual(SymbolWords.complete(["show", "Forest"], folder), [FILES, "Forest", "Forest.append"])
      }
      assert.deepStrictEqual(SymbolWords.complete(["show", ""], root), [FILES, "appendAll", "append", "Forest"])
      assert.deepStrictEqual(SymbolWords.complete(["show", "--root", "..", "appendA"], path.join(root, "src")), [
        FILES,
        "appendAll",
      ])
      assert.deepStrictEqual(SymbolWords.complete(["show", "Forest.ts:ap"], path.join(root, "src")), [
        FILES,
        "Forest.ts:appendAll",
      ])
      assert.deepStrictEqual(fs.readdirSync(path.join(root, ".vibe")), ["index.db"])
    }),
  )

  it.scoped("offers files alone where there is no index, or none that can be read", () =>
    Effect.gen(function* () {
      const root = yield* project
      assert.deepStrictEqual(SymbolWords.complete(["show", "--root", "src", "app"], root), [FILES])
      fs.writeFileSync(path.join(root, ".vibe/index.db"), "no database")
      assert.deepStrictEqual(SymbolWords.complete(["show", "app"], root), [FILES])
    }),
  )

  it("is only for lines with a last word that the table of commands has as a symbol", () => {
    const options = commands.find(({ name }) => name === "show")?.options ?? []
    // Unknown, or of several repositories, whose symbols are in several indexes.
    const others = new Set(["--nope", "--repo", "--workspace"])
    const lines = [
      ["show", ""],
      ["show", "--"],
      ["show", "a", ""],
      ["show", "--limit", ""],
      ["query", ""],
      ["show", "--nope", ""],
      ...options.map(({ name, value }) => ["show", name, ...(value === undefined ? [] : ["1"]), "a"]),
    ]
    for (const line of lines) {
      const isSymbol = Completion.candidates(commands, line).names === "symbols"
      if (SymbolWords.complete(line, "/nowhere") !== undefined) assert.isTrue(isSymbol, line.join(" "))
      else assert.isTrue(!isSymbol || line.some((word) => others.has(word)), line.join(" "))
    }
  })
})
