/**
 * Makes a truth file with pyright's language server:
 *
 *     node pyright.mjs NAME CHECKOUT COMMIT OUTPUT [seed]
 *
 * PYRIGHT_FOLDER is a folder with pyright in its node_modules.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { pathToFileURL } from "node:url"
import { startServer } from "./client.mjs"
import { draw } from "./draw.mjs"
import { truthOf, writeTruth } from "./truth.mjs"

const repositories = {
  "pallets/flask": { drawn: /^src\// },
  "pytest-dev/pytest": { drawn: /^src\// },
  "psf/requests": { drawn: /^requests\/(?!packages\/)/, files: /^(?!requests\/packages\/)/ },
}
const quotas = { function: 22, method: 26, class: 12 }

const [name, given, commit, output, seed = "20"] = process.argv.slice(2)
const root = fs.realpathSync(given)
const repository = repositories[name]

const walk = (folder) =>
  fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = folder === "" ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return /^(node_modules|\.git|dist|build)$/.test(entry.name) ? [] : walk(file)
    return /\.pyi?$/.test(entry.name) ? [file] : []
  })
const files = walk("")
  .filter((file) => repository.files?.test(file) ?? true)
  .sort()
const texts = new Map(files.map((file) => [file, fs.readFileSync(path.join(root, file), "utf8")]))
const linesOf = new Map(files.map((file) => [file, texts.get(file).split("\n")]))
const uriOf = (file) => pathToFileURL(path.join(root, file)).href
const fileOf = (uri) => path.relative(root, decodeURIComponent(new URL(uri).pathname))

const settings = {
  python: {
    analysis: { autoSearchPaths: true, diagnosticMode: "openFilesOnly", indexing: false, extraPaths: ["src", "."] },
  },
}
const sections = { "python.analysis": settings.python.analysis, python: settings.python }
const { end, notify, request } = startServer(
  [process.execPath, path.join(process.env.PYRIGHT_FOLDER, "node_modules/pyright/langserver.index.js"), "--stdio"],
  {
    cwd: root,
    answer: (method, params) =>
      method === "workspace/configuration" ? params.items.map(({ section }) => sections[section] ?? {}) : null,
    notified: () => {},
  },
)

await request("initialize", {
  processId: process.pid,
  rootUri: pathToFileURL(root).href,
  workspaceFolders: [{ uri: pathToFileURL(root).href, name: "root" }],
  capabilities: {
    workspace: { configuration: true, workspaceFolders: true },
    textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true }, references: {} },
  },
  initializationOptions: {},
})
notify("initialized", {})
notify("workspace/didChangeConfiguration", { settings })

/** Lines that are inside an import statement, by file (parenthesised ones span lines). */
const importLines = new Map()
for (const [file, lines] of linesOf) {
  const set = new Set()
  for (let at = 0; at < lines.length; at++) {
    if (!/^\s*(from\s+\S+\s+import\b|import\s)/.test(lines[at])) continue
    set.add(at)
    let depth = (lines[at].match(/\(/g) ?? []).length - (lines[at].match(/\)/g) ?? []).length
    while ((depth > 0 || lines[at].endsWith("\\")) && at + 1 < lines.length) {
      at++
      set.add(at)
      depth += (lines[at].match(/\(/g) ?? []).length - (lines[at].match(/\)/g) ?? []).length
    }
  }
  importLines.set(file, set)
}

const FUNCTION = 12
const METHOD = 6
const CLASS = 5
const candidates = []
const outlines = new Map()
for (const file of files) {
  notify("textDocument/didOpen", {
    textDocument: { uri: uriOf(file), languageId: "python", version: 1, text: texts.get(file) },
  })
  const outline = (await request("textDocument/documentSymbol", { textDocument: { uri: uriOf(file) } })) ?? []
  outlines.set(file, outline)
  if (repository.drawn.test(file)) {
    const add = (kind, symbol, container) =>
      candidates.push({
        kind,
        name: symbol.name,
        symbol: container === undefined ? symbol.name : `${container.name}.${symbol.name}`,
        file,
        extent: symbol.range,
        position: symbol.selectionRange.start,
      })
    for (const symbol of outline) {
      if (symbol.kind === FUNCTION) add("function", symbol)
      if (symbol.kind === CLASS) {
        add("class", symbol)
        for (const member of symbol.children ?? [])
          if (member.kind === METHOD && !/^__.*__$/.test(member.name)) add("method", member, symbol)
      }
    }
  }
  notify("textDocument/didClose", { textDocument: { uri: uriOf(file) } })
}
process.stderr.write(`${candidates.length} candidates in ${files.length} files\n`)

const enclosingOf = (file, line) => {
  const names = []
  const visit = (symbols) => {
    for (const symbol of symbols)
      if (
        symbol.range.start.line <= line &&
        line <= symbol.range.end.line &&
        [FUNCTION, METHOD, CLASS].includes(symbol.kind)
      ) {
        names.push(symbol.name)
        visit(symbol.children ?? [])
      }
  }
  visit(outlines.get(file) ?? [])
  return names.length === 0 ? undefined : names.join(".")
}

const judge = async (candidate) => {
  notify("textDocument/didOpen", {
    textDocument: { uri: uriOf(candidate.file), languageId: "python", version: 1, text: texts.get(candidate.file) },
  })
  const found =
    (await request("textDocument/references", {
      textDocument: { uri: uriOf(candidate.file) },
      position: candidate.position,
      context: { includeDeclaration: false },
    })) ?? []
  notify("textDocument/didClose", { textDocument: { uri: uriOf(candidate.file) } })
  const uses = []
  const also = []
  for (const { uri, range } of found) {
    const file = fileOf(uri)
    const lines = linesOf.get(file)
    if (lines === undefined) continue
    const line = range.start.line
    const text = lines[line]
    const use = { path: file, line: line + 1 }
    const enclosing = enclosingOf(file, line)
    if (enclosing !== undefined) use.in = enclosing
    if (importLines.get(file).has(line)) continue
    if (text.slice(range.start.character, range.end.character) !== candidate.name && !text.includes(candidate.name)) {
      // Used under the alias of an import: a use all the same.
    }
    const before = text.slice(0, range.start.character)
    if (/^\s*(async\s+)?(def|class)\s+$/.test(before)) {
      if (!(file === candidate.file && line === candidate.position.line)) also.push({ ...use, why: "declaration" })
    } else if (file === candidate.file && candidate.extent.start.line <= line && line <= candidate.extent.end.line)
      also.push({ ...use, why: "inside itself" })
    else uses.push(use)
  }
  const { kind, name, symbol } = candidate
  return truthOf({ symbol, name, kind, path: candidate.file, line: candidate.position.line + 1 }, uses, also)
}

const drawn = await draw(candidates, quotas, Number(seed), judge)
const version = JSON.parse(
  fs.readFileSync(path.join(process.env.PYRIGHT_FOLDER, "node_modules/pyright/package.json"), "utf8"),
).version
writeTruth(
  output,
  {
    repository: name,
    commit,
    language: "Python",
    judge: `pyright ${version}, textDocument/references`,
    seed: Number(seed),
  },
  drawn,
  candidates,
)
end()
