/** The words by which an agent starts vibe's server. Pure. */
import * as path from "node:path"
import * as Context from "effect/Context"
import type { Words } from "./Agent.ts"

/**
 * The ways to start vibe:
 * - `path`: this Node and this vibe, or the executable that is both. It works without PATH, which editors often lack if
 *   they are started from a desktop, and starts fastest, but only on this machine.
 * - `local`: the vibe that the project depends on, on every machine that has the project's dependencies. On others,
 *   `--no` forbids npx to fetch a package.
 * - `npx`: works on every machine that has Node, and fetches vibe if the project does not have it.
 */
export type Way = "path" | "local" | "npx"

export const ways: ReadonlyArray<Way> = ["path", "local", "npx"]

/** The ways as part of a sentence. */
export const waysText = "path, local or npx"

const PACKAGE = "vibe-index"

/**
 * True if the registry of npm has vibe. Until then `npx -y vibe-index` cannot start, or would run whatever another
 * author publishes under that name, so it is never the default. The first release sets this to true.
 */
const IS_PUBLISHED: boolean = false

/** The place of an entry: the scope of its file, and whether its agent can start the project's own vibe. */
export interface Place {
  readonly scope: "project" | "user"
  /** True if the project's `package.json` depends on vibe, and the agent starts its servers in the project. */
  readonly isDependency: boolean
}

/**
 * Chooses `local` if that works, else `path`. Once vibe is published, it chooses `npx` for a file that a team shares,
 * and for a vibe that is itself in a cache of npx, since such a cache is emptied.
 */
export const choose = (
  { isDependency, scope }: Place,
  machine: Pick<Service, "node" | "script">,
  isPublished: boolean = IS_PUBLISHED,
): Way => {
  if (isDependency) return "local"
  // The executable is for machines without Node, and so without npx.
  if (isExecutable(machine)) return "path"
  const { script } = machine
  return isPublished && (scope === "project" || /[\\/]_npx[\\/]/.test(script)) ? "npx" : "path"
}

/** Returns whether Node and vibe are one file. */
const isExecutable = ({ node, script }: Pick<Service, "node" | "script">): boolean => node === script

export const words = (way: Way, machine: Pick<Service, "node" | "script">): Words => {
  const { node, script } = machine
  switch (way) {
    case "path":
      return isExecutable(machine) ? [node, "mcp"] : [node, script, "mcp"]
    case "local":
      return ["npx", "--no", PACKAGE, "mcp"]
    case "npx":
      return ["npx", "-y", PACKAGE, "mcp"]
  }
}

/** Makes Windows start npx, which is a batch file there, for an agent that does not do so itself. */
export const throughShell = (words: Words): Words => (words[0] === "npx" ? [...SHELL, ...words] : words)

const SHELL = ["cmd", "/c"] as const

/**
 * Returns whether words come from `words` or `throughShell`, on any machine, and even if Node or vibe has moved since.
 */
export const isWritten = (given: ReadonlyArray<string>): boolean => {
  if (SHELL.every((word, place) => given[place] === word)) return given[2] === "npx" && isWritten(given.slice(2))
  const [node = "", script = "", last] = given
  if (given.length === 2 && script === "mcp" && isAbsolute(node) && executable.test(node)) return true
  const isPath = isAbsolute(node) && isAbsolute(script) && /[\\/]bin\.(?:js|ts)$/i.test(script)
  if (isPath && last === "mcp" && given.length === 3) return /[\\/]node(?:js)?(?:\.exe)?$/i.test(node)
  const machine = { node: "", script: "" }
  return [words("local", machine), words("npx", machine)].some(
    (each) => each.length === given.length && each.every((word, place) => word === given[place]),
  )
}

/** The name of the one executable, as it is installed or downloaded. */
const executable = /[\\/]vibe(?:-(?:linux|darwin|win32)-(?:x64|arm64))?(?:\.exe)?$/i

const isAbsolute = (file: string): boolean => path.posix.isAbsolute(file) || path.win32.isAbsolute(file)

/** Returns whether the text of a `package.json` names vibe as a dependency. */
export const isDependencyIn = (packageJson: string): boolean => {
  try {
    const json: unknown = JSON.parse(packageJson)
    return ["dependencies", "devDependencies", "optionalDependencies"].some((key) =>
      hasKey(fieldOf(json, key), PACKAGE),
    )
  } catch {
    // npm does not read such a file either.
    return false
  }
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const hasKey = (value: unknown, key: string): boolean => isObject(value) && Object.hasOwn(value, key)

const fieldOf = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined

export class Machine extends Context.Tag("vibe/install/Launch/Machine")<Machine, Service>() {}

export interface Service {
  /** The path of the Node that runs, or of the executable that vibe is one file with. */
  readonly node: string
  /** The real path of vibe's script. For the single executable, which takes no script, it is the path of `node`. */
  readonly script: string
  readonly platform: NodeJS.Platform
}
