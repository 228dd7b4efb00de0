import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Program from "../../../src/review/Git/Program.ts"
import { Git } from "../../../src/review/Git.ts"
import { temporaryFolder } from "../../disk/TemporaryFolder.ts"

/** The arguments that the program git is started with. */
const argumentsOn = (platform: NodeJS.Platform) =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    fs.writeFileSync(path.join(folder, "git"), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 })
    const { stdout } = yield* Effect.flatMap(Git, (git) => git.run(folder, ["ls-files", "-z"])).pipe(
      Effect.provide(Program.layer({ PATH: folder }, platform)),
    )
    return stdout.toString().trimEnd().split("\n")
  })

describe.skipIf(process.platform === "win32")("the program git", () => {
  it.scopedLive.each([
    ["linux", "core.hooksPath=/dev/null"],
    ["darwin", "core.hooksPath=/dev/null"],
    ["win32", "core.hooksPath=\\\\.\\nul"],
  ] as const)("looks for hooks on %s where no user can put one", ([platform, setting]) =>
    Effect.gen(function* () {
      const args = yield* argumentsOn(platform)
      assert.include(args, setting)
      assert.deepStrictEqual(args.slice(-2), ["ls-files", "-z"])
    }),
  )
})
