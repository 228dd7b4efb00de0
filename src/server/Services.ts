/** Composes the services of the server over a forest, drafts, and what is served. Built once for each server. */
import * as Layer from "effect/Layer"
import * as LoomEngine from "../agent/LoomEngine.ts"
import type { Workspace } from "../code/Workspace.ts"
import * as SessionManager from "../conversation/engines/SessionManager.ts"
import * as LanguageModel from "../model/LanguageModel.ts"
import * as EventHub from "./EventHub.ts"
import * as IndexRuns from "./IndexRuns.ts"
import * as LiveConversations from "./LiveConversations.ts"
import * as ProjectIndex from "./ProjectIndex.ts"
import * as Served from "./Served.ts"

/** Makes the services. `workspace` is the served folder, with the selection of a new index. */
export const layer = (served: Served.Service, workspace: Workspace) =>
  LiveConversations.layer.pipe(
    Layer.provideMerge(IndexRuns.layer),
    Layer.provideMerge(ProjectIndex.layer(workspace)),
    Layer.provideMerge(
      SessionManager.layer({ systemPrompt: served.systemPrompt, extract: LiveConversations.findDocument }),
    ),
    Layer.provideMerge(Layer.effect(LoomEngine.LoomEngine, LoomEngine.make)),
    Layer.provideMerge(Layer.succeed(LanguageModel.LanguageModel, served.model)),
    Layer.provideMerge(EventHub.layer(served.server)),
    Layer.provideMerge(Layer.succeed(Served.Served, served)),
  )
