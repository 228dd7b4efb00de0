/** Finds the prompt in an answer: `Prompt: a tabby cat`. Pure. */
import * as Fence from "./internal/fence.ts"

/**
 * Returns the last prompt of a complete answer that is not blank. It begins after `Prompt:` (in any letter case, also
 * in bold or italics) at the start of a line, or on the next line, and ends at a blank line or with the fence around
 * it. A fenced block that follows `Prompt:` is the prompt, blank lines included. List markers are removed.
 */
export const extract = (answer: string): string | undefined => {
  let found: string | undefined
  /** The prompt that is being read. */
  let open: Open | undefined
  const close = () => {
    const prompt = open === undefined ? "" : textOf(open)
    if (prompt !== "") found = prompt
    open = undefined
  }
  const kindOf = Fence.kinds()
  for (const line of answer.split(/\r?\n/)) {
    const kind = kindOf(line)
    if (kind === "closes" && open !== undefined && open.ends !== "at a blank line") close()
    else if (kind === "opens" && open !== undefined && isEmpty(open)) {
      open = { lines: [], ends: "with its block", isStyled: false }
    } else if (open?.ends !== "with its block" || isEmpty(open)) {
      const head = HEAD.exec(line)?.groups
      if (head !== undefined) {
        close()
        const { style, colon, rest = "" } = head
        open = {
          lines: [rest],
          ends: kind === "inside" ? "with the fence" : "at a blank line",
          isStyled: style !== undefined && colon === ":",
        }
      } else if (line.trim() !== "") {
        if (open?.lines.length === 0 && open.ends !== "with its block") open = undefined
        open?.lines.push(line)
      } else if (open !== undefined && isEmpty(open)) {
        // Only a fenced block can still follow.
        open.lines.length = 0
      } else close()
    } else open.lines.push(line)
  }
  close()
  return found
}

interface Open {
  readonly lines: Array<string>
  /** The end of the prompt. A blank line ends it even in a fence around it, but not in a block of its own. */
  readonly ends: "at a blank line" | "with the fence" | "with its block"
  /** True if the whole prompt is in bold or italics, `Prompt:` included. */
  readonly isStyled: boolean
}

/**
 * Returns true if the prompt has no text yet. Takes constant time: a blank first line is followed only by lines that
 * are not blank.
 */
const isEmpty = ({ lines }: Open): boolean => lines.length <= 1 && (lines[0] ?? "").trim() === ""

const textOf = ({ isStyled, lines }: Open): string => {
  const text = lines.map(withoutListMarker).join("\n").trim()
  return isStyled ? text.replace(/(?:\*{1,2}|_{1,2})$/, "").trimEnd() : text
}

/** The beginning of a prompt, with the text on its first line. */
const HEAD = /^\s*(?:[-*]\s+)?(?<style>\*{1,2}|_{1,2})?prompt(?<colon>:\k<style>|\k<style>:|:)(?<rest>.*)$/i

const withoutListMarker = (line: string): string => line.trim().replace(/^[-*]\s+/, "")
