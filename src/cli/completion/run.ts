/** Runs `vibe completion`. */

import * as path from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as Forest from "../../forest/Forest.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as Git from "../../review/Git.ts"
import { Commands } from "../Table.ts"
import * as Screen from "../terminal/Screen.ts"
import * as Completion from "./Completion.ts"
import type { Input } from "./command.ts"
import * as SymbolWords from "./SymbolWords.ts"
import { FILES, type Shell, scripts } from "./scripts.ts"

/** The names that the user's configuration defines: a port, so that settings are only read for a name. */
export class Configured extends Context.Tag("vibe/cli/completion/Configured")<Configured, ConfiguredNames>() {}

/** If settings are invalid, only the names of vibe itself are offered. */
export interface ConfiguredNames {
  /** The ids of the models of the catalogue, as `vibe models` lists them. */
  readonly models: Effect.Effect<ReadonlyArray<string>>
  /** The ids of the models that Ollama has pulled; empty if it is on another machine, or does not answer at once. */
  readonly pulledModels: Effect.Effect<ReadonlyArray<string>>
  /**
   * The ids that begin with `prefix` of the models that servers of the user list. A server is asked only if its models
   * may be meant, and one on another machine only if `prefix` names it.
   */
  readonly listedModels: (prefix: string) => Effect.Effect<ReadonlyArray<string>>
  /** The names of `[agents.NAME]`. */
  readonly agents: Effect.Effect<ReadonlyArray<string>>
  /** The names of `[presets.NAME]`. */
  readonly presets: Effect.Effect<ReadonlyArray<string>>
}

/** The most branches and tags that are looked at. */
const MAX_COMMITS = 1000

/** The most nodes that are offered. */
const MAX_NODES = 20

export const run = Effect.fn("cli.completion")(function* ({ words }: Input) {
  const { out } = yield* Screen.Screen
  const [shell, extra] = words.filter((word) => !word.startsWith("="))
  const name = shell ?? "bash"
  if (!isShell(name)) return yield* usageError(`there is no completion for '${name}'; there is for bash, zsh and fish`)
  if (extra !== undefined) return yield* usageError(`unexpected argument '${extra}'`)
  const typed = Completion.unprefix(words)
  if (typed.length === 0) return yield* Screen.line(out, scripts[name])
  const { before = "", names, words: candidates } = Completion.candidates(yield* yield* Commands, typed)
  if (names === "files") return yield* Screen.line(out, FILES)
  if (names === "symbols") {
    const found = SymbolWords.complete(typed, path.resolve(".")) ?? [FILES]
    return yield* Screen.line(out, found.map(sanitizeLine).join("\n"))
  }
  const prefix = (typed.at(-1) ?? "").slice(before.length)
  const titles = names === "nodes" || names === "bookmarks" ? yield* bookmarks(prefix) : []
  const others = yield* othersOf(names, prefix)
  for (const word of new Set([...candidates, ...[...titles, ...others].map((word) => before + word)]))
    yield* Screen.line(out, Completion.quote(name, sanitizeLine(word)))
})

/** The prefix of the ids of Ollama's models. */
const OLLAMA = "ollama/"

const othersOf = Effect.fnUntraced(function* (names: Completion.Candidates["names"], prefix: string) {
  const configured = yield* Configured
  const isMeant = (name: string) => name.startsWith(prefix)
  switch (names) {
    case "nodes":
      return yield* nodes(prefix)
    case "commits":
      return yield* commits(prefix)
    case "models": {
      const agents = Effect.map(configured.agents, (own) => [...Completion.agents, ...own].map((name) => `cli/${name}`))
      // A server is asked only if its models may be meant.
      const mayBePulled = isMeant(OLLAMA) || prefix.startsWith(OLLAMA)
      const pulled = mayBePulled ? yield* configured.pulledModels : []
      const listed = yield* configured.listedModels(prefix)
      return [...(yield* configured.models), ...pulled, ...listed, ...(yield* agents)].filter(isMeant)
    }
    case "agents":
      return (yield* configured.agents).filter(isMeant)
    case "presets":
      return (yield* configured.presets).filter(isMeant)
    default:
      return []
  }
})

const isShell = (name: string): name is Shell => Object.hasOwn(scripts, name)

const usageError = (message: string) => new UsageError({ message, command: "completion" })

const bookmarks = Effect.fnUntraced(function* (prefix: string) {
  const forest = yield* Forest.Forest
  return (yield* forest.bookmarks).map(({ title }) => title).filter((title) => title.startsWith(prefix))
})

/** Lists the ids with this prefix; if it is empty, the newest ends of conversations. */
const nodes = Effect.fnUntraced(function* (prefix: string) {
  const forest = yield* Forest.Forest
  const ids =
    prefix === "" ? (yield* forest.leaves(MAX_NODES)).map(({ id }) => id) : yield* forest.idsByPrefix(prefix, MAX_NODES)
  const short = yield* NodeName.shortNames(ids)
  return ids.map(short)
})

/** Lists the branches and tags of the repository around the current folder; empty if there is no repository. */
const commits = Effect.fnUntraced(function* (prefix: string) {
  const patterns = ["refs/heads", "refs/remotes", "refs/tags"]
  const output = yield* Effect.option(
    Git.read(path.resolve("."), ["for-each-ref", "--format=%(refname:short)", `--count=${MAX_COMMITS}`, ...patterns]),
  )
  if (output._tag === "None") return []
  return output.value
    .toString("utf8")
    .split("\n")
    .filter((name) => name !== "" && name.startsWith(prefix))
})
