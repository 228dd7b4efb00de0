/** The purpose that the comment of a symbol states: its first paragraph that says something. Pure. */
import { splitSentences } from "../base/Prose.ts"
import * as Tokenizer from "../search/Tokenizer.ts"
import * as TellingTerms from "./TellingTerms.ts"

/**
 * Returns the first paragraph of a comment that says more than its symbol shows anyway, on one line and without markup:
 * all of it, or as many of its first sentences as fit into 300 characters. Undefined for a comment that says nothing:
 * an address, "see x", a note of work to do, a licence, tags, directives for tools, code, or only what the name, the
 * signature and the path say, with words that fit any symbol.
 *
 * `doc` is plain text, without comment marks. Only its first 4,000 characters are read, so that the time is bounded.
 */
export const fromComment = (doc: string, subject: TellingTerms.Subject): string | undefined => {
  const name = namesOf(subject.qualifiedName)
  const sentences: Array<string> = []
  for (const lines of paragraphs(doc.slice(0, MAX_READ_CHARS))) {
    if (isCode(lines)) continue
    const prose = toProse(lines.join(" "))
    if (prose === "") continue
    // If a paragraph only repeats the name, the next one is its explanation.
    sentences.push(...splitSentences(prose))
    const purpose = shorten(sentences)
    if (purpose !== undefined && saysMoreThan(name, subject, purpose)) return purpose.replace(/ ?:{1,2}$/, "")
  }
  return undefined
}

const MAX_READ_CHARS = 4_000

const MAX_CHARS = 300

/**
 * Splits a comment into the paragraphs above the first tag, section or example, each as its lines. A list ends a
 * paragraph; headings and separators belong to none.
 */
const paragraphs = (doc: string): ReadonlyArray<ReadonlyArray<string>> => {
  const found: Array<ReadonlyArray<string>> = []
  let lines: Array<string> = []
  let isSkipped = false
  const end = () => {
    if (lines.length > 0) found.push(lines)
    lines = []
    isSkipped = false
  }
  for (const raw of doc.split("\n")) {
    const introduced = introduces.exec(raw)
    if (introduced !== null) end()
    // A comment with Python's mark `#:` still begins with the colon.
    const line = raw
      .slice(introduced?.[0].length ?? 0)
      .trim()
      .replace(/^:(?=\s|$)\s*/, "")
    if (!/[^\W_]|[^\0-\x7f]/.test(line)) {
      // The line above an underline is a heading.
      if (/^([-=~^"*#+])\1{2,}$/.test(line) && lines.length === 1) lines = []
      end()
    } else if (beginsDetails.test(line)) {
      end()
      break
    } else if (isHeading.test(line) || isDirective.test(line) || isField.test(line)) {
      end()
      isSkipped = line.startsWith("..")
    } else if (isItem.test(line) && lines.length > 0) {
      end()
      isSkipped = true
    } else if (!isSkipped) {
      lines.push(lines.length === 0 ? line.replace(isItem, "") : line)
    }
  }
  end()
  return found
}

/** Matches what introduces a description: keywords of PowerShell, and a field of the header of a module in Haskell. */
const introduces = /^\s*(?:\.(?:SYNOPSIS|DESCRIPTION)\b|(?:Short d|D)escription\s*:(?=\s))/i

/** Matches the other fields of the header of a module in Haskell. */
const isField = /^(?:Module|Copyright|Licen[cs]e|Maintainer|Author|Stability|Portability)\s*:\s/i

/**
 * A tag (`@param`, `.PARAMETER`, `\param`, `:param x:`), a section (`Args:`, `# Examples`) or an example. Tags that
 * introduce a description are excepted: their text is read.
 */
const beginsDetails =
  /^(?:[@\\](?!(?:brief|summary|desc|description|short|details?|class|classdesc)\b)[a-z]|:[a-z][^:`]{0,80}:(?!`)|\.(?:parameter|example|notes|link|inputs|outputs|component|role|functionality|forwardhelp\w+|remotehelp\w+|externalhelp)\b|(?:#+ )?(?:args|arguments|(?:other |type )?param(?:eter)?s?|return(?:s|ed)?(?: values?)?|yields?|raises|throws|panics|errors|safety|examples?|usage|attributes|notes?|see also|references|options|keyword arg(?:ument)?s|inputs?|outputs?|warnings?|todos?)\s*:{0,2}$|```|~~~|>>>|\$ |<(?:pre|code|example|param|returns)\b)/i

/** `# Title`, `==== Title`, and `.. note::` of reStructuredText with its block. */
const isHeading = /^(?:#{1,6} |(?:([-=~+/])\1\1|([*#_])\2{3}).*\S|\.\. )/

/** Comments for tools. The reader of comments does not always recognise them, since some stand within other lines. */
const isDirective =
  /^(?:eslint-(?:dis|en)able|eslint-env|eslint [\w-]+ ?:|js[hl]int (?:\w+:|ignore)|jscs:|globals? [\w$]+(?:, ?[\w$]+)*(?: ?: ?(?:true|false|writable|readonly))?$|exported [\w$]+$|@?flow(?:$|-)|\$Flow|@?ts-(?:ignore|expect|nocheck|check)|webpack\w+:|noinspection|nosec\b|noqa\b|nosonar\b|stylelint-(?:dis|en)able|prettier-ignore|biome-ignore|(?:istanbul|c8|v8) ignore|pylint:|mypy:|pyright:|ruff:|pragma:|type: ?(?:ignore|\()|fmt: ?(?:on|off|skip)|sourceMappingURL|language=|clang-format o|nolint|swiftlint:|ktlint-|rubocop:|stylua: ?ignore|luacheck:|selene:|MARK:|#(?:end)?region\b|-\*-|(?:frozen_string_literal|warn_indent|shareable_constant_value):|(?:en|file)?coding ?[:=] ?[\w-]+$|(?:vi|vim|ex): ?set? |shellcheck (?:disable|shell|source)=|yaml-language-server:|@(?:jsx\w*|format|(?:vitest|jest)-environment)\b|go:(?:build|generate)\b)/i

/** An item of a list. */
const isItem = /^(?:[-*+•]|\d{1,2}[.)])\s+/

/** Returns whether most lines are code that was commented out, or the first line is a signature. */
const isCode = (lines: ReadonlyArray<string>): boolean =>
  isCodeLine(lines[0] ?? "") && lines.filter(isCodeLine).length * 2 >= lines.length

const isCodeLine = (line: string): boolean =>
  /[;{}]$|=>$/.test(line) ||
  // The line may be names of parameters: `router, verb, controller(optional)`.
  /^\w+(?:\(\w+\))?(?:, \w+(?:\(\w+\))?){2,}$/.test(line) ||
  /^(?:(?:const|let|var|my|auto) )?[\w$.[\]'"]+ ?(?:[-+*/%|&^:]|\?\?|\|\|)?= ?\S+(?: ?[-+*/%|&?:.,(].*)?$/.test(line) ||
  /^(?:await |return |new |raise |throw |yield |@)?[\w$.]+\([^()]*(?:\([^()]*\))?[^()]*\)(?:\.\w+\([^()]*\))*\s*(?:[:;,]|->.*)?$/.test(
    line,
  ) ||
  /^(?:(?:const|let|var) [\w$]*[ {[(].*=|import \w|from [\w.]+ import |def \w+\(|class \w+[(:]|if \(|for \(|while \(|else:|try:|except\b.*:$|if .*:$|for .* in .*:$)/.test(
    line,
  )

/** Removes markup and joins lines. */
const toProse = (text: string): string => {
  let prose = text.toWellFormed().replaceAll("\0", "")
  if (/[@\\]/.test(prose)) {
    prose = prose
      .replaceAll(/(?:^|\s)[@\\](?:brief|summary|desc|description|short|details?|class|classdesc)\b ?:?/gi, " ")
      .replaceAll(/\{@\w+ ?([^{}]*)\}/g, "$1")
      .replace(
        /(?:^|\s)[@\\](?:param|arg|returns?|retval|type|throws|see|since|deprecated|example|internal|private|public|default|todo|link|author)\b.*$/,
        "",
      )
  }
  if (prose.includes("<")) {
    prose = prose
      .replaceAll(/<(?:see|seealso|paramref|typeparamref)\s+\w+="(?:[A-Z]:)?([^"<>]*)"\s*\/?>/g, "$1")
      .replaceAll(/<\/?(?:b|i|em|strong|code|tt|c|span|a)\b[^<>]{0,200}>/gi, "")
      .replaceAll(/<\/?(?:summary|remarks|inheritdoc|para|p|br|ul|ol|li|see|div)\b[^<>]{0,200}>/gi, " ")
  }
  if (prose.includes("`")) {
    prose = prose
      .replaceAll(/(?::[a-z]+)?:[a-z]+:`(?:~[\w.]*\.|[~!.])?([^`<>]*?)(?:\s*<[^`<>]*>)?`/g, "$1")
      .replaceAll("``", "`")
  }
  if (prose.includes("](")) prose = prose.replaceAll(/\[([^[\]]{1,200})\]\([^()\s]{1,300}\)/g, "$1")
  return prose.replaceAll(/\s{2,}|[^\S ]/g, " ").trim()
}

/** Keeps the sentences from the first that is no note on, as many as there is room for. */
const shorten = (sentences: ReadonlyArray<string>): string | undefined => {
  const start = sentences.findIndex((sentence) => !isNote.test(sentence))
  if (start === -1) return undefined
  let text = cut(sentences[start] ?? "")
  for (const sentence of sentences.slice(start + 1)) {
    // A colon introduces a list or code, which are left out.
    if (isNote.test(sentence) || sentence.endsWith(":") || text.length + 1 + sentence.length > MAX_CHARS) break
    text = `${text} ${sentence}`
  }
  return text
}

/** Cuts a sentence at the end of a word, if one is near. */
const cut = (sentence: string): string => {
  if (sentence.length <= MAX_CHARS) return sentence
  const start = sentence.slice(0, MAX_CHARS - 1)
  const space = start.lastIndexOf(" ")
  return `${(space > MAX_CHARS / 2 ? start.slice(0, space) : start).toWellFormed()}…`
}

/** A note of work to do or of caution, a reference, the origin of the code, or a licence. */
const isNote =
  /^(?:\W{0,2}(?:TODO|FIXME|XXX|HACK|TBD|WIP)\b|\W{0,2}(?:warning|caution|danger|attention|important|note|nb)\s*:|\W?(?:[Tt]odo|[Ff]ixme)\s*[:(]|(?:see(?: also)?|cf\.?|refer to)(?! (?:if|whether|that|what|how|which|when|where)\b)[\s:,]|(?:same|ditto|as|like) above\b|\(?inherit(?:s|ed)?(?: the)? (?:doc|from|javadoc)|(?:created|written|contributed) by\b|(?:copied|adapted|borrowed|taken|stolen|ported|source|from)(?: from)?:? (?:https?:|<?www\.|[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|edu|gov)\b)|(?:bad|poor|terrible|misleading) name\b|(?:copied|adapted|borrowed|taken|stolen|ported) from\b|(?:authors?|source|link|ref(?:erence)?s?|docs?|documentation|url)\s*:|copyright\b|\(c\)|©|spdx-|licen[cs]ed under|all rights reserved|permission is hereby granted|redistribution and use|this (?:file|program|source code|software) is (?:free|part|licen[cs]ed|released|distributed))/i

/**
 * Returns whether a text says more than the symbol itself. Addresses say nothing. Neither does a name in "for X" at the
 * end of a sentence, since that is the project.
 */
const saysMoreThan = (name: Names, subject: TellingTerms.Subject, text: string): boolean => {
  const words = (text.includes("://") ? text.replaceAll(/<?\b[a-z]+:\/\/\S+/g, " ") : text).replaceAll(forProject, "")
  const isTelling = TellingTerms.isTellingFor(subject)
  return (
    Tokenizer.splitRuns(words).some((run) => {
      const terms = Tokenizer.termsOfRun(run)
      // The last term of an identifier with several parts is the whole identifier, which no name needs to contain.
      return (
        terms.some((term) => !isNamed(term, name)) && (terms.length > 1 ? terms.slice(0, -1) : terms).some(isTelling)
      )
    }) || quotedMarks.test(words)
  )
}

/** Marks of a language in quotes, such as `::`. */
const quotedMarks = /(['"`])[^\w\s'"`]{2,}\1/

const forProject = / (?:for|of|in) [A-Z][a-z]+(?=[.!]?$|[.!] )/g

/** The words of a qualified name, in lower case, each and all together. */
interface Names {
  readonly words: ReadonlyArray<string>
  readonly joined: string
}

const namesOf = (qualifiedName: string): Names => {
  const words = Tokenizer.parts(qualifiedName)
  return { words, joined: words.join("") }
}

/**
 * Returns whether a term of a comment is in the name, in full or abbreviated (`init`), or says nothing beside a name.
 */
const isNamed = (term: string, { joined, words }: Names): boolean =>
  fillers().has(term) ||
  !/[^\W\d_]{2}|[^\0-\x7f]/.test(term) ||
  (term.length > 2 ? joined.includes(term) : words.includes(term)) ||
  words.some((word) => word.length > 2 && term.startsWith(word))

let knownFillers: ReadonlySet<string> | undefined

/** Builds the set when it is first used, since most commands read no comment. */
const fillers = (): ReadonlySet<string> => {
  knownFillers ??= new Set(FILLERS.split(" ").map(Tokenizer.stem))
  return knownFillers
}

const FILLERS =
  "function func method class interface type enum struct constant const variable var field property attribute prop " +
  "object instance constructor create creates creating make makes new init initialize initializes " +
  "initializer get gets getter set sets setter return returns represent represents define defines declare implement " +
  "implements implementation helper util utility routine given specified here see link public private protected " +
  "internal static deprecated unused inherited overridden overwritten documentation docstring docs doc"
