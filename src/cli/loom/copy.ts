/** `vibe loom copy`: copies a conversation under another system prompt, or a branch to another place. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { plural } from "../../base/Plural.ts"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as Forest from "../../forest/Forest.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as SystemPrompt from "../conversation/SystemPrompt.ts"
import * as Screen from "../terminal/Screen.ts"
import type { CopyInput } from "./writeCommands.ts"

/** Copies the whole tree of a root, as `loom export` prints it. */
export const run = Effect.fn("cli.loom.copy")(function* ({ json, node, system, systemFile, to }: CopyInput) {
  const { err, out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const prompt = yield* SystemPrompt.resolve({ system, systemFile }, "loom copy")
  if (Option.isSome(prompt) === Option.isSome(to)) {
    const message = Option.isSome(to)
      ? "'loom copy' takes either a system prompt or --to NODE"
      : "'loom copy' needs --system TEXT, --system-file FILE or --to NODE"
    return yield* new UsageError({ message, command: "loom copy" })
  }
  const id = yield* NodeName.resolve(node)
  const copied = yield* Option.isSome(to)
    ? Effect.flatMap(NodeName.resolve(to.value), (parent) => forest.copy(id, parent, "branch"))
    : forest.operation(
        Effect.gen(function* () {
          const { root } = yield* forest.path(id, { last: 0 })
          const systemPrompt = Option.getOrElse(prompt, () => "")
          const tree = { owner: root.owner, systemPrompt }
          const { id: parent } = yield* root.key === undefined ? forest.root(tree) : forest.startConversation(tree)
          return yield* forest.copy(id, parent, id === root.id ? "branch" : "path")
        }),
      )
  if (json) return yield* Screen.line(out, sanitizeJson({ copied }))
  yield* Screen.line(out, sanitizeLine(copied.id))
  const known = copied.known === 0 ? "" : `, ${copied.known} were there already`
  yield* Screen.line(err, `${plural(copied.added, "message")} copied${known}`)
})
