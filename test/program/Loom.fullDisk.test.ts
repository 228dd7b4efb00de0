import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { refused } from "./looms.ts"
import { folder, isRoot, vibe } from "./vibe.ts"

/** A file system of this size in `cwd`, if this process may make one. */
const smallDisk = (cwd: string, kilobytes: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const place = path.join(cwd, "state")
      fs.mkdirSync(place)
      execFileSync("mount", ["-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", place])
      return place
    }),
    (place) => Effect.sync(() => execFileSync("umount", [place])),
  )

const mayMount = (() => {
  if (!isRoot || process.platform !== "linux") return false
  const place = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-mount-"))
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", place], { stdio: "ignore" })
    execFileSync("umount", [place])
    return true
  } catch {
    return false
  } finally {
    fs.rmdirSync(place)
  }
})()

/** Writes until nothing fits any more, but for so many bytes. */
const fill = (place: string, left: number) => {
  const { bavail, bsize } = fs.statfsSync(place)
  fs.writeFileSync(path.join(place, "filler"), Buffer.alloc(Math.max(0, bavail * bsize - left)))
}

describe("vibe loom on a full disk", () => {
  it.scopedLive.skipIf(!mayMount)(
    "reads everything, says how much room a purge needs, and purges with as much",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder()
        const state = yield* smallDisk(cwd, 2048)
        const env = { XDG_STATE_HOME: state }
        const run = (...args: ReadonlyArray<string>) => vibe(["loom", ...args], { cwd, env })
        assert.strictEqual((yield* run("append", "--system", "Be kind", "the password is HUNTER2XYZ")).code, 0)
        const before = yield* run("export", "--all")
        for (const left of [0, 8_192, 40_960]) {
          fill(state, left)
          const purged = yield* run("purge", "@", "--yes")
          refused(purged, 7, "nothing was purged: the disk is full", "make room there")
          assert.deepStrictEqual(yield* run("export", "--all"), before)
          assert.match((yield* run("verify")).stdout, /^all is well: 1 tree, 1 node/)
          refused(yield* run("append", "@", "More"), 7, "the conversation cannot be saved: the disk is full")
          const kilobytes = Number(/\((\d+) kB are enough\)/.exec(purged.stderr)?.[1])
          assert.isBelow(kilobytes, 200)
          fs.rmSync(path.join(state, "filler"))
          if (left > 8_192) fill(state, (kilobytes + 4) * 1000)
        }
        assert.strictEqual((yield* run("purge", "@", "--yes")).stdout, "purged 1 node\n")
        const kept = path.join(state, "vibe")
        for (const name of fs.readdirSync(kept)) {
          assert.notInclude(fs.readFileSync(path.join(kept, name), "latin1"), "HUNTER2XYZ", name)
        }
        assert.match((yield* run("verify")).stdout, /^all is well: 1 tree, 0 nodes/)
      }),
    240_000,
  )
})
