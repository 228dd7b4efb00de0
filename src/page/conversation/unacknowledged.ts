/**
 * Keeps messages that were sent and may not have arrived, since their response was lost. They are stored beside the
 * draft of their box.
 */
import { readDraft, writeDraft } from "../Drafts.ts"

export interface Unacknowledged {
  readonly text: string
  /** The ids of its pictures; undefined if an earlier version of the page has stored the message. */
  readonly pictures?: ReadonlyArray<string> | undefined
  readonly parent: string
  readonly key: string
}

/** The most messages that are kept, the latest ones. A message is removed as soon as it has arrived or was refused. */
const most = 20

/** Reads the messages, oldest first. */
export const readUnacknowledged = (name: string): ReadonlyArray<Unacknowledged> => {
  try {
    // Only this module writes the value.
    return JSON.parse(readDraft(name)) as ReadonlyArray<Unacknowledged>
  } catch {
    return []
  }
}

const write = (name: string, all: ReadonlyArray<Unacknowledged>) =>
  writeDraft(name, all.length === 0 ? "" : JSON.stringify(all.slice(-most)))

export const isUnacknowledged = (name: string, { key: own }: Unacknowledged): boolean =>
  readUnacknowledged(name).some(({ key }) => key === own)

export const addUnacknowledged = (name: string, message: Unacknowledged): void => {
  write(name, [...readUnacknowledged(name).filter(({ key }) => key !== message.key), message])
}

export const removeUnacknowledged = (name: string, { key: own }: Unacknowledged): void => {
  write(
    name,
    readUnacknowledged(name).filter(({ key }) => key !== own),
  )
}
