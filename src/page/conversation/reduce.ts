/** Applies events to a conversation as a page has it. Pure. */
import type { Answer, Message, Result, State } from "../../server/api/Conversations.ts"
import type { Event } from "../../server/api/Events.ts"

/**
 * Returns the state after an event, or undefined if the page has missed something and must ask for the state. The path
 * follows an answer that is stored at its end, but not with `stays`, nor if several answers are written there, of which
 * the user chooses one.
 */
export const reduce = (state: State, event: Event, stays = false): State | undefined => {
  if (!("conversation" in event) || event.conversation !== state.summary.id) return state
  switch (event.type) {
    case "message":
      return addMessage(state, event.message, stays)
    case "answer":
      return { ...state, answers: replaceAnswer(state.answers, event.answer) }
    case "delta":
      return addText(state, event)
    case "document":
      return event.document.version < state.document.version ? state : { ...state, document: event.document }
    case "waiting":
      return { ...state, waiting: event.waiting }
    case "conversation":
      return { ...state, summary: event.summary }
  }
}

/** Returns true if a message begins a branch that is not on the shown path, though its parent is. */
export const isBranch = (state: State, event: Event): boolean =>
  event.type === "message" &&
  (event.message.kind === "user" || event.message.kind === "notice") &&
  event.message.parent !== state.leaf &&
  !state.messages.some(({ id }) => id === event.message.id) &&
  (event.message.parent === state.summary.id || state.messages.some(({ id }) => id === event.message.parent))

/**
 * Returns the answers that were in progress at the end of `next` and that the server no longer has, because it ended.
 */
export const findCutOff = (before: State, next: State): ReadonlyArray<Answer> =>
  before.answers
    .filter(
      ({ after, id, message = after, state }) =>
        state === "running" &&
        message === next.leaf &&
        next.children.length === 0 &&
        !next.answers.some((answer) => answer.id === id),
    )
    .map((answer) => ({ ...answer, state: "failed", error: "The answer was cut off." }))

/** Returns true if an answer is in progress, or has ended, at a message. */
export const isAt = ({ after, message = after }: Answer, id: string | undefined): boolean =>
  after === id || message === id

/** Returns true if the last message needs an answer, but has none and none is coming. */
export const isUnanswered = ({ answers, children, leaf, messages, waiting }: State): boolean => {
  const kind = messages.at(-1)?.kind
  return (
    (kind === "user" || kind === "tool") &&
    answers.every((answer) => answer.state === "failed" && !isAt(answer, leaf)) &&
    children.length === 0 &&
    waiting.length === 0
  )
}

/** A message that was sent. `pictures` has an entry for each of its pictures. */
interface Sent {
  readonly parent: string
  readonly text: string
  readonly pictures?: ReadonlyArray<unknown> | undefined
}

/**
 * Returns true if a message that was sent is among those of a path. `edited` is the message that it is another version
 * of.
 */
export const hasArrived = (
  { parent, pictures = [], text }: Sent,
  messages: ReadonlyArray<Message> = [],
  edited?: Message,
): boolean => {
  const stored = text.toWellFormed()
  return messages.some((message, index) => {
    if (message.kind !== "user" || message.text !== stored || message.id === edited?.id) return false
    if ((message.pictures ?? []).length !== pictures.length) return false
    // Notices from vibe to the model may stand between the two.
    let first = index
    while (messages[first - 1]?.kind === "notice" && messages[first]?.parent !== parent) first--
    return messages[first]?.parent === parent
  })
}

const addMessage = (state: State, message: Message, stays: boolean): State => {
  const messages = state.messages.map((other) =>
    other.id === message.id
      ? message
      : other.parent === message.parent
        ? { ...other, siblings: message.siblings }
        : other,
  )
  if (message.parent !== state.leaf || state.messages.some(({ id }) => id === message.id)) return { ...state, messages }
  if (stays || state.answers.filter(({ after }) => after === state.leaf).length > 1) {
    return { ...state, children: [...state.children.filter((id) => id !== message.id), message.id] }
  }
  const { context } = state
  const { tokens } = message
  return {
    ...state,
    messages: [...messages, message],
    leaf: message.id,
    children: [],
    ...(context !== undefined &&
      tokens !== undefined && { context: { ...context, used: tokens.input + tokens.output } }),
  }
}

const replaceAnswer = (answers: ReadonlyArray<Answer>, answer: Answer): ReadonlyArray<Answer> => {
  // An answer that was stored is a message now.
  if (answer.state === "done" || (answer.state === "stopped" && answer.message !== undefined)) {
    return answers.filter(({ id }) => id !== answer.id)
  }
  return answers.some(({ id }) => id === answer.id)
    ? answers.map((other) => (other.id === answer.id ? answer : other))
    : [...answers, answer]
}

/** Adds the new part of a piece, which may overlap the existing text. */
const addText = (state: State, { answer: id, at, text }: Extract<Event, { type: "delta" }>): State | undefined => {
  const answer = state.answers.find((answer) => answer.id === id)
  // An answer begins with a separate event, so one that is not there has ended.
  if (answer === undefined) return state
  if (at > answer.text.length) return undefined
  const added = text.slice(answer.text.length - at)
  if (added === "") return state
  return {
    ...state,
    answers: state.answers.map((other) => (other.id === id ? { ...other, text: other.text + added } : other)),
  }
}

/** Joins pieces that follow each other, so that a frame draws them once. */
export const joinDeltas = (events: ReadonlyArray<Event>): ReadonlyArray<Event> => {
  const joined: Array<Event> = []
  for (const event of events) {
    const last = joined.at(-1)
    if (
      event.type === "delta" &&
      last?.type === "delta" &&
      last.answer === event.answer &&
      last.at + last.text.length === event.at
    )
      joined[joined.length - 1] = { ...last, text: last.text + event.text }
    else joined.push(event)
  }
  return joined
}

/** A whole message as it is shown, with the results of its tools beside their calls. */
export interface Item {
  readonly message: Message
  /** Its index among the messages. If an edit has divided it, the index of its last part. */
  readonly place: number
  readonly results: ReadonlyArray<Result>
  /** True if it begins an answer, which can have several messages with tools between them. */
  readonly isFirst: boolean
  readonly isLast: boolean
  /** True for a message of the user that another one follows in place of an answer. */
  readonly isUnanswered: boolean
  /** The cost of the answer in US dollars, at its last message. */
  readonly cost: number | undefined
  /** True if the cost includes an estimate, for a reply that was stopped. */
  readonly isEstimated: boolean
  /** Milliseconds from the first request of the answer to its end, at its last message, if they are known. */
  readonly time: number | undefined
}

/**
 * Returns the time at which an answer began. If its duration is unknown, that is the time of the message before it,
 * unless the answer was requested again, which was later.
 */
const beginOf = ({ at, id, siblings, took }: Message, before: Message | undefined): number | undefined => {
  if (took !== undefined) return at - took
  return siblings.length === 0 || siblings[0] === id ? before?.at : undefined
}

/** Returns true if the next message is the user's, apart from notices from vibe to the model. */
const isFollowedByUser = (messages: ReadonlyArray<Message>, index: number): boolean => {
  let next = index + 1
  while (messages[next]?.kind === "notice") next++
  return messages[next]?.kind === "user"
}

/**
 * Joins two parts of a message that an edit has divided. What follows the message follows its last part; an edit of it
 * begins at its first part.
 */
const joinParts = (one: Message, { cost = 0, ...next }: Message): Message => ({
  ...next,
  parent: one.parent,
  siblings: one.siblings,
  text: one.text + next.text,
  ...((one.cost !== undefined || cost > 0) && { cost: (one.cost ?? 0) + cost }),
})

/**
 * Adds the message to its siblings. The server lists the ends of versions, and a message that was shortened to the
 * beginning of others is not one of them.
 */
const withItself = (message: Message): Message =>
  message.siblings.includes(message.id) ? message : { ...message, siblings: [...message.siblings, message.id] }

/** Joins divided messages, each in the place of its last part. */
const joinAll = (parts: ReadonlyArray<Message>) => {
  const whole: Array<{ readonly message: Message; readonly place: number }> = []
  parts.forEach((message, place) => {
    const before = message.continues === true ? whole.pop() : undefined
    whole.push({ message: before === undefined ? message : joinParts(before.message, message), place })
  })
  return whole.map(({ message, place }) => ({ message: withItself(message), place }))
}

/** Makes the items of a path, or of the end of one. */
export const toItems = (path: ReadonlyArray<Message>): ReadonlyArray<Item> => {
  const whole = joinAll(path)
  const messages = whole.map(({ message }) => message)
  const items: Array<Item> = []
  let begun: number | undefined
  let cost: number | undefined
  let isEstimated = false
  whole.forEach(({ message, place }, index) => {
    if (message.kind === "tool") return
    const isAnswer = message.kind === "assistant"
    const before = items.at(-1)
    const isFirst = !isAnswer || before?.message.kind !== "assistant"
    if (isFirst) {
      cost = undefined
      isEstimated = false
      begun = isAnswer ? beginOf(message, messages[index - 1]) : undefined
    }
    if (isAnswer && message.cost !== undefined) cost = (cost ?? 0) + message.cost
    if (isAnswer && message.estimated === true) isEstimated = true
    const results: Array<Result> = []
    let next = index + 1
    for (; messages[next]?.kind === "tool"; next++) results.push(...(messages[next]?.results ?? []))
    const isLast = !isAnswer || messages[next]?.kind !== "assistant"
    items.push({
      message,
      place,
      results,
      isFirst,
      isLast,
      isUnanswered: message.kind === "user" && isFollowedByUser(messages, index),
      cost: isLast ? cost : undefined,
      isEstimated,
      time: isLast && begun !== undefined ? message.at - begun : undefined,
    })
  })
  return items
}
