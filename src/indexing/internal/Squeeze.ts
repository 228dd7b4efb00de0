/**
 * Shortens source for a model that says what a symbol is for: without what says nothing or repeats itself. By the
 * shape of the lines, for any language: what it takes for a comment or a list may be something else, and stays readable. Pure.
 */
import * as Tokenizer from "../../search/Tokenizer.ts"

export interface Squeezed {
  /** The name of the symbol: what only repeats it is left out. */
  readonly name: string
  /** Whether the lines are statements. In a class or a type a line says more by itself. */
  readonly isBody: boolean
}

/** The lines, shortened: never more characters, but for a few that join what belongs together. O(length of the lines). */
export const squeeze = (lines: ReadonlyArray<string>, symbol: Squeezed): ReadonlyArray<string> => {
  const own = symbol.isBody ? dropCopies(shortenComments(lines)) : dropRepeated(shortenComments(lines), symbol.name)
  const joined = joinLists(joinLists(joinLists(cutAlike(cutTexts(own)))))
  // Entries of a table may have become lines of one shape.
  return joinChains(joinBranches(cutAlike(joined)))
}

/** Longer lines are not looked at. They are cut when they are shown. */
const MAX_LINE_CHARS = 1_000

/** Of the first comment in brackets or quotes, which may be of the symbol itself: its beginning says what it is about. */
const MAX_COMMENT_CHARS = 300

/** Of another comment: of a member, or a step. */
const MAX_NOTE_CHARS = 160

/** Of a comment, on one line. */
const WIDTH = 160

const indentOf = (line: string): string => /^[\t ]*/.exec(line)?.[0] ?? ""

/** Comments in few lines: without addresses, examples, instructions to tools and empty lines. Other lines without a text too. */
const shortenComments = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const output: Array<string> = []
  let most = MAX_COMMENT_CHARS
  for (let at = 0; at < lines.length; ) {
    const line = (lines[at] ?? "").trimEnd()
    const found = line.length > MAX_LINE_CHARS ? undefined : commentAt(lines, at)
    if (found === undefined) {
      const end = endOfString(lines, at)
      for (const each of lines.slice(at, end)) if (each.trim() !== "") output.push(withoutInstruction(each).trimEnd())
      at = end
    } else {
      output.push(...textOf(found, found.closer === "" ? MAX_NOTE_CHARS : most))
      if (found.closer !== "") most = MAX_NOTE_CHARS
      at = found.end
    }
  }
  return output
}

interface Comment {
  readonly indent: string
  readonly opener: string
  readonly closer: string
  /** Before each of its lines after the first. */
  readonly leader: string
  readonly texts: ReadonlyArray<string>
  readonly end: number
}

/** The comment that begins on a line and has it for itself. */
const commentAt = (lines: ReadonlyArray<string>, at: number): Comment | undefined => {
  const line = lines[at] ?? ""
  const indent = indentOf(line)
  const { leader, opener } =
    /^(?:(?<opener>\/\*+|[a-zA-Z]{0,2}(?:"""|'''))|(?<leader>\/\/+!?|#:?(?= |$)|--(?= |$)|;+(?= ))) ?/.exec(
      line.slice(indent.length),
    )?.groups ?? {}
  if (leader !== undefined) {
    const texts: Array<string> = []
    let end = at
    for (; end < lines.length; end++) {
      const next = lines[end] ?? ""
      const text = next.trimStart()
      const rest = text.slice(leader.length)
      const isNext = text.startsWith(leader) && (leader.startsWith("/") || rest === "" || rest.startsWith(" "))
      if (indentOf(next) !== indent || !isNext || next.length > MAX_LINE_CHARS) break
      texts.push(rest)
    }
    return { indent, opener: leader, closer: "", leader: `${leader} `, texts, end }
  }
  if (opener === undefined) return undefined
  const closer = opener.startsWith("/") ? "*/" : opener.slice(-3)
  const texts: Array<string> = []
  for (let end = at; end < lines.length; end++) {
    const next = lines[end] ?? ""
    if (next.length > MAX_LINE_CHARS) return undefined
    const text = end === at ? next.slice(indent.length + opener.length) : next
    const close = text.indexOf(closer)
    texts.push((close < 0 ? text : text.slice(0, close)).replace(closer === "*/" ? /^\s*\*+/ : /^/, ""))
    if (close >= 0) {
      // With code behind it, it is no comment that has its lines for itself.
      if (text.slice(close + closer.length).trim() !== "") return undefined
      return { indent, opener, closer, leader: closer === "*/" ? " * " : "", texts, end: end + 1 }
    }
  }
  return undefined
}

const textOf = ({ closer, indent, leader, opener, texts }: Comment, most: number): ReadonlyArray<string> => {
  const shown: Array<string> = []
  let length = 0
  let isCut = false
  for (const text of texts.map((each) => each.trim())) {
    if (isSilent.test(text)) continue
    if (length >= most || isExample.test(text) || (length > 0 && isParameters.test(text))) {
      isCut = true
      break
    }
    shown.push(text)
    length += text.length + 1
  }
  const text = shown.join(" ")
  if (text === "") return []
  const cut = text.length > most ? text.slice(0, text.lastIndexOf(" ", most) + 1 || most).trimEnd() : text
  const space = closer === "*/" || closer === "" ? " " : ""
  const isWhole = !isCut && cut.length === text.length
  const whole = `${cut}${isWhole ? "" : " …"}${closer === "" ? "" : `${space}${closer}`}`
  return wrap(whole).map((line, i) => `${indent}${i === 0 ? `${opener}${space}` : leader}${line}`)
}

/** In lines of about `WIDTH`. */
const wrap = (text: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let rest = text
  while (rest.length > WIDTH + 20) {
    const space = rest.lastIndexOf(" ", WIDTH)
    const end = space <= 0 ? WIDTH : space
    lines.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return [...lines, rest]
}

/** Says nothing of a purpose: underlines, an address with a word or two before it, an instruction to a tool. */
const isSilent =
  /^(?:[^\p{L}\p{N}]*|\W*(?:[\w@]+[\s:-]+){0,6}[<([{]*(?:@link )?https?:\/\/\S+(?:[^\w]*|\s\w+\W*)|(?:eslint|tslint|jshint|prettier|biome|istanbul|c8|v8|pylint|mypy|ruff|fmt|isort|flake8)\b[\s:-].*|@ts-\S+.*|(?:noqa|pragma|type: ?ignore)\b.*)$/u

/** Without an instruction to a tool at its end. */
const withoutInstruction = (line: string): string =>
  line.length > MAX_LINE_CHARS
    ? line
    : line.replace(/\s(?:#|\/\/)\s*(?:type: ?ignore|noqa|pragma:|pylint:|eslint-)[^"'`]*$/, "")

/** The head of a list of what the signature has. */
const isParameters = /^(?:(?:Arg(?:ument)?s|Param(?:eter)?s):?$|@(?:param|arg|template|typeparam|interface)\b)/i

const isExample = /^(?:@example|Examples?:?$|>>> |```)/

/** The line after the one that ends a text over several lines, in three quotes, that begins on this one but is no comment. */
const endOfString = (lines: ReadonlyArray<string>, at: number): number => {
  let open: string | undefined
  for (let end = at; end < lines.length; end++) {
    for (const [quote] of (lines[end] ?? "").slice(0, MAX_LINE_CHARS).matchAll(/"""|'''/g)) {
      if (open === undefined) open = quote
      else if (open === quote) open = undefined
    }
    if (open === undefined) return end + 1
  }
  // It does not end: what looked like quotes was none.
  return at + 1
}

/** Of a function: without `self.x = x`, which its parameters say; but for what may stand alone in a branch. */
const dropCopies = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isDropped = (at: number): boolean => {
    const line = lines[at] ?? ""
    return line.length <= MAX_LINE_CHARS && isCopy.test(line) && !opensBranch.test(lines[at - 1] ?? "")
  }
  // Of an attribute that goes, the text below it would seem to be of the function.
  const kept = lines.filter((line, at) => !isDropped(at) && !(isDropped(at - 1) && isAttributeText.test(line)))
  // One that does nothing else is shown as it is, where it is short.
  return kept.length > 1 || lines.length <= 3 ? kept : lines
}

const isAttributeText = /^\s*("""|''').*\1$/

const opensBranch = /^\s*\}?\s*(?:if|else|elif|elsif|for|while|do|try|except|catch|finally|with|case|when)\b.*[:{)]$/

const isCopy = /^\s*(?:self|this|@|\$this)(?:\.|->)?[_#]*(\w+)(?:\s*:[^=]*)?\s*=\s*_*\1;?$/

/** Of a class: without attributes with a text that repeats their name, and without those that are only emptied. */
const dropRepeated = (lines: ReadonlyArray<string>, name: string): ReadonlyArray<string> => {
  const words = new Set(Tokenizer.parts(name))
  return dropSeen(lines).filter((line) => {
    if (line.length > WIDTH) return true
    if (/^\s+\w+\s*=\s*(?:None|null|nil|undefined);?$/.test(line)) return false
    const text = /^\s+[\w$ ]+(?:\s*:[^=]*)?\s*=\s*(["'`])([\w\s-]*)\1[;,]?$/.exec(line)?.[2]
    return text === undefined || !Tokenizer.parts(text).every((word) => words.has(word))
  })
}

/** Without lines that are the fourth of their kind, but for numbers in them: of overloads the first ones tell. */
const dropSeen = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  const output: Array<string> = []
  let dropped: Array<string> = []
  const tell = () => {
    if (dropped.length > 0) output.push(...(dropped.length < MAX_SEEN ? dropped : [alike(dropped.length)]))
    dropped = []
  }
  for (const line of lines) {
    const shape = line.slice(0, MAX_LINE_CHARS).trim().replaceAll(/\d+/g, "0")
    const count = (counts.get(shape) ?? 0) + 1
    counts.set(shape, count)
    // What closes goes with what it closes.
    const isClosing = !/\w/.test(shape)
    const [first] = dropped
    const goes = isClosing ? first !== undefined && indentOf(line).length >= indentOf(first).length : count > MAX_SEEN
    if (goes) dropped.push(line)
    else {
      tell()
      output.push(line)
    }
  }
  tell()
  return output
}

const MAX_SEEN = 3

const alike = (count: number): string => `… ${count} lines alike`

/** Of a text in parts on lines beside each other, such as a long message, the first two. */
const cutTexts = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.filter((line, at) => !(isTextPart(lines[at - 2]) && isTextPart(lines[at - 1]) && isTextPart(line)))

const isTextPart = (line = ""): boolean =>
  line.length <= MAX_LINE_CHARS && /^\s*[a-zA-Z]{0,2}(["'`])[^"'`]{20,}\1\s*[+.\\]?$/.test(line)

/** Of more than ten lines of one shape beside each other, the first eight. */
const cutAlike = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const output: Array<string> = []
  const keys = lines.map(shapeOf)
  for (let at = 0; at < lines.length; ) {
    let end = at + 1
    while (end < lines.length && keys[at] !== undefined && keys[end] === keys[at]) end++
    const shown = end - at > MAX_ALIKE ? SHOWN_ALIKE : end - at
    output.push(...lines.slice(at, at + shown))
    if (end - at > shown) output.push(alike(end - at - shown))
    at = end
  }
  return output
}

const MAX_ALIKE = 10
const SHOWN_ALIKE = 8

/** Of a line that stands for itself: attributes are of one shape, and assignments, members of a union, texts, calls of one function. */
const shapeOf = (line: string): string | undefined => {
  if (line.length > WIDTH + 40) return undefined
  const text = line.trim()
  if (/^… /.test(text) || !isBalanced(text)) return undefined
  const indent = indentOf(line)
  if (/^(?:[a-z]+ )*[\w$#"'`.-]+[?!]?\s*:(?!:)/.test(text)) return `${indent}w:`
  if (/^(?:[a-z]+ )*[\w$#.]+(?:\s*:[^=]*)?\s*=[^=>]/.test(text)) return `${indent}=`
  if (/^[|&]\s/.test(text)) return `${indent}|`
  if (/^[-\d.xa-fA-F,\s]+$/.test(text)) return `${indent}0`
  if (/^(["'`]).*\1[,;]?$/.test(text)) return `${indent}"`
  if (/^[\w$.]+,?$/.test(text)) return `${indent}w`
  const called = /^(?:new )?[\w$.]+(?=\()/.exec(text)?.[0]
  return called === undefined ? undefined : `${indent}${called}(`
}

const isBalanced = (text: string): boolean => {
  let depth = 0
  for (const char of text) {
    if ("([{".includes(char)) depth++
    else if (")]}".includes(char) && --depth < 0) return false
  }
  return depth === 0
}

/** Brackets with an entry a line on few lines, the innermost; what has other brackets in it is for the next time. */
const joinLists = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const output: Array<string> = []
  for (let at = 0; at < lines.length; ) {
    const end = endOfList(lines, at)
    const joined = end === undefined ? undefined : joinList(lines.slice(at, end + 1))
    if (end === undefined || joined === undefined) output.push(lines[at++] ?? "")
    else {
      output.push(...joined)
      at = end + 1
    }
  }
  return output
}

/** On one line if there is room; a list with commas otherwise on fewer lines. */
const joinList = (lines: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
  const [open = "", close = ""] = [lines[0], lines.at(-1)]
  const entries = dropSame(lines.slice(1, -1).map((line) => line.trim()))
  const isList = entries.every((entry, i) => i === entries.length - 1 || /,$|^… /.test(entry))
  const isBare = open.endsWith("{") && entries.every((entry) => !entry.endsWith(","))
  const list = isBare ? entries.map((entry) => entry.replace(/;$/, "")).join("; ") : entries.join(" ")
  const space = open.endsWith("{") ? " " : ""
  const whole = `${open}${space}${list.replace(/,$/, "")}${space}${close.trim()}`
  if (whole.trim().length <= WIDTH) return [whole]
  return isList ? [open, ...wrap(list).map((line) => `${indentOf(lines[1] ?? "")}${line}`), close] : undefined
}

/** The line that closes the list that a line opens. In braces there may be statements, which are not joined. */
const endOfList = (lines: ReadonlyArray<string>, at: number): number | undefined => {
  const first = lines[at] ?? ""
  if (first.length > WIDTH || !/[([{<]$/.test(first)) return undefined
  const indent = indentOf(first)
  const isClosing = (line = "") => indentOf(line) === indent && /^[)\]}>]/.test(line.trim())
  for (let end = at + 1; end < lines.length && end - at <= MAX_LIST; end++) {
    const line = lines[end] ?? ""
    const text = line.trim()
    if (isClosing(line)) return end > at + 1 ? end : undefined
    if (text.startsWith("… ")) continue
    if (line.length > WIDTH || !isBalanced(text) || isComment.test(text) || text.endsWith("=>")) return undefined
    const isOnly = end === at + 1 && isClosing(lines[end + 1])
    const isLast = isClosing(lines[end + 1]) && !text.endsWith(";")
    if (!/[([]$/.test(first) && !text.endsWith(",") && !isOnly && !isLast && !isAttribute(line)) return undefined
  }
  return undefined
}

const MAX_LIST = 200

const isAttribute = (line: string): boolean => shapeOf(line)?.endsWith("w:") === true && !/[=&|?:+]$/.test(line)

const isComment = /^(?:\/[/*]|#|\*[\s/]|--)|\s(?:#|\/\/) /

/** `if x:` and its only line, where a language has no brackets for them. */
const joinBranches = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const output: Array<string> = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ""
    const next = lines[at + 1] ?? ""
    const depth = indentOf(next).length
    const isOnly =
      branch.test(line) &&
      depth > indentOf(line).length &&
      indentOf(lines[at + 2] ?? "").length < depth &&
      !branch.test(next) &&
      isBalanced(next) &&
      !isComment.test(next.trim()) &&
      !next.trim().startsWith("…") &&
      line.length + next.length <= WIDTH
    output.push(isOnly ? `${line} ${next.trim()}` : line)
    if (isOnly) at++
  }
  return output
}

const branch = /^\s*(?:(?:async )?(?:if|elif|else|for|while|try|except|finally|with|case|def)\b[^#]*):$/

/** Calls of a chain that stand below each other. */
const joinChains = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const output: Array<string> = []
  for (const line of lines) {
    const before = output.at(-1) ?? ""
    const isNext =
      /^\s+\??\.\w/.test(line) &&
      before.length + line.trim().length <= WIDTH &&
      indentOf(line).length >= indentOf(before).length &&
      isBalanced(line.trim()) &&
      !isComment.test(before.trim())
    if (isNext) output[output.length - 1] = `${before}${line.trim()}`
    else output.push(line)
  }
  return output
}

/** Without entries that hand on what has the same name. */
const dropSame = (entries: ReadonlyArray<string>): ReadonlyArray<string> =>
  entries.flatMap((entry, i) => {
    if (!isSame.test(entry)) return [entry]
    return isSame.test(entries[i - 1] ?? "") ? [] : ["…,"]
  })

const isSame = /^(\w+)\s*[=:]\s*(?:self\.|this\.)?_*\1,?$/

/**
 * What lines that are left out say to a user: texts of three words or more, as of messages, and comments. On one line, and
 * at most `most` characters.
 */
export const messagesOf = (lines: ReadonlyArray<string>, most: number): string => {
  const found: Array<string> = []
  let length = 0
  for (const line of lines) {
    const short = line.slice(0, MAX_LINE_CHARS)
    const comment = /^\s*(?:\/\/|#|--) (.*)$/.exec(short)?.[0]?.trim()
    const texts = comment === undefined ? Array.from(short.matchAll(literals), ([text]) => text) : [comment]
    for (const text of texts) {
      if (!hasWords(text) || found.includes(text)) continue
      const cut = text.length > MAX_MESSAGE_CHARS ? `${text.slice(0, MAX_MESSAGE_CHARS)}…` : text
      if (length + cut.length > most) return found.join(" ")
      found.push(cut)
      length += cut.length + 1
    }
  }
  return found.join(" ")
}

/** Whether there are three words, or a name of three, as of a message: `"too-many-branches"`. */
const hasWords = (text: string): boolean =>
  /^["'`]\p{L}+(?:-\p{L}+){2,}["'`]$/u.test(text) || text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length >= 3

const literals = /"[^"\\]*(?:\\.[^"\\]*)*"|'[^'\\]*(?:\\.[^'\\]*)*'|`[^`\\]*(?:\\.[^`\\]*)*`/g

const MAX_MESSAGE_CHARS = 90

/** An expression over several lines by the names and texts in it, each once: `Sequence ALTER INDEX IndexReference`. */
export const wordsOf = (lines: ReadonlyArray<string>, most: number): string => {
  const words = new Set<string>()
  let length = 0
  for (const line of lines) {
    for (const [found] of withoutComment(line).matchAll(wordsOrTexts)) {
      const text = /^["'`]/.test(found) ? found.slice(1, -1).trim() : found
      if (text === "" || isNothing.test(text)) continue
      const word = text.length > MAX_WORD_CHARS ? `${text.slice(0, MAX_WORD_CHARS)}…` : text
      if (words.has(word)) continue
      if (length + word.length >= most) return `${Array.from(words).join(" ")} …`
      words.add(word)
      length += word.length + 1
    }
  }
  return Array.from(words).join(" ")
}

/** Of a text in an expression. */
const MAX_WORD_CHARS = 40

/** Without names of arguments, and prefixes of texts. */
const wordsOrTexts = new RegExp(
  `${literals.source}|(?<![\\p{L}\\p{N}_$.])[\\p{L}_$][\\p{L}\\p{N}_$.]*(?![\\p{L}\\p{N}_$.]|\\s*=[^=>]|["'\`])`,
  "gu",
)

const isNothing = /^(?:None|True|False|true|false|null|undefined|new|[^\p{L}]+)$/u

const withoutComment = (line: string): string =>
  line.slice(0, MAX_LINE_CHARS).replace(/^\s*(?:#|\/\/|\/?\*).*$|\s(?:#|\/\/) .*$/, "")
