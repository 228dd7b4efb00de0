/** The events of a run of `vibe index`, for its display. */
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import type { IndexError } from "../index/IndexError.ts"
import type { RefreshProgress } from "../index/RunProgress.ts"
import type { Usage } from "../message/Usage.ts"
import type { Report } from "./Report.ts"

export type IndexEvent = Data.TaggedEnum<{
  /**
   * Another run explores the folder; this one begins when that has ended. `process` is its process id, if it is known.
   */
  Waiting: { readonly process: number | undefined }
  /** The first event, or the first after the wait. `model` is `provider/name`. */
  Started: { readonly root: string; readonly model: string }
  /** The structure is being brought up to date. */
  Refreshing: RefreshProgress
  /** The structure is up to date, and the exploration begins. */
  Structured: { readonly files: number; readonly symbols: number; readonly parsed: number; readonly hidden: number }
  /** A model has written a map of the project, or found that the one of an earlier run still holds. */
  Mapped: { readonly map: string }
  /** Workers elsewhere answer the batches of a run. `state` is the state of the run when it was found or made. */
  Distributed: {
    readonly run: string
    readonly state: string
    readonly batches: number
    readonly workers: number
  }
  /** Workers elsewhere do not go on with a run. `advice` says why, or what to do about it. */
  Stalled: { readonly run: string; readonly advice: string }
  /** Open symbols are sent in batches from here on. `symbols` is their number. */
  Planned: { readonly symbols: number }
  /**
   * How many requests the run will have made at its end. The number grows if a batch is sent in parts, or symbols once
   * more.
   */
  Expected: { readonly requests: number }
  /**
   * A batch is sent. `number` counts the batches of the run from 1, `area` is written for the user, and `isAgain` is
   * true if its symbols are asked for once more.
   */
  BatchSent: {
    readonly number: number
    readonly area: string
    readonly symbols: number
    readonly model: string
    readonly isAgain: boolean
  }
  /**
   * A batch has ended. `reason` says why some or all of its symbols stay open or weak; it is undefined if they are
   * asked for again. `isSplit` is true if the batch was too long and is sent again in parts.
   */
  BatchEnded: {
    readonly number: number
    readonly area: string
    readonly symbols: number
    readonly explained: number
    readonly reason: string | undefined
    readonly isSplit?: boolean | undefined
    /** True if the model refused the batch, as opposed to an answer without purposes. */
    readonly isRefused?: boolean | undefined
  }
  /** A request is sent to the model: number `iteration` of at most `limit` in this exploration. */
  Asked: { readonly iteration: number; readonly limit: number }
  /**
   * A reply is stored. `total` is the usage of all replies so far, and `cost` their cost in US dollars; undefined if a
   * price is unknown.
   */
  Answered: { readonly text: string; readonly total: Usage; readonly cost?: number | undefined }
  /** `batch` is the number of the batch; undefined for the look around. */
  ToolCalled: {
    readonly name: string
    readonly parameters: Readonly<Record<string, unknown>>
    readonly batch?: number | undefined
  }
  ToolStarted: {
    readonly name: string
    readonly parameters: Readonly<Record<string, unknown>>
    readonly batch?: number | undefined
  }
  ToolFinished: {
    readonly name: string
    readonly text: string
    readonly isError: boolean
    readonly batch?: number | undefined
  }
  /** Purposes were stored. `purposesWritten` counts them in this run so far. */
  Recorded: { readonly purposesWritten: number }
  /** All results of a turn are sent back to the model. */
  ResultsSent: { readonly count: number }
  Retrying: { readonly attempt: number; readonly delay: Duration.Duration; readonly reason: string }
  /** Another model answers instead of the requested one. */
  Replaced: { readonly by: string; readonly reason: string }
  /** The conversation was too long for the model: `leftOut` tool results were left out. */
  Compacted: { readonly leftOut: number; readonly reason: string }
  /**
   * The wiki is written from here on: so many pages, and statements that are judged since their symbols have changed.
   */
  PagesPlanned: { readonly pages: number; readonly statements: number }
  /** A page of the wiki was written and stored. */
  PageWritten: { readonly page: string; readonly title: string; readonly words: number }
  /** A page of the wiki was not written, or not as it should be. `page` is undefined if the whole wiki is concerned. */
  PageFailed: { readonly page: string | undefined; readonly reason: string }
  /**
   * The run failed or was interrupted. Its purposes so far are stored, unless `lost` gives a reason. `usage` is that of
   * the replies that have arrived, and `cost` their cost in US dollars; undefined if a price is unknown.
   */
  Stopped: {
    readonly purposesWritten: number
    readonly lost: IndexError | undefined
    readonly usage: Usage
    readonly cost: number | undefined
  }
  /** The last event, unless the run stopped. */
  Finished: { readonly report: Report }
}>
export const IndexEvent = Data.taggedEnum<IndexEvent>()
