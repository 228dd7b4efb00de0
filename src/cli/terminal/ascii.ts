/** Replaces the characters that vibe draws with, for a terminal that has only ASCII. Pure. */

/**
 * Replaces drawing characters only. Others, such as the letters of other scripts, stay: nothing else could be read in
 * their place.
 */
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
