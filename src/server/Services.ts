/** What the server is made of, over a forest, drafts, and what is served. Built once for each server. */
import * as Layer from "effect/Layer"
import * as SessionManager from "../chat/SessionManager.ts"
import * as LoomEngine from "../loom/LoomEngine.ts"
import * as LanguageModel from "../model/LanguageModel.ts"
import * as EventHub from "./EventHub.ts"
import { findDocument } from "./internal/answerText.ts"
import * as LiveConversations from "./LiveConversations.ts"
import * as Served from "./Served.ts"

export const layer = (served: Served.Service) =>
  LiveConversations.layer.pipe(
    Layer.provideMerge(SessionManager.layer({ systemPrompt: served.systemPrompt, extract: findDocument })),
    Layer.provideMerge(Layer.effect(LoomEngine.LoomEngine, LoomEngine.make)),
    Layer.provideMerge(Layer.succeed(LanguageModel.LanguageModel, served.model)),
    Layer.provideMerge(EventHub.layer(served.server)),
    Layer.provideMerge(Layer.succeed(Served.Served, served)),
  )
