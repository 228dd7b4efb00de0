import { createHash } from "node:crypto"
import fs, { globSync, readdirSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { defineConfig } from "rolldown"

/** Tests build into a folder of their own, beside the one that is published. */
const folder = process.env.VIBE_BUILD ?? "dist"

// Of @effect/cli: questions of a wizard, each of which draws something as it is loaded, and the file system, half of
// Effect, for options that are files. vibe has neither, and would take a sixth longer to start.
const unused = ["date", "file", "FileSystem", "float", "hidden", "integer", "list", "select", "text", "toggle"]
const withoutWizard = {
  name: "without-wizard",
  resolveId: {
    filter: { id: /^\.\/prompt\/(?:date|file|list|number|select|text|toggle)\.js$|^@effect\/platform\/FileSystem$/ },
    handler: (_, importer) => (/@effect\/cli\/.*\/internal\/\w+\.js$/.test(importer ?? "") ? "\0nothing" : null),
  },
  load: {
    filter: { id: /^\0nothing$/ },
    handler: () => `export const ${unused.map((name) => `${name} = undefined`).join(", ")}`,
  },
}

// Of pi-tui: formulas, which vibe shows as they are written, and an expression for all emoji, which takes 15 ms to make
// and is made before there is any.
const withoutFormulas = {
  name: "without-formulas",
  resolveId: {
    filter: { id: /^\.\.\/latex\.js$/ },
    handler: (_, importer) => (/pi-tui\/dist\/components\/markdown\.js$/.test(importer ?? "") ? "\0formulas" : null),
  },
  load: { filter: { id: /^\0formulas$/ }, handler: () => "export const renderLatex = undefined" },
}
const allEmoji = "const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;"
const withLateEmoji = {
  name: "with-late-emoji",
  transform: {
    filter: { id: /pi-tui\/dist\/utils\.js$/ },
    handler: (code) => {
      if (!code.includes(allEmoji)) throw new Error("pi-tui has other emoji now: see rolldown.config.js")
      const late = "(emoji ??= new RegExp('^\\\\p{RGI_Emoji}$', 'v')).test(text)"
      return code.replace(allEmoji, () => `let emoji; const rgiEmojiRegex = { test: (text) => ${late} };`)
    },
  },
}

// Of the MCP SDK's server: the validator of forms that a client has filled in, 120 kB. vibe sends no forms.
const withoutForms = {
  name: "without-forms",
  resolveId: {
    filter: { id: /^@modelcontextprotocol\/server\/_shims$/ },
    handler: () => "\0server-shims",
  },
  load: {
    filter: { id: /^\0server-shims$/ },
    handler: () => 'export { default as process } from "node:process"; export class DefaultJsonSchemaValidator {}',
  },
}

// Of zod, which checks the messages of MCP: the parsers that it compiles for each kind of message when the first one comes.
// A server gets a few of most kinds, for which that takes longer than it saves.
const compilesParsers = "__zod_globalConfig = {}"
const withoutCompiledParsers = {
  name: "without-compiled-parsers",
  transform: {
    filter: { id: /zod\/v4\/core\/core\.js$/ },
    handler: (code) => {
      if (!code.includes(compilesParsers)) throw new Error("zod is configured otherwise now: see rolldown.config.js")
      return code.replace(compilesParsers, "__zod_globalConfig = { jitless: true }")
    },
  },
}

// To import node:fs makes all that it exports when it is asked for, streams, promises and what reads lines among it, which
// takes 3 ms of each start. `require` makes nothing.
// Packages may need what is left out. The entry has a module of its own, since it loads no chunk.
const made = Object.entries(Object.getOwnPropertyDescriptors(fs)).filter(([, { get }]) => get === undefined)
const withoutStreams = {
  name: "without-streams",
  resolveId: {
    filter: { id: /^node:fs$/ },
    handler: (_, importer, { kind }) => {
      if (kind !== "import-statement" || importer.includes("node_modules")) return null
      return /src\/(?:bin|compileCache)\.ts$/.test(importer) ? "\0entry-fs" : "\0fs"
    },
  },
  load: {
    filter: { id: /^\0(?:entry-)?fs$/ },
    handler: () =>
      [
        'import { createRequire } from "node:module"',
        'const fs = createRequire(import.meta.url)("node:fs")',
        "const member = (name) => fs[name]",
        ...made.map(([name]) => `export const ${name} = /* @__PURE__ */ member("${name}")`),
        "export default fs",
      ].join("\n"),
  },
}

/** The text of a package's licence and notices; the name of its licence where it ships none. */
const licenseOf = (folder, license) => {
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice|copying)\b/i.test(file))
  const texts = files.toSorted().map((file) => readFileSync(path.join(folder, file), "utf8").trim())
  return texts.length === 0 ? `License: ${license}` : texts.join("\n\n")
}

// Licences ask to go with the code, which minifying strips of them. Packages with the same text have it once.
const licenses = {
  name: "licenses",
  generateBundle(_, bundle) {
    const modules = Object.values(bundle).flatMap((file) => file.moduleIds ?? [])
    const folders = modules.flatMap(
      (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll("\\", "/")) ?? [],
    )
    const namesByText = new Map()
    for (const folder of new Set(folders.toSorted())) {
      const { license, name, version } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"))
      const text = licenseOf(folder, license)
      namesByText.set(text, [...(namesByText.get(text) ?? []), `${name} ${version}`])
    }
    const sections = Array.from(namesByText, ([text, names]) => `${names.join("\n")}\n\n${text}\n`)
    this.emitFile({ type: "asset", fileName: "licenses.txt", source: sections.join(`\n${"-".repeat(80)}\n\n`) })
  },
}

// The program: a tiny entry, a chunk for each command's work. The library is made by tsc (tsconfig.build.json) and
// keeps `effect` outside, so that a larger program never gets a second copy; this bundle carries its own.
const program = defineConfig({
  plugins: [
    withoutWizard,
    withoutFormulas,
    withLateEmoji,
    withoutForms,
    withoutCompiledParsers,
    withoutStreams,
    licenses,
  ],
  input: {
    bin: "src/bin.ts",
    // A thread's own entry, beside the chunk that starts it.
    "chunks/outlineWorker": "src/app/outlineWorker.ts",
    // Google's SDK with what it depends on, which the library loads too (tools/build.ts). As a dependency it would be
    // nearly half of what is installed.
    "google-genai": "src/provider/gemini/sdk.ts",
    // The same for proxies, which few have.
    "proxy-agent": "src/process/internal/proxyAgent.ts",
  },
  platform: "node",
  // Its other form loads its parts by a function that no bundler sees through.
  resolve: { alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" } },
  external: [
    // They find their WebAssembly next to themselves.
    "web-tree-sitter",
    "@vscode/tree-sitter-wasm",
    // Loaded late or never, and installed for the library anyway.
    "@cfworker/json-schema",
    "re2js",
    // Optional parts of pg and msgpackr, which do without.
    "pg-native",
    "msgpackr-extract",
  ],
  output: {
    dir: folder,
    // Else chunks of an earlier build would be packed.
    cleanDir: true,
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    // A text beyond ASCII takes twice the memory, and longer to read.
    charset: "ascii",
    minify: true,
    // What is always loaded together is one file each: to find, read and check a file takes as long as to run it.
    codeSplitting: {
      groups: [
        // What a thread needs comes first, so that none loads the program for a part of it.
        {
          name: "effect",
          test: /\/effect\/dist\/esm\/(?:Cache|Console|Data|Effect|Layer)\.js$|src\/code\/(?:Language|References|Symbols)\.ts$/,
          priority: 5,
        },
        // The index reads tokens of texts, also if it outlines none.
        { name: "tokens", test: /src\/code\/SourceTokens\.ts$/, priority: 6 },
        { name: "outline", test: /src\/code\/Symbols\/TreeSitter\.ts$/, priority: 4 },
        {
          name: "program",
          test: /src\/main\.ts$|src\/app\/(?:processEnvironment|OwnProcess)\.ts$|src\/cli\/layers\/GitLayer\.ts$/,
          priority: 3,
        },
        // The forest uses it, too, which has nothing else of an index. ReadOnly completes symbols, which has no time to
        // load the rest.
        { name: "disk", test: /src\/disk\/(?!ReadOnly\.ts)|src\/base\/mutex\.ts$/, priority: 2 },
        // Conversations and settings use it, too, which name files and have no index.
        {
          name: "files",
          // The colours of code, which answers have in a conversation and in a query, and the count of tokens of a map.
          test: /src\/code\/(?:Files\/Node|Output|Repository|Workspace)\.ts$|src\/config\/Ownership\.ts$|src\/base\/(?:inParallel|Count)\.ts$|\/CodeSyntax\.ts$|src\/message\/Tokens\.ts$/,
          priority: 2,
        },
        // What `vibe mcp` needs of tools for its first answer, without schemas, settings, models and the agent loop.
        {
          name: "answering",
          test: /src\/tool\/(?:LateTool|ToolRegistry)\.ts$|src\/config\/mayBeSet\.ts$|src\/index\/Freshness\.ts$|src\/code\/Watcher\/Node\.ts$|\/effect\/dist\/esm\/Runtime\.js$/,
          priority: 0.95,
        },
        // Settings and tools with their schemas.
        {
          name: "tools",
          test: /src\/config\/(?:AppConfig|Sources)\.ts$|src\/tool\/Tool\.ts$|src\/message\/(?:Block|NodeId)\.ts$/,
          priority: 0.9,
        },
        // The first is loaded by every conversation, the second only by those in a terminal.
        {
          name: "conversing",
          test: /src\/base\/Secret\.ts$|src\/app\/(?:Models|RequestPolicy)\.ts$|src\/config\/Sources\.ts$|src\/agent\/LoomEngine\.ts$|src\/forest\/ForestStore\/Sqlite\.ts$|src\/cli\/conversation\/ChosenModel\.ts$|src\/cli\/layers\/ForestLayer\.ts$/,
          priority: 0.8,
        },
        {
          name: "talk",
          test: /src\/cli\/chat\/layer\.ts$|src\/cli\/conversation\/Start\.ts$|src\/conversation\/modes\/Chat\.ts$/,
          priority: 0.15,
        },
        // A status has ages, and nothing that decodes: else it would load all that a conversation needs.
        { name: "time", test: /\/effect\/dist\/esm\/DateTime\.js$/, priority: 3 },
        { name: "schema", test: /\/effect\/dist\/esm\/Schema\.js$/, priority: 2 },
        {
          name: "reading",
          test: /src\/cli\/layers\/CodeLayer\.ts$|src\/cli\/query\/run\.ts$/,
          priority: 1,
        },
        // What else a command of every day loads.
        ...["map", "show", "status"].map((name) => ({
          name,
          test: new RegExp(String.raw`src\/cli\/${name}\/(?:run|layer)\.ts$`),
          priority: 0.5,
        })),
        // Both ends of the Model Context Protocol have it.
        { name: "zod", test: /node_modules\/zod\//, priority: 0.4 },
        // What `vibe mcp` has beside these: else twenty files, most of them of two kilobytes. Commands of the wiki load
        // the first, too, which have no protocol.
        { name: "agents", test: /src\/cli\/mcp\/(?:CurrentProject|Offered)\.ts$/, priority: 0.3 },
        { name: "mcp", test: /src\/cli\/mcp\/(?:layer|run)\.ts$/, priority: 0.2 },
        // What `vibe index` loads beside these, of which other commands load some: to find a file takes a millisecond, and
        // a first index loaded 67.
        { name: "toml", test: /node_modules\/smol-toml\//, priority: 2 },
        { name: "diff", test: /src\/base\/unifiedDiff\.ts$/, priority: 2 },
        { name: "scanner", test: /src\/code\/Symbols\/(?:Scanner|Workers)\.ts$/, priority: 0.6 },
        { name: "toolbox", test: /src\/cli\/layers\/ReadOnlyTools\.ts$/, priority: 0.12 },
        // The pages of a wiki that a command shows, and what makes them.
        {
          name: "pages",
          test: /src\/wiki\/reading\/(?:openPages|pictures|readWiki)\.ts$|src\/wiki\/(?:WikiStore\/Folder|pictures\/PictureText)\.ts$/,
          priority: 0.1,
        },
        { name: "wiki", test: /src\/wiki\/writeAfterRun\.ts$/, priority: 0.05 },
        { name: "exploring", test: /src\/cli\/index\/(?:layer|run)\.ts$/, priority: 0 },
      ],
    },
  },
})

/** Writes `index.html` with the names of the other files, each of which has a digest of its content. */
const html = {
  name: "html",
  generateBundle(_, bundle) {
    const named = (name) => `/${Object.values(bundle).find((file) => file.isEntry && file.name === name).fileName}`
    const sheets = ["src/page/tokens.css", "src/page/style.css", ...globSync("src/page/*/style.css").toSorted()]
    const style = sheets.map((sheet) => readFileSync(sheet, "utf8")).join("")
    const styleName = `style-${createHash("sha256").update(style).digest("base64url").slice(0, 8)}.css`
    this.emitFile({ type: "asset", fileName: styleName, source: style })
    const source = readFileSync("src/page/template.html", "utf8")
      .replace("STYLE", `/${styleName}`)
      .replace("SCRIPT", named("page"))
      .replace("EVENTS", named("events"))
    this.emitFile({ type: "asset", fileName: "index.html", source })
  },
}

// The page of `vibe serve`, which the program has beside it.
export const page = defineConfig({
  input: { page: "src/page/main.tsx", events: "src/page/eventsWorker.ts" },
  platform: "browser",
  tsconfig: "src/page/tsconfig.json",
  plugins: [html, licenses],
  output: {
    dir: `${folder}/page`,
    cleanDir: true,
    entryFileNames: "[name]-[hash].js",
    chunkFileNames: "[name]-[hash].js",
    minify: true,
  },
})

export default [program, page]
