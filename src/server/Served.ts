/** The services that the command passes to the server: ports, since `cli/` and `app/` choose their adapters. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { GenerateError } from "../agent/GenerateError.ts"
import type { TextFile } from "../conversation/document/TextFile.ts"
import type { SessionError } from "../conversation/engines/SessionError.ts"
import type { ForestError } from "../forest/ForestError.ts"
import type { ModelId } from "../message/ModelId.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import type { Deprecation, Price } from "../model/ModelEntry.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import { Refused } from "./api/Conversations.ts"

/** The port that the server listens on, which is known once it does. */
export class Port extends Context.Tag("vibe/server/Port")<Port, number>() {}

export class Served extends Context.Tag("vibe/server/Served")<Served, Service>() {}

export interface Service {
  /** A name for this run of the server. */
  readonly server: string
  /** The folder that is served, absolute. */
  readonly folder: string
  /** The system prompt of new conversations. */
  readonly systemPrompt: string
  /** The file beside the conversation, if the command line names one. */
  readonly file?: TextFile | undefined
  /** The system prompt of conversations about that file. */
  readonly filePrompt: string
  /** The model that answers if a request names none. */
  readonly model: LanguageModel.Service
  /**
   * Why that model cannot answer, such as a missing key, as a sentence; then messages are sent only to other models.
   */
  readonly refusal?: string | undefined
  /** Opens another model, each model once. Fails with a sentence. */
  readonly openModel: (id: ModelId) => Effect.Effect<LanguageModel.Service, string>
  readonly models: Effect.Effect<ReadonlyArray<ModelSummary>>
  /** The price of a model by the name in its replies. */
  readonly price: (model: string) => Effect.Effect<Price | undefined>
  /** The tools that models may call; undefined if the user offers none. The first use starts the tool servers. */
  readonly tools: Effect.Effect<ToolRegistry.Service> | undefined
  /** Describes a failure in a sentence that also says what to do about it. */
  readonly describe: (failure: ForestError | GenerateError | SessionError) => string
}

/** Returns the model that answers if a request names none. Fails if that model cannot answer. */
export const requireModel = ({ model, refusal }: Service): Effect.Effect<LanguageModel.Service, Refused> =>
  refusal === undefined ? Effect.succeed(model) : new Refused({ message: refusal })

export interface ModelSummary {
  readonly id: string
  /** True if its provider has a key or needs none, or its server answers. */
  readonly usable: boolean
  /** The environment variable of the key that is missing. */
  readonly needs?: string | undefined
  /** The size of its context window in tokens. */
  readonly context?: number | undefined
  /** The price of a million input tokens in US dollars; `output` likewise. */
  readonly input?: number | undefined
  readonly output?: number | undefined
  readonly deprecation?: Deprecation | undefined
}
