/**
 * A syntax node that is made without tree-sitter, by the scanner and by patterns, with the
 * types and fields of its grammars.
 */
import { lastUpTo, lineStarts } from "../../../../base/Text.ts"
import type { SyntaxNode } from "./SyntaxNode.ts"

export interface Text {
  readonly text: string
  /** Returns the line of an offset, from 0. */
  readonly row: (offset: number) => number
}

let ids = 0

export class ScannedNode implements SyntaxNode {
  readonly id = ++ids
  readonly children: Array<ScannedNode> = []
  parent: ScannedNode | null = null
  readonly type: string
  readonly isNamed: boolean
  readonly startIndex: number
  /** The end offset, which is at least the end of its children. */
  endIndex: number
  private readonly source: Text
  private fields: Map<string, ScannedNode> | undefined = undefined

  constructor(source: Text, type: string, isNamed: boolean, start: number, end: number) {
    this.source = source
    this.type = type
    this.isNamed = isNamed
    this.startIndex = start
    this.endIndex = end
  }

  /** Appends a child, under a field name if one is given. */
  add(child: ScannedNode, field?: string): ScannedNode {
    child.parent = this
    this.children.push(child)
    if (field !== undefined) {
      this.fields ??= new Map()
      this.fields.set(field, child)
    }
    if (child.endIndex > this.endIndex) this.endIndex = child.endIndex
    return child
  }

  get text(): string {
    return this.source.text.slice(this.startIndex, this.endIndex)
  }
  get startPosition() {
    return { row: this.source.row(this.startIndex) }
  }
  get endPosition() {
    return { row: this.source.row(this.endIndex) }
  }
  get namedChildren(): ReadonlyArray<ScannedNode> {
    return this.children.filter(({ isNamed }) => isNamed)
  }
  get firstChild(): ScannedNode | null {
    return this.children[0] ?? null
  }
  get lastChild(): ScannedNode | null {
    return this.children.at(-1) ?? null
  }
  get firstNamedChild(): ScannedNode | null {
    return this.children.find(({ isNamed }) => isNamed) ?? null
  }
  get lastNamedChild(): ScannedNode | null {
    return this.children.findLast(({ isNamed }) => isNamed) ?? null
  }
  get previousSibling(): ScannedNode | null {
    return this.before(() => true)
  }
  get previousNamedSibling(): ScannedNode | null {
    return this.before(({ isNamed }) => isNamed)
  }
  get nextNamedSibling(): ScannedNode | null {
    const siblings = this.parent?.children ?? []
    return siblings.slice(siblings.indexOf(this) + 1).find(({ isNamed }) => isNamed) ?? null
  }
  childForFieldName(name: string): ScannedNode | null {
    return this.fields?.get(name) ?? null
  }
  childrenForFieldName(name: string): ReadonlyArray<ScannedNode> {
    const child = this.childForFieldName(name)
    return child === null ? [] : [child]
  }

  private before(isWanted: (node: ScannedNode) => boolean): ScannedNode | null {
    const siblings = this.parent?.children ?? []
    return siblings.slice(0, siblings.indexOf(this)).findLast(isWanted) ?? null
  }
}

/** Returns a function from an offset of a text to its row. The starts of lines are found at the first call. */
export const rows = (text: string): ((offset: number) => number) => {
  let starts: ReadonlyArray<number> | undefined
  return (offset) => {
    starts ??= lineStarts(text)
    return lastUpTo(starts, offset)
  }
}
