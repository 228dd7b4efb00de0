/**
 * Shortens source for a model that explains a symbol: leaves out lines that say nothing or repeat others. It goes by
 * the shape of the lines, for any language. If it takes something else for a comment or a list, the text stays
 * readable. Pure.
 */
import * as CommentLines from "../../code/CommentLines.ts"
import * as Tokenizer from "../../search/Tokenizer.ts"

interface Squeezed {
  /** The name of the symbol: text that only repeats it is left out. */
  readonly name: string
  /** True if the lines are statements. In a class or a type a line says more by itself. */
  readonly isBody: boolean
}

/** Returns the lines, shortened: never more characters, except for a few that join parts. O(length of the lines). */
export const squeeze = (lines: ReadonlyArray<string>, symbol: Squeezed): ReadonlyArray<string> => {
  const own = symbol.isBody ? dropCopies(shortenComments(lines)) : dropRepeated(shortenComments(lines), symbol.name)
  const joined = joinLists(joinLists(joinLists(cutAlike(cutTexts(own)))))
  // The entries of a table may have become lines of one shape.
  return joinChains(joinBranches(cutAlike(joined)))
}

const { MAX_LINE_CHARS } = CommentLines

/**
 * The most characters of the first comment in brackets or quotes, which may be that of the symbol itself: its beginning
 * says what it is about.
 */
const MAX_COMMENT_CHARS = 300

/** The most characters of any other comment, such as that of a member or a step. */
const MAX_NOTE_CHARS = 160

/** The most characters of a line of a comment. */
const WIDTH = 160

const { indentOf } = CommentLines

/**
 * Writes comments in few lines: without addresses, examples, instructions to tools and empty lines. Removes other empty
 * lines too.
 */
const shortenComments = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const output: Array<string> = []
  let most = MAX_COMMENT_CHARS
  for (let at = 0; at < lines.length; ) {
    const line = (lines[at] ?? "").trimEnd()
    const found = line.length > MAX_LINE_CHARS ? undefined : CommentLines.commentAt(lines, at)
    if (found === undefined) {
      const end = CommentLines.endOfText(lines, at)
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

const textOf = (
  { closer, indent, leader, opener, texts }: CommentLines.Comment,
  most: number,
): ReadonlyArray<string> => {
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

/** Wraps a text into lines of about `WIDTH`. */
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

/**
 * Matches lines that say nothing about a purpose: underlines, an address with a word or two before it, an instruction
 * to a tool.
 */
const isSilent =
  /^(?:[^\p{L}\p{N}]*|\W*(?:[\w@]+[\s:-]+){0,6}[<([{]*(?:@link )?https?:\/\/\S+(?:[^\w]*|\s\w+\W*)|(?:eslint|tslint|jshint|prettier|biome|istanbul|c8|v8|pylint|mypy|ruff|fmt|isort|flake8|stylua|luacheck|selene|swiftlint|ktlint|rubocop)\b[\s:-].*|@ts-\S+.*|(?:noqa|pragma|type: ?ignore)\b.*)$/u

/** Removes an instruction to a tool from the end of a line. */
const withoutInstruction = (line: string): string =>
  line.length > MAX_LINE_CHARS
    ? line
    : line.replace(/\s(?:#|\/\/)\s*(?:type: ?ignore|noqa|pragma:|pylint:|eslint-)[^"'`]*$/, "")

/** The head of a list of parameters, which the signature has already. */
const isParameters = /^(?:(?:Arg(?:ument)?s|Param(?:eter)?s):?$|@(?:param|arg|template|typeparam|interface)\b)/i

const isExample = /^(?:@example|Examples?:?$|>>> |```)/

/**
 * Writes `…` for lines such as `self.x = x` of a function, since its parameters say what they do. Keeps one that may be
 * the only statement of a branch. Without the mark a constructor that only keeps its
 * parameters would seem to do nothing.
 */
const dropCopies = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isDropped = (at: number): boolean => {
    const line = lines[at] ?? ""
    return line.length <= MAX_LINE_CHARS && isCopy.test(line) && !opensBranch.test(lines[at - 1] ?? "")
  }
  // The text below a dropped attribute goes too, since it would seem to be about the function.
  const isLeftOut = (at: number) => isDropped(at) || (isDropped(at - 1) && isAttributeText.test(lines[at] ?? ""))
  const kept = lines.flatMap((line, at) => {
    if (!isLeftOut(at)) return [line]
    return isLeftOut(at - 1) ? [] : [`${indentOf(line)}…`]
  })
  // A function of more than three lines that does nothing else is shown as it is.
  return kept.filter((line) => line.trim() !== "…").length > 1 || lines.length <= 3 ? kept : lines
}

const isAttributeText = /^\s*("""|''').*\1$/

const opensBranch = /^\s*\}?\s*(?:if|else|elif|elsif|for|while|do|try|except|catch|finally|with|case|when)\b.*[:{)]$/

const isCopy = /^\s*(?:self|this|@|\$this)(?:\.|->)?[_#]*(\w+)(?:\s*:[^=]*)?\s*=\s*_*\1;?$/

/** Drops attributes of a class whose text repeats their name, and those that are only emptied. */
const dropRepeated = (lines: ReadonlyArray<string>, name: string): ReadonlyArray<string> => {
  const words = new Set(Tokenizer.parts(name))
  return dropSeen(lines).filter((line) => {
    if (line.length > WIDTH) return true
    if (/^\s+\w+\s*=\s*(?:None|null|nil|undefined);?$/.test(line)) return false
    const text = /^\s+[\w$ ]+(?:\s*:[^=]*)?\s*=\s*(["'`])([\w\s-]*)\1[;,]?$/.exec(line)?.[2]
    return text === undefined || !Tokenizer.parts(text).every((word) => words.has(word))
  })
}

/** Keeps the first three of lines that differ only in their numbers, such as overloads. */
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
    // A closing line goes with the line that opened it.
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

/** Keeps the first two parts of a text on several lines in a row, such as a long message, and marks the rest. */
const cutTexts = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isDropped = (at: number) => [at - 2, at - 1, at].every((each) => isTextPart(lines[each]))
  return lines.flatMap((line, at) => {
    if (!isDropped(at)) return [line]
    return isDropped(at - 1) ? [] : [`${indentOf(line)}…`]
  })
}

const isTextPart = (line = ""): boolean =>
  line.length <= MAX_LINE_CHARS && /^\s*[a-zA-Z]{0,2}(["'`])[^"'`]{20,}\1\s*[+.\\]?$/.test(line)

/** Keeps the first eight of more than ten neighbouring lines of one shape. */
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

/**
 * Returns the shape of a line that stands for itself. Attributes have one shape; so have assignments, members of a
 * union, texts, and calls of one function. Undefined for other lines.
 */
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

/**
 * Joins the innermost brackets with an entry on each line into few lines. Brackets around others are joined by the next
 * call.
 */
const joinLists = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const output: Array<string> = []
  for (let at = 0; at < lines.length; ) {
    const end = endOfList(lines, at)
    const list = lines.slice(at, (end ?? at) + 1)
    output.push(...(end === undefined ? list : joinList(list)))
    at += list.length
  }
  return output
}

/** Joins a list on one line if there is room. Otherwise a list with commas gets fewer lines. */
const joinList = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [open = "", close = ""] = [lines[0], lines.at(-1)]
  const entries = dropSame(lines.slice(1, -1).map((line) => line.trim()))
  const isList = entries.every((entry, i) => i === entries.length - 1 || /,$|^… /.test(entry))
  const isBare = open.endsWith("{") && entries.every((entry) => !entry.endsWith(","))
  const list = isBare ? entries.map((entry) => entry.replace(/;$/, "")).join("; ") : entries.join(" ")
  const space = open.endsWith("{") ? " " : ""
  const whole = `${open}${space}${list.replace(/,$/, "")}${space}${close.trim()}`
  if (whole.trim().length <= WIDTH) return [whole]
  return isList ? [open, ...wrap(list).map((line) => `${indentOf(lines[1] ?? "")}${line}`), close] : lines
}

/** Finds the line that closes the list that a line opens. Braces may hold statements, which are not joined. */
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

/** Joins `if x:` and its only line, for languages without brackets around them. */
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

/** Joins calls of a chain that are on lines below each other. */
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

/** Drops entries that pass on a value of the same name. */
const dropSame = (entries: ReadonlyArray<string>): ReadonlyArray<string> =>
  entries.flatMap((entry, i) => {
    if (!isSame.test(entry)) return [entry]
    return isSame.test(entries[i - 1] ?? "") ? [] : ["…,"]
  })

const isSame = /^(\w+)\s*[=:]\s*(?:self\.|this\.)?_*\1,?$/

/**
 * Collects the texts for users in lines that are left out: comments, and texts of three words or more, such as
 * messages. Returns them on one line, with at most `most` characters.
 */
export const messagesOf = (lines: ReadonlyArray<string>, most: number): string => {
  const found: Array<string> = []
  let length = 0
  for (const line of lines) {
    const short = line.slice(0, MAX_LINE_CHARS)
    const comment = /^\s*(?:\/\/|#|--) .*/.exec(short)?.[0].trim()
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

/** Returns whether a text has three words, or is a name of three, such as that of a message: `"too-many-branches"`. */
const hasWords = (text: string): boolean =>
  /^["'`]\p{L}+(?:-\p{L}+){2,}["'`]$/u.test(text) || text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length >= 3

const literals = /"[^"\\]*(?:\\.[^"\\]*)*"|'[^'\\]*(?:\\.[^'\\]*)*'|`[^`\\]*(?:\\.[^`\\]*)*`/g

const MAX_MESSAGE_CHARS = 90

/**
 * Describes an expression over several lines by the names and texts in it, each once:
 * `Sequence ALTER INDEX IndexReference`.
 */
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

/** The most characters of a text in an expression. */
const MAX_WORD_CHARS = 40

/** Matches names and texts, except for names of arguments and prefixes of texts. */
const wordsOrTexts = new RegExp(
  `${literals.source}|(?<![\\p{L}\\p{N}_$.])[\\p{L}_$][\\p{L}\\p{N}_$.]*(?![\\p{L}\\p{N}_$.]|\\s*=[^=>]|["'\`])`,
  "gu",
)

const isNothing = /^(?:None|True|False|true|false|null|undefined|new|[^\p{L}]+)$/u

const withoutComment = (line: string): string =>
  line.slice(0, MAX_LINE_CHARS).replace(/^\s*(?:#|\/\/|\/?\*).*|\s(?:#|\/\/) .*/, "")
