/** Conversations in a transcript file of any supported format. Pure. */
import { isObject, tryParse } from "../../../base/Json.ts"
import * as ChatGpt from "./ChatGpt.ts"
import * as ClaudeCode from "./ClaudeCode.ts"
import * as Codex from "./Codex.ts"
import * as GeminiCli from "./GeminiCli.ts"
import type { ParsedFile } from "./ImportedConversation.ts"
import * as Pi from "./Pi.ts"
import * as VibeExport from "./VibeExport.ts"

export interface Transcript extends ParsedFile {
  readonly format: string
}

/** The display names of the formats. */
export const FORMATS = ["vibe", "Claude Code", "Codex", "gemini-cli", "pi", "ChatGPT"]

/** Returns undefined if the format is not recognised. */
export const parse = (text: string): Transcript | undefined => {
  const value = tryParse(text)
  return value === undefined ? parseLines(text) : (parseValue(value) ?? parseRecords([value], 0))
}

const parseValue = (value: unknown): Transcript | undefined => {
  const records = VibeExport.recordsOf(value)
  if (records !== undefined) return { format: "vibe", ...VibeExport.parse(records) }
  const gemini = GeminiCli.parse(value)
  if (gemini !== undefined) return { format: "gemini-cli", ...gemini }
  const chatGpt = ChatGpt.parse(value)
  return chatGpt === undefined ? undefined : { format: "ChatGPT", ...chatGpt }
}

const parseLines = (text: string): Transcript | undefined => {
  // U+2028 does not end a line: other programs leave it unescaped in JSON.
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "")
  const records = lines.map(tryParse).filter(isObject)
  return parseRecords(records, lines.length - records.length)
}

/** `malformed` is the number of lines that are not records. */
const parseRecords = (records: ReadonlyArray<unknown>, malformed: number): Transcript | undefined => {
  const parser = parsers.find(({ matches }) => matches(records))
  if (parser === undefined) return undefined
  const { conversations, skipped } = parser.parse(records)
  return { format: parser.format, conversations, skipped: skipped + malformed }
}

interface Parser {
  readonly format: string
  readonly matches: (records: ReadonlyArray<unknown>) => boolean
  readonly parse: (records: ReadonlyArray<unknown>) => ParsedFile
}

/** The formats that have a JSON record a line. */
const parsers: ReadonlyArray<Parser> = [
  { format: "vibe", matches: VibeExport.isVibeExport, parse: VibeExport.parse },
  { format: "Claude Code", matches: ClaudeCode.isClaudeCode, parse: ClaudeCode.parse },
  { format: "Codex", matches: Codex.isCodex, parse: Codex.parse },
  { format: "pi", matches: Pi.isPi, parse: Pi.parse },
]
