/** The index as the page has it: what it comes to, and where one is in it. */
import { effect, signal } from "@preact/signals"
import { describeError, type Index, query, request } from "../Client.ts"
import { format, route } from "../Route.ts"

export const status = signal<Index.Status | undefined>(undefined)
/** What went wrong, or was done. */
export const said = signal("")
/** Counts the changes of the index: what is shown is read again with each. */
export const version = signal(0)

export const showError = (error: unknown): void => {
  said.value = describeError(error)
}

let isReading = false
let isAgain = false

/** One request at a time: a run changes the index all the while. */
export const readStatus = async (): Promise<void> => {
  if (isReading) {
    isAgain = true
    return
  }
  isReading = true
  try {
    do {
      isAgain = false
      status.value = await request<Index.Status>("GET", "/index")
    } while (isAgain)
  } catch (error) {
    showError(error)
  } finally {
    isReading = false
  }
}

export const makeStructure = async (): Promise<void> => {
  try {
    said.value = "Reads the files…"
    status.value = await request<Index.Status>("POST", "/index/structure")
    said.value = ""
    version.value++
  } catch (error) {
    showError(error)
  }
}

/** The place in the index: a path, or a symbol at its first line. */
export interface At {
  readonly path: string
  readonly line: number | undefined
}

export const at = signal<At>({ path: "", line: undefined })

effect(() => {
  if (route.value.view !== "index") return
  const [, path = route.value.at, line] = /^(.+):(\d+)$/.exec(route.value.at) ?? []
  // What was said of the place before says nothing here.
  said.value = ""
  at.value = { path, line: line === undefined ? undefined : Number(line) }
})

export const linkTo = (path: string, line?: number): string =>
  format({ view: "index", at: line === undefined ? path : `${path}:${line}` })

export const symbolQuery = ({ line, path }: At): string => query({ path, line })
