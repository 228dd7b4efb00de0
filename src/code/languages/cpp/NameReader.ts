/** Names of C and C++ as a reader keeps them in scopes, and what they mean in other files. */
import type { CompactNode } from "../../Symbols/internal/references/CompactTree.ts"
import {
  absolute,
  type Binding,
  bind,
  type Expression,
  extend,
  makeScope,
  ofModule,
  type Scope,
} from "../../Symbols/internal/references/Facts.ts"
import { TreeReader } from "../../Symbols/internal/references/TreeReader.ts"

/** A file, a namespace or a class, with what its names mean where the file itself does not say so. */
interface Frame {
  readonly scope: Scope
  /** Its qualified name, in which names are looked up first. */
  readonly place: string
  /** The type of which it holds members; `undefined` for a file and a namespace. */
  readonly type: Expression | undefined
  readonly mentioned: Set<string>
  /** Namespaces that are used as a whole. */
  readonly used: Array<string>
  /** Qualifiers of names that are used one by one. */
  readonly named: Map<string, string>
  readonly outer: Frame | undefined
}

export abstract class NameReader extends TreeReader {
  private byContainer: ReadonlyMap<string, ReadonlyArray<number>> | undefined
  private frame: Frame = makeFrame(this.file, "", undefined, undefined)
  private readonly frames: Array<Frame> = [this.frame]
  /** Other names of namespaces. */
  private readonly aliases = new Map<string, string>()

  override read(root: CompactNode): string {
    this.visitAll(root, this.file)
    for (const [position, frame] of this.frames.entries()) {
      for (const key of frame.mentioned)
        if (!isHidden(frame, key)) bind(frame.scope, key, this.meaningIn(frame, position, key))
    }
    return this.facts.encode()
  }

  protected nameElsewhere(): Binding {
    return null
  }

  protected override mention(key: string): void {
    this.frame.mentioned.add(key)
  }

  private meaningIn(frame: Frame, position: number, key: string): Binding {
    const { count, name, sort } = parse(key)
    const qualifier = findUp(frame, ({ named }) => named.get(name))
    const used = new Set<string>()
    for (let at: Frame | undefined = frame; at !== undefined && used.size < MAX_USED; at = at.outer)
      for (const each of at.used.slice(0, MAX_USED)) used.add(each)
    const where = qualifier === undefined ? Array.from(used, (each) => `+${each}`).join("") : `<${qualifier}`
    const elsewhere = extend(ofModule(`${sort}:${frame.place}${where}`), `.${name}`)
    if (sort === "t" || sort === "s") return elsewhere
    const members: Array<Binding> = []
    for (let at: Frame | undefined = frame; at !== undefined; at = at.outer)
      if (at.type !== undefined) members.push(extend(at.type, `.${name}${count === undefined ? "" : `/${count}`}`))
    return members.length === 0 ? elsewhere : this.firstOf(`${position}/${key}`, [...members, elsewhere])
  }

  /** Reads what is in a namespace or a class. */
  protected within(place: string, scope: Scope, type: Expression | undefined, body: () => void): void {
    const outer = this.frame
    this.frame = makeFrame(scope, place, type, outer)
    this.frames.push(this.frame)
    if (type !== undefined) bind(scope, "this", extend(type, "@"))
    body()
    this.frame = outer
  }

  protected get place(): string {
    return this.frame.place
  }

  protected useNamespace(path: string): void {
    this.frame.used.push(this.expand(path))
  }

  protected useName(qualifier: string, name: string): void {
    this.frame.named.set(name, this.expand(qualifier))
  }

  protected nameNamespace(alias: string, path: string): void {
    this.aliases.set(alias, this.expand(path))
  }

  private expand(path: string): string {
    const dot = path.indexOf(".")
    const first = dot === -1 ? path : path.slice(0, dot)
    const meant = this.aliases.get(first)
    return meant === undefined ? path : meant + path.slice(first.length)
  }

  /** Reports a name with qualifiers, `a::b::name`, and returns it. */
  protected qualifiedAs(sort: string, qualifier: string, node: CompactNode, isGlobal: boolean): Binding {
    const place = isGlobal ? "" : this.frame.place
    const where = qualifier === "" ? "" : `<${this.expand(qualifier)}`
    const value = extend(ofModule(`${sort}:${place}${where}`), `.${this.textOf(node)}`)
    if (value !== null) this.facts.use(value.scope, value.root, value.path, node.start)
    return value
  }

  protected typeNamed(node: CompactNode, scope: Scope): Binding {
    return this.nameAs(`${this.textOf(node)}:`, node, scope)
  }

  /** The type of a qualified name with dots, as the file around it sees it. */
  protected typeAt(qualified: string): Expression {
    const dot = qualified.lastIndexOf(".")
    const module = ofModule(`t:${dot === -1 ? "" : qualified.slice(0, dot)}`)
    return { ...module, path: `.${qualified.slice(dot + 1)}` }
  }

  /** Declares a variable or a type in a function, which hides both a type and a value of that name. */
  protected local(scope: Scope, name: string, value: Binding): void {
    bind(scope, name, value)
    bind(scope, `${name}:`, null)
  }

  protected isLocal(name: string, scope: Scope): boolean {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) if (at.names.has(name)) return true
    return false
  }

  protected inner(scope: Scope, start = scope.start): Scope {
    return makeScope(scope, start)
  }

  protected namesOf(ordinal: number): { readonly name: string; readonly qualified: string } {
    const { container, name } = this.facts.symbols[ordinal] ?? { container: undefined, name: "" }
    return { name, qualified: container === undefined ? name : `${container}.${name}` }
  }

  /** Returns the ordinals of the symbols in a container. */
  protected membersIn(container: string): ReadonlyArray<number> {
    this.byContainer ??= Map.groupBy(this.facts.symbols.keys(), (at) => this.facts.symbols[at]?.container ?? "")
    return this.byContainer.get(container) ?? []
  }

  /** Declares methods of a class by the numbers of arguments that they take; a number that several take means none. */
  protected overloads(owner: number, methods: ReadonlyArray<Method>): void {
    const found = new Map<string, number | undefined>()
    for (const { least, most, name, ordinal } of methods) {
      for (let count = least; count <= Math.min(most, least + MAX_DEFAULTS); count++) {
        const key = `${name}/${count}`
        found.set(key, found.has(key) ? undefined : ordinal)
      }
    }
    for (const [key, ordinal] of found)
      this.facts.field(owner, key, absolute(ordinal === undefined ? "?" : `#${ordinal}`))
  }
}

export interface Method {
  readonly name: string
  readonly ordinal: number
  readonly least: number
  readonly most: number
}

/** The most namespaces that are used as a whole in one place. */
const MAX_USED = 16

/** The most arguments that a method can have beyond those it needs. */
const MAX_DEFAULTS = 8

const makeFrame = (scope: Scope, place: string, type: Expression | undefined, outer: Frame | undefined): Frame => ({
  scope,
  place,
  type,
  outer,
  mentioned: new Set(),
  used: [],
  named: new Map(),
})

/** Returns whether a parameter of the template around a class, or the class itself, declares a name. */
const isHidden = ({ outer, scope }: Frame, key: string): boolean => {
  for (let at: Scope | undefined = scope; at !== undefined && at !== outer?.scope; at = at.outer)
    if (at.names.has(key)) return true
  return false
}

const findUp = <A>(frame: Frame, find: (frame: Frame) => A | undefined): A | undefined => {
  for (let at: Frame | undefined = frame; at !== undefined; at = at.outer) {
    const found = find(at)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the name and the sort of specifier that a key of a scope stands for. */
const parse = (key: string): { readonly name: string; readonly sort: string; readonly count: string | undefined } => {
  const [, name = key, count, sign] = /^(\w+)(?:\/(\d+))?([(:{])$/.exec(key) ?? []
  return { name, count, sort: sign === ":" ? "t" : sign === "{" ? "s" : sign === "(" ? (count ?? "v") : "v" }
}
