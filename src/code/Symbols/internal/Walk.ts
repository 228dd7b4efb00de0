/** From a syntax tree to an outline, in one pass and for every language: `Rules` say what its nodes mean. */
import type { Node } from "web-tree-sitter"
import type { Kind, Outline } from "../../Symbols.ts"
import * as Comment from "./Comment.ts"
import * as Extent from "./Extent.ts"
import { type Found, finish, isBinding, qualified } from "./Found.ts"
import type { Definition, Place, Scope } from "./Rules.ts"
import type { Table } from "./Table.ts"

export interface Source {
  readonly path: string
  readonly text: string
}

/** `isLate` ends it early; what was found by then counts. */
export const outline = (root: Node, { path, text }: Source, table: Table, isLate: () => boolean): Outline => {
  const { roles, rules, types, words } = table
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
    wrapper: (type: string) => level.wrappers.findLast((wrapper) => wrapper.role.type === type)?.node,
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

  const { identifiers, marked } = namesIn(root, text, table)
  const nodes = inOrder(root.descendantsOfType(types), marked)
  let seen = 0
  for (const node of nodes) {
    if (++seen % 16 === 0 && isLate()) break
    const role = roles[node.typeId]
    if (role === undefined) continue
    const start = node.startIndex
    while (level.outer !== undefined && start >= level.end) level = level.outer
    place.isOpen = start >= closedUntil
    if (role.isIdentifier) {
      words.get(text.slice(start, node.endIndex))?.(node, place)
      continue
    }
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
    identifiers: new Map([...identifiers].filter(([name]) => isName.test(name))),
    imports: [...new Set(imports)],
    note: seen < nodes.length ? "not all of it was outlined in time" : undefined,
  }
}

/**
 * How often each name occurs, and the nodes of those that rules act upon. Most nodes of a file are names: they are listed
 * apart, so that none of them has to be asked what it is.
 */
const namesIn = (root: Node, text: string, { identifiers: types, words }: Table) => {
  const identifiers = new Map<string, number>()
  const marked: Array<Node> = []
  for (const node of root.descendantsOfType(types)) {
    const name = text.slice(node.startIndex, node.endIndex)
    identifiers.set(name, (identifiers.get(name) ?? 0) + 1)
    if (words.has(name)) marked.push(node)
  }
  return { identifiers, marked }
}

/** As they stand in the text; what holds a name comes before it. */
const inOrder = (nodes: ReadonlyArray<Node>, names: ReadonlyArray<Node>): ReadonlyArray<Node> =>
  names.length === 0 ? nodes : [...nodes, ...names].sort((one, other) => one.startIndex - other.startIndex)

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
