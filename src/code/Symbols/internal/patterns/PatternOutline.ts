/**
 * Outlines a language without a grammar. Comments and strings are blanked, and the patterns of the language are tried
 * at the beginning of each statement that is not within a function. The result is approximate: it has whatever looks
 * like a declaration. The time is linear in the length of the text, whatever the text is.
 */
import type { Outline } from "../../../Symbols.ts"
import * as Extent from "../outline/Extent.ts"
import * as Roles from "../outline/Roles.ts"
import { rows, ScannedNode, type Text } from "../outline/ScannedNode.ts"
import * as Walk from "../outline/Walk.ts"
import { type Blocks, blocksWith } from "./Blocks.ts"
import type { Declaration, Patterns } from "./Declarations.ts"
import { type Masked, maskWith } from "./Masked.ts"
import { rules } from "./rules.ts"
import { withAllLetters } from "./withAllLetters.ts"

export type PatternOutliner = (source: Walk.Source, isLate: () => boolean) => Outline

/** Compiles the patterns of a language. */
export const make = (asciiPatterns: Patterns): PatternOutliner => {
  const patterns = withAllLetters(asciiPatterns)
  const mask = maskWith(patterns.literals, patterns.keepsNames)
  const blocks = blocksWith(patterns.words)
  const keywords = new Set(patterns.keywords.split(" "))
  const language = { patterns, ends: endsWith(patterns), entryEnds: /[{}()[\];=\n,]/gm }
  return (source, isLate) => {
    const masked = mask(source.text)
    const scan = new Scan(language, source, masked, blocks(masked.code))
    scan.run(isLate)
    const tree = { nodes: scan.nodesWithRoles(), names: countNames(masked.code, keywords) }
    const outline = Walk.outline(tree, source, rules, isLate)
    return scan.isCut ? { ...outline, note: "not all of it was outlined in time", cut: "time" } : outline
  }
}

interface Language {
  readonly patterns: Patterns
  /** Matches what may end the header of a declaration. Global. */
  readonly ends: RegExp
  /** Matches what may end an entry of a table. Global. */
  readonly entryEnds: RegExp
}

const endsWith = ({ words }: Patterns): RegExp =>
  new RegExp(words === undefined ? "[{}()[\\];=\\n]" : `[{}()[\\];=\\n]|${words.open}`, "gim")

const roles = Roles.ofTypes(rules)

/** A container while its members are being read. */
interface Container {
  readonly end: number
  readonly isType: boolean
  /**
   * The number of characters by which members are indented; undefined before the first member, and if brackets enclose
   * them.
   */
  indent: number | undefined
}

interface Match {
  readonly declaration: Declaration
  readonly match: RegExpExecArray
  /** The offset at which the pattern matched, behind the annotations and modifiers. */
  readonly start: number
  readonly end: number
}

/** The end of a declaration, and its block. */
interface Reach {
  readonly body: { readonly start: number; readonly end: number } | undefined
  readonly end: number
}

class Scan {
  isCut = false
  private readonly language: Language
  private readonly text: string
  private readonly code: string
  private readonly masked: Masked
  private readonly blocks: Blocks
  private readonly source: Text
  private readonly nodes: Array<ScannedNode> = []
  private readonly containers: Array<Container>
  /** The names that are declared outside of types. */
  private readonly declared = new Set<string>()
  /** The offsets of the matches of each pattern in `Declaration.holds`. */
  private readonly held = new Map<RegExp, ReadonlyArray<number>>()

  constructor(language: Language, { text }: Walk.Source, masked: Masked, blocks: Blocks) {
    this.language = language
    this.text = text
    this.code = masked.code
    this.masked = masked
    this.blocks = blocks
    this.source = { text, row: rows(text) }
    this.containers = [
      { end: text.length, isType: false, indent: language.patterns.ends === "indentation" ? 0 : undefined },
    ]
    this.addImportCalls()
  }

  /** Finds the declarations. */
  run(isLate: () => boolean): void {
    let statements = 0
    for (let at = this.statementFrom(0); at < this.code.length; at = this.statementFrom(at)) {
      this.isCut = ++statements % 16 === 0 && isLate()
      if (this.isCut) return
      while ((this.containers.at(-1)?.end ?? this.code.length) <= at && this.containers.length > 1)
        this.containers.pop()
      at = this.declaration(at) ?? this.nextStatement(at)
    }
  }

  /** Returns the nodes in the order of the text. */
  nodesWithRoles(): ReadonlyArray<Walk.NodeWithRole> {
    const comments = this.masked.comments.map(({ end, start }) => this.node("comment", start, end))
    return [...this.nodes, ...comments]
      .sort((one, other) => one.startIndex - other.startIndex)
      .flatMap((node) => {
        const role = roles.get(node.type)
        return role === undefined ? [] : [{ node, role }]
      })
  }

  private node(type: string, start: number, end: number): ScannedNode {
    return new ScannedNode(this.source, type, true, start, end)
  }

  private addImportCalls(): void {
    const { importCalls } = this.language.patterns
    if (importCalls === undefined) return
    for (const match of this.text.matchAll(importCalls)) {
      // A match within a comment or string is skipped.
      if (this.code[match.index] === this.text[match.index]) this.addImport(match[1], match.index)
    }
  }

  private addImport(path: string | undefined, at: number): void {
    if (path === undefined) return
    const node = this.node("import", at, at + 1)
    node.add(new ScannedNode({ text: path, row: () => 0 }, "path", true, 0, path.length), "path")
    this.nodes.push(node)
  }

  /** Returns the beginning of the next statement. */
  private statementFrom(at: number): number {
    return endAt(separators, this.code, at)
  }

  /**
   * Returns the offset behind a statement that declares nothing: the end of its line, or of the brackets that it opens.
   */
  private nextStatement(from: number): number {
    const { entryEnds, patterns } = this.language
    const ends = patterns.hasEntries && this.containers.length > 1 ? entryEnds : this.language.ends
    let at = from
    for (;;) {
      ends.lastIndex = at
      const match = ends.exec(this.code)
      if (match === null) return this.code.length
      if (match[0] === "\n" || match[0] === ";" || match[0] === ",") return match.index + 1
      at = Math.max(ends.lastIndex, this.closeOf(match.index, from))
    }
  }

  /** Reads the declaration at `at` and returns the offset to go on from; `undefined` if there is none. */
  private declaration(at: number): number | undefined {
    const { patterns } = this.language
    const container = this.containers.at(-1)
    if (container === undefined || this.isContinuation(at, container)) return undefined
    const path = execAt(patterns.imports, this.code, at)
    if (path !== undefined) {
      // The path may be in a string, which is blank in the code.
      this.addImport(execAt(patterns.imports, this.text, at)?.[1] ?? path[1], at)
      return undefined
    }
    const exported = execAt(patterns.exports, this.code, at)?.[1]
    if (exported !== undefined) {
      const node = this.node("export", at, at + 1)
      node.add(this.label("name", exported, at), "name")
      this.nodes.push(node)
    }
    const { annotations, from } = this.afterAnnotations(at)
    const modified = from + (execAt(patterns.modifiers, this.code, from)?.[0].length ?? 0)
    // A word that can be a modifier may also begin a declaration.
    const found = this.match(container, modified) ?? (modified === from ? undefined : this.match(container, from))
    if (found === undefined) return undefined
    for (const { end, start } of annotations) this.nodes.push(this.node("annotation", start, end))
    return this.add(at, from, found)
  }

  /** Returns whether indentation shows that a statement belongs to the declaration before it. */
  private isContinuation(at: number, container: Container): boolean {
    if (container.indent === undefined) return false
    const indent = this.blocks.indentation(at)
    if (container.indent === -1) container.indent = indent
    return indent > container.indent
  }

  private afterAnnotations(at: number) {
    const annotations: Array<{ readonly start: number; readonly end: number }> = []
    let from = at
    while (annotations.length < MAX_ANNOTATIONS) {
      const match = execAt(this.language.patterns.annotation, this.code, from)
      if (match === undefined || match[0] === "") return { annotations, from }
      let end = from + match[0].length
      if (this.code[end] === "(") end = this.blocks.closeOf(end) || end
      annotations.push({ start: from, end })
      from = this.nextCode(end)
    }
    return { annotations, from }
  }

  /** Returns the first declaration with a pattern that matches at `start`. */
  private match(container: Container, start: number): Match | undefined {
    for (const declaration of this.language.patterns.declarations) {
      if (declaration.in !== undefined && (declaration.in === "type") !== container.isType) continue
      const match = execAt(declaration.pattern, this.code, start)
      if (match === undefined) continue
      const end = start + match[0].length
      const [owner] = match.groups?.owner?.split(".", 1) ?? []
      if (declaration.isOfDeclared && !this.declared.has(owner ?? "")) continue
      if (declaration.holds !== undefined && !this.holds(declaration.holds, end)) continue
      if (
        declaration.follows === undefined ||
        execAt(declaration.follows, this.code, this.afterBrackets(end)) !== undefined
      )
        return { declaration, match, start, end }
    }
    return undefined
  }

  /** Returns whether the block that opens at an offset holds a match. The text is searched once, not for each block. */
  private holds(pattern: RegExp, open: number): boolean {
    const known = this.held.get(pattern)
    const offsets = known ?? Array.from(this.code.matchAll(pattern), ({ index }) => index)
    if (known === undefined) this.held.set(pattern, offsets)
    const first = firstWith(offsets, (offset) => offset >= open)
    return (offsets[first] ?? Number.POSITIVE_INFINITY) < this.blocks.closeOf(open)
  }

  private afterBrackets(at: number): number {
    let end = at
    while (this.code[end] === "(") end = this.blocks.closeOf(end) || end + 1
    return end
  }

  private add(at: number, from: number, found: Match): number {
    const { declaration } = found
    const { kind } = declaration
    const groups = found.match.groups ?? {}
    const hasMembers = holders.has(kind) && declaration.isLeaf === undefined
    const extent = kind === "rest" ? { body: undefined, end: found.end } : this.extent(found, hasMembers)
    const end = this.trimEnd(at, extent.end)
    const node = this.node(kind, at, Math.max(end, found.end))
    const name = declaration.name === undefined ? this.written(groups.name, found) : declaration.name(found.match[0])
    if (name !== undefined) node.add(this.label("name", name, found.start), "name")
    if (groups.owner !== undefined) node.add(this.label("owner", groups.owner, found.start), "owner")
    const { isPrivate, isPrivateName } = this.language.patterns
    const isHidden = isPrivate?.test(this.code.slice(from, found.end)) || isPrivateName?.test(name ?? "")
    if (isHidden) node.add(this.node("private", at, at))
    if (groups.lead !== undefined) node.add(this.label("lead", groups.lead, found.start), "lead")
    const fields = this.fieldsOf(found, node.endIndex)
    if (fields !== undefined) {
      // The parameters are members as well, so that the body begins with them. They stay a part of the signature.
      const header = extent.body?.start ?? node.endIndex
      node.add(this.node("header", at, header), "header")
      node.add(this.node("body", fields.start, node.endIndex), "body")
    } else if (extent.body !== undefined) node.add(this.node("body", extent.body.start, extent.body.end), "body")
    else if (kind === "rest") node.add(this.node("rest", found.end, found.end), "rest")
    const doc = extent.body && this.innerDocOf(extent.body.start)
    if (doc !== undefined) node.add(this.node("doc", doc.start, doc.end), "doc")
    this.nodes.push(node, ...(fields?.nodes ?? []))
    const isInType = this.containers.at(-1)?.isType ?? false
    if (name !== undefined && !isInType) this.declared.add(name)
    if (kind === "function" && extent.body !== undefined && (isInType || groups.owner !== undefined))
      this.addAssignedFields(node, groups.owner, extent.body)
    if (!hasMembers || extent.body === undefined) return kind === "rest" ? found.end : Math.max(extent.end, found.end)
    const isIndented = this.code[extent.body.start] === "\n"
    this.containers.push({
      end: extent.body.end,
      isType: kind !== "module",
      indent: isIndented ? -1 : undefined,
    })
    return Math.max(found.end, extent.body.start + 1)
  }

  /** Returns the comment within the block that begins at an offset which documents the declaration of the block. */
  private innerDocOf(body: number): { readonly start: number; readonly end: number } | undefined {
    const before = execAt(this.language.patterns.beforeInnerDoc, this.text, body)
    if (before === undefined) return undefined
    const start = body + before[0].length
    const { comments } = this.masked
    const comment = comments[firstWith(comments, (other) => other.end > start)]
    return comment?.start === start ? comment : undefined
  }

  /** Returns a name as the text has it: in the code, a quoted name has no brackets. */
  private written(name: string | undefined, { match, start }: Match): string | undefined {
    if (name?.startsWith("`") !== true) return name
    const offset = start + match[0].lastIndexOf(name)
    return this.text.slice(offset, offset + name.length)
  }

  /** Finds the members that the head of a type declares, and those without declarations of their own. */
  private fieldsOf({ declaration, end: head, match }: Match, end: number) {
    const { kind, members } = declaration
    if (members === undefined) return kind === "class" || kind === "enum" ? this.parameterFields(head, end) : undefined
    const text = this.code.slice(head, end)
    const found = members.flatMap((pattern) =>
      Array.from(text.matchAll(pattern)).flatMap(({ 0: whole, groups, index }) => {
        const name = groups?.name
        // A constructor may have the name of its type.
        if (name === undefined || name === match.groups?.name) return []
        const start = head + index + whole.indexOf(name)
        const node = this.node("field", start, this.trimEnd(start, head + index + whole.length))
        node.add(this.label("name", name, start), "name")
        return [node]
      }),
    )
    return found.length === 0 ? undefined : { start: head, nodes: found }
  }

  /** Finds the parameters of a constructor that declare fields, in the brackets behind the head of a class. */
  private parameterFields(head: number, end: number) {
    const { parameterField, parametersOpen } = this.language.patterns
    const open = parameterField && execAt(parametersOpen, this.code, head)
    if (parameterField === undefined || open === undefined) return undefined
    const start = head + open[0].length
    const close = this.blocks.closeOf(start) - 1
    if (close > end || close < start) return undefined
    const nodes: Array<ScannedNode> = []
    for (let at = this.nextCode(start + 1); at < close; ) {
      const stop = this.endOfParameter(at, close)
      const name = execAt(parameterField, this.code, at)?.groups?.name
      if (name !== undefined) {
        const node = this.node("field", at, this.trimEnd(at, stop))
        node.add(this.label("name", name, at), "name")
        if (this.language.patterns.isPrivate?.test(this.code.slice(at, stop))) node.add(this.node("private", at, at))
        nodes.push(node)
      }
      at = this.nextCode(stop + 1)
    }
    return nodes.length === 0 ? undefined : { start, nodes }
  }

  /** Returns the offset of the comma behind a parameter, or of the bracket that closes them all. */
  private endOfParameter(from: number, close: number): number {
    let depth = 0
    for (let at = from; at < close; at++) {
      const character = this.code[at]
      if (character === "(" || character === "[" || character === "{") at = Math.max(at, this.blocks.closeOf(at) - 1)
      else if (character === "<") depth++
      else if (character === ">" && this.code[at - 1] !== "-") depth--
      else if (character === "," && depth <= 0) return at
    }
    return close
  }

  /** Adds the fields of its object that a method assigns. They belong to the container of the method. */
  private addAssignedFields(method: ScannedNode, owner: string | undefined, body: NonNullable<Reach["body"]>): void {
    const { assignedField } = this.language.patterns
    if (assignedField === undefined) return
    // The word that closes the body belongs to no field.
    const last = body.end - (/\w*$/.exec(this.code.slice(Math.max(0, body.end - 20), body.end))?.[0].length ?? 0)
    let from = body.start
    for (const { 0: text, groups, index } of this.code.slice(body.start, last).matchAll(assignedField)) {
      const start = body.start + index
      // Assignments in the value before are not read, so that no text is read twice.
      if (start < from) continue
      const value = this.extent({ start, end: start + text.length }, false, last)
      from = value.end
      const type = groups?.function === undefined ? "field" : "method"
      const node = this.node(type, start, this.trimEnd(start, value.end))
      node.add(this.label("name", groups?.name ?? "", start), "name")
      if (owner !== undefined) node.add(this.label("owner", owner, start), "owner")
      if (type === "method" && value.body !== undefined)
        node.add(this.node("body", value.body.start, value.body.end), "body")
      this.nodes.push(node)
      method.add(this.node("transparent", start, start))
    }
  }

  /** Returns the end of a declaration without white space and comments behind it. A string at its end belongs to it. */
  private trimEnd(start: number, end: number): number {
    const trimmed = Extent.trimEnd(this.code, start, end)
    const { literals } = this.masked
    const last = literals[firstWith(literals, (literal) => literal.start >= trimmed) - 1]
    return last === undefined || last.isComment || last.end <= trimmed ? trimmed : Math.min(last.end, end)
  }

  /** Makes a node that holds a name, which may be written differently in the text. */
  private label(type: string, name: string, at: number): ScannedNode {
    // A prime at the end of a name is a part of it, if no quote begins it.
    const text = /^["'`[]/.test(name) ? name.replace(/^["'`[]+|["'`\]]+$/g, "") : name
    const row = this.source.row(at)
    return new ScannedNode({ text, row: () => row }, type, true, 0, text.length)
  }

  /** Finds the end of a declaration, and its block, at most up to `limit`. */
  private extent(
    found: { readonly start: number; readonly end: number },
    hasMembers: boolean,
    limit = this.containers.at(-1)?.end ?? this.code.length,
  ): Reach {
    const { ends, patterns } = this.language
    if (patterns.ends === "indentation") {
      const end = this.blocks.indentedEnd(found.start)
      const line = this.code.indexOf("\n", found.end)
      return { body: hasMembers && line !== -1 && line < end ? { start: line, end } : undefined, end }
    }
    const indent = this.blocks.indentation(found.start)
    // Keywords of the pattern may open the block themselves.
    let next = patterns.words === undefined ? found.end : found.start
    let hasValue = false
    let body: Reach["body"]
    for (;;) {
      ends.lastIndex = next
      const match = ends.exec(this.code)
      if (match === null || match.index >= limit) return { body, end: limit }
      const stop = match.index
      next = ends.lastIndex
      switch (match[0]) {
        case "=":
          hasValue ||= stop >= found.end && this.code[next] !== "="
          break
        case ";":
          return { body, end: stop }
        case "}":
        case ")":
        case "]":
          return { body, end: stop }
        case "\n": {
          if (patterns.ends === "semicolon") break
          const following = this.nextCode(stop)
          const isDeeper = following < this.code.length && this.blocks.indentation(following) > indent
          if (patterns.hasIndentedBlocks && isDeeper && hasMembers && body === undefined && this.endsWithColon(stop)) {
            const end = this.blocks.indentedEnd(found.start)
            return { body: { start: stop, end }, end }
          }
          if (body !== undefined && this.code[following] === "{") return { body, end: stop }
          if (!isDeeper && !isRest(this.code, following, hasMembers)) return { body, end: stop }
          next = Math.max(next, following)
          break
        }
        case "(":
        case "[":
          next = this.closeOf(stop, found.start) || next
          break
        default: {
          const end = this.closeOf(stop, found.start)
          if (end === 0) break
          if (patterns.notBlock?.test(this.code.slice(Math.max(0, stop - 20), stop))) {
            next = end
            break
          }
          body ??= { start: stop < found.end ? this.endOfHeader(found.end, end) : stop, end }
          next = end
          if (!hasValue || hasMembers) return { body, end }
        }
      }
    }
  }

  /** Returns the offset behind a block. If the brackets of the text do not match, the indentation shows the end. */
  private closeOf(open: number, declared: number): number {
    const bracket = this.code.charAt(open)
    if (this.blocks.isBalanced || "([)]}=".includes(bracket)) return this.blocks.closeOf(open)
    return Math.max(this.blocks.indentedEnd(declared), open + 1)
  }

  /** Returns the offset of the first code behind `at` that is not white space. */
  private nextCode(at: number): number {
    return endAt(blank, this.code, at)
  }

  /**
   * Returns the end of a header with a first word that opens the block: behind its parameters, or at the end of its
   * line.
   */
  private endOfHeader(from: number, end: number): number {
    const behind = this.afterBrackets(from)
    const line = this.code.indexOf("\n", from)
    return behind > from ? behind : Math.min(line === -1 ? end : line, end)
  }

  private endsWithColon(lineBreak: number): boolean {
    return /:[ \t\r]*$/.test(this.code.slice(Math.max(0, lineBreak - 20), lineBreak))
  }
}

/** The most annotations that are read before one declaration, so that the cost of each statement has a bound. */
const MAX_ANNOTATIONS = 30

const separators = /[\s;,})\]]*/y
const blank = /\s*/y

/** Returns whether a line begins like the rest of a statement. */
const isRest = (code: string, at: number, isType: boolean): boolean =>
  execAt(restOfStatement, code, at) !== undefined || (isType && execAt(restOfHeader, code, at) !== undefined)

const restOfStatement = /[{=:.?&|]|->|(?:where|throws|rethrows|extends|with|implements|else|do)\b/y

/** Matches the primary constructor of a class. */
const restOfHeader = /(?:@\w+\s+)?(?:(?:public|protected|private|internal|expect|actual)\s+){0,2}constructor\b/y

const holders: ReadonlySet<string> = new Set(["class", "interface", "enum", "module", "scope"])

/**
 * Returns the index of the first item of which a condition holds, by binary search: it holds of all items behind it.
 */
const firstWith = <Item>(items: ReadonlyArray<Item>, holds: (item: Item) => boolean): number => {
  let low = 0
  for (let high = items.length; low < high; ) {
    const middle = (low + high) >>> 1
    const item = items[middle]
    if (item !== undefined && !holds(item)) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the end of the match of a sticky pattern that can match the empty text. */
const endAt = (pattern: RegExp, text: string, at: number): number => {
  // A sticky pattern that does not match starts again at 0, which happens behind the end of the text.
  if (at >= text.length) return text.length
  pattern.lastIndex = at
  pattern.test(text)
  return pattern.lastIndex
}

/** Returns the match of a sticky pattern at an offset. */
const execAt = (pattern: RegExp | undefined, text: string, at: number): RegExpExecArray | undefined => {
  if (pattern === undefined) return undefined
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}

/** Counts how often each word of the code occurs, without keywords. */
const countNames = (code: string, keywords: ReadonlySet<string>): ReadonlyMap<string, number> => {
  const names = new Map<string, number>()
  for (const [name] of code.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
    if (!keywords.has(name)) names.set(name, (names.get(name) ?? 0) + 1)
  }
  return names
}
