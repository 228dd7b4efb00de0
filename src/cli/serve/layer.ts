/**
 * The layers of `vibe serve`: those of a conversation in the terminal, without its view, and the storage for the pages.
 */
import { isConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Catalog from "../../app/Catalog.ts"
import * as Models from "../../app/Models.ts"
import * as OwnProcess from "../../app/OwnProcess.ts"
import { processEnvironment } from "../../app/OwnProcess.ts"
import * as RequestPolicy from "../../app/RequestPolicy.ts"
import * as NodeFiles from "../../code/Files/Node.ts"
import * as NodeWatcher from "../../code/Watcher/Node.ts"
import type * as AppConfig from "../../config/AppConfig.ts"
import * as Sources from "../../config/Sources.ts"
import * as UserFiles from "../../config/UserFiles.ts"
import * as Saves from "../../conversation/document/Saves.ts"
import { ForestError, Unwritable } from "../../forest/ForestError.ts"
import * as Ids from "../../message/Ids.ts"
import * as DraftStore from "../../server/DraftStore/Sqlite.ts"
import * as WikiFolder from "../../wiki/WikiStore/Folder.ts"
import * as CodeLayer from "../layers/CodeLayer.ts"
import * as ForestLayer from "../layers/ForestLayer.ts"
import * as OfferedToolsLayer from "../layers/OfferedToolsLayer.ts"
import * as Browser from "./Browser.ts"

export interface Options extends ForestLayer.Options, AppConfig.RequestPolicy {
  /** The folder that is served. */
  readonly path: string
}

/** The file of drafts is beside the forest. */
const drafts = ({ ephemeral, forest }: ForestLayer.Options) =>
  ephemeral
    ? DraftStore.layerMemory
    : Layer.unwrapEffect(
        Effect.map(Option.match(forest, { onNone: () => UserFiles.forestFile, onSome: Effect.succeed }), (file) =>
          DraftStore.layer(`${file}.drafts`),
        ),
      ).pipe(
        Layer.catchAll((error) =>
          Layer.fail(isConfigError(error) ? error : new ForestError({ reason: new Unwritable({ cause: error }) })),
        ),
      )

export const layer = (options: Options) =>
  Models.layer.pipe(
    Layer.provideMerge(Catalog.layer),
    Layer.provideMerge(Saves.layer),
    Layer.provideMerge(Browser.layer(processEnvironment())),
    Layer.provideMerge(OfferedToolsLayer.layer),
    Layer.provideMerge(NodeWatcher.layer),
    Layer.provideMerge(CodeLayer.git),
    Layer.provideMerge(WikiFolder.layer),
    Layer.provideMerge(CodeLayer.layer),
    Layer.provideMerge(drafts(options)),
    Layer.provideMerge(ForestLayer.layer(options)),
    Layer.provideMerge(Ids.layer),
    Layer.provideMerge(RequestPolicy.layer(options)),
    Layer.provideMerge(Sources.layer(options.path)),
    Layer.provideMerge(NodeFiles.layer),
    Layer.provideMerge(OwnProcess.limitMemory),
  )
