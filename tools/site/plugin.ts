/**
 * A plugin of TypeDoc for `npm run docs` (`typedoc.json` has the options, `site.css` the looks): guides are named by
 * their first heading and grouped, and the search leads to sections of them, not to whole guides.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import {
  Application,
  Converter,
  DocumentReflection as Document,
  type DocumentReflection,
  IndexEvent,
  JSX,
  KindRouter,
  PageEvent,
  type Reflection,
  ReflectionKind,
  type RouterTarget,
  Slugger,
} from "typedoc"
import packageJson from "../../package.json" with { type: "json" }

/** Groups of the navigation, with their guides. What is in `docs/` and not here follows the first of them. */
const groups = {
  Guides: [
    "commands",
    "configuration",
    "models",
    "install",
    "mcp",
    "tool-servers",
    "review",
    "conversations",
    "serve",
  ].map((name) => `docs/${name}.md`),
  "For your own program": ["docs/embedding.md", "examples/README.md", "docs/testing.md", "docs/json.md"],
  "About vibe": [
    "docs/benchmarks.md",
    "bench/README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
  ],
}

const root = path.resolve(import.meta.dirname, "../..")

const listed: ReadonlyArray<readonly [group: string, file: string]> = Object.entries(groups).flatMap(([group, files]) =>
  files.map((file) => [group, file] as const),
)

const documents: ReadonlyArray<readonly [group: string, file: string]> = [
  ...listed,
  ...fs
    .readdirSync(path.join(root, "docs"))
    .filter((name) => name.endsWith(".md") && !listed.some(([, file]) => file === `docs/${name}`))
    .map((name) => ["Guides", `docs/${name}`] as const),
]

/** The source of each module of the package, with the name to import it by. */
const modules: ReadonlyMap<string, string> = new Map(
  Object.entries(packageJson.exports).flatMap(([name, target]) =>
    typeof target === "string"
      ? []
      : [
          [
            path.join(root, target.default.replace("./dist/lib", "src").replace(/js$/, "ts")),
            path.posix.join(packageJson.name, name),
          ] as const,
        ],
  ),
)

/** Runs in each page: groups of guides are open until a reader closes them, and `--option` is searched as a word. */
const script = `for (const group of ${JSON.stringify(Object.keys(groups))}) {
  const key = "tsd-accordion-" + group
  try {
    if (localStorage.getItem(key) === null) localStorage.setItem(key, "true")
  } catch {}
}
addEventListener("input", ({ target }) => {
  const words = target.value.replace(/(^|\\s)-+/g, "$1")
  if (target.id === "tsd-search-input" && words !== target.value) target.value = words
}, true)`

const fileOf = (document: Reflection): string =>
  path.relative(root, document.project.files.getReflectionPath(document) ?? document.name).replaceAll(path.sep, "/")

/** `docs/mcp.md` is `mcp`, `bench/README.md` is `bench`, `SECURITY.md` is `security`. */
const slugOf = (document: Reflection): string => {
  const file = fileOf(document)
  const name = path.basename(file, ".md")
  return (name === "README" ? path.basename(path.dirname(file)) : name).toLowerCase()
}

const textOf = (document: DocumentReflection): string => document.content.map(({ text }) => text).join("")

/** Without marks of code, and with links as their text. */
const plain = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll("`", "")
    .trim()

interface Section {
  readonly title: string
  readonly text: string
}

/** What stands below each heading, up to the next one, whatever its rank. Headings in blocks of code are none. */
const sectionsOf = (markdown: string): ReadonlyArray<Section> => {
  const sections: Array<{ title: string; text: string }> = []
  let isCode = false
  for (const line of markdown.split("\n")) {
    if (line.trimStart().startsWith("```")) isCode = !isCode
    const [, title] = isCode ? [] : (/^#{1,6} (.*)$/.exec(line) ?? [])
    if (title !== undefined) sections.push({ title: plain(title), text: "" })
    const last = sections.at(-1)
    if (last !== undefined) last.text += `${line}\n`
  }
  return sections
}

/**
 * Rows of tables of options, named as they are typed: `vibe index --estimate`, or
 * `--model` where many commands have it.
 */
const optionsOf = (title: string, text: string): ReadonlyArray<readonly [name: string, row: string]> => {
  const [command = ""] = /^vibe( [a-z-]+)*/.exec(title) ?? []
  return [...text.matchAll(/^\| (`-[^|]*)\|.*$/gm)].flatMap(([row, cell = ""]) =>
    (cell.match(/--[\w-]+/g) ?? []).map((name) => [`${command} ${name}`.trim(), row] as const),
  )
}

/** The address of each section, and of each option in it, that the search knows. */
const anchors = new Map<RouterTarget, { readonly document: DocumentReflection; readonly anchor: string }>()

class SiteRouter extends KindRouter {
  protected override getIdealBaseName(reflection: Reflection): string {
    return reflection.isDocument() ? `guides/${slugOf(reflection)}` : super.getIdealBaseName(reflection)
  }

  override getFullUrl(target: RouterTarget): string {
    const section = anchors.get(target)
    return section === undefined ? super.getFullUrl(target) : `${super.getFullUrl(section.document)}#${section.anchor}`
  }
}

export const load = (app: Application): void => {
  app.renderer.defineRouter("site", SiteRouter)

  // Options that are set before are read over.
  app.on(Application.EVENT_BOOTSTRAP_END, () => {
    app.options.setValue(
      "projectDocuments",
      documents.map(([, file]) => path.join(root, file)),
    )
    app.options.setValue("entryPoints", [...modules.keys()])
    app.options.setValue("markdownItLoader", mendTokens)
  })

  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
    const file = context.getSymbolFromReflection(reflection)?.valueDeclaration?.getSourceFile().fileName
    if (reflection.kind === ReflectionKind.Module && file !== undefined)
      reflection.name = modules.get(path.normalize(file)) ?? reflection.name
  })

  app.renderer.hooks.on("body.begin", () =>
    JSX.createElement("script", null, JSX.createElement(JSX.Raw, { html: script })),
  )

  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, document) => {
    document.name = sectionsOf(textOf(document))[0]?.title ?? document.name
    document.frontmatter.group = documents.find(([, file]) => file === fileOf(document))?.[0] ?? "Guides"
  })

  // Regions by which readers of screens move, and headings in order, which the theme of TypeDoc lacks.
  app.renderer.on(PageEvent.END, (page) => {
    page.contents = (page.contents ?? "")
      .replace('<div class="col-content">', '<div class="col-content" role="main">')
      .replace('<div class="page-menu">', '<div class="page-menu" role="complementary" aria-label="This page">')
      .replace('<nav id="tsd-sidebar-links"', '<nav id="tsd-sidebar-links" aria-label="Elsewhere"')
      .replace('<nav class="tsd-navigation">', '<nav class="tsd-navigation" aria-label="All pages">')
      .replaceAll(/<h3>(Settings|On This Page)<\/h3>/g, "<h2>$1</h2>")
  })

  app.renderer.on(IndexEvent.PREPARE_INDEX, (event: IndexEvent) => {
    const documents = event.searchResults.filter((result): result is DocumentReflection => result.isDocument())
    for (const document of documents) {
      const slugger = new Slugger(app.options.getValue("sluggerConfiguration"))
      for (const [i, { text, title }] of sectionsOf(textOf(document)).entries()) {
        const anchor = slugger.slug(title)
        // The first is the guide itself.
        if (i === 0) {
          event.searchFields[event.searchResults.indexOf(document)] = { document: text }
          continue
        }
        for (const [name, content] of [[title, text], ...optionsOf(title, text)] as const) {
          const section = new Document(name, document, [{ kind: "text", text: content }], {
            group: document.frontmatter.group,
          })
          anchors.set(section, { document, anchor })
          event.searchResults.push(section)
        }
      }
    }
  })
}

/**
 * TypeDoc makes anchors of the plain text of headings alone: without this, headings of commands would have none. And a
 * table without headings has cells in their place, since an empty heading names nothing. A table that is wider than a
 * phone scrolls, by keyboard too.
 */
const mendTokens = (parser: Parser): void => {
  parser.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>'
  parser.renderer.rules.table_close = () => "</table></div>"
  parser.core.ruler.push("mend-tokens", ({ tokens }) => {
    tokens.forEach((token, i) => {
      const before = tokens[i - 1]
      const after = tokens[i + 1]
      if (token.type !== "inline") return
      if (before?.type === "heading_open")
        for (const child of token.children ?? []) if (child.type === "code_inline") child.type = "text"
      if (before?.type === "th_open" && token.content === "" && after !== undefined) before.tag = after.tag = "td"
    })
  })
}

/** What is used of markdown-it, whose types are not installed. */
interface Parser {
  readonly core: {
    readonly ruler: { readonly push: (name: string, rule: (state: { readonly tokens: Array<Token> }) => void) => void }
  }
  readonly renderer: { readonly rules: Record<string, () => string> }
}

interface Token {
  type: string
  tag: string
  readonly content: string
  readonly children?: ReadonlyArray<Token> | null
}
