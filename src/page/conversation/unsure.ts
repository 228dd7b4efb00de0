/** Messages that were sent and may not have arrived, since the response to them was lost. Kept beside the draft of their box. */
import { readDraft, writeDraft } from "../Drafts.ts"

export interface Unsure {
  readonly text: string
  readonly parent: string
  readonly key: string
}

/** The latest are enough: one is gone as soon as it has arrived, or was refused. */
const most = 20

/** Oldest first. */
export const readUnsure = (name: string): ReadonlyArray<Unsure> => {
  try {
    // Only this module writes it.
    return JSON.parse(readDraft(name)) as ReadonlyArray<Unsure>
  } catch {
    return []
  }
}

const write = (name: string, all: ReadonlyArray<Unsure>) =>
  writeDraft(name, all.length === 0 ? "" : JSON.stringify(all.slice(-most)))

export const isUnsure = (name: string, { key: own }: Unsure): boolean => readUnsure(name).some(({ key }) => key === own)

export const addUnsure = (name: string, message: Unsure): void => {
  write(name, [...readUnsure(name).filter(({ key }) => key !== message.key), message])
}

export const removeUnsure = (name: string, { key: own }: Unsure): void => {
  write(
    name,
    readUnsure(name).filter(({ key }) => key !== own),
  )
}
