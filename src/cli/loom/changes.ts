/** Runs the commands of `vibe loom` that change messages and branches. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { plural } from "../../base/Prose.ts"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as Forest from "../../forest/Forest.ts"
import { editMessage } from "../../forest/MessageParts.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as SystemPrompt from "../conversation/SystemPrompt.ts"
import * as Screen from "../terminal/Screen.ts"
import * as NodeFormat from "./NodeFormat.ts"
import type { CopyInput, EditInput, JoinInput, MoveInput, SplitInput } from "./writeCommands.ts"

/** `vibe loom edit`: replaces the text of a message. */
export const edit = Effect.fn("cli.loom.edit")(function* ({ json, node, words }: EditInput) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const edited = yield* editMessage(forest, yield* NodeName.resolve(node), words.join(" "))
  const { titles } = yield* NodeFormat.loadLabels([])
  yield* Screen.line(out, json ? sanitizeJson({ node: NodeFormat.toObject(edited, titles) }) : edited.id)
})

/** `vibe loom split`: divides a message in two. */
export const split = Effect.fn("cli.loom.split")(function* ({ json, node, position }: SplitInput) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const { left, right } = yield* forest.split(yield* NodeName.resolve(node), position)
  if (!json) return yield* Screen.line(out, `${left.id}\n${right.id}`)
  const { titles } = yield* NodeFormat.loadLabels([])
  const object = { left: NodeFormat.toObject(left, titles), right: NodeFormat.toObject(right, titles) }
  yield* Screen.line(out, sanitizeJson(object))
})

/** `vibe loom join`: makes one message of two. */
export const join = Effect.fn("cli.loom.join")(function* ({ json, node }: JoinInput) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const joined = yield* forest.join(yield* NodeName.resolve(node))
  const { titles } = yield* NodeFormat.loadLabels([])
  yield* Screen.line(out, json ? sanitizeJson({ node: NodeFormat.toObject(joined, titles) }) : joined.id)
})

/** `vibe loom move`: moves a branch below another message of its tree. */
export const move = Effect.fn("cli.loom.move")(function* ({ json, node, to }: MoveInput) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const moved = yield* forest.move(yield* NodeName.resolve(node), yield* NodeName.resolve(to))
  const { titles } = yield* NodeFormat.loadLabels([])
  const line = sanitizeLine(`${moved.id} is below ${moved.parent}`)
  yield* Screen.line(out, json ? sanitizeJson({ node: NodeFormat.toObject(moved, titles) }) : line)
})

/**
 * `vibe loom copy`: copies a conversation under another system prompt, or a branch to another place. Copies the whole
 * tree of a root, as `loom export` prints it.
 */
export const copy = Effect.fn("cli.loom.copy")(function* ({ json, node, system, systemFile, to }: CopyInput) {
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
