/** A node of a syntax tree, of tree-sitter or of the scanner, with the members that the walk and the rules use. */

export interface SyntaxNode {
  /** The type in the grammar, such as `function_declaration`; the type of a keyword is the keyword itself. */
  readonly type: string
  /** Unique within its tree. */
  readonly id: number
  /** True if it is neither a keyword nor a punctuator. */
  readonly isNamed: boolean
  /** Offsets (UTF-16). */
  readonly startIndex: number
  readonly endIndex: number
  /** Rows from 0. */
  readonly startPosition: { readonly row: number }
  readonly endPosition: { readonly row: number }
  readonly text: string
  readonly parent: SyntaxNode | null
  readonly children: ReadonlyArray<SyntaxNode>
  readonly namedChildren: ReadonlyArray<SyntaxNode>
  readonly firstChild: SyntaxNode | null
  readonly lastChild: SyntaxNode | null
  readonly firstNamedChild: SyntaxNode | null
  readonly lastNamedChild: SyntaxNode | null
  readonly previousSibling: SyntaxNode | null
  readonly previousNamedSibling: SyntaxNode | null
  readonly nextNamedSibling: SyntaxNode | null
  readonly childForFieldName: (name: string) => SyntaxNode | null
  readonly childrenForFieldName: (name: string) => ReadonlyArray<SyntaxNode>
}
