/** Shows the box for the next message, which takes files too. While an answer is in progress the message waits. */

import { effect, signal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import type { Conversations } from "../Client.ts"
import { readDraft, writeDraft } from "../Drafts.ts"
import { formatCount, formatPlural, formatShare, shortModel } from "../format.ts"
import { Icon } from "../Icon.tsx"
import { isField } from "../keyboard.ts"
import {
  AttachButton,
  Attachments,
  addAttachments,
  attach,
  attachmentsOf,
  keepAttachments,
  showAttachments,
} from "./Attachments.tsx"
import { isPicture, split, toPicture, join as withFiles, withoutArrived } from "./attachments.ts"
import { isPickingModels } from "./ModelPicker.tsx"
import {
  asks,
  editing,
  id,
  isRunning,
  messages,
  problem,
  readWaitingPictures,
  refusal,
  say,
  state,
  stop,
  takeArrived,
  unqueue,
  waiting,
} from "./store.ts"

const draft = signal("")
let draftOf: string | undefined

export const setDraft = (text: string) => {
  draft.value = text
  if (id.peek() !== undefined) writeDraft(nameOf(id.peek()), text)
}

const nameOf = (conversation: string | undefined) => `draft:${conversation}`

/** Takes a waiting message back into the box. */
const takeBack = async ({ id: waitingId, pictures = [], text }: Conversations.Waiting) => {
  const conversation = id.peek()
  const name = nameOf(conversation)
  const blobs = await readWaitingPictures(waitingId, pictures.length)
  if (blobs === undefined || !(await unqueue(waitingId))) return
  const read = await Promise.all(blobs.map((blob) => toPicture(blob, "picture")))
  await addAttachments(
    conversation,
    read.filter((picture) => picture !== undefined),
  )
  if (nameOf(id.peek()) === name) setDraft(join(text, draft.peek()))
  else writeDraft(name, join(text, readDraft(name)))
}

/** Stops all answers. Waiting messages come back into the box: the user decides again whether to send them. */
export const stopAll = async (): Promise<void> => {
  if (!(await stop())) return
  for (const message of waiting.peek()?.toReversed() ?? []) await takeBack(message)
}

/** Puts `above` before a text, but not twice if it was put there before. */
const join = (above: string, text: string) => (text === "" || text === above ? above : `${above}\n${text}`)

effect(() => {
  const arrived = messages.value === undefined ? undefined : takeArrived()
  if (arrived === undefined) return
  const { pictures = [], text } = arrived
  const said = split(text).text
  const name = nameOf(id.peek())
  const kept = readDraft(name)
  const left = kept === said ? "" : kept.startsWith(`${said}\n`) ? kept.slice(said.length + 1) : kept
  writeDraft(name, left)
  showAttachments(id.peek(), withoutArrived(attachmentsOf(id.peek()), { text, pictures }))
  void keepAttachments(id.peek())
  if (draftOf !== id.peek() || draft.peek() !== kept) return
  draft.value = left
  problem.value = ""
})

export const Composer = () => {
  const box = useRef<HTMLTextAreaElement>(null)
  const isAwaited = useRef(false)
  const conversation = id.value
  if (conversation !== draftOf) {
    // Text that was written before the first conversation was there belongs to that conversation.
    const early = draftOf === undefined ? draft.peek() : ""
    draftOf = conversation
    const kept = conversation === undefined ? "" : readDraft(nameOf(conversation))
    setDraft([kept, early].filter((text) => text !== "").join("\n"))
  }
  useEffect(() => {
    // A conversation may arrive while the user already types elsewhere, for example in the search.
    if (isField(document.activeElement)) return
    // A phone's keyboard would cover half of the text that the user came to read.
    if (matchMedia("(pointer: fine)").matches) box.current?.focus({ preventScroll: true })
  }, [conversation])
  const send = async () => {
    const conversation = id.peek()
    const attachments = attachmentsOf(conversation)
    const pictures = attachments.filter(isPicture)
    const written = draft.value
    const text = withFiles(written, attachments)
    // A message that is sent before the first conversation is there goes out as soon as it is.
    isAwaited.current = id.peek() === undefined
    if ((text.trim() === "" && pictures.length === 0) || isAwaited.current || refusal.peek() !== "") return
    const name = nameOf(id.peek())
    // The browser keeps the text and the files until the server has them.
    draft.value = ""
    showAttachments(conversation, [])
    const isSaid = await say(text, pictures)
    const kept = readDraft(name)
    // A text that could not be sent comes back, above any text that was written since.
    if (nameOf(id.peek()) === name) setDraft(isSaid ? draft.value : join(written, draft.value))
    else writeDraft(name, isSaid ? (kept === written ? "" : kept) : join(written, kept))
    if (!isSaid) showAttachments(conversation, [...attachments, ...attachmentsOf(conversation)])
    await keepAttachments(conversation)
  }
  useEffect(() => {
    if (conversation !== undefined && isAwaited.current) void send()
  }, [conversation])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault()
      void send()
    } else if (event.key === "ArrowUp" && draft.value === "") {
      const last = messages.value?.findLast(({ kind }) => kind === "user")
      if (last === undefined) return
      event.preventDefault()
      editing.value = last.id
    }
  }
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault()
        // The button is disabled as soon as the box is empty. A finger that has sent a message wants to read.
        if (matchMedia("(pointer: fine)").matches) box.current?.focus()
        void send()
      }}
    >
      {problem.value !== "" && (
        <p class="failure" role="alert">
          {problem.value}
        </p>
      )}
      {/* An empty conversation says it above. */}
      {problem.value === "" && refusal.value !== "" && (messages.value?.length ?? 0) > 0 && (
        <p class="refusal" role="status">
          {refusal.value}
        </p>
      )}
      <Waiting onTaken={() => box.current?.focus()} />
      <div class="composer-box">
        <Attachments onRemoved={() => box.current?.focus()} />
        <textarea
          ref={box}
          id="message"
          rows={1}
          aria-label="Message"
          placeholder={isRunning.value ? "Write on: it waits until the answer has ended" : "Write a message"}
          value={draft.value}
          onInput={({ currentTarget }) => setDraft(currentTarget.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const files = event.clipboardData?.files ?? []
            if (files.length === 0) return
            event.preventDefault()
            void attach(files)
          }}
        />
        <div class="composer-foot">
          <AttachButton />
          <ModelButton />
          <ContextMeter />
          <span class="space" />
          {isRunning.value && (
            <button
              type="button"
              title="Esc"
              onClick={() => {
                box.current?.focus()
                void stopAll()
              }}
            >
              <Icon name="stop" /> Stop
            </button>
          )}
          <button
            type="submit"
            class="primary"
            title={refusal.value || "Enter"}
            disabled={(draft.value.trim() === "" && attachmentsOf(conversation).length === 0) || refusal.value !== ""}
          >
            {isRunning.value ? (
              "Queue"
            ) : (
              <>
                Send <Icon name="send" />
              </>
            )}
          </button>
        </div>
      </div>
    </form>
  )
}

const ModelButton = () => {
  const name = asks.value.map(shortModel).join(" + ") || "Model"
  return (
    <button
      type="button"
      class="quiet model"
      aria-haspopup="dialog"
      title="Choose the model, or several"
      onClick={() => (isPickingModels.value = true)}
    >
      <span>{name}</span> <Icon name="down" />
    </button>
  )
}

/** Shows how full the model's context is. */
const ContextMeter = () => {
  const context = state.value?.context
  if (context === undefined || context.window === 0) return null
  const share = Math.min(1, context.used / context.window)
  const text = `${formatCount(context.used)} of ${formatCount(context.window)} tokens of context`
  return (
    <span class="context" title={text}>
      <meter aria-label="Context in use" min={0} max={1} high={0.8} optimum={0} value={share} />
      <span>{formatShare(share)}</span>
    </span>
  )
}

/** Lists the messages that wait. `onTaken` receives the focus of a line that goes away. */
const Waiting = ({ onTaken }: { readonly onTaken: () => void }) => {
  const all = waiting.value ?? []
  if (all.length === 0) return null
  return (
    <ul class="waiting" aria-label="Messages that wait">
      {!isRunning.value && <li class="meta">These are sent before your next message.</li>}
      {all.map((message) => (
        <li key={message.id}>
          <span>{message.text}</span>
          {message.pictures !== undefined && (
            <span class="meta">{formatPlural(message.pictures.length, "picture")}</span>
          )}
          <button
            type="button"
            class="quiet"
            onClick={() => {
              onTaken()
              void takeBack(message)
            }}
          >
            Edit
          </button>
          <button
            type="button"
            class="quiet"
            aria-label="Remove"
            onClick={() => {
              onTaken()
              void unqueue(message.id)
            }}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  )
}
