import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Input from "../../../src/cli/terminal/Input.ts"
import * as NodeFiles from "../../../src/code/Files/Node.ts"
import * as Files from "../../../src/code/Files.ts"
import { planted } from "../../code/FilesOnDisk.ts"

const read = (file: string, maxBytes: number) =>
  Effect.map(Input.readNamed(file, { maxBytes, command: "ask" }), (bytes) => new TextDecoder().decode(bytes))

describe("Input.readNamed", () => {
  it.effect("reads what is named from the current folder, up to the limit", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* read("a.txt", 3), "abc")
      assert.strictEqual(yield* read(path.resolve("link"), 3), "abc")
      const { command, message } = yield* Effect.flip(read("a.txt", 2))
      assert.deepStrictEqual([command, message], ["ask", "a.txt: larger than 2 bytes"])
    }).pipe(
      Effect.provide(
        Files.layerMemory({ [path.resolve("a.txt")]: "abc", [path.resolve("link")]: { link: path.resolve("a.txt") } }),
      ),
    ),
  )

  it.scoped("describes what is wrong with a named file, without waiting", () =>
    Effect.gen(function* () {
      const root = yield* planted({ zero: { link: "/dev/zero" } })
      const why = (name: string) => Effect.map(Effect.flip(read(`${root}/${name}`, 10)), ({ message }) => message)
      assert.strictEqual(yield* why("zero"), `${root}/zero: neither a regular file nor a pipe`)
      assert.strictEqual(yield* why("."), `${root}/.: neither a regular file nor a pipe`)
      assert.strictEqual(yield* why("missing"), `${root}/missing: no such file or folder`)
    }).pipe(Effect.provide(NodeFiles.layer)),
  )
})
