/**
 * Tells a check which of the symbols that a statement cites or names use each other, by resolved references: a call
 * through a field or a default stands in no source that shows where it leads.
 */
import * as Effect from "effect/Effect"
import { sanitizeLine } from "../../base/Sanitize.ts"
import type { Statement } from "../Page.ts"
import type * as CheckRequest from "./CheckRequest.ts"
import * as Material from "./Material.ts"
import type * as Project from "./Project.ts"

/** A statement with the symbols that it cites, each with its label if its source is shown. */
export interface Citing {
  readonly statement: Statement
  readonly items: ReadonlyArray<{ readonly item: Material.Item; readonly label: string | undefined }>
}

export interface Uses {
  readonly source: CheckRequest.Source | undefined
  /** The statements that the lines of the source are about. */
  readonly about: ReadonlySet<Statement>
}

/** The label of the source that lists them. */
export const LABEL = "R1"

/** The most lines for a statement, and for all of a request. */
const MAX_EACH = 3
const MAX_LINES = 16

/**
 * Lists the uses between the symbols of each statement, as `S3 uses Router.not_found`, and the calls through
 * what they are given, as `S3 calls what $handler holds: S4 is given there, by Client.__construct`.
 */
export const gather: <E>(project: Project.Project<E>, citing: ReadonlyArray<Citing>) => Effect.Effect<Uses, E> =
  Effect.fnUntraced(function* (project, citing) {
    const lines = new Set<string>()
    const about = new Set<Statement>()
    for (const { items, statement } of citing) {
      const cited = new Map(items.map(({ item, label }) => [Material.keyOf(item), label]))
      const names = new Set(
        Array.from(statement.text.matchAll(/`([^`]+)`/g), ([, name = ""]) => name.replace(/\(.*$/, "")),
      )
      let left = MAX_EACH
      for (const { item, label } of items) {
        if (label === undefined || item.entry === undefined) continue
        const uses: ReadonlyArray<Project.Use & Partial<Project.GivenCall>> = [
          ...(yield* project.givenCalls(item)),
          ...(yield* project.callees(item)),
        ]
        for (const use of uses) {
          const name = Material.nameOf(use.item)
          const key = Material.keyOf(use.item)
          const isMeant = cited.has(key) || names.has(name) || names.has(use.item.entry?.qualifiedName ?? "")
          if (!isMeant || key === Material.keyOf(item) || left === 0 || lines.size >= MAX_LINES) continue
          left -= 1
          about.add(statement)
          const used = cited.get(key) ?? name
          lines.add(
            use.holder !== undefined
              ? `${label} calls what ${sanitizeLine(use.holder)} holds: ${used} is given there${use.by === undefined ? "" : `, by ${sanitizeLine(use.by)}`}`
              : `${label} ${use.isType ? "names the type" : "uses"} ${used}`,
          )
        }
      }
    }
    const source = { label: `${LABEL} Resolved references`, lines: Array.from(lines) }
    return { source: lines.size === 0 ? undefined : source, about }
  })
