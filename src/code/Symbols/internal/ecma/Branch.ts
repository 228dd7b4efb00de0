/** A syntax tree as a reader makes it, node by node: of the names and shape that the grammars of tree-sitter give it. */
import type { Node } from "../Syntax.ts"

export interface Text {
  readonly text: string
  /** The line of an offset, from 0. */
  readonly row: (offset: number) => number
}

let ids = 0

export class Branch implements Node {
  readonly id = ++ids
  readonly children: Array<Branch> = []
  parent: Branch | null = null
  readonly type: string
  readonly isNamed: boolean
  readonly startIndex: number
  /** At least the end of what it holds. */
  endIndex: number
  private readonly source: Text
  private fields: Map<string, Branch> | undefined = undefined

  constructor(source: Text, type: string, isNamed: boolean, start: number, end: number) {
    this.source = source
    this.type = type
    this.isNamed = isNamed
    this.startIndex = start
    this.endIndex = end
  }

  /** Puts a node behind its children, as that field where one is named. */
  add(child: Branch, field?: string): Branch {
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
  get namedChildren(): ReadonlyArray<Branch> {
    return this.children.filter(({ isNamed }) => isNamed)
  }
  get firstChild(): Branch | null {
    return this.children[0] ?? null
  }
  get lastChild(): Branch | null {
    return this.children.at(-1) ?? null
  }
  get firstNamedChild(): Branch | null {
    return this.children.find(({ isNamed }) => isNamed) ?? null
  }
  get lastNamedChild(): Branch | null {
    return this.children.findLast(({ isNamed }) => isNamed) ?? null
  }
  get previousSibling(): Branch | null {
    return this.before(() => true)
  }
  get previousNamedSibling(): Branch | null {
    return this.before(({ isNamed }) => isNamed)
  }
  childForFieldName(name: string): Branch | null {
    return this.fields?.get(name) ?? null
  }
  childrenForFieldName(name: string): ReadonlyArray<Branch> {
    const child = this.childForFieldName(name)
    return child === null ? [] : [child]
  }

  private before(isWanted: (node: Branch) => boolean): Branch | null {
    const siblings = this.parent?.children ?? []
    return siblings.slice(0, siblings.indexOf(this)).findLast(isWanted) ?? null
  }
}
