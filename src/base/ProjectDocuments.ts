/** The documents by which a project introduces itself: READMEs and manifests. Pure. */

export const isReadme = (name: string): boolean => /^readme(?:\.(?:md|markdown|rst|txt|adoc|org))?$/i.test(name)

export const isManifest = (name: string): boolean =>
  /^(?:package\.json|pyproject\.toml|setup\.(?:cfg|py)|cargo\.toml|go\.mod|pom\.xml|composer\.json|build\.gradle(?:\.kts)?|cmakelists\.txt|gemfile|mix\.exs|[\w.-]+\.(?:gemspec|csproj|sln|cabal))$/i.test(
    name,
  )

interface Manifest {
  readonly name: string | undefined
  readonly description: string | undefined
}

/** Reads the first name and the first description of a manifest, which need not be whole. */
export const readManifest = (path: string, text: string): Manifest => {
  if (/\.gradle(?:\.kts)?$/.test(path)) return readGradle(text)
  const value = (key: string): string | undefined => {
    const found = text.match(new RegExp(`"${key}"\\s*:\\s*"(${QUOTED}*)"|${assignmentOf(key, path)}`, "m"))
    if (found === null) return undefined
    const [, json, paragraph, double, single, bare] = found
    const read = (json ?? double)?.replaceAll(/\\(.)/g, "$1") ?? paragraph?.replaceAll(/\s+/g, " ") ?? single ?? bare
    return read?.trim() || undefined
  }
  if (/go\.mod$/.test(path)) return { name: text.match(/^module\s+(\S+)/m)?.[1], description: undefined }
  if (/pom\.xml$/.test(path)) {
    const project = text.replace(/<parent>[\s\S]*?<\/parent>/, "")
    return {
      name: project.match(/<artifactId>([^<]+)</)?.[1]?.trim(),
      description: project
        .match(/<description>([^<]+)</)?.[1]
        ?.replaceAll(/\s+/g, " ")
        .trim(),
    }
  }
  return { name: value("name"), description: value("description") }
}

/**
 * Reads the build file of Gradle. It is a program that gives names to source sets, repositories and developers, too:
 * that of the project is the first in what it publishes (`pom`), and its description is not indented.
 */
const readGradle = (text: string): Manifest => {
  const [, name] = /\bpom\s*\{\s*name(?:\.set\(|\s*=)\s*(["'][^"'\n$]+["'])/.exec(text) ?? []
  const [, description] = /^description(?:\s*=)?\s*("(?:[^"\\\n]|\\.)+"|'[^'\n]+')/m.exec(text) ?? []
  return { name: withoutQuotes(name), description: withoutQuotes(description) }
}

const withoutQuotes = (quoted: string | undefined): string | undefined =>
  quoted?.slice(1, -1).replaceAll(/\\(.)/g, "$1").trim() || undefined

/** Matches one character within double quotes, or one that is escaped there. */
const QUOTED = String.raw`(?:[^"\\]|\\.)`

/**
 * Matches `key = value` at the beginning of a line, with a group for each way to quote the value: three double quotes,
 * double quotes, single quotes, or none. In a program, text without quotes is an expression.
 */
const assignmentOf = (key: string, path: string): string => {
  const quoted = String.raw`"""([^"]*)"""|"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'`
  return String.raw`^\s*${key}\s*=\s*(?:${quoted}${path.endsWith(".py") ? "" : String.raw`|([^"'\s][^\n]*)`})`
}

/**
 * Returns the first heading of a README up to a subtitle, or the words for the picture in it; undefined if it is the
 * heading of a section.
 */
export const titleOf = (readme: string): string | undefined => {
  const lines = linesOf(readme)
  for (const [number, line] of lines.entries()) {
    const heading =
      line.match(/^(?:#|=)\s+(.+?)\s*[#=]*$/)?.[1] ??
      line.match(/<h1[^>]*>(.+?)<\/h1>/i)?.[1] ??
      // A row of a table, an item of a list and a quote may stand above a line, too.
      (/^(?:={3,}|-{3,})\s*$/.test(lines[number + 1] ?? "") && !/^\s*(?:[|>+]|[-*] |\d+[.)] )/.test(line)
        ? line.trim()
        : "")
    const picture = heading.match(/!\[([^\]]+)\]|<img\b[^<>]*?\balt\s*=\s*(?:"([^"<>]+)"|'([^'<>]+)')/i)
    const title = [toPlain(heading), picture?.slice(1).find((text) => text !== undefined) ?? ""].find((text) =>
      /\p{L}/u.test(text),
    )
    if (title !== undefined) return isSection.test(title) ? undefined : title.split(/: | [-–—|] /)[0]
  }
  return undefined
}

const isSection =
  /^(?:features|highlights|install|getting started|quick ?start|table of contents|contents|about|overview|introduction|readme|usage|why|documentation|(?:help|support|donat\w+|licen[cs]e|contribut\w+|change ?log|credits)(?: and \w+)?$)/i

/**
 * Returns the beginning of a README as lines without front matter, comments and blocks of code. Long texts and lines
 * are cut: to remove marks that never end takes time quadratic to a line.
 */
const linesOf = (readme: string): ReadonlyArray<string> =>
  withoutCode(readme.slice(0, MAX_CHARS).replace(FRONT_MATTER, ""))
    .split("\n")
    .map((line) => cut(line, MAX_LINE_CHARS))

/** Settings that generators of sites read, between two lines of dashes. */
const FRONT_MATTER = /^---\r?\n(?:(?!---)[^\n]*\n){0,100}---\r?\n/

const MAX_CHARS = 200_000
const MAX_LINE_CHARS = 1_000

/** Removes comments and blocks of code. A block that never ends stays. Takes time linear to the text. */
const withoutCode = (text: string): string => {
  const kept: Array<string> = []
  let block: Array<string> | undefined
  for (const line of text.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, "").split("\n")) {
    if (block === undefined && !/^(?:```|~~~)/.test(line)) kept.push(line)
    else if (block === undefined) block = [line]
    else if (/^(?:```|~~~)\s*$/.test(line)) block = undefined
    else block.push(line)
  }
  return kept.concat(block ?? []).join("\n")
}

/**
 * Returns the name of a project: the title of its README, or else the first name in its manifests, or else what the
 * README begins to explain in bold type or as code (`**lazy.nvim** is …`). Undefined if none of them has one. The name
 * of a folder of packages comes last: it says nothing (`root`), or more than the project is called (`a-monorepo`).
 */
export const nameOf = (readme: string | undefined, manifests: ReadonlyArray<string>): string | undefined => {
  const [first] = manifests
  const [, withoutFolder] = first?.match(/^(.*?)[-_/]?\b(?:monorepo|root|workspace)$/) ?? []
  // The name of a module of Go is an address, which may end with a version.
  const name = first === undefined || first.startsWith("@") ? first : first.replace(/\/v\d+$/, "").replace(/^.*\//, "")
  return (
    (readme === undefined ? undefined : titleOf(readme)) ??
    (withoutFolder === undefined ? name : undefined) ??
    readme?.slice(0, BEGINNING).match(/^(?:\*\*|__|`)([\w][\w.@/ -]{0,40})(?:\*\*|__|`) is (?:a|an|the)\b/m)?.[1] ??
    (withoutFolder || name)
  )
}

/**
 * Returns the first sentence of a README's prose that may say what the project is, or else its tagline, or else its
 * first sentence. It skips headings, badges, lists, quotes of code, notices, rows of links, news and thanks, and also
 * boxes of HTML if there is a sentence outside of them.
 */
export const firstSentence = (readme: string): string | undefined => {
  const outside = sentenceIn(withoutBoxes(cut(readme, BEGINNING)))
  if (outside !== undefined && isDefinition.test(outside)) return outside
  return taglineOf(readme) ?? outside ?? sentenceIn(readme)
}

/**
 * Returns what an element of HTML above the first section begins with, if it may be a tagline: `A simple terminal UI
 * for git commands`.
 */
const taglineOf = (readme: string): string | undefined => {
  const [head = ""] = cut(readme, BEGINNING)
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, "")
    .split(/^##\s/m)
  const [, ...parts] = head.split(/<(\/?(?:p|div|h[1-6]|center|br|hr|picture|figure|figcaption)\b)[^<>]*>/i)
  return parts
    .map((part, at) => {
      const [paragraph = ""] = parts[at - 1]?.startsWith("/") === false ? part.trim().split(/\n\s*\n/) : []
      return /\]\(|<a\b/.test(paragraph) ? "" : toPlain(paragraph.replaceAll(/\s+/g, " "))
    })
    .find((piece) => tagline.test(piece) && !isNews.test(piece))
}

/** Matches `A` or `An` and three to twenty words more, in one sentence. */
const tagline = /^An? (?:[^\s.!?:]+ ){2,19}[^\s.!?:]+\.?$/

/** The most characters in which boxes are looked for. */
const BEGINNING = 20_000

/** Cuts a text, without the half of a tag at its end, which would be read as text: rows of sponsors are long. */
const cut = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(/<[^<>]*$/, "")

/** Leaves out boxes of HTML with those in them. What follows the beginning of a box that never ends stays. */
const withoutBoxes = (text: string): string => {
  const kept: Array<string> = []
  let depth = 0
  let from = 0
  for (const { 0: tag, 1: slash, index } of text.matchAll(/<(\/?)(?:kbd|div|table|details|center)\b[^<>]*>/gi)) {
    if (slash === "/") depth = Math.max(0, depth - 1)
    else if (depth++ === 0) {
      kept.push(text.slice(from, index))
      from = index
    }
    if (depth === 0) from = index + tag.length
  }
  return kept.concat(text.slice(from)).join("")
}

const sentenceIn = (readme: string): string | undefined => {
  const text = linesOf(readme)
    .join("\n")
    .replace(/^---\n[\s\S]*?\n---\n/, "")
    .replaceAll(/^ *> *\[!\w+\].*(?:\n *>.*)*/gm, "")
    .replaceAll(/^\.\. \w[\w-]*::.*(?:\n[ \t]+\S.*|\n[ \t]*(?=\n))*/gm, "")
    // Headings and paragraphs of HTML may stand without an empty line between them.
    .replaceAll(/<h([1-6])\b[^<>]*>(?:(?!<\/?h[1-6]\b)[\s\S]){0,500}<\/h\1>/gi, "\n\n")
    .replaceAll(/<\/?(?:p|div)\b[^<>]*>/gi, "\n\n")
    // Lines are read one by one below, so a tag must not go over several.
    .replaceAll(/<[^<>]*>/g, (tag) => tag.replaceAll(/\s+/g, " "))
  const lines = text.split("\n")
  const prose = lines.map((line, number) => {
    const isHeading =
      /^\s*(?:#{1,6}\s|[=\-~^"*]{3,}\s*$)/.test(line) || /^[=\-~^"*]{3,}\s*$/.test(lines[number + 1] ?? "")
    const isBlock = /^\s*(?:[-*+|]\s|\d+\.\s|\.\. |:\w+:|\|)/.test(line) || /^(?: {4}|\t)\S/.test(line)
    return isHeading || isBlock ? "" : toPlain(line.replace(/^\s*>\s?/, ""))
  })
  const how = lines.findIndex((line, number) => isHow.test(line) && prose[number] === "")
  const sentences = sentencesOf(how === -1 ? prose : prose.slice(0, how))
  return sentences.slice(0, MAX_SENTENCES).find((sentence) => isDefinition.test(sentence)) ?? sentences[0]
}

const sentencesOf = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines
    .join("\n")
    .split(/\n\s*\n/)
    .flatMap((paragraph) => sentenceOf(paragraph) ?? [])

/**
 * A README that has not said `NAME is a` in so many first sentences of paragraphs is introduced by the first of all.
 */
const MAX_SENTENCES = 20

/** Matches a heading below which the project is used, built or changed, not introduced. */
const isHow = /^[\s#]*(?:install|usage|using|getting started|quick ?start|develop|contribut|requirements|depend|build)/i

/** Matches `NAME is a …`. */
const isDefinition =
  /^(?!(?:this|that|it|there|here|what|which|if|one|each|everything|most|the)\b)[`"'*]*\p{L}[\w.+-]*[`"'*]*(?: \([^)]*\))? (?:is|are) (?:an?|the|your)\b/iu

/** Returns the first sentence of a paragraph; undefined for news, and for a few words, which are a label. */
const sentenceOf = (paragraph: string): string | undefined => {
  const text = paragraph
    .replaceAll(/\s+/g, " ")
    // The separators of badges and links are left at the ends of the text once these are gone.
    .replaceAll(/^(?:[·•|–—]\s*)+|(?:\s*[·•|])+$/gu, "")
    .trim()
  const [first = ""] = text.split(/(?<=[.!?。][)"'`]?) (?![a-z])/)
  const whole = first.replace(beforeList, ".")
  return isNavigation(text) || isNews.test(first) || !saysSomething(first) || needsList.test(whole) ? undefined : whole
}

/** Matches a sentence that says nothing without the list that was behind it: `The editor supports:`. */
const needsList = /\b(?:are|can|for|has|have|includes?|is|offers|provides|supports|to|will)\.$/

/** Matches the end of a sentence that a list completes, with the word that leads to the list. */
const beforeList =
  /(?:,? (?:offering|featuring|providing|including|with|and|(?:that|which|and) (?:offers|features|provides|includes)))?\s*:$/

const saysSomething = (sentence: string): boolean => {
  // Chinese and Japanese have no spaces between words.
  if (/[^\0-\x7f]{8}/.test(sentence)) return true
  const words = sentence.split(" ").filter((word) => /\p{L}{2}/u.test(word) && !/:\/\/|\]\(/.test(word))
  return words.length >= (/:\/\/|\]\(/.test(sentence) ? 6 : 3) && (sentence.match(/\p{L}{2,}/gu)?.length ?? 0) >= 3
}

/** Matches what many READMEs say before they say what the project is. */
const isNews =
  /\?$|^(?:some )?notes? (?:about|for|on)\b|^[^\p{L}\p{N}]*(?:note|notice|warning|important|attention|caution|disclaimer|news|update|new|deprecated|moved)\s*[:!]|^to\s.*:$|\b(?:excited|happy|proud|pleased) to announce\b|\bsponsor(?:s|ed|ing)?\b|\bsupported by (?:the|our)\b|\bthanks to\b|\bdonat(?:e|ions?)\b|\bbackers\b/iu

/** Returns whether a text is a row of links, such as `Install · Configure · Docs`, which is no sentence. */
const isNavigation = (text: string): boolean => {
  const items = text.split(/\s*[·•|]\s*/u)
  return items.length > 1 && items.every((item) => item.split(" ").length <= MAX_LINK_WORDS)
}

const MAX_LINK_WORDS = 3

/** Removes the marks of Markdown, reStructuredText and HTML. */
const toPlain = (line: string): string => (/\S/.test(line) ? withoutMarks(line) : "")

const withoutMarks = (line: string): string =>
  line
    .replaceAll(/\[?!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])(?:\]\([^)]*\)|\]\[[^\]]*\])?/g, "")
    .replaceAll(/\[([^[\]]+)\](?:\([^)]*\)|\[[^\]]*\])?/g, "$1")
    .replaceAll(/`([^`<>]+?)\s*<[^`<>]*>`__?/g, "$1")
    .replaceAll(/`([^`<>]+)`__?(?!\w)/g, "$1")
    .replaceAll(/:\w+:`~?([^`]*)`/g, "$1")
    .replaceAll(/<br\s*\/?>/gi, " ")
    .replaceAll(/<[^<>]*>/g, "")
    .replaceAll(/(\*\*|__)(?=\S)(.+?)\1/g, "$2")
    .replaceAll(/(?<![\w*])([*_])(?=[^\s*_])([^*_]*[^\s*_])\1(?![\w*])/g, "$2")
    .replaceAll(/\|[\w -]+\|/g, "")
    .replaceAll("``", "`")
    .trim()
