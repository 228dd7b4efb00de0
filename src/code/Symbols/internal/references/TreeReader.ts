/** The base of all readers of languages that tree-sitter parses. */
import type { CodeSymbol } from "../../../Symbols.ts"
import type { CompactNode } from "./CompactTree.ts"
import { absolute, type Binding, bind, extend, Facts, makeScope, type Scope } from "./Facts.ts"

/** Reads a node: declares its names, reports its uses, and returns the node as an expression. */
export type Handler = (node: CompactNode, scope: Scope) => Binding

/** Deeper nested code is passed over. */
const MAX_DEPTH = 300

/** The most alternatives for one name: packages that are imported as a whole. */
const MAX_ALTERNATIVES = 16

export abstract class TreeReader {
  readonly facts: Facts
  protected readonly text: string
  /** The scope of the file. */
  protected readonly file: Scope = makeScope(undefined, 0)
  private readonly mentioned = new Set<string>()
  private depth = 0

  constructor(text: string, symbols: ReadonlyArray<CodeSymbol>) {
    this.text = text
    this.facts = new Facts(text, symbols)
  }

  protected abstract readonly handlers: Readonly<Record<string, Handler>>

  /** Returns the meaning of a name that the file does not declare: one of the same package, or of a base type. */
  protected abstract nameElsewhere(name: string): Binding

  /** Returns the references of the file, as `References.encode` writes them. */
  read(root: CompactNode): string {
    this.facts.symbols.forEach(({ container, kind, name }, ordinal) => {
      if (kind !== "module" && this.isTop(container)) bind(this.file, name, absolute(`#${ordinal}`))
    })
    this.visitAll(root, this.file)
    for (const name of this.mentioned) {
      if (!this.file.names.has(name)) bind(this.file, name, this.nameElsewhere(name))
    }
    return this.facts.encode()
  }

  /** Returns whether symbols of that container are names of the file. */
  protected isTop(container: string | undefined): boolean {
    return container === undefined
  }

  protected textOf({ end, start }: CompactNode): string {
    return this.text.slice(start, end)
  }

  protected visit(node: CompactNode | undefined, scope: Scope): Binding {
    if (node === undefined || this.depth >= MAX_DEPTH) return null
    this.depth++
    const handler = this.handlers[node.type]
    const value = handler === undefined ? this.visitAll(node, scope) : handler(node, scope)
    this.depth--
    return value
  }

  /** Reads the nodes in a node. */
  protected visitAll(node: CompactNode, scope: Scope): null {
    for (const child of node.children) this.visit(child, scope)
    return null
  }

  /** Reads the nodes in a node, in a scope of their own. */
  protected visitBlock(node: CompactNode, scope: Scope): null {
    return this.visitAll(node, makeScope(scope, scope.start))
  }

  /** Reports the use of a name. */
  protected name(node: CompactNode, scope: Scope): Binding {
    return this.nameAs(this.textOf(node), node, scope)
  }

  /** Reports the use of a name that is declared under a key, which languages with several sorts of names need. */
  protected nameAs(root: string, node: CompactNode, scope: Scope): Binding {
    this.mention(root)
    this.facts.use(scope, root, "", node.start)
    return { scope, root, path: "" }
  }

  protected mention(name: string): void {
    this.mentioned.add(name)
  }

  /** Returns a name that stands for the first of several expressions that leads to something. */
  protected firstOf(name: string, alternatives: ReadonlyArray<Binding>): Binding {
    const known = alternatives.filter((each) => each !== null).slice(0, MAX_ALTERNATIVES)
    if (known.length < 2) return known[0] ?? null
    // Dots and brackets have a meaning in expressions.
    const key = `?${name.replace(/[.(]/g, ":")}`
    for (const each of known) this.facts.export(key, each)
    return absolute('""', `.${key}`)
  }

  /** Reports the use of a member. */
  protected member(object: Binding, node: CompactNode | undefined): Binding {
    if (node === undefined) return null
    const value = extend(object, `.${this.textOf(node)}`)
    if (value !== null) this.facts.use(value.scope, value.root, value.path, node.start)
    return value
  }

  /** Returns the ordinal of the symbol that a declaration with its name at a node defines; -1 for a local name. */
  protected ordinalOf(name: CompactNode, scope: Scope): number {
    return this.facts.symbolNamed(this.textOf(name), name.start, scope)
  }
}

export const child = ({ children }: CompactNode, field: string): CompactNode | undefined =>
  children.find((each) => each.field === field)

export const childrenOf = ({ children }: CompactNode, field: string): ReadonlyArray<CompactNode> =>
  children.filter((each) => each.field === field)

export const ofType = ({ children }: CompactNode, type: string): CompactNode | undefined =>
  children.find((each) => each.type === type)
