/** What changed from one text to another, as a unified diff. Pure. */
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff"

export interface Side {
  /** What it is called at the head of the diff. */
  readonly name: string
  readonly text: string
}

/** Milliseconds after which two long texts are told apart as wholes. */
const PATIENCE = 5000

/** Empty where they say the same. */
export const unified = (before: Side, after: Side): string => {
  if (before.text === after.text) return ""
  const options = { context: 3, timeout: PATIENCE, headerOptions: FILE_HEADERS_ONLY }
  return (
    createTwoFilesPatch(before.name, after.name, before.text, after.text, undefined, undefined, options) ??
    [`--- ${before.name}`, `+++ ${after.name}`, ...marked("-", before.text), ...marked("+", after.text), ""].join("\n")
  )
}

const marked = (mark: string, text: string): ReadonlyArray<string> =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => mark + line)
