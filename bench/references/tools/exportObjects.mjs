/**
 * Which object an expression of a CommonJS program is: the exports of a module, or a member of one. TypeScript follows
 * neither `require("./bans")(User)` into the module that adds members to `User`, nor members that several files add.
 *
 * An object is a string: `FILE` for the exports of a module, `OBJECT.member` for what was assigned to a member of it.
 */
export const makeExportObjects = ({ ts, checker, program, sources }) => {
  const isFunction = (node) =>
    node !== undefined && (ts.isFunctionExpression(node) || ts.isArrowFunction(node) || ts.isFunctionDeclaration(node))
  const fileAt = (folder, name) => {
    if (!name.startsWith(".")) return undefined
    const base = new URL(name, `file://${folder}/`).pathname.replace(/\/$/, "")
    for (const suffix of ["", ".js", "/index.js"]) {
      const source = program.getSourceFile(base + suffix)
      if (source !== undefined) return source
    }
    return undefined
  }
  const folderOf = (file) => file.slice(0, file.lastIndexOf("/"))
  const isModuleExports = (node) => ts.isPropertyAccessExpression(node) && node.getText() === "module.exports"

  /** What `module.exports = …` assigns, by file. */
  const exported = new Map()
  /** Arguments of `require("./x")(argument)`, by file. */
  const mixed = new Map()
  /** Assigned values of members, by name: `{ target, value, node }`. */
  const assigned = new Map()
  const push = (map, key, value) => map.set(key, [...(map.get(key) ?? []), value])

  const requiredFile = (node) =>
    ts.isCallExpression(node) &&
    node.expression.getText() === "require" &&
    node.arguments[0] !== undefined &&
    ts.isStringLiteralLike(node.arguments[0])
      ? fileAt(folderOf(node.getSourceFile().fileName), node.arguments[0].text)
      : undefined

  const visitAll = (node, visit) => {
    visit(node)
    ts.forEachChild(node, (child) => visitAll(child, visit))
  }
  for (const source of sources) {
    visitAll(source, (node) => {
      if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
        if (isModuleExports(node.left)) {
          let value = node.right
          while (ts.isBinaryExpression(value) && value.operatorToken.kind === ts.SyntaxKind.EqualsToken)
            value = value.right
          push(exported, source.fileName, value)
        } else if (ts.isPropertyAccessExpression(node.left))
          push(assigned, node.left.name.text, { target: node.left, value: node.right, node })
      }
      if (ts.isCallExpression(node)) {
        const file = requiredFile(node.expression)
        if (file !== undefined) push(mixed, file.fileName, node.arguments)
      }
    })
  }

  const memo = new Map()
  const objectOf = (node, depth = 0) => {
    if (depth > 12) return undefined
    if (memo.has(node)) return memo.get(node)
    memo.set(node, undefined)
    const found = compute(node, depth + 1)
    memo.set(node, found)
    return found
  }
  const exportsOf = (source, depth) => {
    const values = exported.get(source.fileName) ?? []
    const [value] = values
    if (values.length === 1 && !ts.isObjectLiteralExpression(value) && !isFunction(value)) {
      const other = objectOf(value, depth)
      if (other !== undefined) return other
    }
    return source.fileName
  }
  const declarationOf = (node) => checker.getSymbolAtLocation(node)?.declarations?.[0]
  const compute = (node, depth) => {
    if (ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node)) return objectOf(node.expression, depth)
    if (isModuleExports(node)) return node.getSourceFile().fileName
    const required = requiredFile(node)
    if (required !== undefined) return exportsOf(required, depth)
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken)
      return objectOf(node.right, depth)
    if (ts.isPropertyAccessExpression(node)) {
      const owner = objectOf(node.expression, depth)
      return owner === undefined ? undefined : memberOf(owner, node.name.text, depth)
    }
    if (!ts.isIdentifier(node)) return undefined
    if (node.text === "exports") return node.getSourceFile().fileName
    const declaration = declarationOf(node)
    if (declaration === undefined) return undefined
    if (
      ts.isVariableDeclaration(declaration) &&
      declaration.initializer !== undefined &&
      ts.isIdentifier(declaration.name)
    ) {
      if (ts.isObjectLiteralExpression(declaration.initializer) || isFunction(declaration.initializer)) {
        // `const Api = {…}; module.exports = Api`
        const values = exported.get(declaration.getSourceFile().fileName) ?? []
        return values.length === 1 && ts.isIdentifier(values[0]) && declarationOf(values[0]) === declaration
          ? declaration.getSourceFile().fileName
          : undefined
      }
      return objectOf(declaration.initializer, depth)
    }
    if (ts.isBindingElement(declaration) && ts.isVariableDeclaration(declaration.parent.parent)) {
      const from = declaration.parent.parent.initializer
      const owner = from === undefined ? undefined : objectOf(from, depth)
      const member = (declaration.propertyName ?? declaration.name).text
      return owner === undefined || member === undefined ? undefined : memberOf(owner, member, depth)
    }
    if (ts.isParameter(declaration) && isFunction(declaration.parent)) {
      const file = declaration.getSourceFile().fileName
      if (!(exported.get(file) ?? []).includes(declaration.parent)) return undefined
      const index = declaration.parent.parameters.indexOf(declaration)
      const objects = new Set(
        (mixed.get(file) ?? []).map((values) =>
          values[index] === undefined ? undefined : objectOf(values[index], depth),
        ),
      )
      // A factory that several modules call adds the members to each of them: no single object.
      return objects.size === 1 ? [...objects][0] : undefined
    }
    return undefined
  }
  /** Members that hold another module are that module. */
  const memberOf = (owner, name, depth) => {
    for (const { target, value } of assigned.get(name) ?? []) {
      if (!(requiredFile(value) !== undefined || ts.isIdentifier(value) || ts.isPropertyAccessExpression(value)))
        continue
      if (objectOf(target.expression, depth) !== owner) continue
      const other = objectOf(value, depth)
      if (other !== undefined) return other
    }
    const values = exported.get(owner) ?? []
    if (values.length === 1 && ts.isObjectLiteralExpression(values[0])) {
      for (const property of values[0].properties) {
        if (property.name?.getText() !== name) continue
        if (ts.isPropertyAssignment(property)) return objectOf(property.initializer, depth) ?? `${owner}.${name}`
        if (ts.isShorthandPropertyAssignment(property)) {
          const value = checker.getShorthandAssignmentValueSymbol(property)?.declarations?.[0]
          if (value !== undefined && ts.isVariableDeclaration(value) && value.initializer !== undefined)
            return objectOf(value.initializer, depth) ?? `${owner}.${name}`
        }
      }
    }
    return `${owner}.${name}`
  }

  /** Reads of members, by object: property accesses, and identifiers that were destructured from the module. */
  let reads
  const readAll = () => {
    reads = new Map()
    for (const source of sources) {
      visitAll(source, (node) => {
        if (ts.isPropertyAccessExpression(node)) {
          if (
            ts.isBinaryExpression(node.parent) &&
            node.parent.left === node &&
            node.parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
          )
            return
          const object = objectOf(node)
          if (object !== undefined) push(reads, object, node.name)
        } else if (
          ts.isIdentifier(node) &&
          !(ts.isPropertyAccessExpression(node.parent) && node.parent.name === node)
        ) {
          const declaration = ts.isBindingElement(node.parent) ? undefined : declarationOf(node)
          if (declaration === undefined || declaration.name === node) return
          if (
            !(
              ts.isBindingElement(declaration) ||
              (ts.isVariableDeclaration(declaration) &&
                declaration.initializer !== undefined &&
                ts.isPropertyAccessExpression(declaration.initializer))
            )
          )
            return
          const object = objectOf(node)
          if (object !== undefined) push(reads, object, node)
        }
      })
    }
  }
  const keyOf = ({ target }) => {
    const owner = objectOf(target.expression)
    return owner === undefined ? undefined : `${owner}.${target.name.text}`
  }
  return {
    functions: () =>
      [...assigned.values()].flat().flatMap((one) => {
        if (!isFunction(one.value)) return []
        const key = keyOf(one)
        if (key === undefined) return []
        const all = assigned.get(one.target.name.text).filter((other) => keyOf(other) === key)
        // A member that is assigned twice has no single definition.
        if (all.length !== 1) return []
        return [
          {
            assignment: one.node,
            naming: one.target.name,
            source: one.node.getSourceFile(),
            symbol: one.target.getText(),
          },
        ]
      }),
    usesOf: (assignment) => {
      if (reads === undefined) readAll()
      const key = keyOf({ target: assignment.left })
      return reads.get(key) ?? []
    },
  }
}
