/**
 * A conversation beside a text that user and model both write: the current prompt.
 *
 * How the model hears of an edit: `updatePrompt` changes the prompt and nothing else, so that somebody who types makes
 * no messages. The prompt is edited as long as it differs from what the model knows of it. `notifyPromptEdited`, which
 * a turn does by itself before each request, puts one notice with the whole text into the history, however many edits
 * there were, and none where the last of them went back to what the model knows. The notice stays in its place: it
 * tells later readers, models among them, when the user stepped in, and keeps the user's words on the tree.
 *
 * Why the prompt travels apart: it is no message, but the state that messages are about. In the history it stands as
 * many times as it was changed, the newest anywhere; so every request ends with it as it is now, however many turns ago
 * that came about, and a model has no reason to write over what the user made of it. That line is sent and not kept,
 * for the next request has another.
 *
 * What the user edits while the model works wins: see `Document.revise`. The model's text stays in its message.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as SynchronizedRef from "effect/SynchronizedRef"
import * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import type { Draft, Node } from "../forest/Node.ts"
import { readTail } from "../forest/readTail.ts"
import type { GenerateEvent } from "../loom/GenerateEvent.ts"
import type { GenerateOptions } from "../loom/GenerateOptions.ts"
import * as LoomEngine from "../loom/LoomEngine.ts"
import * as Block from "../message/Block.ts"
import * as Message from "../message/Message.ts"
import type { NodeId } from "../message/NodeId.ts"
import * as Usage from "../message/Usage.ts"
import * as Document from "./Document.ts"
import * as Steering from "./internal/steering.ts"
import * as Prompt from "./Prompt.ts"
import { BlankMessage, type Reason, SessionBusy, SessionError } from "./SessionError.ts"

export class ConversationManager extends Context.Tag("vibe/chat/ConversationManager")<ConversationManager, Service>() {}

/** `AddUserMessage` of the specification is `addUserMessage`, and so on. While a turn runs, messages are its own. */
export interface Service {
  readonly addUserMessage: (content: string) => Effect.Effect<void, ManagerError>
  /** What a model said elsewhere, and the prompt it gave with it; without one, or with a blank one, the prompt stays. */
  readonly addAssistantMessage: (content: string, prompt?: string) => Effect.Effect<void, ManagerError>
  /** Oldest first: the path from the root of the tree. The system prompt is none of it. */
  readonly getHistory: () => Effect.Effect<ReadonlyArray<Message.Message>, ForestError>
  /** Empty where there is none. */
  readonly getCurrentPrompt: () => Effect.Effect<string>
  /** Whether the model does not know the prompt as it stands. */
  readonly isPromptEdited: () => Effect.Effect<boolean>
  /** The user's new prompt, at any time. */
  readonly updatePrompt: (newPrompt: string) => Effect.Effect<void>
  /** The model's new prompt, made from the one it knows; a blank one changes nothing. What came of it. */
  readonly revisePrompt: (newPrompt: string) => Effect.Effect<Document.Document>
  /** Tells the model of an edit, once, by a notice in the history. A turn that runs does so itself. */
  readonly notifyPromptEdited: () => Effect.Effect<void, ForestError>
  /** What a request says: the system prompt (the tree's own unless another is given), the history, the current prompt. */
  readonly buildLLMContext: (systemPrompt?: string) => Effect.Effect<ReadonlyArray<Message.Message>, ForestError>
  /** Begins anew: no messages, no prompt. Ends a turn that runs. What was said stays on the tree, an edit too. */
  readonly clear: () => Effect.Effect<void, ForestError>

  /**
   * A turn: keeps what the user says, then runs the loop on the path. The prompt in its answer becomes the current one.
   * Saying again what was left without an answer asks again. Of an answer that is let go or aborted the words that have
   * come are kept; the prompt in them is not taken.
   */
  readonly respond: (text: string, options?: TurnOptions) => Stream.Stream<GenerateEvent, ManagerError>
  /** The prompt with what the model knows of it, and what has been merged. */
  readonly document: Effect.Effect<Document.Document>
  /** Where the history ends: a node, or the root. */
  readonly cursor: Effect.Effect<NodeId>
}

/** `SessionBusy`: a turn is running. `BlankMessage`: there is nothing to answer. */
export type ManagerError = SessionError | ForestError

export interface TurnOptions extends Omit<GenerateOptions, "text" | "n" | "keepUnfinished" | "meanwhile" | "stored"> {
  /**
   * Asked before each request but the first what the user has said since, nothing where that is blank: it is kept, and
   * the model hears it with the results of its tools.
   */
  readonly meanwhile?: Effect.Effect<string> | undefined
  /** Called with the node of the message once it is stored, before the model is asked. */
  readonly messageStored?: ((node: NodeId) => Effect.Effect<void>) | undefined
}

export interface Options {
  /** Whose tree it is. Conversations of one owner may share nodes, so each gets its own. */
  readonly owner: string
  readonly systemPrompt: string
  /** What the prompt is to begin with; empty by default. */
  readonly prompt?: string | undefined
  /** Finds the prompt in a whole answer; `Prompt.extract` by default. */
  readonly extract?: ((answer: string) => string | undefined) | undefined
  /**
   * The node that the conversation goes on from; its tree counts, with its owner and its system prompt. What the model
   * knows is the last prompt that it gave on the path, or was told of by a notice: where that is another than `prompt`,
   * the user has edited it meanwhile.
   */
  readonly from?: NodeId | undefined
  /** What the model knows there, where whoever makes the manager can tell better than the path: it held one before. */
  readonly known?: string | undefined
}

interface State {
  readonly cursor: NodeId
  readonly document: Document.Document
  /** Of the turn that is running: aborting it ends the turn. */
  readonly turn: AbortController | undefined
}

/** Its state lives as long as it is held; its messages are kept where the forest is. */
export const make = Effect.fn("ConversationManager.make")(function* (options: Options) {
  const { extract = Prompt.extract, from, known, owner, prompt = "", systemPrompt } = options
  const forest = yield* Forest.Forest
  const loom = yield* LoomEngine.LoomEngine

  /** Of an answer that is complete; what calls tools goes on. */
  const promptOf = ({ message, source }: Node): string | undefined =>
    source.type === "model" && source.finish === "stop" ? spoken(extract(Message.text(message))) : undefined

  /** The prompt that the model knows by the last of these nodes that say one. */
  const knownBy = (nodes: ReadonlyArray<Node>): string | undefined =>
    nodes.map((node) => promptOf(node) ?? toldBy(node)).findLast((prompt) => prompt !== undefined)

  const { nodes, root } =
    from === undefined
      ? { nodes: [], root: yield* forest.root({ owner, systemPrompt }) }
      : yield* readTail(forest, from, 8, (nodes) => (known ?? knownBy(nodes)) !== undefined)
  const ref = yield* SynchronizedRef.make<State>({
    cursor: from ?? root.id,
    document: Document.edit(Document.make(known ?? knownBy(nodes) ?? prompt), prompt),
    turn: undefined,
  })

  /** Changes the state together with the tree: both, or neither. */
  const change = <E>(step: (state: State) => Effect.Effect<State, E>): Effect.Effect<void, E> =>
    Effect.uninterruptible(SynchronizedRef.updateEffect(ref, step))

  const changeDocument = (step: (document: Document.Document) => Document.Document) =>
    SynchronizedRef.updateAndGet(ref, (state) => ({ ...state, document: step(state.document) })).pipe(
      Effect.map((state) => state.document),
    )

  const whenIdle = <E>(step: (state: State) => Effect.Effect<State, E>): Effect.Effect<void, E | SessionError> =>
    change<E | SessionError>((state) => (state.turn === undefined ? step(state) : refused(new SessionBusy())))

  /** What a turn does counts as long as it is the one that runs. */
  const during =
    (turn: AbortController) =>
    <E>(step: (state: State) => Effect.Effect<State, E>) =>
      change((state) => (state.turn === turn ? step(state) : Effect.succeed(state)))

  const append = (state: State, draft: Draft): Effect.Effect<readonly [State, ReadonlyArray<Node>], ForestError> =>
    Effect.map(
      // A model's answer is its own, even where another said the same.
      forest.append(state.cursor, [draft], { distinct: draft.source.type === "model" }),
      (nodes) => [{ ...state, cursor: nodes.at(-1)?.id ?? state.cursor }, nodes],
    )

  /** The notice of an edit, if there is one. */
  const notify = (state: State): Effect.Effect<readonly [State, ReadonlyArray<Node>], ForestError> =>
    Document.isEdited(state.document)
      ? append({ ...state, document: Document.markKnown(state.document) }, noticeDraft(edited(state.document.text)))
      : Effect.succeed([state, []])

  const add = (draft: Draft, prompt?: string) =>
    whenIdle((state) =>
      Effect.map(append(state, draft), ([state]) => ({ ...state, document: revised(state.document, prompt) })),
    )

  const path = Effect.flatMap(SynchronizedRef.get(ref), (state) =>
    Effect.map(forest.path(state.cursor), ({ nodes }) => ({ nodes, document: state.document })),
  )

  /** Tells a turn, before each of its requests, of an edit that it does not know of, and the prompt as it is then. */
  const meanwhile = (turn: AbortController, steered: ReturnType<typeof Steering.make>) => (cursor: NodeId) =>
    Effect.uninterruptible(
      SynchronizedRef.modifyEffect(ref, (state) =>
        state.turn === turn
          ? Effect.gen(function* () {
              const said = yield* steered(cursor)
              const [next, notices] = yield* notify({ ...state, cursor: said.at(-1)?.id ?? cursor })
              return [{ nodes: [...said, ...notices], trailing: trailing(next.document) }, next]
            })
          : Effect.succeed([{ nodes: [], trailing: [] }, state]),
      ),
    )

  const begin = Effect.tap(
    Effect.sync(() => new AbortController()),
    (turn) => whenIdle((state) => Effect.succeed({ ...state, turn })),
  )

  /** What was said before the user's words goes before them; a question that is still open is not asked twice. */
  const ask = (text: string) => (state: State) =>
    Effect.gen(function* () {
      const last = state.cursor === root.id ? undefined : yield* forest.node(state.cursor)
      if (last?.message.role === "user" && Message.text(last.message) === text) return state
      const [notified] = yield* notify(state)
      const [asked] = yield* append(notified, userDraft(text))
      return asked
    })

  const stored = (turn: AbortController) => (node: Node) =>
    during(turn)(({ document, ...state }) =>
      Effect.succeed({ ...state, cursor: node.id, document: revised(document, promptOf(node)) }),
    )

  const end = (turn: AbortController) => during(turn)((state) => Effect.succeed({ ...state, turn: undefined }))

  const respond: Service["respond"] = (text, { meanwhile: said, messageStored, ...options } = {}) => {
    if (text.trim() === "") return Stream.fromEffect(refused(new BlankMessage()))
    return Stream.flatMap(Stream.acquireRelease(begin, end), (turn) => {
      const signal = options.signal === undefined ? turn.signal : AbortSignal.any([options.signal, turn.signal])
      const told = Effect.flatMap(SynchronizedRef.get(ref), (state) =>
        state.turn === turn ? (messageStored?.(state.cursor) ?? Effect.void) : Effect.void,
      )
      const asked = Effect.uninterruptible(Effect.zipRight(during(turn)(ask(text)), told))
      const run = Effect.map(Effect.zipRight(asked, cursor), (cursor) =>
        loom.generateStream(cursor, {
          ...options,
          signal,
          keepUnfinished: true,
          meanwhile: meanwhile(turn, Steering.make(forest, cursor, said)),
          stored: stored(turn),
        }),
      )
      return Stream.unwrap(run)
    })
  }

  const cursor = Effect.map(SynchronizedRef.get(ref), (state) => state.cursor)
  const document = Effect.map(SynchronizedRef.get(ref), (state) => state.document)

  return ConversationManager.of({
    addUserMessage: (content) => add(userDraft(content)),
    addAssistantMessage: (content, prompt) => add(assistantDraft(content), prompt),
    getHistory: () => Effect.map(path, ({ nodes }) => nodes.map((node) => node.message)),
    getCurrentPrompt: () => Effect.map(document, ({ text }) => text),
    isPromptEdited: () => Effect.map(document, Document.isEdited),
    updatePrompt: (newPrompt) => Effect.asVoid(changeDocument((document) => Document.edit(document, newPrompt))),
    revisePrompt: (newPrompt) => changeDocument((document) => revised(document, newPrompt)),
    notifyPromptEdited: () =>
      change((state) => (state.turn === undefined ? Effect.map(notify(state), first) : Effect.succeed(state))),
    buildLLMContext: (system = root.systemPrompt) =>
      Effect.map(path, ({ document, nodes }) => [
        ...(system === "" ? [] : [notice(system)]),
        ...nodes.map((node) => node.message),
        ...trailing(document),
      ]),
    clear: () =>
      change((state) =>
        Effect.as(
          Effect.tap(notify(state), () => Effect.sync(() => state.turn?.abort("the conversation was cleared"))),
          { cursor: root.id, document: Document.make(""), turn: undefined },
        ),
      ),
    respond,
    document,
    cursor,
  })
})

/** One manager for a whole program. Needs a `Forest` and a `LoomEngine`. */
export const layer = (
  options: Options,
): Layer.Layer<ConversationManager, ForestError, Forest.Forest | LoomEngine.LoomEngine> =>
  Layer.effect(ConversationManager, make(options))

const refused = (reason: Reason): Effect.Effect<never, SessionError> => Effect.fail(new SessionError({ reason }))

const first = <A>([first]: readonly [A, ...ReadonlyArray<unknown>]): A => first

/** A blank prompt is none. */
const spoken = (prompt: string | undefined): string | undefined => (prompt?.trim() === "" ? undefined : prompt)

/** An answer without a prompt leaves it as it was. */
const revised = (document: Document.Document, prompt: string | undefined): Document.Document => {
  const given = spoken(prompt)
  return given === undefined ? document : Document.revise(document, given)
}

/** As the user wrote it, quotes and line breaks too: it is for a model to read. */
const edited = (text: string): string => `[user edited prompt to: "${text}"]`

/** What a notice of an edit tells. */
const toldBy = ({ message, source }: Node): string | undefined =>
  source.type === "notice" ? /^\[user edited prompt to: "(.*)"\]$/s.exec(Message.text(message))?.[1] : undefined

/** What stands at the end of every request, if there is a prompt. */
const trailing = ({ text }: Document.Document): ReadonlyArray<Message.Notice> =>
  text === "" ? [] : [notice(`[current prompt: "${text}"]`)]

const notice = (text: string): Message.Notice => ({ role: "system", content: [Block.text(text)] })

/** Told by its source, never by its words: a user may write the same. */
const noticeDraft = (text: string): Draft => ({ message: notice(text), source: { type: "notice" } })

const userDraft = (text: string): Draft => ({ message: Message.user(text), source: { type: "user" } })

/** Nobody says which model it was, or what it cost. */
const assistantDraft = (text: string): Draft => ({
  message: { role: "assistant", content: [Block.text(text)] },
  source: { type: "model", model: "unknown", finish: "stop", usage: Usage.none },
})
