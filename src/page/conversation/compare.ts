/** Compares answers: those of several models, or versions that exist already. */
import { signal } from "@preact/signals"
import { query, request } from "../Client.ts"
import type { Event } from "../Events.ts"
import { type Item, toItems } from "./reduce.ts"
import {
  type Answer,
  answers,
  attempt,
  beginAnswers,
  id,
  leaf,
  type Message,
  move,
  type State,
  stays,
} from "./store.ts"

export interface Column {
  readonly key: string
  /** The author of the text: a model, or the user. */
  readonly name: string
  readonly state: Answer["state"]
  readonly text: string
  /** The version of the user's message that this answers, if versions of a message are compared. */
  readonly question: string | undefined
  readonly cost: number | undefined
  /** True if the cost includes an estimate. */
  readonly isEstimated: boolean
  /** Milliseconds since the epoch. */
  readonly startedAt: number | undefined
  readonly endedAt: number | undefined
  readonly error: string | undefined
  /** The message after which the conversation continues if this column is chosen. */
  readonly message: string | undefined
}

export const comparing = signal<ReadonlyArray<Column> | undefined>(undefined)

/**
 * The latest state of recent answers, since an event can arrive before the response to the request that started the
 * answer.
 */
const latest = new Map<string, Answer>()
const remembered = 100
/** The most answers that are readable side by side. */
const most = 8

export const onCompareEvent = (event: Event): void => {
  if (event.type !== "answer" || event.conversation !== id.peek()) return
  latest.set(event.answer.id, event.answer)
  for (const key of latest.keys()) if (latest.size > remembered) latest.delete(key)
  take(event.answer)
}

const take = (answer: Answer) => {
  const columns = comparing.peek()
  if (!columns?.some(({ key }) => key === answer.id)) return
  comparing.value = columns.map((column) => (column.key === answer.id ? toColumn(answer, column.text) : column))
  if (answer.message !== undefined) void readText(answer.id, answer.message, answer.after)
}

const toColumn = (answer: Answer, text = ""): Column => ({
  key: answer.id,
  name: answer.model,
  state: answer.state,
  text: answer.text || text,
  question: undefined,
  cost: answer.cost,
  isEstimated: answer.estimated === true,
  startedAt: answer.startedAt,
  endedAt: answer.endedAt,
  error: answer.error,
  message: answer.message,
})

/** Returns the text of a column; while it streams, that of its answer. */
export const textOf = ({ key, text }: Column): string => answers.value?.find(({ id }) => id === key)?.text || text

/** Reads the text of all messages that an answer has stored. */
const readText = (key: string, message: string, after: string) =>
  attempt(async () => {
    const { messages } = await request<State>("GET", `/conversations/${id.peek()}${query({ leaf: message })}`)
    const begin = messages.findIndex(({ id }) => id === after) + 1
    const text = joinTexts(messages.slice(begin).filter(({ kind }) => kind === "assistant"))
    comparing.value = comparing.peek()?.map((column) => (column.key === key ? { ...column, text } : column))
  })

const joinTexts = (messages: ReadonlyArray<Message>) =>
  messages
    .map(({ text }) => text)
    .filter(Boolean)
    .join("\n\n")

/** Has a message answered, by several models or several times, and shows the answers side by side. */
export const openBatch = async (
  after: string,
  options: { readonly models?: ReadonlyArray<string>; readonly n?: number },
): Promise<void> => {
  const started = await beginAnswers(after, options)
  if (started === undefined || started.length < 2) return
  openRunning(started)
  for (const { id } of started) {
    const answer = latest.get(id)
    if (answer !== undefined) take(answer)
  }
}

/** Shows answers that are running at the same place side by side. */
export const openRunning = (running: ReadonlyArray<Answer>): void => {
  stays.value = running[0]?.after
  comparing.value = running.map((answer) => toColumn(answer))
}

/**
 * Closes the comparison. If the user has not chosen, the conversation continues with the first answer that is there.
 */
export const close = (): void => {
  const first = comparing.peek()?.find(({ message, state }) => message !== undefined && state !== "running")
  const isChoice = stays.peek() !== undefined && stays.peek() === leaf.peek()
  comparing.value = undefined
  stays.value = undefined
  if (isChoice && first?.message !== undefined) void move(first.message)
}

/** Reads the messages from one to the end of its answer. */
const readWhole = async (
  from: string,
): Promise<{ readonly items: ReadonlyArray<Item>; readonly children: ReadonlyArray<string> }> => {
  const { children, messages } = await request<State>(
    "GET",
    `/conversations/${id.peek()}${query({ leaf: from, whole: "true" })}`,
  )
  const items = toItems(messages)
  const rest = items.slice(items.findIndex(({ message }) => message.id === from))
  return { items: rest.slice(0, rest.findIndex(({ isLast }) => isLast) + 1), children }
}

/**
 * Shows versions of a message side by side, in this order. An answer is shown with everything that follows its first
 * message; a message of the user with its newest answer, since that is what its versions differ in.
 */
export const compareVersions = (ids: ReadonlyArray<string>): Promise<boolean> =>
  attempt(async () => {
    const found = await Promise.all(ids.slice(0, most).map(readVersion))
    comparing.value = found.filter((column) => column !== undefined)
  })

/** Reads the newest answer among the messages below a question. Others continue a message that an edit has divided. */
const readAnswer = async (below: ReadonlyArray<string>): Promise<ReadonlyArray<Item>> => {
  for (const from of below.toReversed()) {
    const { items } = await readWhole(from)
    if (items[0]?.message.kind === "assistant") return items
  }
  return []
}

const readVersion = async (from: string): Promise<Column | undefined> => {
  const own = await readWhole(from)
  const [first] = own.items
  if (first === undefined) return undefined
  const isQuestion = first.message.kind === "user"
  const items = isQuestion ? await readAnswer(own.children) : own.items
  const [begin, end] = [items[0], items.at(-1)]
  return {
    key: first.message.id,
    name: begin?.message.model ?? "You",
    state: "done",
    text: joinTexts(items.map(({ message }) => message)),
    question: isQuestion ? joinTexts(own.items.map(({ message }) => message)) : undefined,
    cost: end?.cost,
    isEstimated: end?.isEstimated === true,
    startedAt: end?.time === undefined ? undefined : end.message.at - end.time,
    endedAt: end?.message.at,
    error: undefined,
    message: first.message.id,
  }
}

export const chooseColumn = async ({ message }: Column): Promise<void> => {
  if (message === undefined || !(await move(message, true))) return
  stays.value = undefined
  comparing.value = undefined
}
