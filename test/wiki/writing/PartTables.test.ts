import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as MaterialLimits from "../../../src/wiki/writing/MaterialLimits.ts"
import * as PartMaterial from "../../../src/wiki/writing/PartMaterial.ts"
import * as PartRequest from "../../../src/wiki/writing/PartRequest.ts"
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
    return { gathered, message: PartRequest.messageOf({ about: project.about, part: own, parts, ...gathered }) }
  })

describe("the request for a part", () => {
  it.scoped("shows the defaults of settings and constants, each with a number that can be cited", () =>
    Effect.gen(function* () {
      const { gathered, message } = yield* messageFor(0)
      const number = /\[(\d+)\] defaults in src\/config\.ts:/.exec(message)?.[1]
      assert.strictEqual(gathered.material.items[Number(number) - 1]?.entry?.name, "defaults")
      assert.include(message, "  timeout: 120 — Seconds after which a request ends.")
      assert.include(message, "  retry: {times: 3, wait: 2}")
      assert.match(message, /Values: \[\d+\] MAX_ITEMS = 500/)
      assert.match(message, /\[\d+\] WARN_INTERVAL = weeks\(2\)/)
      assert.match(message, /\[\d+\] IGNORED_PREFIXES = \["Content-", "If-"\]/)
      assert.notMatch(message, /\[\d+\] CURRENT_USER = /)
    }),
  )

  it.scoped("shows little of a table that no user sets, however long it is", () =>
    Effect.gen(function* () {
      const { message } = yield* messageFor(0)
      assert.include(message, "shade1:")
      assert.notInclude(message, "shade50: ")
    }),
  )

  it.scoped("says which symbols of other parts use which of its own", () =>
    Effect.gen(function* () {
      const { message } = yield* messageFor(0)
      const number = /\[(\d+)\] merge /.exec(message)?.[1]
      assert.include(message, `- used by begin: 1 (start → [${number}])`)
    }),
  )
})
