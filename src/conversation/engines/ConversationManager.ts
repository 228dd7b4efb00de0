/**
 * A conversation about a text that user and model both write: the current prompt.
 *
 * How an edit reaches the model: `updatePrompt` only changes the prompt, so that typing makes no messages. The prompt
 * counts as edited while it differs from the version that was last sent to the model. `notifyPromptEdited`, which a
 * turn calls by itself before each request, adds one notice to the history, however many edits there were. It adds no
 * notice if the last edit restored the version that the model has. The notice stays in the history: it shows at which
 * point the user changed the prompt, and keeps the user's text in the tree, whole or (for long texts) as a diff.
 * Requests have long texts in notices as diffs only.
 *
 * Why the prompt is also sent apart: it is not a message, but the state that messages are about. The history contains
 * each version of it, and the current one may be anywhere in it. So every request ends with the current prompt, and the
 * model does not overwrite the user's changes by accident. That line is sent and not stored, since the next request has
 * its own.
 *
 * Edits that the user makes while the model works have precedence: see `Document.revise`. The model's text stays in its
 * message.
 */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import * as SynchronizedRef from "effect/SynchronizedRef"
import type { GenerateEvent } from "../../agent/GenerateEvent.ts"
import type { GenerateOptions } from "../../agent/GenerateOptions.ts"
import * as LoomEngine from "../../agent/LoomEngine.ts"
import * as Forest from "../../forest/Forest.ts"
import type { ForestError } from "../../forest/ForestError.ts"
import * as MessageParts from "../../forest/MessageParts.ts"
import type { Draft, Node } from "../../forest/Node.ts"
import * as Block from "../../message/Block.ts"
import type * as Message from "../../message/Message.ts"
import type { NodeId } from "../../message/NodeId.ts"
import * as Usage from "../../message/Usage.ts"
import * as Document from "../document/Document.ts"
import * as PromptState from "../document/PromptState.ts"
import type { Version } from "../document/promptVersions.ts"
import * as Prompt from "../Prompt.ts"
import { userDraft } from "../storeMessage.ts"
import * as Turn from "../Turn.ts"
import { SessionBusy, type SessionError } from "./SessionError.ts"

/**
 * Keeps a conversation about a text that the user and the model both edit: the current prompt.
 *
 * When to use it: if what counts is a text that the conversation improves, as in `vibe chat --document`. A conversation
 * without such a text is a `ChatEngine`. A server with many users has one manager for each by `SessionManager`.
 *
 * Example:
 *
 * ```ts
 * import { Console, Effect, Layer, Stream } from "effect"
 * import { ConversationManager, Forest, Ids, LoomEngine, SqliteForestStore } from "vibe-index"
 * import { Scripted } from "vibe-index/provider"
 *
 * const program = Effect.gen(function* () {
 *   const manager = yield* ConversationManager.ConversationManager
 *   yield* Stream.runDrain(manager.respond("Describe a picture of a cat."))
 *   yield* Console.log(yield* manager.getCurrentPrompt())
 *   // The user types into the prompt. The next request says so to the model.
 *   yield* manager.updatePrompt("a black cat on a sofa")
 *   yield* Console.log(yield* manager.isPromptEdited())
 * })
 *
 * const model = Scripted.layer(["Here it is.\n\nPrompt: a cat on a sofa"])
 * const vibe = ConversationManager.layer({ owner: "example", systemPrompt: "Write prompts for pictures." }).pipe(
 *   Layer.provide(LoomEngine.layer),
 *   Layer.provide(Forest.layer),
 *   Layer.provide([model, SqliteForestStore.layerMemory, Ids.layer]),
 * )
 * await Effect.runPromise(Effect.provide(program, vibe))
 * // prints: a cat on a sofa
 * // prints: true
 * ```
 */
export class ConversationManager extends Context.Tag("vibe/conversation/engines/ConversationManager")<
  ConversationManager,
  Service
>() {}

/**
 * The methods of the specification: `AddUserMessage` is `addUserMessage`, and so on. While a turn runs, only the turn
 * itself adds messages.
 */
export interface Service {
  readonly addUserMessage: (content: string, pictures?: ReadonlyArray<Block.Image>) => Effect.Effect<void, ManagerError>
  /**
   * Adds a reply from elsewhere, and takes over the prompt in it. Without a prompt, or with a blank one, the prompt
   * stays.
   */
  readonly addAssistantMessage: (content: string, prompt?: string) => Effect.Effect<void, ManagerError>
  /** Returns the messages, oldest first: the path from the root of the tree, without the system prompt. */
  readonly getHistory: () => Effect.Effect<ReadonlyArray<Message.Message>, ForestError>
  /** Returns the current prompt, which is empty if there is none. */
  readonly getCurrentPrompt: () => Effect.Effect<string>
  /** Returns true if the current prompt has not been sent to the model yet. */
  readonly isPromptEdited: () => Effect.Effect<boolean>
  /**
   * Sets the prompt to the user's new text, at any time, and returns the result. A text that may have been made from an
   * older version needs `basedOn`, the text of that version: what the model has changed since is merged into it.
   */
  readonly updatePrompt: (newPrompt: string, options?: UpdateOptions) => Effect.Effect<Document.Document>
  /**
   * Merges the model's new text, made from the version it has, and returns the result. A blank text changes nothing.
   */
  readonly revisePrompt: (newPrompt: string) => Effect.Effect<Document.Document>
  /** Adds a notice of an edit to the history, once. A turn in progress does so itself. */
  readonly notifyPromptEdited: () => Effect.Effect<void, ForestError>
  /**
   * Returns the messages of a request: the system prompt (by default the tree's own), the history, the current prompt.
   */
  readonly buildLLMContext: (systemPrompt?: string) => Effect.Effect<ReadonlyArray<Message.Message>, ForestError>
  /**
   * Starts over without messages and without a prompt, and ends a turn in progress. The tree keeps all messages, and a
   * notice of an edit.
   */
  readonly clear: () => Effect.Effect<void, ForestError>

  /**
   * Runs one turn: stores the user's message, then runs the loop on the path. The prompt in the answer becomes the
   * current one. A message that was left without an answer can be sent again. If the answer is cancelled or aborted,
   * its text so far is stored, and a prompt in it is ignored.
   */
  readonly respond: (text: string, options?: TurnOptions) => Stream.Stream<GenerateEvent, ManagerError>
  /** The prompt, the version that the model has, and the conflicts of the last merge. */
  readonly document: Effect.Effect<Document.Document>
  /** The end of the history: a node, or the root. */
  readonly cursor: Effect.Effect<NodeId>
  /**
   * Continues after another node of the tree, or its root. The version of the prompt on that path becomes the one that
   * the model has. The edits that the user made after the paths part are applied to it; changes of a model on the old
   * path stay there. Fails with `SessionBusy` during a turn.
   */
  readonly moveTo: (node: NodeId) => Effect.Effect<Document.Document, ManagerError>
  /** The nodes of the history: its messages with ids, times, models and usage. */
  readonly nodes: Effect.Effect<ReadonlyArray<Node>, ForestError>
  /** The versions of the prompt on the path, oldest first, from the user and from models. */
  readonly versions: Effect.Effect<ReadonlyArray<Version>, ForestError>
  readonly status: Effect.Effect<Status>
  /**
   * Emits the present state, then each change of it: of the prompt by the user or the model, of the history, of the
   * status.
   */
  readonly changes: Stream.Stream<Change>
  /** Ends the turn in progress as a cancelled one, and returns whether there was one. */
  readonly stop: Effect.Effect<boolean>
}

export type Status = "idle" | "responding"

export interface Change {
  readonly cursor: NodeId
  readonly document: Document.Document
  readonly status: Status
}

export type { Version } from "../document/promptVersions.ts"

export interface UpdateOptions {
  /** The text that the user edited. By default it is the current prompt, so that the new one replaces it. */
  readonly basedOn?: string | undefined
}

/** The errors of a manager: `SessionBusy` if a turn is in progress, `BlankMessage` if there is nothing to answer. */
export type ManagerError = SessionError | ForestError

export interface TurnOptions
  extends Omit<GenerateOptions, "text" | "n" | "keepUnfinished" | "meanwhile" | "messageOf" | "onEvent">,
    Turn.MessageOptions {
  /** Pictures that the message shows, before its text, which may then be blank. */
  readonly pictures?: ReadonlyArray<Block.Image> | undefined
}

export interface Options {
  /** The owner of the tree. Conversations of one owner may share nodes, so each conversation needs its own. */
  readonly owner: string
  readonly systemPrompt: string
  /** The initial prompt; empty by default. */
  readonly prompt?: string | undefined
  /** Finds the prompt in a whole answer; `Prompt.extract` by default. */
  readonly extract?: ((answer: string) => string | undefined) | undefined
  /**
   * The node to continue after, which has the owner and the system prompt of its tree. The last prompt on the path, in
   * a reply or in a notice, is the version that the model has: if it differs from `prompt`, the user has edited it
   * since.
   */
  readonly from?: NodeId | undefined
  /** Begins with the last version of the prompt on the path, and with `prompt` only if the path has none. */
  readonly resumes?: boolean | undefined
  /** The version that the model has, from an earlier manager. By default it is read from the path. */
  readonly known?: string | undefined
  /** Returns the root that the conversation continues from after `clear`; by default it is the root of its tree. */
  readonly clearedRoot?: Effect.Effect<NodeId, ForestError> | undefined
}

interface State extends PromptState.PromptState {
  /** The controller of the turn in progress: aborting it ends the turn. */
  readonly turn: AbortController | undefined
}

/** Makes a manager. Its state is in memory, and its messages are in the forest. */
export const make = Effect.fn("ConversationManager.make")(function* (options: Options) {
  const { extract = Prompt.extract } = options
  const forest = yield* Forest.Forest
  const loom = yield* LoomEngine.LoomEngine
  const prompts = PromptState.make(forest, extract)
  const { notify } = prompts
  const { root, state } = yield* prompts.open(options)
  const ref = yield* SubscriptionRef.make<State>({ ...state, turn: undefined })

  /** Changes the state together with the tree: both, or neither. */
  const change = <E>(step: (state: State) => Effect.Effect<State, E>): Effect.Effect<void, E> =>
    Effect.uninterruptible(SynchronizedRef.updateEffect(ref, step))

  // This is uninterruptible like `change`: a caller that is interrupted while it takes the lock of the ref would keep
  // the lock.
  const changeDocument = (step: (document: Document.Document) => Document.Document) =>
    SynchronizedRef.updateAndGet(ref, (state) => ({ ...state, document: step(state.document) })).pipe(
      Effect.map((state) => state.document),
      Effect.uninterruptible,
    )

  const whenIdle = <E>(step: (state: State) => Effect.Effect<State, E>): Effect.Effect<void, E | SessionError> =>
    change<E | SessionError>((state) => (state.turn === undefined ? step(state) : Turn.refuse(new SessionBusy())))

  /** A turn may change the state only while it is the one in progress. */
  const during =
    (turn: AbortController) =>
    <E>(step: (state: State) => Effect.Effect<State, E>) =>
      change((state) => (state.turn === turn ? step(state) : Effect.succeed(state)))

  const cursor = Effect.map(SynchronizedRef.get(ref), (state) => state.cursor)
  const document = Effect.map(SynchronizedRef.get(ref), (state) => state.document)

  const moveTo: Service["moveTo"] = (target) =>
    Effect.zipRight(
      whenIdle((state) => prompts.moveTo(state, target, root.id)),
      document,
    )

  const add = (draft: Draft, prompt?: string) =>
    whenIdle((state) =>
      Effect.map(prompts.append(state, draft), ([state, nodes]) => prompts.follow(state, nodes, prompt)),
    )

  const path = Effect.flatMap(SynchronizedRef.get(ref), (state) =>
    Effect.map(forest.path(state.cursor), ({ nodes }) => ({ nodes, document: state.document })),
  )

  /**
   * Makes the additions to each request of a turn: the user's new messages, a notice of an edit, and the current
   * prompt.
   */
  const additionsIn =
    (turn: AbortController): NonNullable<Turn.Rounds["additions"]> =>
    (storeMessages, cursor) =>
      Effect.uninterruptible(
        SynchronizedRef.modifyEffect(ref, (state) =>
          state.turn === turn
            ? Effect.gen(function* () {
                const messages = yield* storeMessages
                const [next, notices] = yield* notify({ ...state, cursor: messages.at(-1)?.id ?? cursor })
                return [
                  { nodes: [...messages, ...notices], trailing: PromptState.currentPromptNotice(next.document) },
                  next,
                ]
              })
            : Effect.succeed([{ nodes: [], trailing: [] }, state]),
        ),
      )

  const begin = Effect.tap(
    Effect.sync(() => new AbortController()),
    (turn) => whenIdle((state) => Effect.succeed({ ...state, turn })),
  )

  /**
   * Moves the cursor to each node of the turn, and takes the prompt of a reply. `meanwhile` has already moved it to its
   * own nodes.
   */
  const advanceIn =
    (turn: AbortController): Turn.Rounds["advance"] =>
    (node, kind) =>
      kind === "input"
        ? Effect.void
        : during(turn)((state) =>
            Effect.succeed(prompts.follow({ ...state, cursor: node.id }, [node], prompts.promptOf(node))),
          )

  const end = (turn: AbortController) => during(turn)((state) => Effect.succeed({ ...state, turn: undefined }))

  const respond: Service["respond"] = (text, { messageStored, pictures, ...options } = {}) =>
    Stream.flatMap(Stream.acquireRelease(Effect.zipRight(Turn.requireText(text, pictures), begin), end), (turn) => {
      const signal = options.signal === undefined ? turn.signal : AbortSignal.any([options.signal, turn.signal])
      const reportStored = Effect.flatMap(SynchronizedRef.get(ref), (state) =>
        state.turn === turn ? (messageStored?.(state.cursor) ?? Effect.void) : Effect.void,
      )
      const asked = Effect.uninterruptible(
        Effect.zipRight(
          during(turn)((state) => prompts.storeMessage(state, text, pictures)),
          reportStored,
        ),
      )
      const run = Effect.map(Effect.zipRight(asked, cursor), (cursor) =>
        loom.generateStream(
          cursor,
          Turn.roundsAfter(forest, cursor, {
            ...options,
            signal,
            messageOf: prompts.messageOf,
            additions: additionsIn(turn),
            advance: advanceIn(turn),
          }),
        ),
      )
      return Stream.unwrap(run)
    })

  return ConversationManager.of({
    addUserMessage: (content, pictures) => add(userDraft(content, pictures)),
    addAssistantMessage: (content, prompt) => add(assistantDraft(content), prompt),
    getHistory: () => Effect.map(path, ({ nodes }) => MessageParts.messagesOf(nodes)),
    getCurrentPrompt: () => Effect.map(document, ({ text }) => text),
    isPromptEdited: () => Effect.map(document, Document.isEdited),
    updatePrompt: (newPrompt, { basedOn } = {}) =>
      changeDocument((document) => Document.edit(document, newPrompt, basedOn)),
    revisePrompt: (newPrompt) => changeDocument((document) => PromptState.reviseIfGiven(document, newPrompt)),
    notifyPromptEdited: () =>
      change((state) => (state.turn === undefined ? Effect.map(notify(state), first) : Effect.succeed(state))),
    buildLLMContext: (system = root.systemPrompt) =>
      Effect.map(path, ({ document, nodes }) => [
        ...(system === "" ? [] : [PromptState.notice(system)]),
        ...MessageParts.joinAll(nodes).map(prompts.messageOf),
        ...PromptState.currentPromptNotice(document),
      ]),
    clear: () =>
      change((state) =>
        Effect.gen(function* () {
          yield* notify(state)
          const cleared = yield* options.clearedRoot ?? Effect.succeed(state.root)
          state.turn?.abort("the conversation was cleared")
          return { root: cleared, cursor: cleared, document: Document.make(""), recorded: undefined, turn: undefined }
        }),
      ),
    respond,
    document,
    cursor,
    moveTo,
    nodes: Effect.map(path, ({ nodes }) => nodes),
    versions: Effect.map(path, ({ nodes }) => prompts.versionsIn(nodes)),
    status: Effect.map(SynchronizedRef.get(ref), statusOf),
    changes: ref.changes.pipe(
      Stream.map((state) => ({ cursor: state.cursor, document: state.document, status: statusOf(state) })),
      Stream.changesWith(
        (one, other) => one.cursor === other.cursor && one.document === other.document && one.status === other.status,
      ),
    ),
    stop: Effect.map(SynchronizedRef.get(ref), ({ turn }) => {
      turn?.abort("the answer was stopped")
      return turn !== undefined
    }),
  })
})

/** A layer with one manager for a whole program. Needs a `Forest` and a `LoomEngine`. */
export const layer = (
  options: Options,
): Layer.Layer<ConversationManager, ForestError, Forest.Forest | LoomEngine.LoomEngine> =>
  Layer.effect(ConversationManager, make(options))

const statusOf = ({ turn }: State): Status => (turn === undefined ? "idle" : "responding")

const first = <A>([first]: readonly [A, ...ReadonlyArray<unknown>]): A => first

/** Makes the draft of a reply. The caller gives neither its model nor its usage. */
const assistantDraft = (text: string): Draft => ({
  message: { role: "assistant", content: [Block.text(text)] },
  source: { type: "model", model: "unknown", finish: "stop", usage: Usage.none },
})
