/** Forests in files: made, changed behind the back of the forest, destroyed and read again. */
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Effect, Layer } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import type { ForestError } from "../../src/forest/ForestError.ts"
import * as Sqlite from "../../src/forest/ForestStore/Sqlite.ts"
import * as ForestStore from "../../src/forest/ForestStore.ts"
import type { Node } from "../../src/forest/Node.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Message from "../../src/message/Message.ts"
import type { NodeId } from "../../src/message/NodeId.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"
import { draft } from "./forests.ts"

export const newFile = Effect.map(temporaryFolder, (folder) => path.join(folder, "state", "forest.db"))

/** As a process of its own would open it: nothing is remembered from before. */
export const opened = <A, E>(file: string, use: (forest: Forest.Service) => Effect.Effect<A, E>) =>
  Effect.flatMap(Forest.Forest, use).pipe(
    Effect.provide(Layer.fresh(Forest.layer.pipe(Layer.provide([Sqlite.layer(file), Ids.layer])))),
  )

export const planted = (file: string, ...texts: ReadonlyArray<string>) =>
  opened(file, (forest) =>
    Effect.gen(function* () {
      const { id } = yield* forest.root({ owner: "a", systemPrompt: "" })
      const nodes = yield* forest.append(id, texts.map(draft))
      return { root: id, ids: nodes.map(({ id }) => id) }
    }),
  )

/** Writes by hand what vibe would not. */
export const tampered = (file: string, statement: string) =>
  Effect.sync(() => {
    const database = new DatabaseSync(file)
    database.exec(`pragma foreign_keys = off; ${statement}`)
    database.close()
  })

export const verified = <E>(store: Layer.Layer<ForestStore.ForestStore, E>) =>
  Effect.provide(
    Effect.flatMap(ForestStore.ForestStore, ({ verify }) => verify),
    Layer.fresh(store),
  )

export const reasonOf = <A>(effect: Effect.Effect<A, ForestError>) =>
  Effect.map(Effect.flip(effect), ({ reason }) => reason._tag)

export const texts = (file: string, id: NodeId) =>
  opened(file, (forest) =>
    Effect.map(forest.path(id), ({ nodes }) => nodes.map(({ message }) => Message.text(message))),
  )

export const whyOf = ({ source }: Node) => (source.type === "unreadable" ? source.why : undefined)
