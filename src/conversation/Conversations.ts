/** Lists and finds conversations of one owner, as users continue them. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { ageOf, plural } from "../base/Prose.ts"
import * as Files from "../code/Files.ts"
import { type Conversation, type Filter, importedKinds } from "../forest/Conversation.ts"
import * as Forest from "../forest/Forest.ts"
import * as MessageParts from "../forest/MessageParts.ts"
import type { Node } from "../forest/Node.ts"
import * as NodeText from "../forest/NodeText.ts"
import { queryTerms } from "../forest/Query.ts"

/** The conversations that are listed. */
export interface Scope {
  /** Chats are listed with the conversations that were imported from other programs, which go on as chats. */
  readonly owner: string
  /** If set, only the conversations that were begun in this folder are listed. */
  readonly folder?: string | undefined
  /** True if the conversations of all folders are listed, so that each line names the folder. */
  readonly isWide?: boolean | undefined
}

export interface Listed {
  readonly conversation: Conversation
  /** The message after which the conversation continues, whole. */
  readonly last: Node
}

/**
 * Returns the conversations of a mode in a folder. An owner that names a place (`discover:/home/me/app`) has its
 * conversations there, wherever they were begun; those of other owners are told apart by their folder. `all` includes
 * those of all folders.
 */
export const scopeOf = (owner: string, folder: string | undefined, all = false): Scope =>
  owner.includes(":") ? { owner } : all ? { owner, isWide: true } : { owner, folder }

/** The owner of chats. */
export const CHAT = "chat"

/** The trees of an owner; for chats, also those that were imported from other programs. */
const treesOf = (owner: string): Pick<Filter, "owner" | "kinds"> =>
  owner === CHAT ? { kinds: [CHAT, ...importedKinds.keys()] } : { owner }

/** Lists at most `limit` conversations, without their messages. */
export const list = Effect.fn("Conversations.list")(function* ({ folder, owner }: Scope, limit: number) {
  const forest = yield* Forest.Forest
  const found = yield* forest.conversations({ ...treesOf(owner), folder, limit })
  if (folder === undefined || owner !== CHAT) return found
  // Some programs do not say in which folder a conversation was held: such a conversation is listed in every folder.
  const nowhere = yield* forest.conversations({ kinds: [...importedKinds.keys()], folder: null, limit })
  return [...found, ...nowhere].toSorted((one, other) => other.changed - one.changed).slice(0, limit)
})

/** Lists at most `limit` conversations, the one with the latest message first. */
export const newest = Effect.fn("Conversations.newest")(function* (scope: Scope, limit: number) {
  const forest = yield* Forest.Forest
  return yield* Effect.forEach(yield* list(scope, limit), (conversation) =>
    Effect.map(
      MessageParts.read(forest, conversation.leaf),
      (parts): Listed => ({ conversation, last: MessageParts.join(parts) }),
    ),
  )
})

/** Finds at most `limit` nodes that contain `text`, newest first. */
export const search = Effect.fn("Conversations.search")(function* (owner: string, text: string, limit: number) {
  const forest = yield* Forest.Forest
  return yield* forest.search({ text, ...treesOf(owner), limit })
})

/**
 * Finds at most `limit` conversations whose title has all words of `text`, the newest first. Only titles that the user
 * or another program has given count; a title that is made from a message is found with that message.
 */
export const findByTitle = Effect.fn("Conversations.findByTitle")(function* (
  text: string,
  { limit, owner }: { readonly limit: number; readonly owner?: string | undefined },
) {
  const forest = yield* Forest.Forest
  const search = queryTerms(text)
    .map((word) => word.replace(/\*$/, ""))
    .join(" ")
  const found = yield* forest.conversations({
    ...(owner !== undefined && treesOf(owner)),
    search,
    limit: Number.MAX_SAFE_INTEGER,
  })
  return found.filter(({ isNamed }) => isNamed).slice(0, limit)
})

/**
 * Returns the indices of the conversations with a message that has all of these words, of which the last may be
 * unfinished. Only the newest `limit` such messages count.
 */
export const findByMessages = Effect.fn("Conversations.findByMessages")(function* (
  listed: ReadonlyArray<Listed>,
  { owner, words, limit }: { readonly owner: string; readonly words: string; readonly limit: number },
) {
  const forest = yield* Forest.Forest
  const nodes = yield* forest.search({ text: `${words.trim()}*`, ...treesOf(owner), limit })
  // If a conversation has a tree of its own, the tree identifies it. If it shares one, as in old forests, the path to
  // its root does.
  const ownTrees = new Set(listed.flatMap(({ conversation: { root, tree } }) => (root === tree ? [root] : [])))
  const [own, shared] = Arr.partition(nodes, (node) => !ownTrees.has(node.root))
  const lookedUp = yield* Effect.forEach(shared.slice(0, MAX_LOOKED_UP), (node) => forest.conversation(node.id))
  const roots = new Set([
    ...own.map(({ root }) => root),
    ...lookedUp.flatMap((found) => Option.toArray(found).map(({ root }) => root)),
  ])
  return listed.flatMap(({ conversation }, index) => (roots.has(conversation.root) ? [index] : []))
})

/** Each look-up takes some 30 ms below 100,000 messages, and the user is typing. */
const MAX_LOOKED_UP = 20

/** Makes a function that says in which folder a conversation was begun, and whether that folder still exists. */
export const makeFolderText = Effect.fn("Conversations.makeFolderText")(function* (listed: ReadonlyArray<Listed>) {
  const files = yield* Files.Files
  const folders = new Set(listed.flatMap(({ conversation }) => conversation.folder ?? []))
  const there = new Set(yield* Effect.filter(folders, (folder) => Effect.isSuccess(files.stat(folder))))
  return ({ folder }: Conversation): string =>
    folder === undefined ? "folder unknown" : there.has(folder) ? folder : `${folder} (moved or removed)`
})

/** Says how old and how long a conversation is: `3 h ago, 5 messages`. */
export const describe = ({ changed, messages }: Conversation, now: number): string =>
  `${ageOf(changed, now)}, ${plural(messages, "message")}`

/** Names the program that a conversation was imported from, as one fact of a line. A conversation of vibe has none. */
export const originOf = ({ kind }: Conversation): ReadonlyArray<string> => {
  const name = importedKinds.get(kind)
  return name === undefined ? [] : [`from ${name}`]
}

/** The model that gave the last answer, without its provider. Undefined if the last message is not answered. */
export const modelOf = ({ last }: Listed): string | undefined =>
  last.source.type === "model" ? last.source.model.replace(/^[^/]*\//, "") : undefined

/** The first words of the last message, on one line. */
export const lastWords = ({ last }: Listed): string => NodeText.firstWords(last)
