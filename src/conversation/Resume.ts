/** Continues an earlier conversation: picks it, shows its end, and says what the user should know about it. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../base/UsageError.ts"
import * as Files from "../code/Files.ts"
import type { Conversation } from "../forest/Conversation.ts"
import * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import * as MessageParts from "../forest/MessageParts.ts"
import type { Node } from "../forest/Node.ts"
import type { NodeId } from "../message/NodeId.ts"
import * as Conversations from "./Conversations.ts"
import type { Next, Session } from "./Session.ts"
import type { SessionFailure } from "./SessionFailure.ts"
import * as View from "./View.ts"

export interface Place {
  /** The command that continues a conversation, such as `vibe chat`. */
  readonly program: string
  /** The folder of this session, its real path. */
  readonly folder: string
}

/** The most conversations in a menu: more would only be found by `/search`. */
const MAX_CHOICES = 500

/**
 * The most messages that are found while the user types, newest first. Common words are in more messages, and longer
 * words find older ones.
 */
const MAX_MESSAGES = 200

/** Returns the conversation that the user picks. Undefined if they cancel, or if there is no menu. */
export const pick = Effect.fn("Resume.pick")(function* (
  { forest, view }: Session,
  scope: Conversations.Scope,
  place: Place,
  /** The number of the choice, if the user has named it. */
  chosen: number | undefined,
) {
  const listed = yield* Effect.provideService(Conversations.newest(scope, MAX_CHOICES), Forest.Forest, forest)
  if (listed.length === 0) return yield* nothing(forest, scope, place)
  const now = yield* Clock.currentTimeMillis
  if (chosen !== undefined) {
    const count = listed.length
    return listed[chosen - 1] ?? (yield* new UsageError({ message: `there is no ${chosen}; there are ${count}` }))
  }
  const folderText = scope.isWide === true ? yield* Conversations.makeFolderText(listed) : undefined
  const menu: View.Menu = {
    title: "Which conversation?",
    command: scope.isWide === true ? "/resume --all N" : "/resume N",
    preselected: 0,
    choices: listed.map((each) => toChoice(each, folderText, now)),
  }
  const picked = yield* view.choose(menu, {
    label: "in a message",
    find: (words) =>
      Conversations.findByMessages(listed, { owner: scope.owner, words, limit: MAX_MESSAGES }).pipe(
        Effect.provideService(Forest.Forest, forest),
        // The lines can be picked without it, and opening one reports what is wrong with the forest.
        Effect.orElseSucceed(() => []),
      ),
  })
  return listed[Option.getOrElse(picked, () => -1)]
})

const toChoice = (
  listed: Conversations.Listed,
  folderText: ((conversation: Conversation) => string) | undefined,
  now: number,
): View.Choice => {
  const { conversation } = listed
  const model = Conversations.modelOf(listed)
  const folder = folderText?.(conversation)
  const short = folder && lastParts(folder)
  const facts = [
    // The folder comes first, and short, since a narrow terminal cuts the rest off.
    ...(short === undefined ? [] : [short]),
    Conversations.describe(conversation, now),
    ...Conversations.originOf(conversation),
    ...(model === undefined ? [] : [model]),
    Conversations.lastWords(listed),
    ...(folder === undefined || folder === short ? [] : [folder]),
  ]
  return { label: conversation.title, about: facts.join(" · ") }
}

/** Shortens `/home/me/work/shop` to `…/work/shop`: a list tells folders apart by their ends. */
const lastParts = (folder: string): string => {
  const parts = folder.split(/[\\/]/)
  return parts.length > 3 ? `…/${parts.slice(-2).join("/")}` : folder
}

/**
 * Fails, because there is nothing to continue, or nothing in this folder. The message then says how to see the others.
 */
const nothing = (forest: Forest.Service, { folder, owner }: Conversations.Scope, { program }: Place) =>
  Effect.flatMap(Effect.provideService(Conversations.list({ owner }, 1), Forest.Forest, forest), ({ length }) =>
    Effect.fail(
      new UsageError({
        message:
          folder === undefined || length === 0
            ? "there is no conversation yet that could go on"
            : `no conversation was begun in ${folder}; '${program} --resume --all' has those of other folders`,
        command: program.replace(/^vibe /, "").split(" ", 1)[0],
      }),
    ),
  )

/**
 * Lets the user pick a conversation at the start of a session; if they cancel, the session ends. Without a menu the
 * newest one continues.
 */
export const start = (
  session: Session,
  scope: Conversations.Scope,
  place: Place,
): Effect.Effect<Next, SessionFailure, Files.Files> =>
  Effect.gen(function* () {
    const picked = yield* pick(session, scope, place, session.view.hasMenu ? undefined : 1)
    if (picked === undefined) return "exit" as const
    if (!session.view.hasMenu) yield* sayWhich(session, picked.conversation)
    yield* goTo(session, picked.last.id, place)
    return "continue" as const
  })

const sayWhich = ({ view }: Session, conversation: Conversation) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    view.show(
      View.Entry.Noted({ text: `continues "${conversation.title}" (${Conversations.describe(conversation, now)})` }),
    ),
  )

/** Continues at a node, and shows it with the messages before it. */
export const goTo = Effect.fn("Resume.goTo")(function* (session: Session, node: NodeId, place: Place) {
  yield* session.moveTo(node)
  yield* session.view.show(yield* historyEntry(session.forest, node, SHOWN_NODES))
  yield* showState(session, node, place)
})

/** Says what the conversation at a node lacks: the folder in which it was held, or an answer. */
export const showState = Effect.fn("Resume.showState")(function* (
  { forest, view }: Session,
  node: NodeId,
  place: Place,
) {
  const { nodes } = yield* forest.path(node, { last: 1 })
  const conversation = Option.getOrUndefined(yield* forest.conversation(node))
  const lines = [
    ...(conversation === undefined ? [] : yield* describeFolder(forest, conversation, place)),
    ...nodes.flatMap((last) => describeEnd(last) ?? []),
  ]
  if (lines.length > 0) yield* view.show(View.Entry.Noted({ text: lines.join("\n") }))
})

/**
 * Describes the folder of a conversation. If that folder is gone or unknown, the conversation moves to the current one.
 */
const describeFolder = Effect.fnUntraced(function* (
  forest: Forest.Service,
  { folder, root }: Conversation,
  { folder: here }: Place,
) {
  if (folder === here) return []
  if (folder === undefined) {
    yield* forest.setFolder(root, here)
    return [`It is not known where this conversation was begun; it is listed in ${here} now`]
  }
  const files = yield* Files.Files
  const isThere = yield* Effect.isSuccess(files.stat(folder))
  if (isThere) return [`This conversation was begun in ${folder}; files are read from ${here} now`]
  yield* forest.setFolder(root, here)
  return [`This conversation was begun in ${folder}, which was moved or removed; it is listed in ${here} now`]
})

const describeEnd = ({ message, source }: Node): string | undefined => {
  if (message.role === "user" || message.role === "tool") {
    return "The last message is not answered: /retry requests an answer"
  }
  if (source.type !== "model" || source.finish === "stop") return undefined
  switch (source.finish) {
    case "interrupted":
      return "The last answer was stopped before its end: /retry requests another"
    case "tool_calls":
      return "The last message is not answered: /retry requests an answer"
    case "length":
      return "The last answer has no end: it reached the limit of its length"
    default:
      return "The last answer has no end: the provider ended it"
  }
}

/** The number of nodes that are shown of a conversation that continues. */
export const SHOWN_NODES = 20

/** Makes an entry of at most `last` nodes. */
export const historyEntry = (
  forest: Forest.Service,
  at: NodeId,
  last: number,
): Effect.Effect<View.Entry, ForestError> =>
  Effect.map(forest.path(at, { last }), ({ nodes, root }) => {
    const [first] = nodes
    return View.Entry.History({
      nodes: MessageParts.joinAll(nodes),
      more: first !== undefined && first.parent !== root.id,
    })
  })
