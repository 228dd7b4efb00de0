/**
 * Makes a truth file with TypeScript's language service:
 *
 *     node typescript.mjs NAME CHECKOUT COMMIT OUTPUT [seed]
 *
 * NAME is a key of `repositories` below. TypeScript 5 is loaded from the folder in TYPESCRIPT_FOLDER, since the language
 * service has no JavaScript interface in later versions.
 */
import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as path from "node:path"
import { draw } from "./draw.mjs"
import { makeExportObjects } from "./exportObjects.mjs"
import { truthOf, writeTruth } from "./truth.mjs"

const ts = createRequire(`${process.env.TYPESCRIPT_FOLDER}/`)("typescript")

const repositories = {
  "honojs/hono": {
    language: "TypeScript",
    options: { jsx: ts.JsxEmit.ReactJSX, types: ["node"], module: ts.ModuleKind.ESNext, moduleResolution: 100 },
    paths: { "hono/*": ["src/*/index.ts", "src/*.ts"], hono: ["src/index.ts"] },
    drawn: /^src\/(?!.*\.test\.)/,
    quotas: { function: 24, method: 24, class: 12 },
  },
  "tutao/tutanota": {
    language: "TypeScript",
    options: {
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Node10,
      types: ["node"],
      strict: true,
    },
    // What the workspaces' packages resolve to before they are built.
    paths: {
      "@tutao/otest": ["packages/otest/lib/otest.ts"],
      "@tutao/tutanota-utils": ["packages/tutanota-utils/lib/index.ts"],
      "@tutao/tutanota-utils/dist/*": ["packages/tutanota-utils/lib/*"],
      "@tutao/tutanota-crypto": ["packages/tutanota-crypto/lib/index.ts"],
      "@tutao/tutanota-crypto/error.js": ["packages/tutanota-crypto/lib/error.ts"],
      "@tutao/tutanota-test-utils": ["packages/tutanota-test-utils/lib/index.ts"],
      "@tutao/tutanota-usagetests": ["packages/tutanota-usagetests/lib/index.ts"],
    },
    // Without `o` of otest, which is exported under a cast: its 7,376 calls have another declaration.
    drawn: /^(src|packages)\/(?!otest\/).*\.ts$/,
    quotas: { function: 24, method: 24, class: 12 },
  },
  "NodeBB/NodeBB": {
    language: "JavaScript",
    options: { module: ts.ModuleKind.CommonJS, moduleResolution: ts.ModuleResolutionKind.Node10, types: [] },
    commonJs: true,
    quotas: { function: 18, method: 42 },
    // The adapters of the three databases define the same functions, and which one runs is chosen at run time.
    drawn: /^(src|install)\/(?!database\/)(?!upgrades\/)(?!cli\/)/,
    files: /^(src|test|install|public\/src|[^/]+\.js$)/,
  },
}

const [name, root, commit, output, seed = "20"] = process.argv.slice(2)
const repository = repositories[name]

const walk = (folder) =>
  fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = folder === "" ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return /^(node_modules|\.git|dist|build|vendor)$/.test(entry.name) ? [] : walk(file)
    return /\.(ts|tsx|mts|cts|js|jsx|mjs|cjs)$/.test(entry.name) && !/\.min\.js$/.test(entry.name) ? [file] : []
  })
const files = walk("")
  .filter((file) => repository.files?.test(file) ?? true)
  .sort()

const absolute = (file) => path.resolve(root, file)
const relative = (file) => path.relative(path.resolve(root), file).split(path.sep).join("/")

const options = {
  allowJs: true,
  checkJs: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  esModuleInterop: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  resolveJsonModule: false,
  baseUrl: path.resolve(root),
  paths: repository.paths ?? {},
  ...repository.options,
}
const snapshots = new Map()
const host = {
  getCompilationSettings: () => options,
  getScriptFileNames: () => files.map(absolute),
  getScriptVersion: () => "1",
  getScriptSnapshot: (file) => {
    if (!snapshots.has(file)) {
      const text = ts.sys.readFile(file)
      snapshots.set(file, text === undefined ? undefined : ts.ScriptSnapshot.fromString(text))
    }
    return snapshots.get(file)
  },
  getCurrentDirectory: () => path.resolve(root),
  getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  readDirectory: ts.sys.readDirectory,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
  realpath: ts.sys.realpath,
}
const service = ts.createLanguageService(host)
const program = service.getProgram()
const checker = program.getTypeChecker()
const sources = files.map((file) => program.getSourceFile(absolute(file))).filter((source) => source !== undefined)

const lineOf = (source, position) => source.getLineAndCharacterOfPosition(position).line + 1

/** The nearest function, method or class around a node that has a name. */
const enclosingOf = (node) => {
  const names = []
  for (let at = node.parent; at !== undefined; at = at.parent) {
    const name =
      ts.isFunctionDeclaration(at) || ts.isClassDeclaration(at) || ts.isMethodDeclaration(at) || ts.isAccessor(at)
        ? at.name?.getText()
        : ts.isConstructorDeclaration(at)
          ? "constructor"
          : (ts.isVariableDeclaration(at) || ts.isPropertyDeclaration(at)) &&
              at.initializer !== undefined &&
              (ts.isArrowFunction(at.initializer) || ts.isFunctionExpression(at.initializer))
            ? at.name.getText()
            : ts.isBinaryExpression(at) &&
                (ts.isFunctionExpression(at.right) || ts.isArrowFunction(at.right)) &&
                ts.isPropertyAccessExpression(at.left)
              ? at.left.getText()
              : undefined
    if (name !== undefined && names.length === 0) names.unshift(name)
    else if (name !== undefined && ts.isClassDeclaration(at)) names.unshift(name)
  }
  return names.length === 0 ? undefined : names.join(".")
}

/** Whether a node is part of an import, a re-export or an export alone, or of a comment. */
const isLeftOut = (node) => {
  for (let at = node; at !== undefined; at = at.parent) {
    if (ts.isJSDoc(at) || (at.flags & ts.NodeFlags.JSDoc) !== 0) return true
    if (ts.isImportDeclaration(at) || ts.isImportEqualsDeclaration(at)) return true
    if (ts.isExportDeclaration(at) || (ts.isExportAssignment(at) && at.expression === node)) return true
    if (ts.isStringLiteralLike(at) && at === node) return true
    // const { a, b: c } = require("…")
    if (ts.isBindingElement(at) && at.initializer === undefined) {
      const declaration = ts.findAncestor(at, ts.isVariableDeclaration)
      if (
        declaration?.initializer !== undefined &&
        /^(await )?(require|import)\(/.test(declaration.initializer.getText())
      )
        return true
    }
    if (ts.isStatement(at)) break
  }
  return false
}

const resolved = (symbol) =>
  symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0 ? checker.getAliasedSymbol(symbol) : symbol

const symbolsAt = (node) => {
  if (node.parent === undefined) return []
  const found = [checker.getSymbolAtLocation(node)]
  if (ts.isShorthandPropertyAssignment(node.parent)) found.push(checker.getShorthandAssignmentValueSymbol(node.parent))
  if (ts.isBindingElement(node.parent) && ts.isObjectBindingPattern(node.parent.parent)) {
    const type = checker.getTypeAtLocation(node.parent.parent)
    const property = node.parent.propertyName ?? node.parent.name
    if (ts.isIdentifier(property)) found.push(type.getProperty(property.text))
  }
  return found.map(resolved).filter((symbol) => symbol !== undefined)
}

const nodeAt = (source, position) => {
  let found = source
  const visit = (node) => {
    if (node.getStart(source) <= position && position < node.getEnd()) {
      found = node
      ts.forEachChild(node, visit)
    }
  }
  ts.forEachChild(source, visit)
  return found
}

const candidates = []
const objects = repository.commonJs ? makeExportObjects({ ts, checker, program, sources, absolute }) : undefined

for (const source of sources) {
  const file = relative(source.fileName)
  if (!repository.drawn.test(file) || source.isDeclarationFile) continue
  const add = (kind, node, naming, symbolName) =>
    candidates.push({ kind, node, naming, file, source, name: naming.text, symbol: symbolName ?? naming.text })
  const isExported = (node) => (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Export) !== 0
  for (const statement of source.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name !== undefined && statement.body !== undefined)
      add("function", statement, statement.name)
    if (ts.isVariableStatement(statement) && isExported(statement))
      for (const declaration of statement.declarationList.declarations)
        if (
          ts.isIdentifier(declaration.name) &&
          declaration.initializer !== undefined &&
          (ts.isArrowFunction(declaration.initializer) || ts.isFunctionExpression(declaration.initializer))
        )
          add("function", declaration, declaration.name)
    if (ts.isInterfaceDeclaration(statement)) add("class", statement, statement.name)
    if (ts.isClassDeclaration(statement) && statement.name !== undefined) {
      add("class", statement, statement.name)
      for (const member of statement.members)
        if (ts.isMethodDeclaration(member) && member.body !== undefined && ts.isIdentifier(member.name))
          add("method", member, member.name, `${statement.name.text}.${member.name.text}`)
    }
  }
}
for (const { assignment, naming, source, symbol } of objects?.functions() ?? []) {
  const file = relative(source.fileName)
  if (repository.drawn.test(file))
    candidates.push({ kind: "method", node: assignment, naming, file, source, name: naming.text, symbol, chain: true })
}

const judge = (candidate) => {
  const { source, node, naming, file } = candidate
  const position = naming.getStart(source)
  const declarations = new Set(
    symbolsAt(naming)
      .flatMap((symbol) => symbol.declarations ?? [])
      .concat(node),
  )
  const [first, last] = [node.getStart(source), node.getEnd()]
  const uses = []
  const also = []
  const add = (list, at, position, how) => {
    const use = { path: relative(at.fileName), line: lineOf(at, position) }
    const enclosing = enclosingOf(nodeAt(at, position))
    if (enclosing !== undefined) use.in = enclosing
    if (how !== undefined) use.why = how
    list.push(use)
  }
  const isInside = (at, position) => at === source && first <= position && position < last
  const places = new Set()
  for (const { references } of service.findReferences(source.fileName, position) ?? []) {
    for (const reference of references) {
      const at = program.getSourceFile(reference.fileName)
      if (at === undefined || relative(reference.fileName).startsWith("..") || /node_modules/.test(reference.fileName))
        continue
      const start = reference.textSpan.start
      const found = nodeAt(at, start)
      places.add(`${reference.fileName}:${start}`)
      // `const { A } = await import("…")`: the uses of the local `A` are uses of what was imported.
      if (
        found.parent !== undefined &&
        ts.isBindingElement(found.parent) &&
        found.parent.initializer === undefined &&
        isLeftOut(found)
      ) {
        for (const local of service.findReferences(reference.fileName, found.parent.name.getStart()) ?? []) {
          if (path.resolve(local.definition.fileName) !== path.resolve(reference.fileName)) continue
          for (const { textSpan } of local.references) {
            const place = `${reference.fileName}:${textSpan.start}`
            if (places.has(place) || isLeftOut(nodeAt(at, textSpan.start))) continue
            places.add(place)
            add(uses, at, textSpan.start)
          }
        }
      }
      if (found === naming || isLeftOut(found)) continue
      const symbols = symbolsAt(found)
      const isCertain = symbols.some((symbol) => (symbol.declarations ?? []).some((one) => declarations.has(one)))
      if (reference.isDefinition) {
        // An override, or a base declaration: neither is a use of this one.
        if (found !== naming) add(also, at, start, "declaration")
      } else if (isInside(at, start)) add(also, at, start, "inside itself")
      else if (isCertain) add(uses, at, start)
      else add(also, at, start, "through a base type")
    }
  }
  if (candidate.chain) {
    for (const use of objects.usesOf(candidate.node)) {
      const start = use.getStart()
      const at = use.getSourceFile()
      if (places.has(`${at.fileName}:${start}`) || isLeftOut(use)) continue
      if (isInside(at, start)) add(also, at, start, "inside itself")
      else add(uses, at, start)
    }
  }
  const { name, symbol } = candidate
  const kind = ts.isInterfaceDeclaration(node) ? "interface" : candidate.kind
  return truthOf({ symbol, name, kind, path: file, line: lineOf(source, position) }, uses, also)
}

const drawn = await draw(candidates, repository.quotas, Number(seed), judge)
const how = `typescript ${ts.version}, LanguageService.findReferences${repository.commonJs ? ", and the objects that CommonJS modules export" : ""}`
writeTruth(
  output,
  { repository: name, commit, language: repository.language, judge: how, seed: Number(seed) },
  drawn,
  candidates,
)
