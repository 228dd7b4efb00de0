/** Holds the state of the view of a conversation, and sends its requests to the server. */
import { batch, computed, type ReadonlySignal, signal } from "@preact/signals"
import { type Conversations, query, Refused, request, requestBlob, Unreachable } from "../Client.ts"
import { readDraft, writeDraft } from "../Drafts.ts"
import type { Event } from "../Events.ts"
import { replace, route } from "../Route.ts"
import type { AttachedPicture } from "./attachments.ts"
import { findCutOff, hasArrived, isBranch, isUnanswered, joinDeltas, reduce } from "./reduce.ts"
import {
  addUnacknowledged,
  isUnacknowledged,
  readUnacknowledged,
  removeUnacknowledged,
  type Unacknowledged,
} from "./unacknowledged.ts"

export type Message = Conversations.Message
export type Answer = Conversations.Answer
export type State = Conversations.State
export type Summary = Conversations.Summary

export const state = signal<State | undefined>(undefined)
/** The reason why an action failed; empty if none has. */
export const problem = signal("")
/** A message if there is no page at this address; otherwise empty. */
export const missing = signal("")
/** A sentence about the last event, for screen readers. */
export const announcement = signal("")
/** The message that is being edited in its place. */
export const editing = signal<string | undefined>(undefined)
/** The models that answer next, possibly several at once; empty for the conversation's model. */
export const chosen = signal<ReadonlyArray<string>>([])

/**
 * The last message, if it had no answer when the state was read. A message that has just been stored is about to have
 * one.
 */
export const unanswered = signal<string | undefined>(undefined)

/** The message whose answers are compared; the path does not follow the first of them. */
export const stays = signal<string | undefined>(undefined)

const pick = <A>(part: (state: State) => A): ReadonlySignal<A | undefined> =>
  computed(() => (state.value === undefined ? undefined : part(state.value)))

export const id = pick(({ summary }) => summary.id)
export const title = pick(({ summary }) => summary.title)
export const messages = pick(({ messages }) => messages)
export const earlier = pick(({ earlier }) => earlier)
export const leaf = pick(({ leaf }) => leaf)
export const children = pick(({ children }) => children)
export const answers = pick(({ answers }) => answers)
export const waiting = pick(({ waiting }) => waiting)
export const hasTools = pick(({ hasTools }) => hasTools)
/** The models that answer the next message; empty if none is chosen and the server has none. */
export const asks = computed((): ReadonlyArray<string> => {
  if (chosen.value.length > 0) return chosen.value
  const model = state.value?.model
  return model === undefined ? [] : [model]
})
/** The reason why no model answers the next message; empty if one does. */
export const refusal = computed(() => (chosen.value.length > 0 ? "" : (state.value?.refusal ?? "")))
export const document = pick(({ document }) => document)
export const isRunning = computed(() => answers.value?.some(({ state }) => state === "running") ?? false)

/** Listeners that receive each document. `isState` is true if it is the server's state after a connection. */
export const documentListeners = new Set<(document: Conversations.Document, isState: boolean) => void>()

/** Events that arrive while the state is being read; some are newer than that state. */
let buffered: Array<Event> | undefined
let latest = 0

/** Records the conversation that this browser was in last, for the next tab or visit. */
const visit = (conversation: string) =>
  // The user requested nothing, so no failure is shown. The page reports elsewhere that the server is gone.
  request("PUT", "/session", { conversation }).catch(() => {})

/**
 * Reads the state of the conversation `wanted`; by default of the one that is shown, or else of the one that this
 * browser was in last.
 */
export const open = async (wanted: string | undefined, at?: string): Promise<void> => {
  const mine = ++latest
  buffered = []
  try {
    const shown = wanted ?? id.peek()
    const conversation = shown ?? (await request<{ readonly conversation: string }>("GET", "/session")).conversation
    const next = await request<State>("GET", `/conversations/${conversation}${query({ leaf: at })}`)
    if (mine !== latest) return
    if (shown !== undefined && next.summary.id !== id.peek()) void visit(next.summary.id)
    show(next)
    if (wanted === undefined && route.peek().view === "conversation") {
      // A page that was opened at its bare address shows what there is to read if no model can be talked to.
      const isReading = location.hash === "" && next.refusal !== undefined && next.messages.length === 0
      replace(isReading ? { view: "index", at: "" } : { view: "conversation", id: next.summary.id, leaf: undefined })
    }
  } catch (error) {
    if (mine !== latest) return
    buffered = undefined
    if (error instanceof Refused && error.status === 404 && isAddressed(wanted)) {
      batch(() => {
        state.value = undefined
        problem.value = ""
        missing.value = at === undefined ? "There is no such conversation." : "There is no such message."
      })
    } else showFailure(error)
  }
}

/** Returns true if the address of the page names this conversation. */
const isAddressed = (wanted: string | undefined) => {
  const shown = route.peek()
  return shown.view === "conversation" && wanted !== undefined && shown.id === wanted
}

/** Reads the shown state again. */
export const refresh = (): Promise<void> => {
  const shown = state.value
  if (route.value.view !== "conversation") return Promise.resolve()
  return open(route.value.id ?? shown?.summary.id, route.value.leaf)
}

const show = (next: State) => {
  const missed = buffered ?? []
  buffered = undefined
  const before = state.value
  const isSame = before?.summary.id === next.summary.id
  batch(() => {
    // Keeps the messages above that were read already.
    const known = isSame ? { ...next, answers: [...next.answers, ...findCutOff(before, next)] } : next
    state.value = isSame ? keepEarlier(before, known) : next
    unanswered.value = isUnanswered(known) ? next.leaf : undefined
    problem.value = ""
    missing.value = ""
    if (!isSame) {
      editing.value = undefined
      chosen.value = readDraft(`models:${next.summary.id}`).split("\n").filter(Boolean)
    }
    for (const listener of documentListeners) listener(next.document, true)
    for (const event of missed) apply(event)
  })
}

const keepEarlier = (before: State, next: State): State => {
  const first = next.messages[0]
  const at = first === undefined ? -1 : before.messages.findIndex(({ id }) => id === first.id)
  if (at <= 0) return next
  return { ...next, messages: [...before.messages.slice(0, at), ...next.messages], earlier: before.earlier }
}

let frame: Array<Event> = []

/** Applies an event. Pieces of text are drawn once a frame, however many arrive. */
export const onEvent = (event: Event): void => {
  if (!("conversation" in event) || event.conversation !== id.peek()) return
  buffered?.push(event)
  if (event.type !== "delta") {
    flush()
    apply(event)
    return
  }
  if (frame.push(event) === 1) requestAnimationFrame(flush)
}

const flush = () => {
  const events = joinDeltas(frame)
  frame = []
  if (events.length > 0) batch(() => events.forEach(apply))
}

const apply = (event: Event) => {
  const before = state.peek()
  if (before === undefined) return
  if (isBranch(before, event) && buffered === undefined && isFollowing()) return void openHere()
  const next = reduce(before, event, stays.peek() === before.leaf)
  if (next === undefined)
    return void (
      buffered === undefined && open(before.summary.id, route.peek().view === "conversation" ? before.leaf : undefined)
    )
  state.value = next
  if (event.type === "document") for (const listener of documentListeners) listener(event.document, false)
  if (event.type === "answer") announce(event.answer)
}

/**
 * Returns true if the page shows the end at which the conversation continues, and not a branch that the user looked up.
 */
const isFollowing = () => {
  const { value } = route
  return value.view !== "conversation" || value.leaf === undefined
}

/** Announces the beginning and the end of an answer. Nothing is read out while it is written. */
const announce = ({ model, state }: Answer) => {
  // A failure is shown as an alert, which is read out already.
  const words = { running: "answers", done: "has answered", stopped: "was stopped", failed: "" }[state]
  announcement.value = words === "" ? "" : `${model} ${words}`
}

/** Shows why a request was not carried out. Any other error is a defect, and is thrown again. */
const showFailure = (error: unknown): void => {
  if (error instanceof Unreachable) problem.value = "Not done: the server cannot be reached."
  else if (error instanceof Refused) problem.value = `Not done: ${error.message}`
  else throw error
}

/**
 * Runs a read that the page starts by itself, and returns true if it succeeded. The message about a failed action of
 * the user stays on the screen.
 */
export const attemptRead = async (read: () => Promise<unknown>): Promise<boolean> => {
  try {
    await read()
    return true
  } catch (error) {
    showFailure(error)
    return false
  }
}

/** Runs an action of the user, and returns true if it succeeded. */
export const attempt = async (action: () => Promise<unknown>): Promise<boolean> => {
  const isDone = await attemptRead(action)
  if (isDone) problem.value = ""
  return isDone
}

const here = () => `/conversations/${id.peek()}`

/** The models to ask, as a request names them. */
const modelsToAsk = () => (chosen.peek().length === 0 ? {} : { models: chosen.peek() })

/** The number of messages that this page has sent. */
export const sent = signal(0)

/** Returns the name under which messages of a box are kept that may not have arrived. */
const unacknowledgedOf = (conversation: string | undefined, edited?: Message) =>
  `unacknowledged:${conversation}${edited === undefined ? "" : `:${edited.id}`}`

/** Returns the bytes of a picture as a request has them. */
const toBase64 = (picture: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    // A data URL has the base64 after its comma.
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(picture)
  })

/**
 * Sends a message. With `edited` it becomes another version of that message, which begins a branch and has the same
 * pictures.
 */
export const say = (text: string, pictures: ReadonlyArray<AttachedPicture>, edited?: Message): Promise<boolean> =>
  attempt(async () => {
    const conversation = id.peek()
    const name = unacknowledgedOf(conversation, edited)
    // A message that is sent again has the same key and parent, so that it is stored once: the path may have grown
    // meanwhile.
    const repeated = (edited?.pictures ?? []).map((_, number) => ({ message: edited?.id, number }))
    const ids = [...pictures.map(({ id }) => id), ...repeated.map(({ message, number }) => `${message} ${number}`)]
    const message = readUnacknowledged(name).findLast(
      (sent) => sent.text === text && (sent.pictures ?? []).join() === ids.join(),
    ) ?? {
      text,
      pictures: ids,
      parent: edited?.parent ?? leaf.peek() ?? "",
      key: crypto.randomUUID(),
    }
    addUnacknowledged(name, message)
    const own = await Promise.all(pictures.map(async ({ picture }) => ({ data: await toBase64(picture) })))
    const payload = { ...message, pictures: [...own, ...repeated], ...modelsToAsk() }
    const said = await request<Conversations.SayResult>("POST", `${here()}/messages`, payload).catch(
      (error: unknown) => {
        // The server refused the message itself, so it was not stored.
        if (error instanceof Refused && error.status < 500) removeUnacknowledged(name, message)
        // Another tab may have seen it arrive.
        else if (!isUnacknowledged(name, message) || hasArrived(message, messages.peek(), edited)) return undefined
        throw error
      },
    )
    removeUnacknowledged(name, message)
    if (conversation !== undefined) void visit(conversation)
    sent.value++
    if (said === undefined) return
    if (said.waiting !== undefined) announcement.value = "The message waits for the answer in progress"
    // The message may be stored elsewhere than at the end of the shown path. The conversation continues there.
    if (said.message !== undefined && !messages.peek()?.some(({ id }) => id === said.message?.id)) await openHere()
  })

/** Returns a message from the composer that has arrived, even if its response was lost. */
export const takeArrived = (): Unacknowledged | undefined => {
  const name = unacknowledgedOf(id.peek())
  const arrived = readUnacknowledged(name).find((message) => hasArrived(message, messages.peek()))
  if (arrived !== undefined) removeUnacknowledged(name, arrived)
  return arrived
}

const openHere = () => {
  const shown = id.peek()
  if (shown !== undefined && isAt(shown) && route.peek().view === "conversation")
    replace({ view: "conversation", id: shown, leaf: undefined })
  return open(shown)
}

const isAt = (shown: string) => {
  const { value } = route
  return value.view === "conversation" && value.id === shown
}

/** Has a message answered by the chosen models, or by others. Returns undefined if the request was refused. */
export const beginAnswers = async (
  after: string,
  options: { readonly models?: ReadonlyArray<string>; readonly n?: number },
): Promise<ReadonlyArray<Answer> | undefined> => {
  let started: ReadonlyArray<Answer> | undefined
  await attempt(async () => {
    started = await request<ReadonlyArray<Answer>>("POST", `${here()}/answers`, { after, ...modelsToAsk(), ...options })
    await openHere()
  })
  return started
}

export const stop = (answer?: string) => attempt(() => request("POST", `${here()}/stop`, { answer }))

/** Continues after another message, or at the end of the newest branch below it. */
export const move = (to: string, below = false) =>
  attempt(async () => {
    if (to === leaf.peek()) return
    const mine = ++latest
    buffered = []
    try {
      const next = await request<State>("PUT", `${here()}/leaf`, { leaf: to, ...(below && { below }) })
      if (mine === latest) show(next)
    } catch (error) {
      // The shown state stays, and goes on to follow events.
      if (mine === latest) buffered = undefined
      throw error
    }
  })

export const rename = (to: string) => attempt(() => request("PUT", `${here()}/title`, { title: to }))

/** Reads the pictures of a message that waits. */
export const readWaitingPictures = async (
  waitingId: string,
  count: number,
): Promise<ReadonlyArray<Blob> | undefined> => {
  let pictures: ReadonlyArray<Blob> | undefined
  await attempt(async () => {
    const numbers = Array.from({ length: count }, (_, number) => number)
    pictures = await Promise.all(
      numbers.map((number) => requestBlob(`${here()}/pictures${query({ waiting: waitingId, number })}`)),
    )
  })
  return pictures
}

export const unqueue = (waitingId: string) =>
  attempt(async () => {
    const left = await request<ReadonlyArray<Conversations.Waiting>>(
      "DELETE",
      `${here()}/waiting/${encodeURIComponent(waitingId)}`,
    )
    const now = state.peek()
    if (now !== undefined) state.value = { ...now, waiting: left }
  })

let isLoadingEarlier = false

/**
 * Reads the messages above those that are shown, and returns true if there were any. `onArrival` runs before they are
 * shown.
 */
export const loadEarlier = async (onArrival: () => void): Promise<boolean> => {
  const first = state.peek()?.messages[0]
  if (isLoadingEarlier || first === undefined || state.peek()?.earlier === 0) return false
  isLoadingEarlier = true
  let isDone = false
  await attemptRead(async () => {
    const more = await request<{ readonly messages: ReadonlyArray<Message>; readonly earlier: number }>(
      "GET",
      `${here()}/earlier${query({ before: first.id })}`,
    )
    const now = state.peek()
    if (now?.messages[0]?.id !== first.id) return
    onArrival()
    state.value = { ...now, messages: [...more.messages, ...now.messages], earlier: more.earlier }
    isDone = true
  })
  isLoadingEarlier = false
  return isDone
}

export const choose = (models: ReadonlyArray<string>): void => {
  chosen.value = models
  writeDraft(`models:${id.peek()}`, models.join("\n"))
}
