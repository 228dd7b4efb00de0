import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Material from "../../../src/wiki/writing/Material.ts"
import * as MaterialLimits from "../../../src/wiki/writing/MaterialLimits.ts"
import * as PartMaterial from "../../../src/wiki/writing/PartMaterial.ts"
import * as PartRequest from "../../../src/wiki/writing/PartRequest.ts"
import * as SourceChoice from "../../../src/wiki/writing/SourceChoice.ts"
import * as Wiki from "./Wiki.fixture.ts"

const part = (name: string, ...files: ReadonlyArray<string>) => ({ name, title: name, line: "", files })

const colors = Array.from({ length: 60 }, (_, at) => `  shade${at}: "#00${at}",`).join("\n")

const files = {
  "src/config.ts": `/** What users may set. */
export const defaults = {
  // Seconds after which a request ends.
  timeout: 120,
  retry: { times: 3, wait: 2 },
  url: "https://example.org",
}

export const MAX_ITEMS = 500
export const WARN_INTERVAL = weeks(2)
export const IGNORED_PREFIXES = ["Content-", "If-"]
export const CURRENT_USER = findUser(environment)

export const palette = {
${colors}
}

export function merge(own: object) {
  return { ...defaults, ...own }
}
`,
  "src/start.ts": `import { merge } from "./config.ts"

/** Starts the shop. */
export function start(own: object) {
  if (own === undefined) return undefined
  return merge(own)
}
`,
}

const parts = [part("settings", "src/config.ts"), part("begin", "src/start.ts")]

const messageFor = (at: number) =>
  Effect.gen(function* () {
    const { project } = yield* Wiki.open(files)
    const [own = part("none")] = parts.slice(at)
    const gathered = yield* PartMaterial.gather(project, own, parts, MaterialLimits.defaults.part)
    return { gathered, message: PartRequest.messageOf([{ about: project.about, part: own, parts, ...gathered }]) }
  })

describe("the request for a part", () => {
  it.scoped("shows the defaults of settings and constants, each with a number that can be cited", () =>
    Effect.gen(function* () {
      const { gathered, message } = yield* messageFor(0)
      const number = /\[(\d+)\] defaults in src\/config\.ts:/.exec(message)?.[1]
      assert.strictEqual(gathered.material.items[Number(number) - 1]?.entry?.name, "defaults")
      assert.include(message, "  timeout: 120 — Seconds after which a request ends.")
      assert.include(message, "  retry: {times: 3, wait: 2}")
      assert.match(message, /\[\d+\] MAX_ITEMS = 500/)
      assert.match(message, /\[\d+\] WARN_INTERVAL = weeks\(2\)/)
      assert.match(message, /\[\d+\] IGNORED_PREFIXES = \["Content-", "If-"\]/)
      // The list of symbols has these, so they are not written a second time.
      assert.notInclude(message, "Values:")
      assert.notInclude(gathered.tables.join("\n"), "CURRENT_USER")
    }),
  )

  it.scoped("says the value of a constant beside what it is for, or of one that the list has no room for", () =>
    Effect.gen(function* () {
      const { project } = yield* Wiki.open({ "src/limits.ts": "/** Seconds to wait. */\nexport const TIMEOUT = 30\n" })
      const own = part("limits", "src/limits.ts")
      const gathered = yield* PartMaterial.gather(project, own, [own], MaterialLimits.defaults.part)
      assert.match(gathered.tables.join("\n"), /^Values: \[\d+\] TIMEOUT = 30$/)
    }),
  )

  it.scoped(
    "says the defaults that classes give different values, so that a page knows what a subclass overrides",
    () =>
      Effect.gen(function* () {
        const { project } = yield* Wiki.open({
          "src/command.py": `class Command:
    """Runs."""

    #: Whether further words are taken.
    extra = False

    #: The same for all.
    same = 1


class Group(Command):
    """Runs others."""

    #: Whether further words are taken.
    extra = True

    #: The same for all.
    same = 1
`,
        })
        const own = part("command", "src/command.py")
        const gathered = yield* PartMaterial.gather(project, own, [own], MaterialLimits.defaults.part)
        const values = gathered.tables.find((line) => line.startsWith("Values:")) ?? ""
        assert.match(values, /\[\d+\] Command\.extra = False; \[\d+\] Group\.extra = True/)
        assert.notInclude(values, "same")
      }),
  )

  it.scoped("shows little of a table that no user sets, however long it is", () =>
    Effect.gen(function* () {
      const { message } = yield* messageFor(0)
      assert.include(message, "shade1:")
      assert.notInclude(message, "shade50: ")
    }),
  )

  it.scoped("says which symbols of other parts use which of its own, each with a number that can be cited", () =>
    Effect.gen(function* () {
      const { gathered, message } = yield* messageFor(0)
      const number = /\[(\d+)\] merge\b/.exec(message)?.[1]
      const user = new RegExp(`- used by begin: 1 \\(\\[(\\d+)\\] start → \\[${number}\\]\\)`).exec(message)?.[1]
      assert.deepInclude(Material.citationAt(gathered.material, Number(user)), {
        path: "src/start.ts",
        symbol: "start",
      })
    }),
  )

  const callers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    Python: {
      "own/store.py": "def save(value):\n    if not value:\n        return None\n    return value\n",
      "other/run.py": "from own.store import save\n\n\ndef main(value):\n    return save(value)\n",
    },
    JavaScript: {
      "own/store.js": "export function save(value) {\n  return value ?? 0\n}\n",
      "other/run.js":
        'import { save } from "../own/store.js"\n\nexport function main(value) {\n  return save(value)\n}\n',
    },
    Ruby: {
      "own/store.rb": "module Store\n  def self.save(value)\n    value || 0\n  end\nend\n",
      "other/run.rb": 'require_relative "../own/store"\n\ndef main(value)\n  Store.save(value)\nend\n',
    },
    Go: {
      "go.mod": "module example.org/shop\n",
      "own/store.go": "package own\n\nfunc Save(value int) int {\n\treturn value + 1\n}\n",
      "other/run.go":
        'package other\n\nimport "example.org/shop/own"\n\nfunc main(value int) int {\n\treturn own.Save(value)\n}\n',
    },
  }

  for (const [language, sources] of Object.entries(callers)) {
    it.scoped(`numbers a caller in another part: ${language}`, () =>
      Effect.gen(function* () {
        const { project } = yield* Wiki.open(sources)
        const filesIn = (folder: string) => Object.keys(sources).filter((path) => path.startsWith(`${folder}/`))
        const own = part("own", ...filesIn("own"))
        const both = [own, part("other", ...filesIn("other"))]
        const gathered = yield* PartMaterial.gather(project, own, both, MaterialLimits.defaults.part)
        const cited = gathered.material.items.filter(({ path }) => path.startsWith("other/"))
        assert.deepStrictEqual(
          cited.map(({ entry }) => entry?.name),
          ["main"],
        )
        const offer = yield* SourceChoice.offerOf(project, own, gathered)
        assert.isTrue(offer.open.every(({ item }) => item.path.startsWith("own/")))
      }),
    )
  }
})
