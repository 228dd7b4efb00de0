/** The files of an exported wiki: plain Markdown with `llms.txt`, or a site of HTML that asks no server. Pure. */
import { basename } from "node:path/posix"
import { escapeHtml } from "../forest/Export.ts"
import * as CitedPlaces from "./CitedPlaces.ts"
import * as Labels from "./Labels.ts"
import * as Markdown from "./Markdown.ts"
import { type Page, type Section, START, type Statement } from "./Page.ts"
import { NOTICE } from "./ProjectPages.ts"
import * as StatementText from "./StatementText.ts"
import * as States from "./States.ts"

export interface ExportFile {
  readonly name: string
  readonly text: string
}

interface Wiki {
  readonly pages: ReadonlyArray<Markdown.Document>
  readonly states: States.States
}

/** Returns the pages in the order in which a reader needs them: the start page, parts and flows. */
const inOrder = (pages: ReadonlyArray<Markdown.Document>): ReadonlyArray<Markdown.Document> =>
  pages.toSorted((one, other) => rankOf(one.page) - rankOf(other.page) || (one.page.name < other.page.name ? -1 : 1))

const rankOf = ({ kind }: Page): number => ["start", "part", "flow"].indexOf(kind)

/** Returns the first statement of a page that is about its subject, as plain text; empty if it has none. */
const leadOf = (page: Page): string => {
  const first = States.statementsOf(page).find(({ text }) => text !== NOTICE && !StatementText.isFenced(text))
  return first === undefined ? "" : StatementText.toPlain(first.text)
}

/**
 * Returns a Markdown file for each page, in which citations are the places in the code, and the two files by which
 * language models find them.
 */
export const toMarkdown = ({ pages, states }: Wiki): ReadonlyArray<ExportFile> => {
  const ordered = inOrder(pages)
  const files = ordered.map((document) => ({
    name: `${document.page.name}.md`,
    text: pageToMarkdown(document, states),
  }))
  const start = ordered.find(({ page }) => page.name === START)?.page
  const title = start?.title ?? "Wiki"
  const lead = start === undefined ? "" : leadOf(start)
  const list = (kind: Page["kind"]) =>
    ordered
      .filter(({ page }) => page.kind === kind)
      .map(({ page }) => {
        const about = leadOf(page)
        return `- [${page.title.replaceAll(/[[\]]/g, "")}](${page.name}.md)${about === "" ? "" : `: ${about}`}`
      })
  const sections = [
    { title: "Start", lines: list("start") },
    { title: "Parts", lines: list("part") },
    { title: "Flows", lines: list("flow") },
  ].filter(({ lines }) => lines.length > 0)
  const overview = [
    `# ${title}`,
    ...(lead === "" ? [] : [`> ${lead}`]),
    ...sections.map(({ lines, title }) => `## ${title}\n\n${lines.join("\n")}`),
  ].join("\n\n")
  return [
    ...files,
    { name: "llms.txt", text: `${overview}\n` },
    // A picture says to a model what the sentences around it do.
    {
      name: "llms-full.txt",
      text: ordered.map((page) => pageToMarkdown({ ...page, pictures: [] }, states)).join("\n---\n\n"),
    },
  ]
}

const pageToMarkdown = ({ page, pictures }: Markdown.Document, states: States.States): string => {
  const sections = page.sections.map((section) => ({
    ...section,
    blocks: section.blocks.map(
      ([first, ...others]) => [place(first, states), ...others.map((each) => place(each, states))] as const,
    ),
  }))
  return Markdown.print({ page: { ...page, sections }, pictures, links: new Map() })
}

/** Replaces the citations of a statement by their places, since links into the code lead nowhere outside of it. */
const place = (statement: Statement, states: States.States): Statement => {
  if (statement.citations.length === 0 || StatementText.isFenced(statement.text)) return { ...statement, citations: [] }
  const places = CitedPlaces.of(statement, states).map((each) => `\`${CitedPlaces.toText(each).replaceAll("`", "'")}\``)
  const cited = places.length === 0 ? "" : ` (${places.join(", ")})`
  return { ...statement, text: `${statement.text}${cited}${noteOf(statement, states)}`, citations: [] }
}

const placeOf = (citation: Statement["citations"][number], states: States.States): string => {
  const { citation: now, entry } = states.of(citation)
  return `${now.path}${entry === undefined ? "" : `:${entry.startLine}`}`
}

/** Returns the file and line of a symbol behind its name; nothing for a file, and for a symbol that is gone. */
const lineOf = (citation: Statement["citations"][number], states: States.States): string =>
  states.of(citation).entry === undefined ? "" : ` ${basename(placeOf(citation, states))}`

const noteOf = (statement: Statement, states: States.States): string => {
  const mark = marks[States.stateOf(statement, states)]
  return mark === undefined ? "" : ` (${mark})`
}

/** Says what a reader should not take on trust. */
const marks: Readonly<Record<States.State, string | undefined>> = {
  gone: "gone",
  stale: "look again",
  touched: "look again",
  unchecked: "not checked",
  moved: undefined,
  holds: undefined,
}

interface Site extends Wiki {
  /** Returns the picture of a page as SVG; undefined if it has none. */
  readonly drawingOf: (page: Page) => string | undefined
}

/** Returns a page of HTML for each page, with their style, and a search over all of them in one script. */
export const toSite = ({ drawingOf, pages, states }: Site): ReadonlyArray<ExportFile> => {
  const ordered = inOrder(pages)
  const start = ordered.find(({ page }) => page.name === START)?.page
  const project = start?.title ?? "Wiki"
  const links = ordered.map(({ page }) => ({ name: page.name, title: page.title, kind: page.kind }))
  return [
    ...ordered.map(({ page, pictures }) => ({
      name: `${page.name}.html`,
      text: html(page, {
        project,
        links,
        states,
        picture: drawingOf(page),
        // A picture that cannot be drawn any more is shown as it stands in the file.
        outlines: pictures.map(({ mermaid }) => mermaid),
      }),
    })),
    { name: "style.css", text: STYLE },
    { name: "search.js", text: `${searchData(ordered)}\n${SEARCH}` },
  ]
}

interface Shown {
  readonly project: string
  readonly links: ReadonlyArray<{ readonly name: string; readonly title: string; readonly kind: Page["kind"] }>
  readonly states: States.States
  readonly picture: string | undefined
  readonly outlines: ReadonlyArray<string>
}

/** Allows nothing but the files of the site, so that no text of a page can load or send anything. */
const POLICY =
  "default-src 'none'; style-src 'self' file:; script-src 'self' file:; base-uri 'none'; form-action 'none'"

const html = (page: Page, { links, outlines, picture, project, states }: Shown): string => {
  const title = plainTitle(page.title)
  const nav = links.map(
    ({ kind, name, title }) =>
      `<li class="${kind}"><a href="${name}.html"${name === page.name ? ' aria-current="page"' : ""}>${escapeHtml(plainTitle(title))}</a></li>`,
  )
  const drawn =
    picture === undefined
      ? outlines.map((outline) => `<pre>${escapeHtml(outline)}</pre>`).join("\n")
      : `<figure>${picture}</figure>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.name === START ? title : `${title} – ${plainTitle(project)}`)}</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<nav>
<label>Search <input id="search" type="search" autocomplete="off"></label>
<ul id="found" hidden></ul>
<ul id="pages">
${nav.join("\n")}
</ul>
</nav>
<main>
<h1>${escapeHtml(title)}</h1>
${page.sections.map((section) => sectionHtml(section, states)).join("\n")}
${drawn}
</main>
<script src="search.js"></script>
</body>
</html>
`
}

const sectionHtml = ({ blocks, form, title }: Section, states: States.States): string => {
  const heading = title === undefined ? "" : `<h2>${escapeHtml(title)}</h2>\n`
  const tag = form === "text" ? "p" : "li"
  const items = blocks.map((block) => {
    const inner = block.map((statement) => statementHtml(statement, states)).join("\n")
    // A paragraph cannot hold a block of code.
    return block.some(({ text }) => StatementText.isFenced(text)) && tag === "p"
      ? `<div>${inner}</div>`
      : `<${tag}>${inner}</${tag}>`
  })
  const list = form === "list" ? "ul" : form === "steps" ? "ol" : undefined
  return heading + (list === undefined ? items.join("\n") : `<${list}>\n${items.join("\n")}\n</${list}>`)
}

const statementHtml = (statement: Statement, states: States.States): string => {
  const mark = marks[States.stateOf(statement, states)]
  const labels = Labels.choose(statement.citations)
  const cited = statement.citations.map(
    (citation) =>
      `<code class="cited" title="${escapeHtml(placeOf(citation, states))}">${escapeHtml(`${(labels.get(Labels.keyOf(citation)) ?? "").replaceAll("`", "")}${lineOf(citation, states)}`)}</code>`,
  )
  const text = StatementText.isFenced(statement.text)
    ? `<pre>${escapeHtml(statement.text.split("\n").slice(1, -1).join("\n"))}</pre>`
    : inlineHtml(statement.text)
  return [text, ...cited, ...(mark === undefined ? [] : [`<small class="state">${mark}</small>`])].join(" ")
}

const INLINE =
  /\\([!-/:-@[-`{-~])|(`+)(?!`)((?:[^`]|(?<!`)(?!\2(?!`))`+(?!`))+)\2(?!`)|\[([^[\]\\`]+)\]\(([a-z0-9-]+)\.md\)|\*\*(?=\S)([^*]+?)(?<=\S)\*\*|(?<![\w*])\*(?=[^\s*])([^*]*[^\s*])\*(?![\w*])/g

/** Returns the HTML of inline Markdown: code, emphasis and links to pages. Everything else is escaped. */
const inlineHtml = (text: string): string => {
  let at = 0
  let found = ""
  for (const match of text.matchAll(INLINE)) {
    const [token, escaped, , code, title, page, strong, emphasis] = match
    found += escapeHtml(text.slice(at, match.index))
    at = match.index + token.length
    if (escaped !== undefined) found += escapeHtml(escaped)
    else if (code !== undefined) found += `<code>${escapeHtml(code.replace(/^ (.*) $/, "$1"))}</code>`
    else if (title !== undefined) found += `<a href="${page}.html">${escapeHtml(title)}</a>`
    else if (strong !== undefined) found += `<strong>${inlineHtml(strong)}</strong>`
    else if (emphasis !== undefined) found += `<em>${inlineHtml(emphasis)}</em>`
  }
  return found + escapeHtml(text.slice(at))
}

const plainTitle = (title: string): string => StatementText.toPlain(title)

/** The texts of all pages, as a statement of a script. Nothing in it can end the script. */
const searchData = (pages: ReadonlyArray<Markdown.Document>): string => {
  const data = pages.map(({ page }) => ({
    page: page.name,
    title: plainTitle(page.title),
    lines: States.statementsOf(page).map(({ citations, text }) =>
      [StatementText.toPlain(text), ...citations.map(({ symbol = "", path }) => `${symbol} ${path}`)].join(" "),
    ),
  }))
  return `const pages = ${JSON.stringify(data).replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")}`
}

/** Finds the statements that have all words of the question, those in titles first. */
const SEARCH = `const input = document.getElementById("search")
const found = document.getElementById("found")
const list = document.getElementById("pages")
input.addEventListener("input", () => {
  const words = input.value.toLowerCase().split(/\\s+/).filter((word) => word !== "")
  const has = (text) => words.every((word) => text.toLowerCase().includes(word))
  const hits = pages.flatMap(({ lines, page, title }) => [
    ...(has(title) ? [{ page, title, line: "", rank: 0 }] : []),
    ...lines.filter(has).map((line) => ({ page, title, line, rank: 1 })),
  ])
  hits.sort((one, other) => one.rank - other.rank)
  found.replaceChildren(
    ...hits.slice(0, 30).map(({ line, page, title }) => {
      const item = document.createElement("li")
      const link = document.createElement("a")
      link.href = page + ".html"
      link.textContent = title
      item.append(link, line === "" ? "" : " " + (line.length > 160 ? line.slice(0, 160) + "…" : line))
      return item
    }),
  )
  if (words.length > 0 && hits.length === 0) found.textContent = "Nothing has all of these words"
  found.hidden = words.length === 0
  list.hidden = words.length > 0
})
`

const STYLE = `:root {
  color-scheme: light dark;
  --text: #1c1e21; --quiet: #626a73; --back: #fff; --side: #f5f6f7; --line: #d4d8dd; --link: #0b57b0;
  --wiki-line: var(--quiet); --wiki-text: var(--text); --wiki-box: var(--side);
}
@media (prefers-color-scheme: dark) {
  :root { --text: #e4e6e9; --quiet: #9aa2ab; --back: #17191c; --side: #1f2226; --line: #363b41; --link: #7db4f5; }
}
* { box-sizing: border-box }
body { margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 1fr); color: var(--text); background: var(--back); font: 16px/1.55 system-ui, sans-serif }
nav { background: var(--side); border-right: 1px solid var(--line); padding: 1.2rem; min-height: 100vh; font-size: .92rem }
nav ul { list-style: none; padding: 0 }
nav li { margin: .3rem 0; overflow-wrap: anywhere }
nav [aria-current] { font-weight: 600 }
nav li.flow:not(.flow ~ .flow) { margin-top: 1.2rem }
nav input { width: 100%; font: inherit; color: inherit; background: var(--back); border: 1px solid var(--line); border-radius: 4px; padding: .3rem .5rem }
main { max-width: 52rem; padding: 1.2rem 2.4rem 4rem }
a { color: var(--link) }
h1 { line-height: 1.2 } h2 { margin-top: 2rem; font-size: 1.2rem }
li { margin: .25rem 0 }
code, pre { font: .88em/1.5 ui-monospace, monospace }
pre { overflow-x: auto; background: var(--side); padding: .8rem }
.cited { color: var(--quiet); font-size: .78em; margin-left: .15rem }
.state { color: var(--quiet); border: 1px solid var(--line); border-radius: 3px; padding: 0 .3rem }
figure { margin: 2rem 0; overflow-x: auto }
@media (max-width: 46rem) { body { grid-template-columns: minmax(0, 1fr) } nav { min-height: 0; border-right: 0 } main { padding: 1rem } }
`
