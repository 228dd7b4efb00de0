/** Conversations in a file, of any format that is known. Pure. */
import { isObject, tryParse } from "../../../message/Json.ts"
import * as ChatGpt from "./ChatGpt.ts"
import * as ClaudeCode from "./ClaudeCode.ts"
import * as Codex from "./Codex.ts"
import * as GeminiCli from "./GeminiCli.ts"
import * as Own from "./Own.ts"
import * as Pi from "./Pi.ts"
import type * as Sapling from "./Sapling.ts"

export interface Transcript extends Sapling.Reading {
  readonly format: string
}

/** As users know them. */
export const formats = ["vibe", "Claude Code", "Codex", "gemini-cli", "pi", "ChatGPT"]

/** None where nothing in it tells its format. */
export const read = (text: string): Transcript | undefined => {
  const whole = tryParse(text)
  return whole === undefined ? ofLines(text) : (ofValue(whole) ?? ofRecords([whole], 0))
}

const ofValue = (value: unknown): Transcript | undefined => {
  const own = Own.records(value)
  if (own !== undefined) return { format: "vibe", ...Own.read(own) }
  const gemini = GeminiCli.read(value)
  if (gemini !== undefined) return { format: "gemini-cli", ...gemini }
  const chatGpt = ChatGpt.read(value)
  return chatGpt === undefined ? undefined : { format: "ChatGPT", ...chatGpt }
}

const ofLines = (text: string): Transcript | undefined => {
  // Not at U+2028, which stands unescaped in the JSON of others.
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "")
  const records = lines.map(tryParse).filter(isObject)
  return ofRecords(records, lines.length - records.length)
}

const ofRecords = (records: ReadonlyArray<unknown>, torn: number): Transcript | undefined => {
  const reader = readers.find(([, isOf]) => isOf(records))
  if (reader === undefined) return undefined
  const [format, , read] = reader
  const { saplings, skipped } = read(records)
  return { format, saplings, skipped: skipped + torn }
}

type Records = ReadonlyArray<unknown>

const readers: ReadonlyArray<
  readonly [format: string, isOf: (records: Records) => boolean, read: (records: Records) => Sapling.Reading]
> = [
  ["vibe", Own.isOwn, Own.read],
  ["Claude Code", ClaudeCode.isClaudeCode, ClaudeCode.read],
  ["Codex", Codex.isCodex, Codex.read],
  ["pi", Pi.isPi, Pi.read],
]
