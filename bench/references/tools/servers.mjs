/**
 * Makes a truth file with the language server of PHP, Rust, C or C++:
 *
 *     node servers.mjs NAME CHECKOUT COMMIT OUTPUT [seed]
 *
 * NAME is a key of `repositories` below. SERVER is the command of the server (`intelephense --stdio`, `rust-analyzer`,
 * `clangd --background-index --compile-commands-dir=FOLDER`), and JUDGE its name and version. PROJECT is a file like
 * `rust-project.json`, for Rust, since no dependency has to be there then.
 */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { pathToFileURL } from "node:url"
import { startServer } from "./client.mjs"
import { draw } from "./draw.mjs"
import { truthOf, writeTruth } from "./truth.mjs"

const repositories = {
  "Seldaek/monolog": { language: "PHP", drawn: /^src\// },
  "guzzle/guzzle": { language: "PHP", drawn: /^src\// },
  "casey/just": { language: "Rust", drawn: /^(src|crates)\// },
  "tokio-rs/axum": { language: "Rust", drawn: /^axum[^/]*\/src\/(?!.*test)/ },
  "jqlang/jq": { language: "C", drawn: /^src\// },
  "redis/hiredis": { language: "C", drawn: /^(?!examples|fuzzing)(?!.*test)/ },
  "google/leveldb": { language: "C++", drawn: /^(?!third_party\/)(?!.*test)/ },
  "gabime/spdlog": { language: "C++", drawn: /^(?:include|src)\/(?!.*(?:bundled|fmt\/))/ },
  "fmtlib/fmt": { language: "C++", drawn: /^(include|src)\// },
}
const languages = {
  PHP: {
    id: "php",
    quotas: { function: 6, method: 40, class: 14 },
    files: /\.php$/,
    comment: /^(?:\/\/|#(?!\[)|\/\*)/,
    token: /\/\/[^\n]*|#(?!\[)[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'/g,
    imports: /^use\s[^;(]*;/gm,
    definition: /\b(?:function\s*&?|class|interface|trait|enum)\s+$/,
  },
  Rust: {
    id: "rust",
    files: /\.rs$/,
    comment: /^\/[/*]/,
    token: /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\br(#*)"[\s\S]*?"\1|"(?:\\[\s\S]|[^"\\])*"|'(?:\\[^']+|[^'\\\n])'/g,
    imports: /^\s*(?:pub(?:\([^)\n]*\))?\s+)?use\s[^;]*;/gm,
    definition: /\b(?:fn|struct|enum|trait|union|type|mod)\s+$/,
  },
  C: {
    id: "c",
    quotas: { function: 45, class: 15 },
    files: /\.[ch]$/,
    comment: /^\/[/*]/,
    token: /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[^']+|[^'\\\n])'/g,
    imports: /^\s*#\s*include[^\n]*/gm,
    // `struct name` is a use as well.
    definition: /(?!)/,
  },
  "C++": {
    id: "cpp",
    files: /\.(?:h|cc|cpp|hpp)$/,
    comment: /^\/[/*]/,
    token: /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[^']+|[^'\\\n])'/g,
    imports: /^\s*using\s[^;=]*;/gm,
    definition: /\b(?:class|struct|enum)\s+$/,
  },
}
const quotas = languages[repositories[process.argv[2]].language].quotas ?? { function: 22, method: 26, class: 12 }

const [name, given, commit, output, seed = "20"] = process.argv.slice(2)
const root = fs.realpathSync(given)
const repository = repositories[name]
const isOfC = /^C(?:\+\+)?$/.test(repository.language)
const language = languages[repository.language]

const walk = (folder, names = language.files) =>
  fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = folder === "" ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory())
      return /^(node_modules|vendor|target|build|\..*)$/.test(entry.name) ? [] : walk(file, names)
    return names.test(file) ? [file] : []
  })
const files = walk("").sort()
const texts = new Map(files.map((file) => [file, fs.readFileSync(path.join(root, file), "utf8")]))
const uriOf = (file) => pathToFileURL(path.join(root, file)).href
const fileOf = (uri) => path.relative(root, decodeURIComponent(new URL(uri).pathname))

const startsOf = new Map()
for (const [file, text] of texts) {
  const starts = [0]
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1)
  startsOf.set(file, starts)
}
const offsetOf = (file, { character, line }) => startsOf.get(file)[line] + character

const textIn = (file, { end, start }) => texts.get(file).slice(offsetOf(file, start), offsetOf(file, end))

/** The parts of a file that are comments, or imports. */
const partsOf = (file, of) => {
  const text = texts.get(file)
  if (of === "imports")
    return [...text.matchAll(language.imports)].map(({ 0: all, index }) => [index, index + all.length])
  return [...text.matchAll(language.token)].flatMap(({ 0: all, index }) =>
    language.comment.test(all) ? [[index, index + all.length]] : [],
  )
}
const parts = new Map(
  files.map((file) => [file, { comments: partsOf(file, "comments"), imports: partsOf(file, "imports") }]),
)
const isIn = (ranges, offset) => ranges.some(([start, end]) => start <= offset && offset < end)

const running = new Set()
/** Files of other languages that use the same headers, and those of which a header is not there. */
const unseen = new Set(repository.language === "C" ? walk("", /\.(?:cc|cpp|hpp)$/) : [])
let settled = Date.now()
let hasIndexed = false
const client = startServer(process.env.SERVER.split(" "), {
  cwd: root,
  answer: (method, params) => (method === "workspace/configuration" ? params.items.map(() => settings) : null),
  notified: (method, params) => {
    if (method === "indexingEnded") hasIndexed = true
    // A file that includes what is not there is not read as a whole.
    if (
      method === "textDocument/publishDiagnostics" &&
      params.diagnostics.some(({ message }) => /file not found/.test(message))
    )
      unseen.add(fileOf(params.uri))
    if (method !== "$/progress") return
    if (params.value.kind === "begin") running.add(params.token)
    if (params.value.kind === "end") {
      running.delete(params.token)
      hasIndexed = true
    }
    settled = Date.now()
  },
})
const settings =
  repository.language === "Rust"
    ? {
        linkedProjects: [process.env.PROJECT],
        cargo: { buildScripts: { enable: false } },
        procMacro: { enable: false },
        checkOnSave: false,
        diagnostics: { enable: false },
      }
    : {}
const { capabilities } = await client.request("initialize", {
  processId: process.pid,
  rootUri: pathToFileURL(root).href,
  workspaceFolders: [{ uri: pathToFileURL(root).href, name: "root" }],
  capabilities: {
    window: { workDoneProgress: true },
    workspace: { configuration: true, workspaceFolders: true },
    textDocument: {
      documentSymbol: {
        hierarchicalDocumentSymbolSupport: true,
        symbolKind: { valueSet: Array.from({ length: 26 }, (_, n) => n + 1) },
      },
      references: {},
      definition: { linkSupport: false },
    },
  },
  initializationOptions:
    repository.language === "PHP"
      ? { clearCache: true, storagePath: fs.mkdtempSync(path.join(os.tmpdir(), "judge-")) }
      : settings,
})
client.notify("initialized", {})
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const opened = new Set()
const open = async (file) => {
  if (opened.has(file)) return
  opened.add(file)
  client.notify("textDocument/didOpen", {
    textDocument: { uri: uriOf(file), languageId: language.id, version: 1, text: texts.get(file) },
  })
}
await open(files.find((file) => repository.drawn.test(file)))
const started = Date.now()
while (!(hasIndexed && running.size === 0 && Date.now() - settled > 8000) && Date.now() - started < 180_000)
  await pause(200)
process.stderr.write(`${hasIndexed ? "indexed" : "not indexed"} after ${Date.now() - started} ms\n`)

const kindOf = { 5: "class", 6: "method", 9: "method", 10: "class", 11: "class", 12: "function", 23: "class" }
const candidates = []
const outlines = new Map()
for (const file of files) {
  await open(file)
  const outline = (await client.request("textDocument/documentSymbol", { textDocument: { uri: uriOf(file) } })) ?? []
  outlines.set(file, outline)
  if (!repository.drawn.test(file) || unseen.has(file)) continue
  const visit = (symbols, container, isType) => {
    for (const symbol of symbols) {
      const bare = /^[~\w$]+/.exec(symbol.name.replace(/^(?:.*::)(?=[\w~]+$)/, ""))?.[0] ?? ""
      const kind = kindOf[symbol.kind]
      const at = offsetOf(file, symbol.selectionRange.start)
      const isTest = /#\[(?:tokio::)?test\]|\bmod tests?\b/.test(
        texts.get(file).slice(offsetOf(file, symbol.range.start), at),
      )
      if (isTest) continue
      const isWritten = texts.get(file).startsWith(bare, at)
      const isForward = isOfC && kind === "class" && !/^\s*typedef\b|^\s*using\b|\{/.test(textIn(file, symbol.range))
      if (isForward) continue
      if (kind !== undefined && bare !== "" && isWritten && !/^__|^(?:main|operator)$/.test(bare) && bare !== container)
        candidates.push({
          kind: kind === "function" && isType ? "method" : kind,
          name: bare,
          symbol: container === "" ? bare : `${container}.${bare}`,
          file,
          extent: symbol.range,
          position: symbol.selectionRange.start,
        })
      // An `impl` block of Rust has the name of its type; functions inside of functions are left out.
      const block = /^impl\b.*?(?:\bfor\s+)?&?(?:[\w:]*::)?(\w+)(?:<.*)?$/.exec(symbol.name)?.[1]
      if (block !== undefined) visit(symbol.children ?? [], block, true)
      else if (kind === "class") visit(symbol.children ?? [], bare, true)
      else if (kind === undefined) visit(symbol.children ?? [], container, isType)
    }
  }
  visit(outline, "", false)
}
/** `typedef struct name { … } name;` is one symbol for readers, and two for clangd. */
const tagsOf = ({ extent, file, kind, name, position }) =>
  repository.language !== "C" || kind !== "class"
    ? []
    : candidates.filter(
        (other) =>
          other.file === file &&
          other.kind === kind &&
          other.name === name &&
          other.position !== position &&
          other.extent.start.line <= extent.end.line &&
          extent.start.line <= other.extent.end.line,
      )
process.stderr.write(`${candidates.length} candidates in ${files.length} files\n`)

const enclosingOf = (file, line) => {
  const names = []
  const visit = (symbols) => {
    for (const symbol of symbols) {
      if (line < symbol.range.start.line || symbol.range.end.line < line) continue
      if (kindOf[symbol.kind] !== undefined) names.push(symbol.name)
      visit(symbol.children ?? [])
    }
  }
  visit(outlines.get(file) ?? [])
  return names.length === 0 ? undefined : names.join(".")
}

const keyOf = (file, { line }) => `${file}:${line}`
const listOf = (found) => (found === null ? [] : Array.isArray(found) ? found : [found])
const placesOf = async (method, file, position) =>
  listOf(await client.request(method, { textDocument: { uri: uriOf(file) }, position })).map((one) =>
    keyOf(fileOf(one.uri ?? one.targetUri), (one.range ?? one.targetSelectionRange).start),
  )

/** Returns whether a line is part of the definition of a macro: clangd gives no references of the names in it. */
const inMacro = (file, line) => {
  if (!isOfC) return false
  let first = line
  while (first > 0 && /\\\r?\n$/.test(lineOf(file, first - 1))) first--
  return /^\s*#\s*define\b/.test(lineOf(file, first))
}

const lineOf = (file, line) => texts.get(file).slice(startsOf.get(file)[line], startsOf.get(file)[line + 1])

/** The lines of a file that its macros switch off: clangd marks them as comments. */
const inactive = new Map()
const inactiveIn = async (file) => {
  if (inactive.has(file)) return inactive.get(file)
  const { data = [] } =
    (isOfC && (await client.request("textDocument/semanticTokens/full", { textDocument: { uri: uriOf(file) } }))) || {}
  const { tokenTypes = [] } = capabilities.semanticTokensProvider?.legend ?? {}
  const found = new Set()
  for (let at = 0, line = 0; at < data.length; at += 5) {
    line += data[at]
    if (tokenTypes[data[at + 3]] === "comment") found.add(line + 1)
  }
  inactive.set(file, found)
  return found
}

/** The lines, by file, of names that the server cannot resolve, so that nobody can say whether they are a use. */
const unresolved = async (name, known) => {
  const found = {}
  for (const [at, text] of texts) {
    const starts = startsOf.get(at)
    for (let offset = text.indexOf(name), line = 0; offset >= 0; offset = text.indexOf(name, offset + name.length)) {
      if (/\w/.test(text[offset - 1] ?? "") || /\w/.test(text[offset + name.length] ?? "")) continue
      if (isIn(parts.get(at).comments, offset) || isIn(parts.get(at).imports, offset)) continue
      while (line + 1 < starts.length && starts[line + 1] <= offset) line++
      if (known.has(`${at}:${line + 1}`)) continue
      const position = { line, character: offset - starts[line] }
      const isInactive = (await inactiveIn(at)).has(line + 1) || inMacro(at, line)
      const meant = isInactive ? [] : await placesOf("textDocument/definition", at, position)
      if (meant.length > 0 || found[at]?.at(-1) === line + 1) continue
      found[at] ??= []
      found[at].push(line + 1)
    }
  }
  return found
}

/** Returns whether a name is that of the class before a member that is defined outside of it. */
const definesMember = (file, range) => {
  const visit = (symbols) =>
    symbols.some(
      ({ children = [], selectionRange: { start } }) =>
        (start.line === range.end.line &&
          start.character >= range.end.character &&
          /^(?:<[^;]*>)?\s*::(?:\s*\w+\s*::)*\s*~?$/.test(textIn(file, { start: range.end, end: start }))) ||
        visit(children),
    )
  return visit(outlines.get(file) ?? [])
}

const judge = async ({ extent, file, kind, name, position, symbol }) => {
  const tags = tagsOf({ extent, file, kind, name, position })
  const found = []
  for (const at of [position, ...tags.map((tag) => tag.position)])
    found.push(
      ...((await client.request("textDocument/references", {
        textDocument: { uri: uriOf(file) },
        position: at,
        context: { includeDeclaration: false },
      })) ?? []),
    )
  // The declaration in a header and the definition elsewhere are one symbol.
  const own = new Set([position, ...tags.map((tag) => tag.position)].map((at) => keyOf(file, at)))
  if (isOfC)
    for (const method of ["textDocument/definition", "textDocument/declaration"])
      for (const key of await placesOf(method, file, position)) own.add(key)
  const uses = []
  const also = []
  for (const { range, uri } of found) {
    const at = fileOf(uri)
    const text = texts.get(at)
    if (text === undefined || unseen.has(at)) continue
    const offset = offsetOf(at, range.start)
    if (isIn(parts.get(at).comments, offset) || isIn(parts.get(at).imports, offset)) continue
    if (
      own.has(keyOf(at, range.start)) &&
      text.startsWith(name, offset) &&
      (at !== file || offset === offsetOf(file, position))
    )
      continue
    const line = range.start.line
    const use = { path: at, line: line + 1 }
    const enclosing = enclosingOf(at, line)
    if (enclosing !== undefined) use.in = enclosing
    // clangd tells where a macro is called that has the name in its body.
    if (isOfC && !new RegExp(`\\b${name}\\b`).test(lineOf(at, line))) also.push({ ...use, why: "through a macro" })
    else if (isOfC && definesMember(at, range)) also.push({ ...use, why: "declaration" })
    else if (language.definition.test(text.slice(startsOf.get(at)[line], offset)))
      also.push({ ...use, why: "declaration" })
    else if (at === file && extent.start.line <= line && line <= extent.end.line)
      also.push({ ...use, why: "inside itself" })
    else if (text.startsWith("Self", offset) && name !== "Self") also.push({ ...use, why: "Self" })
    else if (
      kind === "class" ||
      repository.language === "C" ||
      (await placesOf("textDocument/definition", at, range.start)).some((key) => own.has(key))
    )
      uses.push(use)
    else also.push({ ...use, why: "through a base type" })
  }
  return truthOf(
    { symbol, name, kind, path: file, line: position.line + 1 },
    uses,
    also.map(({ in: _, ...use }) => use),
  )
}

const drawn = await draw(candidates, quotas, Number(seed), judge)
for (const one of drawn) {
  const known = new Set([...one.uses, ...one.also].map((use) => `${use.path}:${use.line}`))
  // Intelephense knows the types of nearly all receivers.
  if (repository.language !== "PHP") one.unresolved = await unresolved(one.name, known)
}
const head = {
  repository: name,
  commit,
  language: repository.language,
  judge: `${process.env.JUDGE}, textDocument/references`,
  ...(isOfC && { unseen: [...unseen].sort() }),
}
writeTruth(output, { ...head, seed: Number(seed) }, drawn, candidates)
client.end()
