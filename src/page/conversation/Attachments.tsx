/**
 * The files and pictures that go with the next message: keeps them, and shows them in the box with the button for more.
 */
import { effect, signal } from "@preact/signals"
import { useEffect, useRef, useState } from "preact/hooks"
import { readFiles, writeFiles } from "../FileDrafts.ts"
import { formatPlural } from "../format.ts"
import { Icon } from "../Icon.tsx"
import { type Attachment, addAll, isPicture, readFile } from "./attachments.ts"
import { id, problem } from "./store.ts"

/** Attachments by conversation. Those of no conversation were attached before the first one was there. */
const attached = signal<ReadonlyMap<string, ReadonlyArray<Attachment>>>(new Map())

export const attachmentsOf = (conversation: string | undefined): ReadonlyArray<Attachment> =>
  attached.value.get(conversation ?? "") ?? []

/** Shows attachments. What the browser keeps stays as it is. */
export const showAttachments = (conversation: string | undefined, all: ReadonlyArray<Attachment>): void => {
  attached.value = new Map([...attached.peek(), [conversation ?? "", all]])
}

/** Keeps the attachments that are shown in the browser. */
export const keepAttachments = async (conversation: string | undefined): Promise<void> => {
  if (conversation !== undefined) await writeFiles(conversation, attached.peek().get(conversation) ?? [])
}

const setAttachments = (conversation: string | undefined, all: ReadonlyArray<Attachment>) => {
  showAttachments(conversation, all)
  void keepAttachments(conversation)
}

/** Adds attachments after those that are there, and keeps them. Says of those that cannot be attached why. */
export const addAttachments = async (
  conversation: string | undefined,
  added: ReadonlyArray<Attachment | string>,
): Promise<void> => {
  const { all, refused } = addAll(
    attached.peek().get(conversation ?? "") ?? [],
    added.filter((each) => typeof each !== "string"),
  )
  showAttachments(conversation, all)
  problem.value = [...added.filter((each) => typeof each === "string"), ...refused].join(". ")
  await keepAttachments(conversation)
}

/** Attaches files to the next message. */
export const attach = async (files: Iterable<File>): Promise<void> => {
  const conversation = id.peek()
  await addAttachments(conversation, await Promise.all(Array.from(files, readFile)))
}

/** The conversations whose attachments were read from the browser. */
const known = new Set<string>()

effect(() => {
  const { value: conversation } = id
  if (conversation === undefined || known.has(conversation)) return
  known.add(conversation)
  const early = attached.peek().get("") ?? []
  void readFiles(conversation).then((kept) => {
    // Only this module writes the value.
    const all = [...((kept as ReadonlyArray<Attachment> | undefined) ?? []), ...early]
    if (all.length === 0) return
    showAttachments(undefined, [])
    setAttachments(conversation, addAll(all, attached.peek().get(conversation) ?? []).all)
  })
})

export const AttachButton = () => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        class="unseen"
        multiple
        tabIndex={-1}
        aria-label="Files"
        onChange={({ currentTarget }) => {
          void attach(currentTarget.files ?? [])
          currentTarget.value = ""
        }}
      />
      <button
        type="button"
        class="quiet only-icon"
        aria-label="Attach files"
        title="Attach files and pictures, or drop or paste them here"
        onClick={() => input.current?.click()}
      >
        <Icon name="attach" />
      </button>
    </>
  )
}

/** Shows the attachments. `onRemoved` receives the focus of a button that is gone. */
export const Attachments = ({ onRemoved }: { readonly onRemoved: () => void }) => {
  const conversation = id.value
  const all = attachmentsOf(conversation)
  if (all.length === 0) return null
  return (
    <ul class="files" aria-label="Attached files">
      {all.map((attachment) => (
        <li key={attachment.name}>
          {isPicture(attachment) ? <Thumbnail picture={attachment.picture} /> : <Icon name="file" />}
          <span>{attachment.name}</span>
          <span class="meta">
            {isPicture(attachment)
              ? `${Math.ceil(attachment.picture.size / 1000)} kB`
              : formatPlural(attachment.text.split("\n").length, "line")}
          </span>
          <button
            type="button"
            class="quiet only-icon"
            aria-label={`Remove ${attachment.name}`}
            title="Remove"
            onClick={() => {
              setAttachments(
                conversation,
                all.filter((other) => other !== attachment),
              )
              onRemoved()
            }}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  )
}

const Thumbnail = ({ picture }: { readonly picture: Blob }) => {
  const [url, setUrl] = useState<string | undefined>(undefined)
  useEffect(() => {
    const own = URL.createObjectURL(picture)
    setUrl(own)
    return () => URL.revokeObjectURL(own)
  }, [picture])
  return <img src={url} alt="" />
}
