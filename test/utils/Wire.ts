/** The recorded provider traffic that lies beside the checkout, where it is present. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect } from "effect"

const folder = path.resolve(import.meta.dirname, "../../../shared/wire")

export const isPresent = fs.existsSync(folder)

export interface Exchange {
  readonly request: { readonly path: string | null; readonly body: unknown }
  readonly response: { readonly status: number; readonly headers: Record<string, string>; readonly body: string }
}

export interface Expected {
  readonly protocol: string
  readonly toolCalls?: ReadonlyArray<{ readonly name: string; readonly args: unknown }>
}

/** As `wire/README.md` has it, as far as tests look at it themselves. */
export interface Fixture {
  /** Its path below the provider's folder. */
  readonly name: string
  readonly exchanges: ReadonlyArray<Exchange>
  readonly expected: ReadonlyArray<Expected>
}

/** Every fixture of one provider, sorted by name; none where the folder is absent. */
export const fixtures = (provider: string): ReadonlyArray<Fixture> => {
  const root = path.join(folder, provider)
  if (!fs.existsSync(root)) return []
  return fs
    .readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => ({ ...JSON.parse(fs.readFileSync(path.join(root, name), "utf8")), name }))
}

/** The fixture of this name, without its ending. */
export const fixture = (provider: string, name: string): Fixture => ({
  ...JSON.parse(fs.readFileSync(path.join(folder, provider, `${name}.json`), "utf8")),
  name,
})

/** What a command printed and how it ended. */
export interface Run {
  readonly code: number
  readonly printed: unknown
}

/** The judge that drives the commands, used here on what it would have read from one. */
export interface Conformance {
  /** What the first exchange of a fixture asks for. */
  readonly expectation: (fixture: Fixture) => { readonly kind: "ok" | "error" | "either" }
  /** `undefined` where the run is right. */
  readonly compare: (want: ReturnType<Conformance["expectation"]>, run: Run) => string | undefined
}

export const conformance: Effect.Effect<Conformance> = Effect.promise(
  () => import(path.join(folder, "conformance.mjs")),
)
