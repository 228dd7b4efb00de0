/** Lets a model judge the touched statements among findings. Loaded only if one is named; nothing is written. */
import * as Effect from "effect/Effect"
import { TurnEvent } from "../../agent/TurnEvent.ts"
import { plural } from "../../base/Prose.ts"
import { sanitizeLine } from "../../base/Sanitize.ts"
import type { Workspace } from "../../code/Workspace.ts"
import type { Index } from "../../index/IndexStore.ts"
import * as Cost from "../../model/Cost.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import type { ModelError } from "../../model/ModelError.ts"
import { type Finding, rules } from "../../review/Findings.ts"
import type { Page } from "../../wiki/Page.ts"
import * as Asking from "../../wiki/writing/Asking.ts"
import * as MaterialLimits from "../../wiki/writing/MaterialLimits.ts"
import { readProject } from "../../wiki/writing/readProject.ts"
import * as TouchedStatements from "../../wiki/writing/TouchedStatements.ts"
import * as TurnNotices from "../conversation/TurnNotices.ts"
import { tokens } from "../index/Progress.ts"
import * as Screen from "../terminal/Screen.ts"

export interface Judged {
  /** The findings with verdicts. A statement that could not be judged stays touched. */
  readonly findings: ReadonlyArray<Finding>
  /** The error of the provider if it has kept the model from judging any statement. */
  readonly refused: ModelError | undefined
}

export const judgeFindings = Effect.fn("judgeFindings")(function* (
  model: LanguageModel.Service,
  { index, workspace }: { readonly index: Index; readonly workspace: Workspace },
  pages: ReadonlyArray<Page>,
  findings: ReadonlyArray<Finding>,
) {
  const { err } = yield* Screen.Screen
  const asked = new Set(findings.flatMap((finding) => keyOfFinding(finding) ?? []))
  if (asked.size === 0) return { findings, refused: undefined }
  const notify = TurnNotices.print(err)
  const asking = yield* Asking.make({
    model,
    thinking: undefined,
    observer: {
      retry: (retrying) => notify(TurnEvent.RetryScheduled(retrying)),
      replaced: (by, error) => notify(TurnEvent.ModelReplaced({ by, error })),
    },
    onEvent: (event) =>
      event._tag === "Failed"
        ? Screen.line(err, sanitizeLine(`vibe: statements are not judged: ${event.reason}`))
        : Effect.void,
  })
  const project = yield* readProject(index, workspace)
  const touched = yield* TouchedStatements.find(project, pages, ({ text }, { name }) => asked.has(keyOf(name, text)))
  const verdicts = yield* TouchedStatements.assess(asking, project, touched, MaterialLimits.of(model))
  const byKey = new Map(
    touched.flatMap(({ page, statement }) => {
      const verdict = verdicts.get(statement)
      return verdict === undefined ? [] : [[keyOf(page, statement.text), verdict] as const]
    }),
  )
  const { cost, requests, usage } = yield* asking.spent
  const spent = `${plural(requests, "request")}, ${tokens(usage)} tokens${cost === 0 ? "" : `, ${Cost.describe(cost)}`}`
  const unjudged = asked.size - byKey.size
  const left = unjudged === 0 ? "" : `, and ${plural(unjudged, "statement")} could not be judged`
  const end = (yield* asking.end)?._tag === "Budget" ? ", since the limit of the run is reached" : ""
  yield* Screen.line(
    err,
    sanitizeLine(`vibe: ${model.id} judged ${plural(byKey.size, "statement")}${left}${end}: ${spent}`),
  )
  const refused = byKey.size === 0 ? yield* asking.refused : undefined
  const judged = findings.map((finding): Finding => {
    const key = keyOfFinding(finding)
    if (key === undefined) return finding
    const verdict = byKey.get(key)
    if (verdict === undefined) return { ...finding, verdict: "unjudged" }
    if (verdict.verdict === "holds") return { ...finding, verdict: "holds" }
    const rule = "untrue-statement"
    const { correction } = verdict
    return { ...finding, rule, level: rules[rule].level, verdict: "untrue", correction }
  })
  return { findings: judged, refused }
})

const keyOf = (page: string, text: string): string => `${page}\0${text}`

const keyOfFinding = ({ rule, statement }: Finding): string | undefined =>
  rule === "touched-statement" && statement !== undefined ? keyOf(statement.page, statement.text) : undefined
