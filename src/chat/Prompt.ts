/** Finds the prompt in an answer: `Prompt: a tabby cat`. Pure. */

/**
 * The last prompt of a complete answer that is not blank. It begins after `Prompt:` (in any letter case) at the start of a
 * line, or on the next line, and ends at a blank line. List markers are removed.
 */
export const extract = (answer: string): string | undefined => {
  let found: string | undefined
  /** The lines of the prompt that is being read. */
  let lines: Array<string> | undefined
  const close = () => {
    const prompt = lines?.map(withoutListMarker).join("\n").trim() ?? ""
    if (prompt !== "") found = prompt
    lines = undefined
  }
  for (const line of answer.split(/\r?\n/)) {
    const [, first] = HEAD.exec(line) ?? []
    if (first !== undefined || line.trim() === "") close()
    if (first !== undefined) lines = [first]
    else lines?.push(line)
  }
  close()
  return found
}

/** The beginning of a prompt, with the text on its first line. */
const HEAD = /^\s*(?:[-*]\s+)?prompt:(.*)$/i

const withoutListMarker = (line: string): string => line.trim().replace(/^[-*]\s+/, "")
