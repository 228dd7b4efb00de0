/** A page of the wiki as plain text for a model or a terminal, with the states of its statements in words. Pure. */
import { sanitize, sanitizeLine } from "../../base/Sanitize.ts"
import type { Page, Statement } from "../Page.ts"
import * as States from "../States.ts"

/** Returns the lines of a page: its title, then its sections. */
export const linesOf = (page: Page, states: States.States): ReadonlyArray<string> => [
  `# ${sanitizeLine(page.title)}`,
  ...page.sections.flatMap(({ blocks, form, title }) => [
    ...(title === undefined ? [] : [`## ${sanitizeLine(title)}`]),
    ...blocks.flatMap((block, at) => {
      const mark = form === "list" ? "- " : form === "steps" ? `${at + 1}. ` : ""
      const text = block.map((statement) => textOf(statement, states)).join(" ")
      return `${mark}${text}`.split("\n")
    }),
  ]),
]

const textOf = (statement: Statement, states: States.States): string =>
  [sanitize(statement.text), ...nameDeciding(statement, states), ...inWords(statement, states)].join(" ")

/** Names the symbol that decides, unless the text does: so that it can be shown by its name. */
const nameDeciding = ({ citations: [first], text }: Statement, states: States.States): ReadonlyArray<string> => {
  const name = first === undefined ? undefined : states.of(first).citation.symbol
  return name === undefined || text.includes(name.slice(name.lastIndexOf(".") + 1)) ? [] : [`[${sanitizeLine(name)}]`]
}

/** Says what a reader should know about a statement; nothing if it holds. */
export const inWords = (statement: Statement, states: States.States): ReadonlyArray<string> => {
  switch (States.stateOf(statement, states)) {
    case "gone": {
      const gone = statement.citations.find((citation) => states.of(citation).state === "gone")
      return [`(out of date: ${sanitizeLine(gone?.symbol ?? gone?.path ?? "what it cites")} does not exist any more)`]
    }
    case "stale":
      return [`(out of date: ${sanitizeLine(statement.stale ?? "a model has found it untrue")})`]
    case "touched":
      return ["(its code has changed since: look again)"]
    case "unchecked":
      return ["(not checked against the source)"]
    case "moved":
    case "holds":
      return []
  }
}
