/**
 * Finds thinking within the text of an answer, between `<think>` and `</think>` or other tags, as chat templates of
 * open models write it. Only tags at the beginning of an answer count, since later text may be about such tags. Pure.
 */

export interface State {
  /**
   * - `start`: no text yet
   * - `thinking`: after the opening tag
   * - `after`: after the closing tag, before the first text
   * - `text`: everything from here on is text
   */
  readonly at: "start" | "thinking" | "after" | "text"
  /** Text that may be the beginning of a tag, or white space around one. */
  readonly pending: string
  /** The tag that ends the thinking. */
  readonly closing: string
}

export const initialState: State = { at: "start", pending: "", closing: "</think>" }

export interface Piece {
  readonly thinking: boolean
  readonly text: string
}

/** Decodes more text. A closing tag without an opening one ends thinking if it is alone on its line. */
export const decodeText = (state: State, text: string): readonly [State, ReadonlyArray<Piece>] => {
  switch (state.at) {
    case "text":
      return [state, textPieces(text)]
    case "after":
      return decodeAfter(state.closing, text)
    case "thinking":
      return decodeThinking(state.closing, state.pending + text)
    case "start":
      return decodeStart(state.pending + text)
  }
}

/** Returns the pending text at the end of the answer. */
export const flush = ({ at, pending }: State): ReadonlyArray<Piece> => toPieces(at === "thinking", pending)

/** The tags of open models, each with the one that ends it. The last three are those of Mistral, Seed and gpt-oss. */
const tags: ReadonlyArray<readonly [opening: string, closing: string]> = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<thought>", "</thought>"],
  ["[THINK]", "[/THINK]"],
  ["<seed:think>", "</seed:think>"],
  ["<|channel|>analysis<|message|>", "<|channel|>final<|message|>"],
]

/** Matches a closing tag alone on its line. */
const alone = /(?<=^|\n)[^\S\n]*<\/think>[^\S\n]*(?:$|\n)/

/** A limit in characters. Longer leading white space is emitted at once. */
const MAX_PENDING_CHARS = 256

const decodeStart = (text: string): readonly [State, ReadonlyArray<Piece>] => {
  const trimmed = text.trimStart()
  for (const [opening, closing] of tags) {
    if (trimmed.startsWith(opening)) return decodeThinking(closing, trimmed.slice(opening.length))
  }
  if (text.length <= MAX_PENDING_CHARS && tags.flat().some((tag) => tag.startsWith(trimmed) && tag !== trimmed)) {
    return [{ ...initialState, pending: text }, []]
  }
  // The opening tag was in the prompt template.
  const end = tags.find(([, closing]) => trimmed.startsWith(closing))
  if (end !== undefined) return decodeThinking(end[1], trimmed)
  if (alone.test(text) && !text.includes("<think>")) return decodeThinking("</think>", text)
  return [{ ...initialState, at: "text" }, textPieces(text)]
}

const decodeThinking = (closing: string, text: string): readonly [State, ReadonlyArray<Piece>] => {
  const close = text.indexOf(closing)
  if (close === -1) {
    const pending = tagAtEnd(closing, text)
    return [{ at: "thinking", pending, closing }, toPieces(true, text.slice(0, text.length - pending.length))]
  }
  const [state, pieces] = decodeAfter(closing, text.slice(close + closing.length))
  return [state, [...toPieces(true, text.slice(0, close)), ...pieces]]
}

/** Drops the white space between the thinking and the text. */
const decodeAfter = (closing: string, text: string): readonly [State, ReadonlyArray<Piece>] => {
  const trimmed = text.trimStart()
  return trimmed === ""
    ? [{ at: "after", pending: "", closing }, []]
    : [{ at: "text", pending: "", closing }, textPieces(trimmed)]
}

/** Returns the end of the text that may be the beginning of the closing tag. */
const tagAtEnd = (closing: string, text: string): string => {
  for (let length = closing.length - 1; length > 0; length--) {
    const beginning = closing.slice(0, length)
    if (text.endsWith(beginning)) return beginning
  }
  return ""
}

const textPieces = (text: string) => toPieces(false, text)

const toPieces = (thinking: boolean, text: string): ReadonlyArray<Piece> => (text === "" ? [] : [{ thinking, text }])
