/** The forest with the interface of the conversation-tree bench that lies next to the checkout. */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Forest from "../../src/forest/Forest.ts"
import * as Sqlite from "../../src/forest/ForestStore/Sqlite.ts"
import type { Draft } from "../../src/forest/Node.ts"
import * as Block from "../../src/message/Block.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Message from "../../src/message/Message.ts"
import type { NodeId } from "../../src/message/NodeId.ts"

interface Said {
  readonly role: string
  readonly text: string
}

const draft = ({ role, text }: Said): Draft => ({
  message: role === "user" ? Message.user(text) : { role: "assistant", content: [Block.text(text)] },
  source: { type: "user" },
})

export const open = ({ dir }: { readonly dir: string }) => {
  const store = Sqlite.layer(path.join(dir, "forest.db"))
  const runtime = ManagedRuntime.make(Forest.layer.pipe(Layer.provide([store, Ids.layer])))
  const forest = runtime.runSync(Forest.Forest)
  const root = runtime.runSync(forest.root({ owner: "bench", systemPrompt: "" })).id
  const append = (parent: NodeId, said: ReadonlyArray<Said>) =>
    Effect.runSync(forest.append(parent, said.map(draft))).map(({ id }) => id)
  return {
    root: () => root,
    append: (parent: NodeId, message: Said) => append(parent, [message])[0],
    appendMany: append,
    match: (parent: NodeId, said: ReadonlyArray<Said>) => append(parent, said).at(-1),
    path: (id: NodeId, last?: number) => Effect.runSync(forest.path(id, { last })).nodes.map(({ message }) => message),
    last: () => Effect.runSync(forest.leaves(1))[0]?.id,
    bulk: (size: number, message: (k: number, salt: string) => Said) => {
      // As many trunks as the other arms have: the depth stays at 1,000.
      for (let done = 0; done < size; done += 1000) {
        append(
          root,
          Array.from({ length: 1000 }, (_, k) => message(k, `t${done}-`)),
        )
      }
    },
    close: () => runtime.dispose(),
  }
}
