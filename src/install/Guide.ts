/**
 * The texts about vibe for a coding agent: a skill, which it loads when it needs it, or a section of its notes. Both
 * are short, since notes cost tokens in every conversation.
 */
import { createHash } from "node:crypto"

/** The folder of the skill and its name, which have to be the same. */
export const SKILL = "vibe"

/**
 * Returns the line that marks a file of vibe. Its digest of the other lines shows whether the file was edited; it
 * ignores which line ends the system has.
 */
const mark = (rest: string): string => {
  const digest = createHash("sha256").update(rest.replaceAll("\r\n", "\n")).digest("hex").slice(0, 16)
  return `<!-- Written by 'vibe install' (${digest}); 'vibe install AGENT --remove' removes it. -->`
}

const PLACE = "<!-- -->"

const withMark = (text: string): string => text.replace(PLACE, mark(text))

/** The content of `SKILL.md`. */
export const skill: string = withMark(`---
name: ${SKILL}
description: Find code by what it does. Use it when you do not know the name of what you look for ("where are retries limited?"), and to see a symbol with its lines, purpose, callers and callees in one call. Not for exact strings, and not for names whose file you know.
---

${PLACE}

# Find code by what it does

vibe has an index of this project: where each function, class and type is, and what the major ones are for.

- **\`query\`** takes a question in plain words, and answers with paths, line numbers, signatures, purposes and first
  lines. Add identifiers that the code may use to your question. One call is often enough.
- **\`show\`** takes a symbol (\`Pool.acquire\`), a place (\`src/pool.ts:40\`) or a folder.

They are tools of the MCP server \`vibe\`. Without it run \`vibe query "how are retries limited"\` and
\`vibe show Pool.acquire\` in a shell.

Use grep instead for an exact string or an error message, for every place that has a word, and for what is not code. Use
your editor's file search for a file whose name you know.

Answers say if they are out of date; then read the file before you rely on lines.
`)

/** Returns whether `vibe install`, in this version or another, wrote a skill and nothing has changed it since. */
export const isUnedited = (skill: string): boolean => {
  const found = markIn(skill)
  return found !== undefined && found === mark(skill.replace(found, PLACE))
}

/** Returns whether `vibe install` wrote a skill that was changed since. */
export const isEdited = (skill: string): boolean => markIn(skill) !== undefined && !isUnedited(skill)

const markIn = (skill: string): string | undefined =>
  /<!-- Written by 'vibe install' \([0-9a-f]{16}\);.*?-->/.exec(skill)?.[0]

/** The lines of the section of `AGENTS.md` and its like. */
export const notes: ReadonlyArray<string> = [
  "## Find code with vibe",
  "",
  'To find code by what it does ("where are retries limited?"), call `query` of the MCP server `vibe`, or run',
  '`vibe query "…"`: one call returns paths, lines, signatures and purposes. `show` (`vibe show NAME`) explains a symbol,',
  "a `path:line` or a folder. For exact strings, for all uses of a word, and for what is not code, grep is better.",
]
