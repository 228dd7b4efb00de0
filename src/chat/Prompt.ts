/** The prompt in what a model says: `Prompt: a tabby cat`. Pure. */

/**
 * The last prompt of a complete answer; none where there is none that says something. It begins on a line of its own,
 * after `Prompt:` in any case, on that line or the next, and goes on to a blank line. Marks of a list are left out.
 */
export const extract = (answer: string): string | undefined => {
  const lines = answer.split(/\r?\n/)
  return lines
    .flatMap((line, index) => {
      const [, first] = HEAD.exec(line) ?? []
      return first === undefined ? [] : [textOf([first, ...lines.slice(index + 1)])]
    })
    .findLast((prompt) => prompt !== "")
}

const textOf = ([first = "", ...following]: ReadonlyArray<string>): string => {
  const end = following.findIndex((line) => line.trim() === "" || HEAD.test(line))
  return [first, ...(end === -1 ? following : following.slice(0, end))].map(unlisted).join("\n").trim()
}

/** How a prompt begins, and what of it stands there already. */
const HEAD = /^\s*(?:[-*]\s+)?prompt:(.*)$/i

const unlisted = (line: string): string => line.trim().replace(/^[-*]\s+/, "")
