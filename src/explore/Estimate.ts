/** Estimates what an exploration will cost before any request: symbols to explain, requests, and tokens. */
import * as Effect from "effect/Effect"
import type { Workspace } from "../code/Workspace.ts"
import type { Index } from "../index/IndexStore.ts"
import * as ProjectOverview from "../index/ProjectOverview.ts"
import * as Tokens from "../message/Tokens.ts"
import type { Usage } from "../message/Usage.ts"
import type { Tool } from "../tool/Tool.ts"
import { answerTokens } from "./Batch.ts"
import * as Batches from "./Batches.ts"
import { RECORDING } from "./ExplorationTools.ts"
import * as Instruction from "./Instruction.ts"

export interface Estimate {
  /**
   * The work of one exploration, and the work until all symbols are explained. They are equal if one exploration is
   * enough.
   */
  readonly one: Work
  readonly all: Work
  /** The first batch alone. */
  readonly firstBatch: Work
  /** The look around alone; nothing if the run begins with the batches. */
  readonly lookAround: Work
  /** The part of a second model, which explains types and constants; undefined without one. */
  readonly lite: { readonly one: Work; readonly all: Work } | undefined
  /** The most requests of one exploration. */
  readonly maxRequests: number
  /** True if sizes are estimated from a part of the files. */
  readonly isSampled: boolean
}

export interface Work {
  /** Symbols that are explained. */
  readonly symbols: number
  /** Includes the look around. */
  readonly requests: number
  /** Tokens as `message/Tokens` estimates them, which is rather too many than too few. */
  readonly inputTokens: number
  readonly outputTokens: number
}

export interface Options extends Batches.Options {
  /** The limits of the batches of a second model, which explains types and constants. */
  readonly lite?: Batches.Options | undefined
  /** The folder, as the user named it. */
  readonly rootPath: string
  /** True if the run begins with a look around (`ProjectMap.isDue`). True by default. */
  readonly isMapDue?: boolean | undefined
  /** The most requests of an exploration: `MAX_ITERATIONS` of the orchestrator. */
  readonly maxRequests: number
}

/**
 * The most files that are measured if more have open symbols: takes 0.2 s, with an error of 5 % at most in large
 * repositories.
 */
const MAX_FILES = 200

/**
 * Asks no model. `tools` are those of an exploration: each request of the look around declares them all, and a batch
 * declares only the one that records.
 */
export const make = Effect.fn("Estimate.make")(function* (
  workspace: Workspace,
  index: Batches.OpenSymbols & Pick<Index, "landmarks" | "map">,
  tools: ReadonlyArray<Tool>,
  { isMapDue = true, lite, maxRequests, rootPath, ...options }: Options,
) {
  const measure = (options: Batches.Options) => Batches.measure(workspace, index, { ...options, maxFiles: MAX_FILES })
  const own = yield* measure(lite === undefined ? options : { ...options, only: "code" })
  const ofLite = lite === undefined ? undefined : yield* measure({ ...lite, only: "definitions" })
  const batches = inTurns(own.batches, ofLite?.batches ?? [])
  const files = yield* index.files
  const map = yield* index.map
  const overview = yield* ProjectOverview.read(workspace, files)
  const landmarks = yield* index.landmarks(Instruction.MAX_LANDMARKS)
  const survey = { overview, map, hasBatches: true }
  const opening = Instruction.opening(rootPath, files, landmarks, maxRequests, survey)
  const task = Instruction.batch(map ?? "x".repeat(MAP), { area: "", text: "", symbols: [], tokens: 0 })
  const each = tokensOf(Instruction.system) + tokensOfTools(tools)
  const eachBatch = tokensOf(Instruction.system) + tokensOfTools(tools.filter(({ name }) => name === RECORDING))

  const surveyed: Work = {
    symbols: 0,
    requests: SURVEY_REQUESTS,
    inputTokens: SURVEY_REQUESTS * (each + tokensOf(opening)) + SURVEY_RESULTS,
    outputTokens: SURVEY_ANSWERS + tokensOf(map === undefined ? "x".repeat(MAP) : ""),
  }
  const lookAround = isMapDue ? surveyed : nothing
  const works = batches.map(({ size: { symbols, tokens }, isLite }) => ({
    isLite,
    symbols,
    requests: 1,
    inputTokens: eachBatch + tokensOf(task) + tokens,
    outputTokens: answerTokens(symbols),
  }))
  const inOne = works.slice(0, maxRequests - lookAround.requests)
  const estimate: Estimate = {
    one: sum(works.length === 0 ? [] : [lookAround, ...inOne]),
    all: sum(works.length === 0 ? [] : [lookAround, ...works]),
    firstBatch: sum(works.slice(0, 1)),
    lookAround,
    lite: ofLite && { one: sum(inOne.filter(isOfLite)), all: sum(works.filter(isOfLite)) },
    maxRequests,
    isSampled: own.isSampled,
  }
  return estimate
})

const isOfLite = ({ isLite }: { readonly isLite: boolean }): boolean => isLite

/**
 * Merges batches in the order in which they are sent: the next one always belongs to the model with fewer tokens so
 * far.
 */
const inTurns = (own: ReadonlyArray<Batches.Size>, lite: ReadonlyArray<Batches.Size>) => {
  const taken: [own: number, lite: number] = [0, 0]
  const merged: Array<{ readonly size: Batches.Size; readonly isLite: boolean }> = []
  for (let [i, j] = [0, 0]; i < own.length || j < lite.length; ) {
    const isLite = j < lite.length && (i >= own.length || taken[1] < taken[0])
    const size = isLite ? lite[j++] : own[i++]
    if (size === undefined) break
    taken[isLite ? 1 : 0] += size.tokens
    merged.push({ size, isLite })
  }
  return merged
}

/** A look around takes two requests: one to list the root and read some documents, and one to write the map. */
const SURVEY_REQUESTS = 2

/** Tokens of a listing and the beginning of some files. */
const SURVEY_RESULTS = 2_000

/** Tokens of the calls for them. */
const SURVEY_ANSWERS = 100

/** The characters of a map with 200 words. */
const MAP = 1_300

const tokensOf = (text: string): number => Math.ceil(0.3 * Tokens.lengthOf(text))

const tokensOfTools = (tools: ReadonlyArray<Tool>): number =>
  tokensOf(tools.map(({ description, name, parameters }) => JSON.stringify({ name, description, parameters })).join(""))

const nothing: Work = { symbols: 0, requests: 0, inputTokens: 0, outputTokens: 0 }

/** The estimate of an exploration that has nothing to do. */
export const none: Pick<Estimate, "firstBatch" | "lookAround"> = { firstBatch: nothing, lookAround: nothing }

export const add = (one: Work, other: Work): Work => sum([one, other])

const sum = (works: ReadonlyArray<Work>): Work =>
  works.reduce(
    (all, work): Work => ({
      symbols: all.symbols + work.symbols,
      requests: all.requests + work.requests,
      inputTokens: all.inputTokens + work.inputTokens,
      outputTokens: all.outputTokens + work.outputTokens,
    }),
    nothing,
  )

/** Subtracts a part of the work. */
export const without = (work: Work, part: Work | undefined): Work =>
  part === undefined
    ? work
    : {
        symbols: work.symbols - part.symbols,
        requests: work.requests - part.requests,
        inputTokens: work.inputTokens - part.inputTokens,
        outputTokens: work.outputTokens - part.outputTokens,
      }

/** Converts work to the usage that a provider would count without a cache. */
export const usageOf = ({ inputTokens, outputTokens }: Work): Usage => ({
  inputTokens,
  outputTokens,
  thinkingTokens: 0,
  cachedTokens: 0,
})

/** How many explorations of `maxRequests` requests all of it takes. */
export const explorations = ({ all, maxRequests }: Estimate): number => Math.ceil(all.requests / maxRequests)
