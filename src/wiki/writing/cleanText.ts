/**
 * Cleans what a model wrote for a page: one line of plain text with inline code, without links, markup and citations.
 */
import { sanitizeLine } from "../../base/Sanitize.ts"
import * as StatementText from "../StatementText.ts"
import { cut } from "./Material.ts"

/** The most characters of a statement: three long sentences. */
const MAX_TEXT = 700

/**
 * Returns the text in one line. Links and pictures become their text; HTML, comments, addresses and citations such as
 * `[17]` go, and so does what would begin a heading, a list or a quotation. Inline code stays as it is.
 */
export const cleanText = (text: string): string =>
  StatementText.sanitize(
    cut(
      sanitizeLine(text.replaceAll(/```+/g, "`"))
        .split(/(`[^`]*`)/)
        .map((piece, at) => (at % 2 === 1 ? piece : cleanPlain(piece)))
        .join("")
        .replace(/^\s*(?:#{1,6}\s+|[-*+>]\s+|\d{1,3}[.)]\s+)+/, "")
        .replaceAll(/\s+([.,;:])(?=\s|$)/g, "$1")
        .replaceAll(/\s{2,}/g, " ")
        .trim(),
      MAX_TEXT,
    ),
  )

const cleanPlain = (text: string): string =>
  text
    .replaceAll(/<!--.*?(?:-->|$)/g, " ")
    .replaceAll(/<(script|style)\b[^>]*>.*?(?:<\/\1\s*>|$)/gi, " ")
    .replaceAll(/<\/?[a-z][^<>]*>/gi, " ")
    .replaceAll(/!?\[\[[^[\]]*\]\]/g, " ")
    .replaceAll(/!?\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replaceAll(/\s*\[\s*(?:[§S]?\d+(?:\s*[,;–-]\s*)?)+\]/g, " ")
    .replaceAll(/!?\[([^[\]]*)\](?:\[[^[\]]*\])?/g, "$1")
    .replaceAll(/\b(https?|ftp|file):\/\/(?=[\s,.;)]|$)/gi, "$1")
    .replaceAll(/https?:\/\/\S+/gi, "")
    .replaceAll(/\b(?:https?|ftp|javascript|data|file):\S+/gi, "")
    .replaceAll(/\bwww\.\S+/gi, "")
