/** Functions that are named in strings, in small projects with real outlines. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { IndexEntry } from "../../../src/index/IndexEntry.ts"
import * as FileGraph from "../../../src/wiki/FileGraph.ts"
import * as Calls from "../../../src/wiki/flows/Calls.ts"
import * as CallTree from "../../../src/wiki/flows/CallTree.ts"
import * as NamedTargets from "../../../src/wiki/flows/NamedTargets.ts"
import { layer, type Project } from "../../index/IndexStore/references/References.fixture.ts"
import { withIndex } from "../../index/IndexStore.fixture.ts"

/** `1 M.clone.run at 5 through "git.clone"`, for each call of a flow. */
const callsFrom = (name: string, files: Project) =>
  withIndex("/p", files, (index) =>
    Effect.gen(function* () {
      const graph = yield* FileGraph.read(index)
      const reader = Calls.readerOf(index, graph.files, (path) => Effect.succeed(files[path]))
      const [start] = yield* index.find(name)
      if (start === undefined) return assert.fail(`${name} is not found`)
      const { calls } = yield* CallTree.follow(index, graph, start, reader)
      return calls
        .slice(1)
        .map(
          ({ depth, entry, given, lines }) =>
            `${depth} ${entry.qualifiedName} at ${lines.join()}${given === undefined ? "" : ` through ${given.holder}`}`,
        )
    }),
  ).pipe(Effect.provide(layer))

const lua: Project = {
  "lua/manage/init.lua": `local M = {}

function M.run(opts)
  return opts.pipeline
end

function M.install(opts)
  require("task.git")
  return M.run({
    pipeline = {
      "git.clone",
      { "git.checkout", lockfile = opts.lockfile },
      "git.unknown",
      "plugin.docs",
    },
  })
end

return M
`,
  "lua/task/git.lua": `local M = {}

M.clone = {
  skip = function(plugin)
    return plugin.installed
  end,
  run = function(self)
    return self.name
  end,
}

function M.checkout(self)
  return self
end

return M
`,
  "lua/one/plugin.lua": "local M = {}\n\nfunction M.docs(self)\n  return self\nend\n\nreturn M\n",
  "lua/two/plugin.lua": "local M = {}\n\nfunction M.docs(self)\n  return self\nend\n\nreturn M\n",
}

describe("CallTree.follow", () => {
  it.effect("follows functions that a string names by file and name, unless two have this name", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* callsFrom("install", lua), [
        "1 M.run at 9",
        '1 M.clone.run at 11 through "git.clone"',
        '1 M.checkout at 12 through "git.checkout"',
      ])
    }),
  )

  it.effect("finds functions of Python modules, and none for the names of modules that are loaded", () =>
    Effect.gen(function* () {
      const files: Project = {
        "app/tasks.py": "def send(text):\n    return text\n",
        "app/queue.py": `def start(queue):
    queue.put("tasks.send")
    queue.put('tasks:missing')
    return import_module("app.tasks")
`,
      }
      assert.deepStrictEqual(yield* callsFrom("start", files), ['1 send at 2 through "tasks.send"'])
    }),
  )
})

describe("NamedTargets.canName", () => {
  it("is true for a text with a string of two names, and false for other strings", () => {
    for (const text of ['run("git.clone")', "run('git:clone')", 'require("app.tasks")'])
      assert.isTrue(NamedTargets.canName(text), text)
    for (const text of ["git.clone()", 'say("hello.")', 'open("http://example.org")', "run(\"git.clone')"])
      assert.isFalse(NamedTargets.canName(text), text)
  })
})

describe("NamedTargets.make", () => {
  /** The number of times that symbols of a file are asked for, for the names in a function and 200 files. */
  const countLookUps = (...names: ReadonlyArray<string>): number => {
    let count = 0
    const symbolsIn = () =>
      Effect.sync(() => {
        count += 1
        return []
      })
    const files = Array.from({ length: 200 }, (_, at) => `p${at}/types.ts`)
    const source = names.map((name) => `"${name}"`).join("\n")
    Effect.runSync(NamedTargets.make({ symbolsIn }, files, () => Effect.succeed(source))(start))
    return count
  }
  const start = new IndexEntry({
    path: "a.ts",
    name: "start",
    kind: "function",
    startLine: 1,
    endLine: 9,
    signature: "",
    exported: true,
    usedBy: 0,
    isMajor: true,
    hash: "h",
  })
  const namesIn = (file: string) => Array.from({ length: 1_000 }, (_, at) => `${file}.x${at}`)

  it("looks up at most 24 names of a function, whether they are found or not, and each once", () => {
    assert.strictEqual(countLookUps(...namesIn("types")), 24 * 200)
    assert.strictEqual(countLookUps("types.x", "types.x"), 200)
  })

  it("does not count strings that name no file", () => {
    assert.strictEqual(countLookUps(...namesIn("other"), "types.x"), 200)
  })
})
