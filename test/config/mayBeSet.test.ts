import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import * as NodeFiles from "../../src/code/Files/Node.ts"
import { mayBeSet } from "../../src/config/mayBeSet.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"

/** Asks in the folder `code/part` of a folder with these files, which is the home. */
const ask = (files: ReadonlyArray<string>, variables: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const home = yield* temporaryFolder
    fs.mkdirSync(path.join(home, "code/part"), { recursive: true })
    for (const file of files) {
      fs.mkdirSync(path.join(home, path.dirname(file)), { recursive: true })
      fs.writeFileSync(path.join(home, file), "")
    }
    const environment = new Map(Object.entries({ HOME: home, ...variables }))
    return yield* mayBeSet("VIBE_MCP_TOOLS", path.join(home, "code/part")).pipe(
      Effect.withConfigProvider(ConfigProvider.fromMap(environment)),
      Effect.provide(NodeFiles.layer),
    )
  }).pipe(Effect.scoped)

describe("mayBeSet", () => {
  it.effect.each<readonly [boolean, ReadonlyArray<string>, Readonly<Record<string, string>>?]>([
    [false, []],
    [false, [], { VIBE_MCP_TOOLS: " ", VIBE_MODEL: "a:b" }],
    [true, [], { VIBE_MCP_TOOLS: "status" }],
    [true, ["code/part/.vibe/config.toml"]],
    [true, ["code/.vibe/config.toml"]],
    [true, [".config/vibe/config.toml"]],
    [false, [".config/vibe/config.toml"], { XDG_CONFIG_HOME: "/nonexistent" }],
    [true, [".config/vibe/config.toml"], { XDG_CONFIG_HOME: "relative" }],
    [false, ["code/.vibe", ".config/vibe"]],
    [false, ["code/other/.vibe/config.toml"]],
  ])("is %j with the files %j and the variables %j", ([expected, files, variables]) =>
    Effect.map(ask(files, variables), (found) => assert.strictEqual(found, expected)),
  )
})
