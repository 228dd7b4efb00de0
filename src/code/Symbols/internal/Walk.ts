/** From a syntax tree to an outline, in one pass and for every language: `Rules` say what its nodes mean. */
import type { Kind, Outline } from "../../Symbols.ts"
import * as Comment from "./Comment.ts"
import * as Extent from "./Extent.ts"
import { type Found, finish, isBinding, qualified } from "./Found.ts"
import type { Role } from "./Roles.ts"
import type { Definition, Place, Rules, Scope } from "./Rules.ts"
import type { Node } from "./Syntax.ts"

export interface Source {
  readonly path: string
  readonly text: string
}

export interface Tree {
  /** In the order of their start. */
  readonly nodes: ReadonlyArray<Meaningful>
  /** How often each name occurs. */
  readonly names: ReadonlyMap<string, number>
}

/** A node that means something by the rules of its language. */
export interface Meaningful {
  readonly node: Node
  readonly role: Role
}

/** `isLate` ends it early; what was found by then counts. */
export const outline = (tree: Tree, { path, text }: Source, rules: Rules, isLate: () => boolean): Outline => {
  const asides: Array<Comment.Aside> = []
  const found: Array<Found> = []
  const imports: Array<string> = []
  let level = opened({ kind: undefined, path: undefined, end: Number.POSITIVE_INFINITY, body: 0 })
  // Up to here nothing is a symbol: a function's body, or a class's own header.
  let closedUntil = 0

  const place = {
    path,
    text,
    imports,
    isOpen: true,
    get scope(): Scope {
      return level
    },
    wrapper: (type: string) => level.wrappers.findLast((wrapper) => wrapper.node.type === type)?.node,
  }

  const define = (node: Node, definition: Definition): void => {
    const kind = typeof definition.kind === "function" ? definition.kind(node, place) : definition.kind
    if (kind === undefined) return
    const end = node.endIndex
    if (kind === "closed") {
      closedUntil = end
      return
    }
    const holdsRest = definition.holdsRest?.(node) ?? false
    while (holdsRest && level.outer !== undefined && level.holdsRest) level = level.outer
    const body = (definition.body ?? fieldBody)(node)
    const owner = qualified(level.path, definition.owner?.(node))
    const [symbol] = kind === "scope" ? [] : add(node, definition, kind, owner, body)
    const isTransparent = definition.isTransparent?.(node) ?? false
    if (holdsRest || (body && (holdsMembers.has(kind) || isTransparent))) {
      const start = body?.startIndex ?? end
      level = opened({
        kind: isTransparent ? "scope" : kind,
        path: isTransparent ? level.path : nested(level.path, qualified(owner, symbol?.name)),
        end: holdsRest ? level.end : end,
        body: body?.id ?? 0,
        outer: level,
        symbol: symbol ?? level.symbol,
        hides: definition.hides?.(node, place) ?? false,
        holdsRest,
      })
      closedUntil = start
    } else if (symbol !== undefined) {
      closedUntil = end
    }
  }

  /** The symbols of one definition: one for each of its names. */
  const add = (
    node: Node,
    definition: Definition,
    kind: Kind,
    container: string | undefined,
    body: Node | null | undefined,
  ): ReadonlyArray<Found> => {
    const names = namesOf(node, definition, place)
    if (names.length === 0) return []
    const extent = Extent.of(node, level.wrappers, text, rules)
    const doc = definition.doc?.(node) ?? Comment.above(text, asides, extent.start, rules.isDoc)
    const before = level.last
    if (before?.isOverload && before.name === names[0] && before.kind === kind) {
      before.end = extent.end
      before.endLine = extent.endLine
      before.doc ??= doc
      before.isOverload = definition.isOverload ?? false
      return [before]
    }
    const header = definition.header?.(node)?.endIndex ?? body?.startIndex ?? extent.end
    const exported = rules.exported(node, place)
    const isForward = definition.isForward?.(node, place) ?? false
    const symbols = names.map(
      (name): Found => ({
        name,
        kind,
        container,
        qualifiedName: qualified(container, name),
        ...extent,
        header,
        isValue: isBinding(kind) && !body,
        doc,
        exported: exported && !(rules.isPrivate?.(name, kind) ?? false),
        scope: level,
        isOverload: definition.isOverload ?? false,
        isForward,
      }),
    )
    level.last = symbols[0]
    found.push(...symbols)
    return symbols
  }

  let seen = 0
  let isCut = false
  for (const { node, role } of tree.nodes) {
    isCut = ++seen % 16 === 0 && isLate()
    if (isCut) break
    const start = node.startIndex
    while (level.outer !== undefined && start >= level.end) level = level.outer
    place.isOpen = start >= closedUntil
    if (role.isComment || role.isAside) {
      const last = asides.at(-1)
      if (last !== undefined && start < last.end) continue
      asides.push({ start, end: Extent.trimmed(text, start, node.endIndex), isComment: role.isComment })
      continue
    }
    role.mark?.(node, place)
    if (!place.isOpen) continue
    while ((level.wrappers.at(-1)?.end ?? start + 1) <= start) level.wrappers.pop()
    if (role.isWrapper) level.wrappers.push({ node, role, end: node.endIndex, isTaken: false, holdsMany: undefined })
    if (node.id === level.body) continue
    if (role.definition !== undefined) define(node, role.definition)
    else if (role.isClosed) closedUntil = node.endIndex
  }

  return {
    symbols: finish(found, text, asides, rules.plain),
    identifiers: new Map([...tree.names].filter(([name]) => isName.test(name))),
    imports: [...new Set(imports)],
    ...(isCut ? { note: "not all of it was outlined in time", cut: "time" } : { note: undefined, cut: undefined }),
  }
}

interface Level extends Scope {
  /** Qualified name of what is in here. */
  readonly path: string | undefined
  readonly end: number
  /** Id of the node that holds the members, which would close it otherwise; 0 for none. */
  readonly body: number
  readonly outer: Level | undefined
  readonly symbol: Found | undefined
  readonly holdsRest: boolean
  readonly wrappers: Array<Extent.Wrapper>
  last: Found | undefined
}

const opened = (
  level: Pick<Level, "kind" | "path" | "end" | "body"> &
    Partial<Pick<Level, "outer" | "symbol" | "hides" | "holdsRest">>,
): Level => ({
  outer: undefined,
  symbol: undefined,
  hides: false,
  holdsRest: false,
  ...level,
  said: new Map(),
  only: undefined,
  wrappers: [],
  last: undefined,
})

const holdsMembers: ReadonlySet<string> = new Set(["class", "interface", "enum", "module", "scope"])

/** Broken source has names that are none, and a shell's words are names only where they look like one. */
const isName = /^[$@#:]*[\p{L}_][^\s/\\]*$/u

/** Nobody nests as deep as this many characters; what does would cost their square. */
const nested = (outer: string | undefined, path: string | undefined): string | undefined =>
  path !== undefined && path.length > 300 ? outer : path

const fieldBody = (node: Node): Node | null => node.childForFieldName("body")

const namesOf = (node: Node, { names }: Definition, place: Place): ReadonlyArray<string> => {
  const given = names?.(node, place) ?? [node.childForFieldName("name")?.text ?? ""]
  return given.filter((name) => name !== "_" && /^.{1,500}$/.test(name))
}
