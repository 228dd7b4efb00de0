/** The prompt in what a model says: `Prompt: a tabby cat`. Pure. */

/**
 * The last prompt of a complete answer; none where there is none that says something. It begins on a line of its own,
 * after `Prompt:` in any case, on that line or the next, and goes on to a blank line. Marks of a list are left out.
 */
export const extract = (answer: string): string | undefined => {
  let found: string | undefined
  /** Of the prompt that is read now. */
  let lines: Array<string> | undefined
  const close = () => {
    const prompt = lines?.map(unlisted).join("\n").trim() ?? ""
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

/** How a prompt begins, and what of it stands there already. */
const HEAD = /^\s*(?:[-*]\s+)?prompt:(.*)$/i

const unlisted = (line: string): string => line.trim().replace(/^[-*]\s+/, "")
