/**
 * Thinking within the text of an answer, between `<think>` and `</think>`, as chat templates of open models write it.
 * Only tags at the beginning of an answer count: later text may be about such tags. Pure.
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
}

export const initialState: State = { at: "start", pending: "" }

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
      return decodeAfter(text)
    case "thinking":
      return decodeThinking(state.pending + text)
    case "start":
      return decodeStart(state.pending + text)
  }
}

/** The pending text, at the end of the answer. */
export const flush = ({ at, pending }: State): ReadonlyArray<Piece> => toPieces(at === "thinking", pending)

const opening = "<think>"

const closing = "</think>"

/** A closing tag alone on its line. */
const alone = /(?<=^|\n)[^\S\n]*<\/think>[^\S\n]*(?:$|\n)/

/** In characters: longer leading white space is emitted at once. */
const MAX_PENDING_CHARS = 256

const decodeStart = (text: string): readonly [State, ReadonlyArray<Piece>] => {
  const trimmed = text.trimStart()
  if (trimmed.startsWith(opening)) return decodeThinking(trimmed.slice(opening.length))
  if (text.length <= MAX_PENDING_CHARS && (opening.startsWith(trimmed) || closing.startsWith(trimmed))) {
    return [{ at: "start", pending: text }, []]
  }
  // The opening tag was in the prompt template.
  if (alone.test(text) && !text.includes(opening)) return decodeThinking(text)
  return [{ at: "text", pending: "" }, textPieces(text)]
}

const decodeThinking = (text: string): readonly [State, ReadonlyArray<Piece>] => {
  const close = text.indexOf(closing)
  if (close === -1) {
    const pending = tagAtEnd(text)
    return [{ at: "thinking", pending }, toPieces(true, text.slice(0, text.length - pending.length))]
  }
  const [state, pieces] = decodeAfter(text.slice(close + closing.length))
  return [state, [...toPieces(true, text.slice(0, close)), ...pieces]]
}

/** Drops the white space between the thinking and the text. */
const decodeAfter = (text: string): readonly [State, ReadonlyArray<Piece>] => {
  const trimmed = text.trimStart()
  return trimmed === "" ? [{ at: "after", pending: "" }, []] : [{ at: "text", pending: "" }, textPieces(trimmed)]
}

/** The end of the text that may be the beginning of the closing tag. */
const tagAtEnd = (text: string): string => {
  const at = text.lastIndexOf("<")
  return at !== -1 && closing.startsWith(text.slice(at)) ? text.slice(at) : ""
}

const textPieces = (text: string) => toPieces(false, text)

const toPieces = (thinking: boolean, text: string): ReadonlyArray<Piece> => (text === "" ? [] : [{ thinking, text }])
