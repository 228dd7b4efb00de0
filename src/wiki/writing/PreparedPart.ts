/** Gathers what a model is shown for the page of a part: its material, and the sources that the model has chosen. */
import * as Effect from "effect/Effect"
import type { Part, Plan } from "../Plan.ts"
import type { Asking } from "./Asking.ts"
import * as Material from "./Material.ts"
import type { MaterialLimits } from "./MaterialLimits.ts"
import * as PartMaterial from "./PartMaterial.ts"
import type * as PartRequest from "./PartRequest.ts"
import * as PartTopics from "./PartTopics.ts"
import type * as Project from "./Project.ts"
import * as SourceChoice from "./SourceChoice.ts"
import * as Sources from "./Sources.ts"

/** The material of a part, and the symbols whose sources are shown beside it. */
export interface PreparedPart {
  readonly gathered: PartMaterial.Gathered
  readonly chosen: ReadonlyArray<Material.Item>
  /** The symbols that the model could choose; some of them are shown if there is room left. */
  readonly open: ReadonlyArray<Material.Item>
}

/**
 * Gathers the material of some parts, and asks which sources their pages need if there is not room for all: for several
 * parts in one request.
 */
export const prepare: <E>(
  asking: Asking,
  project: Project.Project<E>,
  plan: Plan,
  names: ReadonlyArray<string>,
  limits: MaterialLimits,
) => Effect.Effect<ReadonlyMap<string, PreparedPart>, E> = Effect.fnUntraced(
  function* (asking, project, plan, names, limits) {
    const prepared = new Map<string, PreparedPart>()
    const offers: Array<SourceChoice.Offer> = []
    const topics = names.length === 0 ? new Map() : yield* PartTopics.assign(project, plan.parts)
    let before = 0
    for (const [at, part] of plan.parts.filter(({ name }) => names.includes(name)).entries()) {
      // Numbers begin anew in each group of pages.
      if (at % limits.together === 0) before = 0
      const gathered = yield* PartMaterial.gather(project, part, plan.parts, limits.part, topics, before)
      before = Material.lastOf(gathered.material)
      const offer = yield* SourceChoice.offerOf(project, part, gathered)
      const chosen = SourceChoice.chosenOf([offer]).get(part.name) ?? []
      prepared.set(part.name, { gathered, chosen, open: offer.open.map(({ item }) => item) })
      if (!SourceChoice.isSettled(offer, { sources: gathered.chosenTokens(limits.sources) })) offers.push(offer)
    }
    for (const group of SourceChoice.groupsOf(offers, limits)) {
      const numbers = yield* asking.ask(SourceChoice.questionOf(project.about, group), {
        purpose: "source",
        page: undefined,
      })
      for (const [name, chosen] of SourceChoice.chosenOf(group, numbers)) {
        const known = prepared.get(name)
        if (known !== undefined) prepared.set(name, { ...known, chosen })
      }
    }
    return prepared
  },
)

/** Adds the sources of a part to its material, those that a model has chosen before others. */
export const toInput = Effect.fnUntraced(function* <E>(
  project: Project.Project<E>,
  plan: Plan,
  part: Part,
  limits: MaterialLimits,
  { chosen, gathered, open }: PreparedPart,
) {
  const ranked = yield* PartMaterial.rankSources(project, gathered, chosen, open)
  const tokens = gathered.chosenTokens(limits.sources) + Sources.sizeOf(gathered.shown)
  const sources = yield* Sources.within(project, ranked, tokens)
  const input: PartRequest.Input = {
    about: project.about,
    part,
    parts: plan.parts,
    flows: plan.flows,
    ...gathered,
    files: gathered.filesWith(sources),
  }
  return input
})
