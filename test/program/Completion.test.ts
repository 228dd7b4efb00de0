/** `vibe completion` in real shells: what a press of Tab offers. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isInstalled } from "../utils/isInstalled.ts"
import { inBash, inFish, inZsh, inZshFromFile } from "./shells.ts"
import { bin, folder, loomIn, vibe } from "./vibe.ts"

/** A project with an index, a conversation and a bookmark, and a `vibe` on PATH. */
const project = Effect.gen(function* () {
  const cwd = yield* folder({
    "src/shop.ts":
      "export class Basket {\n  addItem(): void {}\n}\nexport const addTax = (n: number) => n\nexport const use = () => addTax(1)\n",
    "addresses/list.txt": "none\n",
    ".config/vibe/config.toml":
      '[providers.fake]\nbaseUrl = "http://127.0.0.1:9/v1"\n[models."fake/m"]\ncontext = 1000\n[presets.sharp]\ntemperature = 0.1\n[agents.mine]\ncommand = "no-such-program"\n',
  })
  fs.mkdirSync(path.join(cwd, "bin"))
  fs.writeFileSync(path.join(cwd, "bin/vibe"), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`, { mode: 0o755 })
  const { code, stderr } = yield* vibe(["index", "--estimate", "."], { cwd })
  assert.strictEqual(code, 0, stderr)
  const id = yield* loomIn(cwd)("append", "--system", "x", "Hello")
  yield* loomIn(cwd)("bookmark", "mytalk", "@")
  return { cwd, id }
})

describe("vibe completion", () => {
  for (const [shell, complete] of [
    ["bash", inBash],
    ["zsh", inZsh],
    ["fish", inFish],
  ] as const) {
    it.scopedLive.skipIf(!isInstalled(shell))(
      `completes commands, options, models, nodes, bookmarks, symbols and files in ${shell}`,
      () =>
        Effect.gen(function* () {
          const { cwd, id } = yield* project
          const offers = (line: string) => complete(cwd, line)
          assert.includeMembers([...(yield* offers("vibe lo"))], ["loom"])
          assert.includeMembers([...(yield* offers("vibe loom book"))], ["bookmark", "bookmarks"])
          assert.includeMembers([...(yield* offers("vibe show --calle"))], ["--callers", "--callees"])
          assert.include(yield* offers("vibe ask --model google/gemini-2.5-fl"), "google/gemini-2.5-flash")
          assert.deepStrictEqual([...(yield* offers("vibe ask --model fa"))], ["fake/m"])
          assert.includeMembers([...(yield* offers("vibe chat --model cli/"))], ["cli/claude", "cli/mine"])
          assert.deepStrictEqual([...(yield* offers("vibe ask --preset sh"))], ["sharp"])
          assert.deepStrictEqual([...(yield* offers("vibe chat --agent mi"))], ["mine"])
          assert.deepStrictEqual([...(yield* offers("vibe loom generate --tool cu"))], ["current_date"])
          assert.deepStrictEqual([...(yield* offers("vibe loom show myt"))], ["mytalk"])
          assert.include(yield* offers(`vibe loom show ${id.slice(0, 4)}`), id.slice(0, 10))
          assert.deepStrictEqual([...(yield* offers("vibe chat --agent cl"))], ["claude"])
          const symbols = yield* offers("vibe show add")
          assert.includeMembers([...symbols], ["addItem", "addTax"])
          assert.isTrue(
            symbols.some((word) => word.startsWith("addresses")),
            symbols.join(" "),
          )
          assert.include(yield* offers("vibe show Basket.a"), "Basket.addItem")
          assert.include((yield* offers("vibe show src/sh")).join(" "), "shop.ts")
          assert.include((yield* offers("vibe ask --file src/sh")).join(" "), "shop.ts")
        }),
      120_000,
    )
  }
})

describe.runIf(isInstalled("zsh"))("vibe completion zsh", () => {
  it.scopedLive(
    "completes at the first press of Tab where a package has installed its script",
    () =>
      Effect.gen(function* () {
        const { cwd } = yield* project
        assert.includeMembers([...(yield* inZshFromFile(cwd, "vibe lo"))], ["loom"])
      }),
    120_000,
  )
})

describe.runIf(isInstalled("bash"))("vibe completion bash", () => {
  it.scopedLive(
    "replaces only what follows a colon or an equals sign, where bash divides words",
    () =>
      Effect.gen(function* () {
        const { cwd } = yield* project
        assert.deepStrictEqual([...(yield* inBash(cwd, "vibe show src/shop.ts:addT"))], ["addTax"])
        assert.deepStrictEqual([...(yield* inBash(cwd, "vibe chat --resume=myt"))], ["mytalk"])
      }),
    120_000,
  )
})
