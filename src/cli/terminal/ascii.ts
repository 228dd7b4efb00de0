/** The characters that vibe draws with, as a terminal shows them that has no others. Pure. */

/** What is no drawing, such as the letters of other scripts, stays as it is: nothing else could be read in its place. */
export const toAscii = (text: string): string =>
  text.replaceAll(drawing, (character) => replacements.get(character) ?? "*")

const replacements = new Map(
  [
    ["-", "─━–—―−·•"],
    ["|", "│┃"],
    ["+", "┌┐└┘├┤┬┴┼✓✔"],
    ["x", "×✕✗✖"],
    ["#", "█▓"],
    [".", "░▒"],
    [">", "›▸▶❯"],
    ["<", "‹"],
    ["v", "▾↓"],
    ["^", "↑"],
  ].flatMap(([replacement = "", characters = ""]) => Array.from(characters, (one) => [one, replacement] as const)),
)
  .set("…", "...")
  .set("→", "->")
  .set("←", "<-")

/** General punctuation without quotation marks, arrows, box drawing, blocks, shapes, dingbats and the dots of a spinner. */
const drawing = /[‒-―•…‹›×·−←-↓─-◿★⚙✓-✘❯⠀-⣿]/gu
