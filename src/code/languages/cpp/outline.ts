/** C++, and C by the grammar of C++, in which the older syntax of C becomes local error nodes. */

import {
  type Definition,
  has,
  imports,
  oneLine,
  type Position,
  type Rules,
} from "../../Symbols/internal/outline/Rules.ts"
import type { SyntaxNode } from "../../Symbols/internal/outline/SyntaxNode.ts"
import type { Kind } from "../../Symbols.ts"

interface Declared {
  readonly name: string
  /** The qualifier of the name, such as `a.Foo` for `a::Foo::bar`. */
  readonly owner: string | undefined
  readonly isFunction: boolean
}

/** Reads the name that a declarator declares: `*(&name)[3]`, `Foo<T>::name(int)`, `(*name)(int)`. */
const parseDeclarator = (declarator: SyntaxNode): Declared => {
  let owner: string | undefined
  let isFunction = false
  let node = declarator
  for (;;) {
    if (node.type === "function_declarator") isFunction = true
    // `int (*f)(int)` is a pointer; in `int *f(int)` the star stands outside.
    if (node.type === "pointer_declarator") isFunction = false
    if (node.type === "operator_cast") {
      return { name: `operator ${node.childForFieldName("type")?.text ?? ""}`, owner, isFunction: true }
    }
    if (node.type === "qualified_identifier") {
      const scope = plainName(node.childForFieldName("scope")?.text ?? "")
      owner = owner === undefined ? scope : `${owner}.${scope}`
    }
    const inner = innerDeclarator(node)
    if (inner === null)
      return { name: oneLine(plainName(node.text)), owner: owner === "" ? undefined : owner, isFunction }
    node = inner
  }
}

const innerDeclarator = (node: SyntaxNode): SyntaxNode | null =>
  node.childForFieldName("declarator") ??
  (/^(?:qualified_identifier|template_\w+)$/.test(node.type) ? node.childForFieldName("name") : null) ??
  (/^(?:reference|parenthesized|attributed)_declarator$/.test(node.type)
    ? (node.namedChildren.find(({ type }) => /declarator|identifier|_name$/.test(type)) ?? null)
    : null)

/** Returns the name without template arguments, and with a dot for `::`; empty if the text is too long to be a name. */
const plainName = (name: string): string => {
  if (name.startsWith("operator")) return name
  return name.length > 500 ? "" : name.replace(/<.*>|\s/gs, "").replaceAll("::", ".")
}

const declarators = (node: SyntaxNode): ReadonlyArray<Declared> =>
  node
    .childrenForFieldName("declarator")
    .filter(({ type }) => type !== "structured_binding_declarator")
    .map(parseDeclarator)

const names = (node: SyntaxNode): ReadonlyArray<string> => declarators(node).map(({ name }) => name)

const isConstant = (node: SyntaxNode): boolean =>
  node.children.some(({ text, type }) => type === "type_qualifier" && /^const/.test(text))

const inClass = ({ scope }: Position): boolean => scope.kind === "class"

/** Returns the struct, union or enum that a declaration also defines. */
const specifier = (node: SyntaxNode): SyntaxNode | undefined => {
  const type = node.childForFieldName("type")
  return type?.childForFieldName("body") ? type : undefined
}

const binding: Definition = {
  kind: (node, position) => {
    // `struct S { … } s;` is the definition of S only. A declaration that a macro has broken defines nothing.
    if (specifier(node) !== undefined || has(node, "ERROR")) return undefined
    const isFunction = declarators(node)[0]?.isFunction ?? false
    if (isFunction) return inClass(position) ? "method" : "function"
    return isConstant(node) ? "constant" : inClass(position) ? "field" : "variable"
  },
  names,
  isForward: (node, position) => !inClass(position) && (declarators(node)[0]?.isFunction ?? false),
}

const typeDefinition = (kind: Kind): Definition => ({
  kind: (node) => (node.childForFieldName("body") === null ? undefined : kind),
  names: (node) => {
    const name = node.childForFieldName("name")
    return name === null ? [] : [parseDeclarator(name).name]
  },
  owner: (node) => {
    const name = node.childForFieldName("name")
    return name === null ? undefined : parseDeclarator(name).owner
  },
})

const isStatic = (node: SyntaxNode): boolean =>
  node.children.some(({ text, type }) => type === "storage_class_specifier" && text === "static")

const isHeader = (path: string): boolean => /\.(?:h|hh|hpp|hxx|h\+\+|ipp|inl|cuh)$/i.test(path)

export { withoutMacros as retry } from "./Macros.ts"

export const rules: Rules = {
  identifiers: ["identifier", "type_identifier", "field_identifier", "namespace_identifier"],
  comments: ["comment"],
  asides: ["field_initializer_list", "attribute_declaration", "attribute_specifier", "ms_declspec_modifier"],
  wrappers: ["template_declaration"],
  closed: ["compound_statement", "friend_declaration", "template_instantiation"],
  declarationLine:
    /^(?!(?:else|return|if|for|while|switch|do)\b)[A-Za-z_][\w:<>, \t*&]{0,150}[ \t*&]([A-Za-z_]\w*)\([^;{}()]{0,300}\)\s{0,20}\{/gm,
  definitions: {
    namespace_definition: {
      kind: "module",
      names: (node) => [plainName(node.childForFieldName("name")?.text ?? "")],
      hides: (node) => node.childForFieldName("name") === null,
    },
    class_specifier: { ...typeDefinition("class"), hides: () => true },
    struct_specifier: typeDefinition("class"),
    union_specifier: typeDefinition("class"),
    enum_specifier: typeDefinition("enum"),
    type_definition: {
      kind: (node) => {
        const type = specifier(node)
        return type === undefined ? "type" : type.type === "enum_specifier" ? "enum" : "class"
      },
      // `typedef struct tag { … } name;` has both names.
      names: (node) => [...new Set([...names(node), specifier(node)?.childForFieldName("name")?.text ?? ""])],
      body: (node) => specifier(node)?.childForFieldName("body"),
      // `typedef struct S S;`
      isForward: (node) => node.childForFieldName("type")?.type.endsWith("_specifier") ?? false,
    },
    alias_declaration: { kind: "type" },
    concept_definition: { kind: "type" },
    function_definition: {
      kind: (node, position) => {
        const [declared] = declarators(node)
        // `MACRO namespace a { … }` looks like a function without parameters.
        if (!declared?.isFunction) return "closed"
        return inClass(position) || declared.owner !== undefined ? "method" : "function"
      },
      names,
      owner: (node) => declarators(node)[0]?.owner,
    },
    declaration: binding,
    field_declaration: binding,
    preproc_function_def: { kind: "function", body: (node) => node.childForFieldName("value") },
  },
  actions: {
    preproc_include: imports((node) => node.childForFieldName("path")?.text.replace(/^[<"]|[>"]$/g, "")),
    access_specifier: (node, { isOpen, scope }) => {
      if (isOpen) scope.hides = node.text !== "public"
    },
  },
  exported: (node, { path, scope }) =>
    node.type === "preproc_function_def"
      ? isHeader(path)
      : !scope.hides && (scope.kind === "class" || isHeader(path) || !isStatic(node)),
}
