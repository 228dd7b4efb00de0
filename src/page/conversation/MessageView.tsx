/** Shows a message with the actions for it. */
import { memo } from "preact/compat"
import { useState } from "preact/hooks"
import { query } from "../Client.ts"
import { formatCost, formatCount, formatDuration, formatPlural, formatTime } from "../format.ts"
import { Icon, type IconName } from "../Icon.tsx"
import { Heading } from "./Answering.tsx"
import { split, toBlock } from "./attachments.ts"
import { compareVersions, openBatch } from "./compare.ts"
import { EditBox } from "./EditBox.tsx"
import { AnswerText, Markdown } from "./Markdown.tsx"
import type { Item } from "./reduce.ts"
import { announcement, answers, editing, id, isRunning, type Message, messages, move } from "./store.ts"
import { Tools } from "./Tools.tsx"

const isSameItem = (a: Item, b: Item) =>
  a.message === b.message &&
  a.isFirst === b.isFirst &&
  a.isLast === b.isLast &&
  a.isUnanswered === b.isUnanswered &&
  a.cost === b.cost &&
  a.results.length === b.results.length

export const MessageView = memo(
  ({ item }: { readonly item: Item }) => {
    const { message } = item
    if (message.kind === "user") return <UserMessage item={item} />
    if (message.kind === "assistant") return <AssistantMessage item={item} />
    return <Note message={message} />
  },
  ({ item: a }, { item: b }) => isSameItem(a, b),
)

const UserMessage = ({ item: { isUnanswered, message } }: { readonly item: Item }) => (
  // The message takes the focus for the keys that act on it: `e`, `r`, `c`, `[` and `]`.
  <article class="message user" aria-label="You" tabindex={0} data-message={message.id}>
    <Pictures message={message} />
    {editing.value === message.id ? (
      <EditBox message={message} />
    ) : (
      <>
        <Said text={message.text} />
        <footer>
          <span class="actions">
            <time>{formatTime(message.at, Date.now())}</time>
            <Action icon="edit" name="Edit" of="e" onClick={() => (editing.value = message.id)} />
            <CopyButton text={message.text} />
            <Action icon="again" name="Answer again" of="r" onClick={() => openBatch(message.id, {})} />
          </span>
          <Versions message={message} what="version" />
        </footer>
        {isUnanswered && <NotAnswered id={message.id} />}
      </>
    )}
  </article>
)

/** Shows the pictures of a message, each as a link to the whole of it. */
const Pictures = ({ message: { id: message, pictures = [] } }: { readonly message: Message }) =>
  pictures.length === 0 ? null : (
    <ul class="pictures" aria-label="Pictures">
      {pictures.map((about, number) => {
        const address = `/api/conversations/${id.value}/pictures${query({ message, number })}`
        return (
          <li key={number}>
            <a href={address} target="_blank" rel="noreferrer" title={about}>
              <img src={address} alt={`${number + 1} of ${pictures.length}: ${about}`} loading="lazy" />
            </a>
          </li>
        )
      })}
    </ul>
  )

/** Shows what the user has written, and the files that came with it folded. */
const Said = ({ text }: { readonly text: string }) => {
  const parts = split(text)
  return (
    <>
      {parts.text !== "" && (
        <div class="said" dir="auto">
          {parts.text}
        </div>
      )}
      {parts.files.map((file, index) => (
        <details key={index} class="fold">
          <summary>
            <Icon name="file" /> <b>{file.name}</b>{" "}
            <span class="meta">{formatPlural(file.text.split("\n").length, "line")}</span>
          </summary>
          <Markdown text={toBlock(file)} />
        </details>
      ))}
    </>
  )
}

/**
 * Shows that a message was not answered, though other messages follow it. The server keeps only the reasons of the
 * latest failures.
 */
const NotAnswered = ({ id }: { readonly id: string }) => {
  const own = answers.value?.filter(({ after }) => after === id) ?? []
  if (own.some(({ state }) => state === "running")) return null
  const failure = own.findLast(({ error }) => error !== undefined)
  return (
    <p class="elsewhere">
      <span>Not answered{failure === undefined ? "" : `: ${failure.error}`}</span>
      <button type="button" onClick={() => openBatch(id, failure === undefined ? {} : { models: [failure.model] })}>
        Try again
      </button>
    </p>
  )
}

/** Returns the user's message that an answer belongs to. There may be messages of tools between them. */
const userMessageOf = ({ id, parent }: Message): string => {
  const path = messages.peek() ?? []
  const at = path.findIndex((message) => message.id === id)
  return path.slice(0, at).findLast(({ kind }) => kind === "user")?.id ?? parent
}

const AssistantMessage = ({ item }: { readonly item: Item }) => {
  const { cost, isEstimated, isFirst, message, results, time } = item
  // A message with calls is not the last one as long as an answer is in progress.
  const isLast = item.isLast && (message.calls.length === 0 || !isRunning.value)
  const facts = [
    message.finish !== undefined && message.finish !== "stop" && message.calls.length === 0 ? message.finish : "",
    time === undefined ? "" : formatDuration(time),
    cost === undefined ? "" : `${isEstimated ? "~" : ""}${formatCost(cost)}`,
  ]
  // Few want to know these, so they are where the pointer rests.
  const more = [
    message.tokens === undefined || message.tokens.output === 0
      ? ""
      : `${message.estimated === true ? "about " : ""}${formatCount(message.tokens.input)} tokens in, ${formatCount(message.tokens.output)} out`,
    formatTime(message.at, Date.now()),
  ]
  return (
    <article
      class={isFirst ? "message assistant" : "message assistant more"}
      aria-label={`Answer of ${message.model ?? "a model"}`}
      tabindex={0}
      data-message={message.id}
    >
      {isFirst && <Heading model={message.model} />}
      {message.thinking !== undefined && message.thinking !== "" && (
        <details class="fold">
          <summary>Thinking</summary>
          <Markdown text={message.thinking} />
        </details>
      )}
      {message.text !== "" && <AnswerText text={message.text} />}
      <Pictures message={message} />
      {message.calls.length > 0 && <Tools calls={message.calls} results={results} />}
      {(isLast || message.siblings.length > 1) && (
        <footer>
          <Versions message={message} what="answer" />
          {isLast && (
            <>
              <span class="meta" title={more.filter(Boolean).join(" · ")}>
                {facts.filter(Boolean).join(" · ")}
              </span>
              <span class="actions">
                <CopyButton text={message.text} />
                <Action icon="again" name="Answer again" of="r" onClick={() => openBatch(userMessageOf(message), {})} />
              </span>
            </>
          )}
        </footer>
      )}
    </article>
  )
}

const titles: Readonly<Partial<Record<Message["kind"], string>>> = {
  notice: "vibe told the model",
  summary: "Summary of what came before",
  unreadable: "This message cannot be read",
}

const Note = ({ message }: { readonly message: Message }) => {
  const title = titles[message.kind] ?? message.kind
  return (
    <details class={`note ${message.kind}`}>
      <summary>
        {title}: <span class="meta">{message.text.replace(/\s+/g, " ").slice(0, 120)}</span>
      </summary>
      <pre tabindex={0}>{message.text}</pre>
    </details>
  )
}

/** Focuses a message, or its button for a key if that can be pressed. */
const focusMessage = (id: string, key: string | null) => {
  const message = document.querySelector<HTMLElement>(`[data-message="${CSS.escape(id)}"]`)
  const button =
    key === null ? null : message?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]:not(:disabled)`)
  const goal = button ?? message
  goal?.focus({ preventScroll: true })
}

/** Shows the position among the versions, such as `2 of 3`, with a step to either side. */
const Versions = ({ message, what }: { readonly message: Message; readonly what: string }) => {
  const { id, siblings } = message
  const at = siblings.indexOf(id)
  if (siblings.length < 2) return null
  const step = async (to: number) => {
    const target = siblings[to]
    if (target === undefined) return
    announcement.value = `${to + 1} of ${siblings.length}`
    const { activeElement } = document
    const isHere = activeElement?.closest<HTMLElement>("[data-message]")?.dataset.message === id
    const key = activeElement?.matches("[data-key]") === true ? activeElement.getAttribute("data-key") : null
    await move(target, true)
    // Another message stands in the place of this one: so that one can step on, it takes the focus as this one had it.
    if (isHere) requestAnimationFrame(() => focusMessage(target, key))
  }
  return (
    <span class="versions">
      <button
        type="button"
        data-key="["
        aria-label={`Previous ${what}`}
        title={`Previous ${what} ([)`}
        disabled={at <= 0}
        onClick={() => void step(at - 1)}
      >
        ‹
      </button>
      {at + 1} of {siblings.length}
      <button
        type="button"
        data-key="]"
        aria-label={`Next ${what}`}
        title={`Next ${what} (])`}
        disabled={at === siblings.length - 1}
        onClick={() => void step(at + 1)}
      >
        ›
      </button>
      <button
        type="button"
        aria-label="Compare"
        title="Compare, side by side"
        onClick={() => compareVersions([id, ...siblings.filter((other) => other !== id)])}
      >
        <Icon name="compare" />
      </button>
    </span>
  )
}

interface ActionProps {
  readonly icon: IconName
  readonly name: string
  /** The key that does the same on the focused message. */
  readonly of: string
  readonly onClick: () => void
}

const Action = ({ icon, name, of, onClick }: ActionProps) => (
  <button type="button" data-key={of} aria-label={name} title={`${name} (${of})`} onClick={onClick}>
    <Icon name={icon} />
  </button>
)

const CopyButton = ({ text }: { readonly text: string }) => {
  const [word, setWord] = useState("Copy")
  const copy = () =>
    void navigator.clipboard
      .writeText(text)
      .then(
        () => setWord("Copied"),
        () => setWord("Not copied"),
      )
      .finally(() => setTimeout(() => setWord("Copy"), 1500))
  return <Action icon={word === "Copied" ? "check" : "copy"} name={word} of="c" onClick={copy} />
}
