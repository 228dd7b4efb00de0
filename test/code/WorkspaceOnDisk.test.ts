import { spawn } from "node:child_process"
import { renameSync, rmSync, truncateSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck } from "effect"
import * as NodeFiles from "../../src/code/Files/Node.ts"
import * as Files from "../../src/code/Files.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import { cases, isThorough } from "../thoroughness.ts"
import { plant, planted, plantFifos, socket } from "./FilesOnDisk.ts"

const opened = (root: string) => Effect.provide(Workspace.open(root), NodeFiles.layer)

const contents = {
  "root/a.ts": "inside",
  "root/src/b.ts": "inside",
  "root/to-file": { link: "src/b.ts" },
  "root/to-folder": { link: "src" },
  "root/out": { link: "../outside" },
  "root/out.ts": { link: "../outside/known.ts" },
  "root/out-of-nothing": { link: "../outside/missing.ts" },
  "root/environment": { link: "/proc/self/environ" },
  "root/zero": { link: "/dev/zero" },
  "outside/known.ts": "secret",
  "root-secret/known.ts": "secret",
}

/** The file system of this machine, where it was made to look, and the most bytes that it was to read of a file. */
const watched = () => {
  const files = NodeFiles.make({ descriptors: process.platform === "linux" })
  const seen = { opened: [] as string[], most: 0 }
  const watching: Files.Service = {
    ...files,
    list: (path) => Effect.tap(files.list(path), ({ realPath }) => Effect.sync(() => seen.opened.push(realPath))),
    readReal: (path, most) =>
      Effect.suspend(() => {
        seen.opened.push(path)
        seen.most = Math.max(seen.most, most)
        return files.readReal(path, most)
      }),
  }
  return { files: watching, seen }
}

/** More than the two megabytes that are read. */
const LINE_MEGABYTES = isThorough ? 50 : 5

const refused = (workspace: Workspace.Workspace, path: string) =>
  Effect.gen(function* () {
    const refusal = `${path}: outside the workspace or not allowed`
    assert.strictEqual((yield* Effect.flip(workspace.read(path))).message, refusal)
    assert.strictEqual((yield* Effect.flip(workspace.list(path))).message, refusal)
  })

describe("Workspace on disk", () => {
  it.scoped("reads and lists what is inside, also through links", () =>
    Effect.gen(function* () {
      const folder = yield* planted(contents)
      const { list, read } = yield* opened(`${folder}/root`)
      assert.strictEqual((yield* read("a.ts")).text, "inside")
      assert.strictEqual((yield* read(`${folder}/root/to-file`)).path, "src/b.ts")
      assert.strictEqual((yield* read("to-folder/b.ts")).path, "src/b.ts")
      assert.deepStrictEqual(
        (yield* list("to-folder")).entries.map(({ path }) => path),
        ["src/b.ts"],
      )
      const { entries, hidden } = yield* list("")
      assert.deepStrictEqual([entries.map(({ path }) => path), hidden], [["a.ts", "src"], 7])
    }),
  )

  it.scoped("refuses what leads out in one text, whether it is there or not", () =>
    Effect.gen(function* () {
      const folder = yield* planted(contents)
      const workspace = yield* opened(`${folder}/root`)
      for (const path of [
        ...["out", "out/known.ts", "out/missing.ts", "out.ts", "out-of-nothing", "out-of-nothing/x"],
        ...[
          "../outside/known.ts",
          "../outside/missing.ts",
          `${folder}/outside/known.ts`,
          `${folder}/outside/missing.ts`,
        ],
        ...["../root-secret/known.ts", `${folder}/root-secret/known.ts`, `${folder}/root-secret/missing.ts`],
        ...["environment", "/proc/self/environ", "../../../../../proc/self/environ", "zero", "/dev/zero", "/dev/tty"],
      ]) {
        yield* refused(workspace, path)
      }
    }),
  )

  it.scoped("refuses FIFOs and sockets at once", () =>
    Effect.gen(function* () {
      const folder = yield* planted({ "a.ts": "inside" })
      plantFifos(`${folder}/fifo`)
      yield* socket(`${folder}/socket`)
      const workspace = yield* opened(folder)
      for (let count = 0; count < 10; count++) yield* refused(workspace, "fifo")
      yield* refused(workspace, "socket")
      assert.strictEqual((yield* workspace.read("a.ts")).text, "inside")
    }),
  )

  it.scoped("is not held by a FIFO that is called like an ignore file", () =>
    Effect.gen(function* () {
      const folder = yield* planted({ "a.ts": "inside" })
      plantFifos(`${folder}/.gitignore`)
      assert.strictEqual((yield* (yield* opened(folder)).read("a.ts")).text, "inside")
    }),
  )

  it.scoped(
    `refuses a file of 1 GB, and a line of ${LINE_MEGABYTES} MB, when it has seen that they are too large`,
    () =>
      Effect.gen(function* () {
        const folder = yield* planted({ huge: "", "line.js": "x".repeat(LINE_MEGABYTES * 1_000_000) })
        truncateSync(`${folder}/huge`, 2 ** 30)
        const { files, seen } = watched()
        const { read } = yield* Effect.provideService(Workspace.open(folder), Files.Files, files)
        assert.strictEqual((yield* Effect.flip(read("huge"))).message, "huge: larger than 2000000 bytes")
        assert.strictEqual((yield* Effect.flip(read("line.js"))).message, "line.js: larger than 2000000 bytes")
        assert.strictEqual(seen.most, Workspace.MAX_FILE_BYTES)
      }),
  )

  it.scoped("opens nothing of what is no file, in a folder full of devices", () =>
    Effect.gen(function* () {
      const { files, seen } = watched()
      const workspace = yield* Effect.provideService(Workspace.open("/dev"), Files.Files, files)
      seen.opened.length = 0
      for (const path of ["zero", "null", "random", "tty", "fd/0", "stdin"]) {
        assert.isTrue(Either.isLeft(yield* Effect.either(workspace.read(path))))
      }
      yield* refused(workspace, "zero")
      yield* refused(workspace, "/dev/null")
      const devices = seen.opened.filter((path) => !path.endsWith("ignore"))
      assert.deepStrictEqual(devices, [])
    }),
  )

  it.scoped("opens nothing outside, whatever path it is given", () =>
    Effect.gen(function* () {
      const folder = yield* planted({
        ...contents,
        "root/src/up": { link: "../.." },
        "root/src/round": { link: "." },
        "root/here": { link: "../root" },
        "root/ .ts": "inside",
        "root/\\b.ts": "inside",
        "root/é.ts": "inside",
      })
      const { files, seen } = watched()
      const { list, read } = yield* Effect.provideService(Workspace.open(`${folder}/root`), Files.Files, files)
      const names = FastCheck.constantFrom(
        ...["root", "src", "src", "a.ts", "b.ts", "to-file", "to-folder", "out", "out.ts", "outside", "known.ts"],
        ...[
          "up",
          "round",
          "here",
          "..",
          "..",
          ".",
          "",
          "~",
          "\0",
          "a.ts:b",
          "a.ts.",
          " .ts",
          "\\b.ts",
          "é.ts",
          "e\u0301.ts",
        ],
        ...["environment", "zero", "root-secret", "\ud800", "x".repeat(300), "..\\", "missing"],
      )
      const paths = FastCheck.tuple(
        FastCheck.constantFrom("", "", `${folder}/root/`, `${folder}/`, "/", "../"),
        FastCheck.array(names, { maxLength: 5 }),
      ).map(([start, steps]) => start + steps.join("/"))
      FastCheck.assert(
        FastCheck.property(paths, (path) => {
          const text = Effect.runSync(Effect.orElseSucceed(read(path), () => ({ text: "inside" }))).text
          assert.strictEqual(text, "inside")
          Effect.runSync(Effect.ignore(list(path)))
        }),
        { numRuns: cases(2_000) },
      )
      assert.isAbove(seen.opened.length, cases(2_000) / 40)
      for (const path of seen.opened) assert.match(path, new RegExp(`^${folder}/root(?:/|$)`))
    }),
  )

  it.scoped("finds nothing when the root is gone", () =>
    Effect.gen(function* () {
      const folder = yield* planted(contents)
      const { list, read } = yield* opened(`${folder}/root`)
      rmSync(`${folder}/root`, { recursive: true })
      assert.strictEqual((yield* Effect.flip(read("src/b.ts"))).reason._tag, "NotFound")
      assert.strictEqual((yield* Effect.flip(list(""))).reason._tag, "NotFound")
    }),
  )

  it.scoped.runIf(process.platform === "linux")("makes nothing of files that the system makes up", () =>
    Effect.gen(function* () {
      const workspace = yield* opened("/")
      yield* refused(workspace, "proc/self/environ")
      yield* refused(workspace, "sys")
    }),
  )
})

describe("Workspace checks what it opened", () => {
  const swapped = {
    ...contents,
    "outside/b.ts": "secret",
    "outside/inner/c.ts": "secret",
    "root/src/inner/c.ts": "inside",
  }

  /** Puts a link to `outside` in the place of `src` just before the file system is asked for `target`. */
  const swapping = (folder: string, target: string): Files.Service => {
    const files = NodeFiles.make({ descriptors: process.platform === "linux" })
    const swap = (path: string) =>
      Effect.sync(() => {
        if (path !== `${folder}/root/${target}`) return
        renameSync(`${folder}/root/src`, `${folder}/root/was`)
        plant(`${folder}/root/src`, { link: "../outside" })
      })
    return {
      ...files,
      readReal: (path, most) => Effect.zipRight(swap(path), files.readReal(path, most)),
      list: (path) => Effect.zipRight(swap(path), files.list(path)),
    }
  }

  const swappedBefore = (target: string) =>
    Effect.flatMap(planted(swapped), (folder) =>
      Effect.provideService(Workspace.open(`${folder}/root`), Files.Files, swapping(folder, target)),
    )

  it.scoped("and refuses a file whose folder became a link out", () =>
    Effect.gen(function* () {
      const { read } = yield* swappedBefore("src/b.ts")
      assert.strictEqual((yield* Effect.flip(read("src/b.ts"))).reason._tag, "Refused")
    }),
  )

  it.scoped("and refuses a folder that lies in what became a link out", () =>
    Effect.gen(function* () {
      const { list } = yield* swappedBefore("src/inner")
      assert.strictEqual((yield* Effect.flip(list("src/inner"))).reason._tag, "Refused")
    }),
  )

  it.scoped("and shows nothing of a folder that became a link out", () =>
    Effect.gen(function* () {
      const { list } = yield* swappedBefore("src")
      assert.strictEqual((yield* Effect.flip(list("src"))).reason._tag, "NotAFolder")
    }),
  )

  it.scoped("and shows nothing of a folder that it has shown and that has become a link out, or lies in one", () =>
    Effect.gen(function* () {
      const folder = yield* planted(swapped)
      const { list } = yield* opened(`${folder}/root`)
      const src = (yield* list(".")).entries.find(({ path }) => path === "src")
      assert(src?.kind === "folder")
      const inner = (yield* list(src)).entries.find(({ path }) => path === "src/inner")
      assert(inner?.kind === "folder")
      renameSync(`${folder}/root/src`, `${folder}/root/was`)
      plant(`${folder}/root/src`, { link: "../outside" })
      assert.strictEqual((yield* Effect.flip(list(src))).reason._tag, "NotAFolder")
      assert.strictEqual((yield* Effect.flip(list(inner))).reason._tag, "Refused")
    }),
  )

  it.scoped("and reads nothing of a file that it has shown and that has become a link out, or lies in one", () =>
    Effect.gen(function* () {
      const folder = yield* planted(swapped)
      const { list, read } = yield* opened(`${folder}/root`)
      const b = (yield* list("src")).entries.find(({ path }) => path === "src/b.ts")
      assert(b?.kind === "file")
      renameSync(`${folder}/root/src/b.ts`, `${folder}/root/was.ts`)
      plant(`${folder}/root/src/b.ts`, { link: "../../outside/b.ts" })
      assert.strictEqual((yield* Effect.flip(read(b))).reason._tag, "NotAFile")
      renameSync(`${folder}/root/src`, `${folder}/root/was`)
      plant(`${folder}/root/src`, { link: "../outside" })
      assert.strictEqual((yield* Effect.flip(read(b))).reason._tag, "Refused")
    }),
  )

  it.scoped("and reads nothing from outside while another process swaps folders and files for links", () =>
    Effect.gen(function* () {
      const folder = yield* planted(swapped)
      plant(`${folder}/root/spare`, { link: "../outside" })
      plant(`${folder}/root/spare.ts`, { link: "../outside/known.ts" })
      yield* swapper(`${folder}/root`)
      const { list, read } = yield* opened(`${folder}/root`)
      const seen = { read: 0, refused: 0 }
      // The other process decides how many attempts it takes until both have happened.
      for (
        let count = 0;
        count < (isThorough ? 1_000 : 50) || (count < 100_000 && (seen.read === 0 || seen.refused === 0));
        count++
      ) {
        for (const path of ["src/b.ts", "src/inner/c.ts", "a.ts"]) {
          const content = yield* Effect.either(read(path))
          if (Either.isLeft(content)) seen.refused += 1
          else {
            seen.read += 1
            assert.strictEqual(content.right.text, "inside")
          }
        }
        const listing = yield* Effect.either(list("src"))
        if (Either.isRight(listing)) assert.notInclude(JSON.stringify(listing.right), "known.ts")
      }
      assert.isAbove(seen.read, 0)
      assert.isAbove(seen.refused, 0)
    }),
  )

  /** Another process that swaps `src` with `spare` and `a.ts` with `spare.ts`, over and over. */
  const swapper = (root: string) =>
    Effect.acquireRelease(
      Effect.async<ReturnType<typeof spawn>>((resume) => {
        const program = `
          const { renameSync } = require("node:fs")
          console.log("ready")
          for (;;) for (const [one, other] of [["src", "spare"], ["a.ts", "spare.ts"]]) {
            renameSync(one, "between")
            renameSync(other, one)
            renameSync("between", other)
          }`
        const child = spawn(process.execPath, ["-e", program], { cwd: root, stdio: ["ignore", "pipe", "inherit"] })
        child.stdout.once("data", () => resume(Effect.succeed(child)))
      }),
      (child) =>
        Effect.async<void>((resume) => {
          child.once("exit", () => resume(Effect.void))
          child.kill("SIGKILL")
        }),
    )
})
