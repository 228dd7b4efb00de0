/** `vibe show --callers --callees --impact`: the relations of symbols. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { plural } from "../../base/Prose.ts"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import type { Found } from "../../lookup/findSymbols.ts"
import type { Project } from "../../lookup/Project.ts"
import * as Relations from "../../lookup/Relations.ts"
import * as RelationsText from "../../lookup/RelationsText.ts"
import * as RepositoryPath from "../../lookup/repositories/RepositoryPath.ts"
import * as Screen from "../terminal/Screen.ts"
import type { Input } from "./command.ts"

const DEFAULT_DEPTH = 3

const DEFAULT_LIMIT = 30

/** The most symbols of one name that are shown, the most used first. */
const MAX_SYMBOLS = 5

/** Prints the relations of the symbols that the argument names. */
export const show = Effect.fn("cli.show.relations")(function* (input: Input, project: Project, found: Found) {
  const { err, out } = yield* Screen.Screen
  const { callees, callers, impact, json, symbol } = input
  if (found.named.length === 0) {
    const message = `'${symbol}' is a ${found.folder === undefined ? "file" : "folder"}: --callers, --callees and --impact are about a symbol, such as PATH:NAME${found.namesakes > 0 ? `, or :${symbol}` : ""}`
    return yield* new UsageError({ message, command: "show" })
  }
  const ordered = found.named.toSorted((one, other) => other.usedBy - one.usedBy)
  const wanted: Relations.Wanted = {
    callers,
    callees,
    impact,
    depth: Option.getOrElse(input.depth, () => DEFAULT_DEPTH),
    limit: Option.getOrElse(input.limit, () => DEFAULT_LIMIT),
  }
  const shown = ordered.slice(0, MAX_SYMBOLS)
  const all = yield* Effect.forEach(shown, (entry) => Relations.find(project, entry, wanted))
  // Uses by name are searched once for a name, not for each symbol that has it.
  const groups = callers ? Array.from(Map.groupBy(shown, ({ name }) => name).values()) : []
  const named = yield* Effect.forEach(groups, (entries) => Relations.findNamedUses(project, entries, wanted.limit))
  if (json) {
    const { repositories } = project
    const symbols = all.map((relations) => ({
      ...RepositoryPath.toJson(repositories, relations.entry.path),
      ...RelationsText.toJson(relations),
    }))
    const object = {
      symbols,
      ...(callers && { named: named.map(RelationsText.namedToJson) }),
      ...(repositories && { repositories }),
    }
    yield* Screen.line(out, sanitizeJson(object))
  } else {
    const columns = out.isTerminal ? yield* out.columns : undefined
    const format = { style: out.style, columns, displayPath: project.displayPath }
    const sections = [
      ...all.map((relations) => RelationsText.format(relations, format)),
      ...named.map((uses, at) => RelationsText.formatNamed(uses, (groups[at]?.length ?? 0) > 1, format)),
    ]
    yield* Screen.line(out, sections.filter((section) => section !== "").join("\n\n"))
  }
  const others = ordered.slice(MAX_SYMBOLS)
  const [next] = others
  if (next !== undefined) {
    const example = `${project.displayPath(next.path)}:${next.qualifiedName}`
    yield* Screen.line(
      err,
      sanitizeLine(
        `vibe: ${plural(others.length, "more symbol")} of that name; name one by PATH:NAME, such as ${example}`,
      ),
    )
  }
})
