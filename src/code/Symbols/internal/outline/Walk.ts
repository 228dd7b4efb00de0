/** The walk from a syntax tree to an outline, in one pass, for all languages: `Rules` give the nodes their meaning. */
import type { Kind, Outline } from "../../../Symbols.ts"
import * as Comment from "./Comment.ts"
import * as Extent from "./Extent.ts"
import { type FoundSymbol, isBinding, qualify, toSymbols } from "./FoundSymbol.ts"
import type { Role } from "./Roles.ts"
import type { Definition, Position, Rules, Scope } from "./Rules.ts"
import type { SyntaxNode } from "./SyntaxNode.ts"

export interface Source {
  readonly path: string
  readonly text: string
}

export interface Tree {
  /** The nodes in the order of their start. */
  readonly nodes: ReadonlyArray<NodeWithRole>
  /** How often each name occurs. */
  readonly names: ReadonlyMap<string, number>
}

/** A node with a role in the rules of its language. */
export interface NodeWithRole {
  readonly node: SyntaxNode
  readonly role: Role
}

/** Stops early when `isLate` returns true; the outline then has the symbols found so far, and a note. */
export const outline = (tree: Tree, { path, text }: Source, rules: Rules, isLate: () => boolean): Outline => {
  const asides: Array<Comment.Aside> = []
  const found: Array<FoundSymbol> = []
  const imports: Array<string> = []
  let level = makeLevel({ kind: undefined, path: undefined, end: Number.POSITIVE_INFINITY, body: 0 })
  // Nodes before this offset define no symbols: they are in a function's body, or in the header of a class.
  let closedUntil = 0

  const position = {
    path,
    text,
    imports,
    isOpen: true,
    get scope(): Scope {
      return level
    },
    wrapper: (type: string) => level.wrappers.findLast((wrapper) => wrapper.node.type === type)?.node,
  }

  const define = (node: SyntaxNode, definition: Definition): void => {
    const kind = typeof definition.kind === "function" ? definition.kind(node, position) : definition.kind
    if (kind === undefined) return
    const end = node.endIndex
    if (kind === "closed") {
      closedUntil = end
      return
    }
    const holdsRest = definition.holdsRest?.(node) ?? false
    while (holdsRest && level.outer !== undefined && level.holdsRest) level = level.outer
    const body = (definition.body ?? fieldBody)(node)
    const owner = qualify(level.path, definition.owner?.(node, position))
    const [symbol] = kind === "scope" ? [] : add(node, definition, kind, owner, body)
    const isTransparent = definition.isTransparent?.(node) ?? false
    const members = definition.members?.(node)
    if (holdsRest || (body && (holdsMembers.has(kind) || isTransparent || members !== undefined))) {
      const start = body?.startIndex ?? end
      level = makeLevel({
        kind: isTransparent ? "scope" : (members ?? kind),
        path: isTransparent ? level.path : limitPath(level.path, qualify(owner, symbol?.name)),
        end: holdsRest ? level.end : end,
        body: body?.id ?? 0,
        outer: level,
        symbol: symbol ?? level.symbol,
        hides: definition.hides?.(node, position) ?? false,
        holdsRest,
        lead: definition.lead?.(node),
      })
      closedUntil = start
    } else if (symbol !== undefined) {
      closedUntil = end
    }
    const type = holdsMembers.has(kind) ? qualify(owner, symbol?.name) : owner
    for (const { name, node: parameter } of definition.fields?.(node) ?? [])
      add(parameter, { kind: "field", names: () => [name] }, "field", type, undefined)
  }

  /** Adds the symbols of one definition: one for each of its names. */
  const add = (
    node: SyntaxNode,
    definition: Definition,
    kind: Kind,
    container: string | undefined,
    body: SyntaxNode | null | undefined,
  ): ReadonlyArray<FoundSymbol> => {
    const names = namesOf(node, definition, position)
    if (names.length === 0) return []
    const own = Extent.of(node, level.wrappers, text, rules)
    const start = definition.start?.(node, position)
    const breaks = start === undefined ? 0 : text.slice(start, own.start).split("\n").length - 1
    const extent = start === undefined ? own : { ...own, start, startLine: own.startLine - breaks }
    const doc = definition.doc?.(node) ?? Comment.docAbove(text, asides, extent.start, rules.isDoc, rules.isDetachable)
    const before = level.last
    if (before?.isOverload && before.name === names[0] && before.kind === kind) {
      before.end = extent.end
      before.endLine = extent.endLine
      before.doc ??= doc
      before.isOverload = definition.isOverload ?? false
      return [before]
    }
    const header = definition.header?.(node)?.endIndex ?? body?.startIndex ?? extent.end
    const exported = rules.exported(node, position)
    const isForward = definition.isForward?.(node, position) ?? false
    const symbols = names.map(
      (name): FoundSymbol => ({
        name,
        kind,
        container,
        qualifiedName: qualify(container, name),
        ...extent,
        lead: level.lead ?? extent.lead,
        header,
        isValue: isBinding(kind) && (!body || definition.members?.(node) !== undefined),
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
    position.isOpen = start >= closedUntil
    if (role.isComment || role.isAside) {
      const last = asides.at(-1)
      if (last !== undefined && start < last.end) continue
      asides.push({ start, end: Extent.trimEnd(text, start, node.endIndex), isComment: role.isComment })
      continue
    }
    role.mark?.(node, position)
    if (!position.isOpen) continue
    while ((level.wrappers.at(-1)?.end ?? start + 1) <= start) level.wrappers.pop()
    if (role.isWrapper) level.wrappers.push({ node, role, end: node.endIndex, isTaken: false, holdsMany: undefined })
    if (node.id === level.body) continue
    if (role.definition !== undefined) define(node, role.definition)
    else if (role.isClosed) closedUntil = node.endIndex
  }

  return {
    symbols: toSymbols(found, text, asides, rules.plain),
    identifiers: new Map([...tree.names].filter(([name]) => isIdentifier.test(name))),
    imports: [...new Set(imports)],
    references: "",
    ...(isCut ? { note: "not all of it was outlined in time", cut: "time" } : { note: undefined, cut: undefined }),
  }
}

interface Level extends Scope {
  /** Qualified name of the container. */
  readonly path: string | undefined
  readonly end: number
  /** Id of the node with the members; its own role is ignored. 0 for none. */
  readonly body: number
  readonly outer: Level | undefined
  readonly symbol: FoundSymbol | undefined
  readonly holdsRest: boolean
  readonly lead: string | undefined
  readonly wrappers: Array<Extent.Wrapper>
  last: FoundSymbol | undefined
}

const makeLevel = (
  level: Pick<Level, "kind" | "path" | "end" | "body"> &
    Partial<Pick<Level, "outer" | "symbol" | "hides" | "holdsRest" | "lead">>,
): Level => ({
  outer: undefined,
  symbol: undefined,
  hides: false,
  holdsRest: false,
  lead: undefined,
  ...level,
  declaredExports: new Map(),
  exportList: undefined,
  wrappers: [],
  last: undefined,
})

const holdsMembers: ReadonlySet<string> = new Set(["class", "interface", "enum", "module", "scope"])

/** Matches a text that is an identifier: nodes of broken source, and words of a shell, may hold anything. */
const isIdentifier = /^[$@#:]*[\p{L}_][^\s/\\]*$/u

/**
 * Returns the path of a container, or that of the outer one beyond 300 characters: long paths would cost quadratic
 * time.
 */
const limitPath = (outer: string | undefined, path: string | undefined): string | undefined =>
  path !== undefined && path.length > 300 ? outer : path

const fieldBody = (node: SyntaxNode): SyntaxNode | null => node.childForFieldName("body")

const namesOf = (node: SyntaxNode, { names }: Definition, position: Position): ReadonlyArray<string> => {
  const given = names?.(node, position) ?? [node.childForFieldName("name")?.text ?? ""]
  return given.filter((name) => name !== "_" && /^.{1,500}$/.test(name))
}
