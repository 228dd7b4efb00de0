/** Text and a small part of Markdown in the language of man pages (the macros of `man`). Pure. */

/**
 * Characters that roff reads as something else, or that a terminal would show as others: `-` as
 * a hyphen, `^` as a circumflex.
 */
const special: Readonly<Record<string, string>> = {
  "\\": "\\e",
  "-": "\\-",
  "'": "\\(aq",
  '"': "\\(dq",
  "`": "\\(ga",
  "^": "\\(ha",
  "~": "\\(ti",
}

/** Plain text, as a part of a line. */
export const escapeText = (text: string): string =>
  text
    .replaceAll(/[\\\-'"`^~]/g, (character) => special[character] ?? character)
    .replaceAll(/[^\n\x20-\x7e]/gu, (character) => `\\[u${hex(character)}]`)

const hex = (character: string): string => (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")

export const bold = (text: string): string => `\\fB${escapeText(text)}\\fP`

export const italic = (text: string): string => `\\fI${escapeText(text)}\\fP`

/** A line of text. One that began with `.` would be a macro. */
export const line = (roff: string): string => (roff.startsWith(".") ? `\\&${roff}` : roff)

export const section = (title: string): string => `.SH ${escapeText(title.toUpperCase())}`

/** A name and what it is, which hangs below it. */
export const item = (name: string, description: string): string => `.TP\n${line(name)}\n${line(description)}`

/** As it is, in lines of its own. */
export const code = (text: string): string =>
  `.RS 4\n.nf\n${text
    .split("\n")
    .map((each) => line(escapeText(each)))
    .join("\n")}\n.fi\n.RE`

/** A paragraph of Markdown: code is bold, emphasis italic, of links the text is left. */
export const inline = (markdown: string): string =>
  markdown
    .replaceAll(/\[((?:`[^`]*`|[^\][])*)\]\([^)\s]*\)/g, "$1")
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
    .map((part) => {
      if (part.startsWith("`")) return bold(part.slice(1, -1).replaceAll("\\|", "|"))
      return part.startsWith("**") ? italic(part.slice(2, -2)) : escapeText(part)
    })
    .join("")

/** The paragraphs, lists and code of a part of a document. Tables are left out, with the line that announces them. */
export const blocks = (markdown: string): ReadonlyArray<string> => {
  const all = markdown
    .split(/^(```.*?^```$)|\n{2,}/gms)
    .map((block = "") => block.trim())
    .filter((block) => block !== "")
  return all.flatMap((block, place) => {
    if (block.startsWith("|")) return []
    if (block.startsWith("```")) return [`.PP\n${code(block.split("\n").slice(1, -1).join("\n"))}`]
    if (/^(?:\d+\.|-) /.test(block)) return items(block)
    const isAnnouncement = block.endsWith(":") && all[place + 1]?.startsWith("|") === true
    return isAnnouncement ? [] : [`.PP\n${line(inline(unwrap(block)))}`]
  })
}

const items = (list: string): ReadonlyArray<string> =>
  list.split(/\n(?=(?:\d+\.|-) )/).map((each) => {
    const [, mark = "", text = ""] = /^(\d+\.|-) (.*)$/s.exec(each) ?? []
    return `.IP ${mark === "-" ? "\\(bu 2" : `${mark} 4`}\n${line(inline(unwrap(text)))}`
  })

const unwrap = (text: string): string => text.replaceAll(/\s*\n\s*/g, " ")
