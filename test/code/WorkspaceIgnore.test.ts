import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Files from "../../src/code/Files.ts"
import * as Repository from "../../src/code/Repository.ts"
import * as Workspace from "../../src/code/Workspace.ts"

const opened = (contents: Readonly<Record<string, Files.Content>>, root = "/repo") =>
  Workspace.open(root).pipe(Effect.provideService(Files.Files, Files.makeMemory(contents)))

/** What a walk shows, but the ignore files themselves. */
const shown = (contents: Readonly<Record<string, Files.Content>>, root?: string) =>
  opened(contents, root).pipe(
    Effect.flatMap(Repository.walk),
    Effect.map(({ files }) => files.map(({ path }) => path).filter((path) => !/(?:git|vibe)ignore$/.test(path))),
  )

describe("Workspace leaves out what ignore files say", () => {
  it.effect("and refuses them by name", () =>
    Effect.gen(function* () {
      const { list, read } = yield* opened({
        "/repo/.gitignore": "*.log\nbuild/\n",
        "/repo/a.log": "",
        "/repo/build/a": "",
        "/repo/to-build": { link: "build" },
        "/repo/build.ts": "",
      })
      assert.strictEqual((yield* Effect.flip(read("a.log"))).message, "a.log: left out by ignore rules")
      assert.strictEqual((yield* Effect.flip(read("build/a"))).reason._tag, "Ignored")
      assert.strictEqual((yield* Effect.flip(read("to-build/a"))).reason._tag, "Ignored")
      assert.strictEqual((yield* Effect.flip(list("build"))).reason._tag, "Ignored")
      assert.deepStrictEqual(
        (yield* list("")).entries.map(({ path }) => path),
        [".gitignore", "build.ts"],
      )
    }),
  )

  it.effect("relative to their own folder, tied to it by a slash", () =>
    Effect.gen(function* () {
      const paths = yield* shown({
        "/repo/src/.gitignore": "/tied\nfree\ncache/ \n\\#hash\n\\!bang\n/\n#comment\n  \n",
        "/repo/free": "",
        "/repo/tied": "",
        "/repo/#hash": "",
        "/repo/src/free": "",
        "/repo/src/tied": "",
        "/repo/src/kept": "",
        "/repo/src/#hash": "",
        "/repo/src/#comment": "",
        "/repo/src/!bang": "",
        "/repo/src/inner/free": "",
        "/repo/src/inner/cache/a": "",
        "/repo/src/inner/tied": "",
      })
      assert.deepStrictEqual(paths, ["#hash", "free", "src/#comment", "src/inner/tied", "src/kept", "tied"])
    }),
  )

  it.effect("also where a folder's name looks like a pattern", () =>
    Effect.gen(function* () {
      const paths = yield* shown({
        "/repo/app/[id]/.gitignore": "/a\nb\n",
        "/repo/app/[id]/a": "",
        "/repo/app/[id]/x/b": "",
        "/repo/app/[id]/c": "",
        "/repo/app/i/a": "",
        "/repo/x*/.gitignore": "a",
        "/repo/x*/a": "",
        "/repo/xy/a": "",
      })
      assert.deepStrictEqual(paths, ["app/[id]/c", "app/i/a", "xy/a"])
    }),
  )

  it.effect("letting the inner file and the later line win", () =>
    Effect.gen(function* () {
      const paths = yield* shown({
        "/repo/.gitignore": "*.log\n!keep.log\nsub\n",
        "/repo/a.log": "",
        "/repo/keep.log": "",
        "/repo/src/.gitignore": "!a.log\nkeep.log\n!sub\n",
        "/repo/src/a.log": "",
        "/repo/src/keep.log": "",
        "/repo/src/sub/a": "",
        "/repo/src/sub/b.log": "",
      })
      assert.deepStrictEqual(paths, ["keep.log", "src/a.log", "src/sub/a"])
    }),
  )

  it.effect("and does not go back into a folder that is left out", () =>
    Effect.gen(function* () {
      const contents = {
        "/repo/.gitignore": "out\n!out/kept\n",
        "/repo/out/.gitignore": "!*\n!kept\n",
        "/repo/out/.vibeignore": "!kept\n",
        "/repo/out/kept": "",
      }
      const { read } = yield* opened(contents)
      assert.deepStrictEqual(yield* shown(contents), [])
      assert.strictEqual((yield* Effect.flip(read("out/kept"))).reason._tag, "Ignored")
    }),
  )

  it.effect("letting every .vibeignore win over every .gitignore", () =>
    Effect.gen(function* () {
      const paths = yield* shown({
        "/repo/.gitignore": "generated/\n",
        "/repo/.vibeignore": "!generated/\n*.snap\nsrc/private\n",
        "/repo/generated/api.ts": "",
        "/repo/src/.gitignore": "!a.snap\n",
        "/repo/src/a.snap": "",
        "/repo/src/private/x": "",
        "/repo/src/inner/.vibeignore": "!b.snap\n",
        "/repo/src/inner/b.snap": "",
      })
      assert.deepStrictEqual(paths, ["generated/api.ts", "src/inner/b.snap"])
    }),
  )

  it.effect("with .git/info/exclude as the weakest", () =>
    Effect.gen(function* () {
      const paths = yield* shown({
        "/repo/.git/info/exclude": "*.local\n*.tmp\n",
        "/repo/.gitignore": "!kept.tmp\n",
        "/repo/a.local": "",
        "/repo/deep/b.local": "",
        "/repo/a.tmp": "",
        "/repo/kept.tmp": "",
      })
      assert.deepStrictEqual(paths, ["kept.tmp"])
    }),
  )

  it.effect("counting the folders above the root, up to the top of the checkout", () =>
    Effect.gen(function* () {
      const contents = {
        "/.gitignore": "*",
        "/repo/.git/info/exclude": "*.local\n",
        "/repo/.gitignore": "*.log\n/packages/a/tied\n/tied\n",
        "/repo/packages/.gitignore": "*.tmp\n",
        "/repo/packages/.vibeignore": "*.snap\n",
        "/repo/packages/a/.gitignore": "!x.tmp\n",
        "/repo/packages/a/x.log": "",
        "/repo/packages/a/x.local": "",
        "/repo/packages/a/x.snap": "",
        "/repo/packages/a/x.tmp": "",
        "/repo/packages/a/y.tmp": "",
        "/repo/packages/a/tied": "",
        "/repo/packages/a/src/tied": "",
      }
      assert.deepStrictEqual(yield* shown(contents, "/repo/packages/a"), ["src/tied", "x.tmp"])
    }),
  )

  it.effect("but no folder above a root that is in no checkout", () =>
    Effect.gen(function* () {
      const contents = {
        "/above/.gitignore": "a",
        "/above/root/.gitignore": "b",
        "/above/root/a": "",
        "/above/root/b": "",
      }
      assert.deepStrictEqual(yield* shown(contents, "/above/root"), ["a"])
    }),
  )

  it.effect("but nothing from above a root that is itself ignored there", () =>
    Effect.gen(function* () {
      const contents = {
        "/repo/.git/HEAD": "",
        "/repo/.gitignore": "node_modules\n*.log\n",
        "/repo/node_modules/effect/.gitignore": "b\n",
        "/repo/node_modules/effect/a.log": "",
        "/repo/node_modules/effect/b": "",
      }
      assert.deepStrictEqual(yield* shown(contents, "/repo/node_modules/effect"), ["a.log"])
    }),
  )

  it.effect("unless they are links, or folders", () =>
    Effect.gen(function* () {
      const paths = yield* shown({
        "/git/info/exclude": "*",
        "/rules": "*",
        "/repo/.git": { link: "../git" },
        "/repo/.gitignore": { link: "../rules" },
        "/repo/.vibeignore/inner": "",
        "/repo/a": "",
      })
      assert.deepStrictEqual(paths, [".vibeignore/inner", "a"])
    }),
  )

  it.effect("also in a worktree, whose .git is a file", () =>
    Effect.gen(function* () {
      const contents = { "/tree/.git": "gitdir: /repo", "/tree/.gitignore": "b", "/tree/src/a": "", "/tree/src/b": "" }
      assert.deepStrictEqual(yield* shown(contents, "/tree/src"), ["a"])
    }),
  )

  it.effect("and is not held by one that means to hold it", () =>
    Effect.gen(function* () {
      const deep = `/repo/a/${"a/".repeat(55)}`
      const paths = yield* shown({
        "/repo/.gitignore": [
          "a/**/**/**/**/**/**/**/**/**/**/**/**/b",
          `${"**/a/".repeat(20)}b`,
          `a/${"**/a*/".repeat(20)}b`,
          `!a/${"**/a/".repeat(20)}c`,
          `*${"a*".repeat(40)}b`,
          `${"*?".repeat(40)}b`,
          "x/**/**/y",
        ].join("\n"),
        [`/repo/${"a".repeat(200)}.ts`]: "",
        [`${deep}c`]: "",
        "/repo/x/1/2/y": "",
        "/repo/x/1/2/z": "",
      })
      // What has too many `**` keeps out all below the third.
      assert.deepStrictEqual(paths, [`${"a".repeat(200)}.ts`, "x/1/2/z"])
    }),
  )

  it.effect("minding case, as git does", () =>
    Effect.gen(function* () {
      const paths = yield* shown({ "/repo/.gitignore": "Lib/\n", "/repo/Lib/a": "", "/repo/lib/a": "" })
      assert.deepStrictEqual(paths, ["lib/a"])
    }),
  )

  it.effect("reading each of them once, and seeking none that a listing did not show", () =>
    Effect.gen(function* () {
      const memory = Files.makeMemory({ "/repo/.gitignore": "x", "/repo/src/a": "", "/repo/docs/.gitignore": "y" })
      const sought: Array<string> = []
      const workspace = yield* Effect.provideService(Workspace.open("/repo"), Files.Files, {
        ...memory,
        readReal: (path, most) =>
          Effect.zipRight(
            Effect.sync(() => sought.push(path)),
            memory.readReal(path, most),
          ),
      })
      sought.length = 0
      yield* Repository.walk(workspace)
      yield* Repository.walk(workspace)
      assert.deepStrictEqual(sought.sort(), ["/repo/.gitignore", "/repo/docs/.gitignore"])
    }),
  )

  it.effect("and shows nothing of a folder whose ignore file cannot be read", () =>
    Effect.gen(function* () {
      const workspace = yield* opened({
        "/repo/a": "",
        "/repo/src/.gitignore": "#".repeat(Workspace.MAX_FILE_BYTES + 1),
        "/repo/src/b": "",
      })
      const { files, unreadable } = yield* Repository.walk(workspace)
      assert.deepStrictEqual([files.map(({ path }) => path), unreadable], [["a"], ["src"]])
      assert.strictEqual(
        (yield* Effect.flip(workspace.read("src/b"))).message,
        "/repo/src/.gitignore: larger than 2000000 bytes",
      )
    }),
  )

  it.effect("and linked worktrees of the same repository, which are projects of their own", () =>
    Effect.gen(function* () {
      const worktree = (folder: string, shared: string) => ({
        [`${folder}/.git`]: `gitdir: ${shared}/worktrees/${folder.slice(folder.lastIndexOf("/") + 1)}\n`,
        [`${folder}/src/a.py`]: "",
      })
      const contents = {
        "/repo/.git/HEAD": "",
        "/repo/.git/worktrees/w1/HEAD": "",
        "/repo/src/a.py": "",
        ...worktree("/repo/w1", "/repo/.git"),
        ...worktree("/repo/deep/w2", "/repo/.git"),
        ...worktree("/repo/deep/w2/w3", "/repo/.git"),
        // Written relative to the worktree, as Git may be told to.
        "/repo/w4/.git": "gitdir: ../.git/worktrees/w4\n",
        "/repo/w4/a.py": "",
        // Those of another repository, and a submodule, are a part of this one.
        "/other/.git/HEAD": "",
        ...worktree("/repo/guest", "/other/.git"),
        "/repo/module/.git": "gitdir: ../.git/modules/module\n",
        "/repo/module/a.py": "",
        "/repo/.git/modules/module/HEAD": "",
      }
      assert.deepStrictEqual(yield* shown(contents), ["guest/src/a.py", "module/a.py", "src/a.py"])
      assert.deepStrictEqual(yield* shown(contents, "/repo/w1"), ["src/a.py"])
      assert.deepStrictEqual(yield* shown(contents, "/repo/deep/w2"), ["src/a.py"])
      const { list } = yield* opened(contents)
      assert.strictEqual((yield* Effect.flip(list("w1/src"))).reason._tag, "Ignored")
      const bare = {
        "/bare/.bare/HEAD": "",
        "/bare/.git": "gitdir: ./.bare\n",
        ...worktree("/bare/main", "/bare/.bare"),
      }
      assert.deepStrictEqual(yield* shown(bare, "/bare"), [".bare/HEAD", "main/src/a.py"])
    }),
  )
})
