/** Pages of the wiki as lines for a terminal, and as objects for `--json`. Pure. */
import { sanitizeLine } from "../base/Sanitize.ts"
import type { Style } from "../base/Style.ts"
import { wrapHanging } from "../base/wrap.ts"
import * as CitedPlaces from "./CitedPlaces.ts"
import type { Page, Section, Statement } from "./Page.ts"
import type * as Picture from "./pictures/Picture.ts"
import * as PictureText from "./pictures/PictureText.ts"
import type { Answer } from "./reading/findStatements.ts"
import * as StatementText from "./StatementText.ts"
import * as States from "./States.ts"

interface Options {
  readonly states: States.States
  readonly style: Style
  /** The width to which lines are wrapped; undefined if they are not. */
  readonly columns: number | undefined
  /** A path of the index as it is printed. */
  readonly displayPath: (path: string) => string
  /** The picture of the page; undefined if it has none. */
  readonly picture?: Picture.Picture | undefined
}

/**
 * Returns the lines of a page: each statement, what it cites, and quietly whether someone should look again, and then
 * its picture as an outline.
 */
export const lines = (page: Page, options: Options): ReadonlyArray<string> => [
  options.style.strong(StatementText.toPlain(sanitizeLine(page.title))),
  ...page.sections.flatMap((section) => sectionLines(section, options)),
  ...(options.picture === undefined ? [] : pictureLines(PictureText.titles[page.kind], options.picture, options)),
]

const pictureLines = (title: string, picture: Picture.Picture, { columns, style }: Options): ReadonlyArray<string> => [
  "",
  style.strong(title),
  ...PictureText.toOutline(picture).flatMap((line) =>
    columns === undefined ? [line] : wrapHanging(line, Math.max(20, columns), 4),
  ),
]

/**
 * Returns what a page says about a question, below its title. Steps keep their numbers, and a path that is that of the
 * place before is left out.
 */
export const answerLines = ({ blocks, page }: Answer, options: Options): ReadonlyArray<string> => {
  let last: string | undefined
  const withoutKnownPath = ([first, ...others]: Places): Places => {
    const isKnown = first?.path === last && first?.line !== undefined
    last = first?.path ?? last
    return first === undefined ? [] : [isKnown ? { ...first, path: undefined } : first, ...others]
  }
  return [
    options.style.strong(StatementText.toPlain(sanitizeLine(page.title))),
    ...blocks.flatMap(({ at, section, statements }) => {
      const mark = section.form === "steps" ? `${at + 1}. ` : "- "
      return blockLines(statements, mark, options, withoutKnownPath)
    }),
  ]
}

type Places = ReturnType<typeof CitedPlaces.of>

const sectionLines = ({ blocks, form, title }: Section, options: Options): ReadonlyArray<string> => [
  "",
  ...(title === undefined ? [] : [options.style.strong(sanitizeLine(title))]),
  ...blocks.flatMap((block, at) => {
    const mark = form === "list" ? "- " : form === "steps" ? `${at + 1}. ` : ""
    const found = blockLines(block, mark, options)
    return form === "text" && at > 0 ? ["", ...found] : found
  }),
]

/**
 * Returns the lines of statements in a row. The places of several that cite the same stand behind the last of them.
 * `shorten` is applied to the places that are printed, in their order.
 */
const blockLines = (
  block: ReadonlyArray<Statement>,
  mark: string,
  options: Options,
  shorten: (places: Places) => Places = (places) => places,
): ReadonlyArray<string> => {
  const places = block.map((statement) => CitedPlaces.of(statement, options.states))
  const texts = places.map((each) => placesText(each, options))
  return block.flatMap((statement, position) => {
    const isSaidBelow = texts[position] === texts[position + 1]
    const printed = isSaidBelow ? "" : placesText(shorten(places[position] ?? []), options)
    return statementLines(statement, position === 0 ? mark : " ".repeat(mark.length), printed, options)
  })
}

const placesText = (places: Places, { displayPath }: Options): string =>
  places.map((place) => sanitizeLine(CitedPlaces.toText(place, displayPath))).join(", ")

/**
 * A link is its title and the name of the page, as `vibe wiki` takes it. Within a sentence the name alone stands
 * for a title of several words with `and` or a comma between them: in "uses Config and app, Tools and Index"
 * nothing would say which two are one.
 */
const statementLines = (
  statement: Statement,
  mark: string,
  places: string,
  { columns, states, style }: Options,
): ReadonlyArray<string> => {
  if (StatementText.isFenced(statement.text)) {
    return statement.text.split("\n").map((line) => `${" ".repeat(mark.length)}${sanitizeLine(line)}`)
  }
  const text = sanitizeLine(
    StatementText.toPlain(
      statement.text.replaceAll(StatementText.PAGE_LINK, (_, title: string, page: string, at: number) =>
        at > 0 && /,| and /.test(title) ? page : title.toLowerCase() === page ? title : `${title} (${page})`,
      ),
    ),
  )
  const state = markOf(statement, states)
  const wrapped = columns === undefined ? [text] : wrapHanging(text, Math.max(20, columns - mark.length), 0)
  const written = wrapped.map((line, at) => (at === 0 ? mark : " ".repeat(mark.length)) + line)
  const notes = [...(places === "" ? [] : [places]), ...(state === undefined ? [] : [state])].join(" ")
  if (notes === "") return written
  const last = written.at(-1) ?? ""
  if (columns === undefined || last.length + 2 + notes.length <= columns) {
    return [...written.slice(0, -1), `${last}  ${style.quiet(notes)}`]
  }
  const indent = " ".repeat(mark.length + 2)
  return [
    ...written,
    ...wrapHanging(notes, Math.max(20, columns - indent.length), 0).map((line) => indent + style.quiet(line)),
  ]
}

/** The mark of a statement that a reader should not take on trust. */
const markOf = (statement: Statement, states: States.States): string | undefined => {
  switch (States.stateOf(statement, states)) {
    case "gone":
      return "‹gone›"
    case "stale":
      return `‹untrue by now: ${sanitizeLine(statement.stale ?? "")}›`
    case "touched":
      return "‹look again›"
    case "unchecked":
      return "‹not checked›"
    default:
      return undefined
  }
}

/** Returns the page as an object, with the state of each statement and citation. */
export const toJson = (page: Page, states: States.States): object => ({
  page: page.name,
  kind: page.kind,
  title: page.title,
  sections: page.sections.map(({ blocks, form, title }) => ({
    title: title ?? null,
    form,
    blocks: blocks.map((block) => block.map((statement) => statementToJson(statement, states))),
  })),
})

/** Returns what a page says about a question as an object. */
export const answerToJson = ({ blocks, page }: Answer, states: States.States): object => ({
  page: page.name,
  kind: page.kind,
  title: page.title,
  blocks: blocks.map(({ at, section, statements }) => ({
    section: section.title ?? null,
    step: section.form === "steps" ? at + 1 : null,
    statements: statements.map((statement) => statementToJson(statement, states)),
  })),
})

export const statementToJson = (statement: Statement, states: States.States): object => ({
  text: statement.text,
  kind: statement.kind,
  author: statement.author,
  model: statement.model ?? null,
  state: States.stateOf(statement, states),
  stale: statement.stale ?? null,
  citations: statement.citations.map((citation) => {
    const { citation: now, entry, state } = states.of(citation)
    return {
      path: now.path,
      symbol: now.symbol ?? null,
      ordinal: now.ordinal ?? 0,
      line: entry?.startLine ?? null,
      state,
    }
  }),
})
