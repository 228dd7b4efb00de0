/**
 * Command lines of vibe in Markdown: finds them in blocks of code and in code within text, and divides them into words.
 */

export interface Documented {
  /** The line as the document has it, from `vibe` on. */
  readonly text: string
  /** The words after `vibe`, as a shell passes them on. */
  readonly argv: ReadonlyArray<string>
}

/** A block of a shell, of its output, or of a configuration that names commands. */
const block = /^ *```(?:sh|bash|console|yaml)\n(.*?)^ *```$/gms

const anyBlock = /^ *```.*?^ *```$/gms

/** Where a command begins in a line: after a prompt, an assignment, `npx`, `exec`, `$(`, or the key of a workflow. */
const start = /^(?:\$ |[A-Z_]+=\S+ |npx |exec |- run: |entry: )?vibe (?=[a-z-])|\$\(vibe (?=[a-z-])/

/** Finds the commands in blocks of code. In a block with prompts the other lines are output. */
export const inBlocks = (markdown: string): ReadonlyArray<Documented> =>
  Array.from(markdown.matchAll(block), ([, body = ""]) => body.split("\n").map((line) => line.trim())).flatMap(
    (lines) => {
      const prompts = lines.filter((line) => line.startsWith("$ "))
      return (prompts.length > 0 ? prompts : lines).flatMap(commandIn)
    },
  )

/** Finds the commands in code within the text, which may go on in the next line. */
export const inText = (markdown: string): ReadonlyArray<Documented> =>
  Array.from(markdown.replaceAll(anyBlock, "").matchAll(/`([^`]+)`/g), ([, code = ""]) => code)
    .map((code) => code.replaceAll(/\s+/g, " "))
    .flatMap(commandIn)

const commandIn = (line: string): ReadonlyArray<Documented> => {
  const found = start.exec(line)
  if (found === null) return []
  const rest = line.slice(found.index + found[0].length)
  return [{ text: `vibe ${rest}`, argv: wordsOf(rest) }]
}

/** A word, quoted or not; or what ends a command: a comment, a pipe, a redirection, a list or a closing parenthesis. */
const token = /\s*(?:(#|[|;&)]|\d?>)|((?:'[^']*'|"[^"]*"|[^\s'"|;&)>])+))/y

const wordsOf = (line: string): ReadonlyArray<string> => {
  const words: Array<string> = []
  token.lastIndex = 0
  for (let found = token.exec(line); found?.[2] !== undefined; found = token.exec(line)) {
    words.push(
      found[2].replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ""),
    )
  }
  return words
}
