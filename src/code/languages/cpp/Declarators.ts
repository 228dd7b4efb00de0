/** Reads declarators of C and C++: `*name[3]`, `(*name)(int)`, `ns::Type::name(int a)`. */
import type { CompactNode } from "../../Symbols/internal/references/CompactTree.ts"
import { child } from "../../Symbols/internal/references/TreeReader.ts"

interface Declarator {
  /**
   * The identifier that is declared, without qualifiers; `undefined` for an operator or a declarator without a name.
   */
  readonly name: CompactNode | undefined
  /** The qualifiers of the name, outermost first. */
  readonly scopes: ReadonlyArray<CompactNode>
  /** The innermost parameter list, if the name is declared as a function or a pointer to one. */
  readonly parameters: CompactNode | undefined
  /** True for a function; a pointer to one is a variable. */
  readonly isFunction: boolean
  readonly isArray: boolean
  /** Sizes of arrays and types of further parameters, which can use names. */
  readonly rest: ReadonlyArray<CompactNode>
}

/** Qualifiers are nested, and deeper ones are passed over. */
const MAX_NESTING = 50

export const parse = (declarator: CompactNode): Declarator => {
  const scopes: Array<CompactNode> = []
  const rest: Array<CompactNode> = []
  let parameters: CompactNode | undefined
  let isFunction = false
  let isArray = false
  let node: CompactNode | undefined = declarator
  for (let depth = 0; node !== undefined && depth < MAX_NESTING; depth++) {
    const { type }: CompactNode = node
    if (isName(type)) return { name: node, scopes, parameters, isFunction, isArray, rest }
    if (type === "function_declarator") {
      isFunction = true
      if (parameters !== undefined) rest.push(parameters)
      parameters = child(node, "parameters")
      rest.push(...node.children.filter((each) => each.type === "trailing_return_type"))
    } else if (type === "pointer_declarator" || type === "abstract_pointer_declarator") isFunction = false
    else if (type === "array_declarator") {
      isArray = true
      const size = child(node, "size")
      if (size !== undefined) rest.push(size)
    } else if (type === "qualified_identifier") {
      const scope = child(node, "scope")
      if (scope !== undefined) scopes.push(scope)
    } else if (type === "operator_name" || type === "destructor_name" || type === "operator_cast") {
      const inner: CompactNode | undefined = child(node, "declarator")
      return {
        name: undefined,
        scopes,
        parameters: parameters ?? (inner && child(inner, "parameters")),
        isFunction,
        isArray,
        rest,
      }
    }
    node = innerOf(node)
  }
  return { name: undefined, scopes, parameters, isFunction, isArray, rest }
}

const isName = (type: string): boolean =>
  type === "identifier" || type === "field_identifier" || type === "type_identifier"

const innerOf = (node: CompactNode): CompactNode | undefined =>
  child(node, "declarator") ??
  (node.type === "qualified_identifier" || node.type === "template_function" || node.type === "template_method"
    ? child(node, "name")
    : node.children.find(({ type }) => isName(type) || type.endsWith("declarator") || type === "qualified_identifier"))

/** Returns how many arguments a function with a list of parameters can have. */
export const countsOf = (
  list: CompactNode | undefined,
  text: string,
): { readonly least: number; readonly most: number } => {
  const all = (list?.children ?? []).filter(({ type }) => type.endsWith("parameter_declaration"))
  const isVoid = all.length === 1 && all[0] !== undefined && text.slice(all[0].start, all[0].end) === "void"
  const given = isVoid ? [] : all
  const isOpen =
    given.some(({ type }) => type.startsWith("variadic")) ||
    (list !== undefined && /\.\.\.\s*\)$/.test(text.slice(Math.max(list.start, list.end - 20), list.end)))
  return {
    least: given.filter(({ type }) => type === "parameter_declaration").length,
    most: isOpen ? Number.POSITIVE_INFINITY : given.length,
  }
}
