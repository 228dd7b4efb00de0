/** The services that the command passes to the server: ports, since `cli/` and `app/` choose their adapters. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { SessionError } from "../chat/SessionError.ts"
import type { ForestError } from "../forest/ForestError.ts"
import type { GenerateError } from "../loom/GenerateError.ts"
import type { ModelId } from "../message/ModelId.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import type { Deprecation, Price } from "../model/ModelEntry.ts"
import type { TextFile } from "../session/document/TextFile.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import { Refused } from "./api/Conversations.ts"

export class Served extends Context.Tag("vibe/server/Served")<Served, Service>() {}

export interface Service {
  /** Names this run of the server. */
  readonly server: string
  /** The folder that is served, absolute. */
  readonly folder: string
  /** The system prompt of new conversations. */
  readonly systemPrompt: string
  /** The file beside the conversation, where one was named. */
  readonly file?: TextFile | undefined
  /** The system prompt of conversations about that file. */
  readonly filePrompt: string
  /** The model that answers where none is named. */
  readonly model: LanguageModel.Service
  /** Why that model answers nothing, such as for want of a key, as a sentence: then messages are sent to others only. */
  readonly refusal?: string | undefined
  /** Opens another model, once. Fails with a sentence. */
  readonly openModel: (id: ModelId) => Effect.Effect<LanguageModel.Service, string>
  readonly models: Effect.Effect<ReadonlyArray<ModelSummary>>
  /** The price of a model by the name in its replies. */
  readonly price: (model: string) => Effect.Effect<Price | undefined>
  /** The tools that models may call; none where the user offers none. The first use starts the tool servers. */
  readonly tools: Effect.Effect<ToolRegistry.Service> | undefined
  /** A failure as a sentence, with what to do about it. */
  readonly describe: (failure: ForestError | GenerateError | SessionError) => string
}

/** The model that answers where none is named. Fails where it answers nothing. */
export const requireModel = ({ model, refusal }: Service): Effect.Effect<LanguageModel.Service, Refused> =>
  refusal === undefined ? Effect.succeed(model) : new Refused({ message: refusal })

export interface ModelSummary {
  readonly id: string
  /** Its provider has a key or needs none, or its server answers. */
  readonly usable: boolean
  /** The environment variable of the key that is missing. */
  readonly needs?: string | undefined
  /** Tokens. */
  readonly context?: number | undefined
  /** US dollars for a million tokens. */
  readonly input?: number | undefined
  readonly output?: number | undefined
  readonly deprecation?: Deprecation | undefined
}
