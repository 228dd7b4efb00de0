/** What the walk and its rules know of a syntax tree, whoever has read it. */

export interface Node {
  /** Of its kind in the grammar: `function_declaration`, and of a keyword the keyword. */
  readonly type: string
  /** Not two nodes of a tree have the same. */
  readonly id: number
  /** Whether it is more than a keyword or a mark. */
  readonly isNamed: boolean
  /** Offsets (UTF-16). */
  readonly startIndex: number
  readonly endIndex: number
  /** Rows from 0. */
  readonly startPosition: { readonly row: number }
  readonly endPosition: { readonly row: number }
  readonly text: string
  readonly parent: Node | null
  readonly children: ReadonlyArray<Node>
  readonly namedChildren: ReadonlyArray<Node>
  readonly firstChild: Node | null
  readonly lastChild: Node | null
  readonly firstNamedChild: Node | null
  readonly lastNamedChild: Node | null
  readonly previousSibling: Node | null
  readonly previousNamedSibling: Node | null
  readonly childForFieldName: (name: string) => Node | null
  readonly childrenForFieldName: (name: string) => ReadonlyArray<Node>
}
