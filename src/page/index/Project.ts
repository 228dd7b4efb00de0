/** Holds the state of the index in the page: its status, and the place that is shown. */
import { effect, signal } from "@preact/signals"
import { describeError, type Index, query, request } from "../Client.ts"
import { format, route } from "../Route.ts"

export const status = signal<Index.Status | undefined>(undefined)
/** A message about the last action, or about its failure. */
export const said = signal("")
/** Counts the changes of the index. The page reads its data again with each. */
export const version = signal(0)

export const showError = (error: unknown): void => {
  said.value = describeError(error)
}

let isReading = false
let isAgain = false

/** Reads the status with one request at a time, since a run keeps changing the index. */
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
  // A message about the previous place does not apply to this one.
  said.value = ""
  at.value = { path, line: line === undefined ? undefined : Number(line) }
})

export const linkTo = (path: string, line?: number): string =>
  format({ view: "index", at: line === undefined ? path : `${path}:${line}` })

/** Links to a symbol, or to the file that a search has found as a whole. */
export const linkToSymbol = ({ kind, line, path }: Index.SymbolRow): string =>
  linkTo(path, kind === "file" ? undefined : line)

export const symbolQuery = ({ line, path }: At): string => query({ path, line })
