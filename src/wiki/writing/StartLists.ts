/** The lists of parts and flows that the program itself writes on the start page. Pure. */
import type { Page, Section, Statement } from "../Page.ts"
import type { Plan } from "../Plan.ts"
import * as StatementText from "../StatementText.ts"
import * as States from "../States.ts"
import * as Material from "./Material.ts"
import * as Pages from "./Pages.ts"
import * as StartRequest from "./StartRequest.ts"

/** The titles of the lists that the program writes on the start page. */
const LISTS = { parts: StartRequest.TITLES.parts, flows: "Flows" }

/**
 * Puts the lists of parts and flows on the start page, as pointers. A line that a person wrote about a page replaces
 * that of the plan. `heads` has the symbols that are cited for each part.
 */
export const add = (
  page: Page,
  { flows, model, parts }: Plan,
  heads: ReadonlyMap<string, ReadonlyArray<Material.Item>> = new Map(),
): Page => {
  const before = States.statementsOf(page)
  const isLinked = (name: string, { text }: Statement) => text.includes(`(${name}.md)`)
  const pointer = (
    name: string,
    title: string,
    line: string,
    cited: Statement["citations"],
  ): ReadonlyArray<Statement> => {
    const old = before.find((statement) => isLinked(name, statement))
    if (old?.author === "person") return []
    const citations = cited.length > 0 ? cited : (old?.citations ?? [])
    const text = `${StatementText.linkToPage(title, name)}${line === "" ? "" : `: ${line}`}`
    return [{ text, kind: "pointer", author: "model", ...(model !== undefined && { model }), citations }]
  }
  const list = (title: string, statements: ReadonlyArray<Statement>): Section => ({
    title,
    form: "list",
    blocks: statements.map((statement) => [statement] as const),
  })
  const listed = Pages.withSections(page, [
    list(
      LISTS.parts,
      parts.flatMap(({ line, name, title }) =>
        pointer(name, title, line, (heads.get(name) ?? []).map(Material.citationOf)),
      ),
    ),
    list(
      LISTS.flows,
      flows.flatMap(({ name, start, title }) => pointer(name, title, "", [start])),
    ),
  ])
  return {
    ...listed,
    sections: listed.sections.filter(({ blocks, title }) => title === undefined || blocks.length > 0),
  }
}
