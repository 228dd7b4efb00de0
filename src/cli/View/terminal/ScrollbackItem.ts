/** The parts of a session as items above the prompt. Texts are sanitised here. */

import { Markdown } from "@earendil-works/pi-tui/dist/components/markdown.js"
import type { Component } from "@earendil-works/pi-tui/dist/tui.js"
import * as Option from "effect/Option"
import * as ContextUse from "../../../agent/ContextUse.ts"
import { plural } from "../../../base/Prose.ts"
import { sanitize, sanitizeLine } from "../../../base/Sanitize.ts"
import type { Account, Form } from "../../../conversation/View.ts"
import type { Node } from "../../../forest/Node.ts"
import * as Block from "../../../message/Block.ts"
import * as Message from "../../../message/Message.ts"
import * as Picture from "../../../message/Picture.ts"
import * as Cost from "../../../model/Cost.ts"
import * as CodeBlock from "./CodeBlock.ts"
import * as MarkdownBlocks from "./MarkdownBlocks.ts"
import * as MarkdownTable from "./MarkdownTable.ts"
import * as TextLayout from "./TextLayout.ts"
import * as Theme from "./Theme.ts"

/** A part of a session on the screen. Its lines depend on the width; an empty line may come before them. */
export interface ScrollbackItem extends Component {
  /** True if it does not change any more by itself, and may be left to the terminal's scrollback. */
  isFinal: boolean
}

/** Makes an item that caches its lines for a width until it is invalidated. `isTight` omits the empty line above. */
export const make = (
  draw: (columns: number) => ReadonlyArray<string>,
  { isFinal = true, isTight = false }: { readonly isFinal?: boolean; readonly isTight?: boolean } = {},
): ScrollbackItem => {
  let cached: { readonly columns: number; readonly lines: Array<string> } | undefined
  return {
    isFinal,
    invalidate: () => {
      cached = undefined
    },
    render: (columns) => {
      if (cached?.columns !== columns) {
        const lines = draw(columns)
        cached = { columns, lines: lines.length === 0 || isTight ? [...lines] : ["", ...lines] }
      }
      return cached.lines
    },
  }
}

/** The part of a user message that is shown. */
const MAX_USER_TEXT = { lines: 20, characters: 2000 }

export const title = (title: string, facts: ReadonlyArray<string>, theme: Theme.Theme): ScrollbackItem =>
  make(
    (columns) => [
      ...TextLayout.wrap(sanitizeLine(title), columns).map(theme.strong),
      ...facts.flatMap((fact) => TextLayout.wrap(sanitizeLine(fact), columns)).map(theme.quiet),
    ],
    { isTight: true },
  )

export const userMessage = (text: string, theme: Theme.Theme): ScrollbackItem => {
  const { lines, more } = TextLayout.head(sanitize(text.slice(0, MAX_USER_TEXT.characters)), MAX_USER_TEXT.lines)
  const left = Math.max(0, text.length - MAX_USER_TEXT.characters)
  return make((columns) => [
    ...TextLayout.wrap(lines.join("\n"), columns - 2).map((line) => `${theme.quiet(">")} ${theme.strong(line)}`),
    ...(more > 0 || left > 0
      ? [
          theme.quiet(
            TextLayout.cut(`> … ${left > 0 ? plural(left, "more character") : plural(more, "more line")}`, columns),
          ),
        ]
      : []),
  ])
}

export const answer = (text: string, theme: Theme.Theme): ReadonlyArray<ScrollbackItem> =>
  MarkdownBlocks.parse(sanitize(text)).map((block) => fromBlock(block, theme))

export const fromBlock = (block: MarkdownBlocks.Block, theme: Theme.Theme): ScrollbackItem =>
  make((columns) => renderBlock(block, columns, theme), { isTight: block.isTight })

/** A block of Markdown. */
export const renderBlock = (block: MarkdownBlocks.Block, columns: number, theme: Theme.Theme): ReadonlyArray<string> =>
  MarkdownBlocks.Block.$match(block, {
    Prose: ({ text }) =>
      isExpensiveMarkdown(text) ? TextLayout.wrap(text, columns) : renderProse(text, columns, theme),
    Code: ({ isClosed, isFirst, lines, ...code }) => [
      ...(isFirst ? [theme.quiet(TextLayout.cut(`\`\`\`${code.language}`, columns))] : []),
      ...CodeBlock.render(lines, code, columns, theme),
      ...(isClosed ? [theme.quiet("```")] : []),
    ],
  })

const renderProse = (text: string, columns: number, theme: Theme.Theme): ReadonlyArray<string> => {
  const found = text.includes("|") ? MarkdownTable.find(text) : undefined
  // The renderer shows the marks of the lower headings.
  if (found === undefined) return renderMarkdown(text.replace(/^( {0,3})#{3,6}(?=[ \t])/, "$1##"), columns, theme)
  const { before, table } = found
  // A cell is no list and no heading, and most have no marks.
  const inline = (cell: string) =>
    /[*_~`[<&\\]/.test(cell) ? renderMarkdown(cell, WIDE, theme).join(" ").trimEnd() : cell
  return [
    ...(before.trim() === "" ? [] : [...renderMarkdown(before, columns, theme), ""]),
    ...MarkdownTable.render(table, columns, theme, inline),
  ]
}

/** A width in columns that no cell reaches. */
const WIDE = 10_000

/**
 * Returns the text unformatted if the Markdown parser throws, which third-party code may do on the output of a model.
 */
const renderMarkdown = (text: string, columns: number, theme: Theme.Theme): ReadonlyArray<string> => {
  const options = { preserveOrderedListMarkers: true, renderLatex: false }
  const rendered = Option.liftThrowable(() =>
    new Markdown(text, 0, 0, Theme.markdown(theme), undefined, options).render(columns),
  )
  return Option.getOrElse(rendered(), () => TextLayout.wrap(text, columns))
}

/**
 * Returns whether the Markdown parser would need seconds, or overflow the stack. Usual prose never meets these
 * conditions.
 */
const isExpensiveMarkdown = (text: string): boolean =>
  (text.match(/[*_~`[]/g)?.length ?? 0) > 1000 || /^(?:> *|[-*+] +){50}/m.test(text)

/** A remark of vibe. */
export const note = (text: string, theme: Theme.Theme): ScrollbackItem => {
  const trimmed = sanitize(text).trimEnd()
  return make((columns) => TextLayout.wrapColumns(trimmed, columns).map(theme.quiet))
}

/** The mark distinguishes a failure if there are no colours. */
export const failure = (text: string, theme: Theme.Theme): ScrollbackItem => {
  const trimmed = sanitize(text).trimEnd()
  return make((columns) =>
    TextLayout.wrap(trimmed, columns - 2).map((line, row) =>
      theme.error(`${row === 0 ? theme.marks.failed : " "} ${line}`),
    ),
  )
}

export const output = (text: string, form: Form, theme: Theme.Theme): ReadonlyArray<ScrollbackItem> => {
  if (form === "markdown") return answer(text, theme)
  const lines = sanitize(text)
    .replace(/(?<!\n)\n+$/, "")
    .split("\n")
  const style = form === "diff" ? diffStyle(theme) : () => (line: string) => line
  return [make((columns) => lines.flatMap((line) => TextLayout.fold(line, columns).map(style(line))))]
}

/** The style of a line of a unified diff. */
const diffStyle =
  ({ added, quiet, removed, strong }: Theme.Theme) =>
  (line: string): ((line: string) => string) => {
    if (/^(\+\+\+|---) /.test(line)) return strong
    return line.startsWith("+") ? added : line.startsWith("-") ? removed : line.startsWith("@@") ? quiet : String
  }

/** `read_file(path: "src/a.ts")` */
export const callText = ({ name, parameters }: Pick<Block.ToolUse, "name" | "parameters">): string => {
  const texts = Object.entries(parameters).map(([name, value]) => `${name}: ${shorten(JSON.stringify(value) ?? "")}`)
  return sanitizeLine(`${name}(${texts.join(", ")})`)
}

const shorten = (text: string): string => (text.length <= 60 ? text : `${text.slice(0, 59).toWellFormed()}…`)

/** Renders a node of an earlier turn. */
export const history = ({ message }: Node, theme: Theme.Theme): ReadonlyArray<ScrollbackItem> => {
  switch (message.role) {
    case "user": {
      const pictures = message.content.filter((block) => block.type === "image").map(imageText)
      return [userMessage([Message.text(message), ...pictures].join("\n"), theme)]
    }
    case "assistant":
      return message.content.flatMap((block) => {
        if (Block.isText(block)) return answer(block.text, theme)
        if (Block.isToolUse(block)) return [line(`${theme.marks.done} ${callText(block)}`, theme)]
        return block.type === "image" ? [line(imageText(block), theme)] : []
      })
    // Results of tools are for the model.
    case "tool":
      return []
    case "system":
      return [note(Message.text(message), theme)]
  }
}

/** One quiet line, truncated to the width. */
export const line = (text: string, theme: Theme.Theme): ScrollbackItem =>
  make((columns) => [theme.quiet(TextLayout.cut(sanitizeLine(text), columns))])

export const imageText = (image: Pick<Block.Image, "data" | "media_type">): string =>
  `[${sanitizeLine(Picture.describe(image))}]`

/** `3.2 s · 1,204 → 312 tokens · about $0.0021 so far · context 12k of 200k`; unknown values are left out. */
export const accountText = ({ context, durationMs, isEstimated = false, sessionCost, usage }: Account): string =>
  [
    formatDuration(durationMs),
    ...(usage.inputTokens + usage.outputTokens === 0 ? [] : [tokensText(usage, isEstimated)]),
    ...(sessionCost === undefined || sessionCost === 0
      ? []
      : [`${Cost.describe(sessionCost)} so far${isEstimated ? ", estimated" : ""}`]),
    ...(context === undefined ? [] : [`context ${ContextUse.format(context)}`]),
  ].join(" · ")

/** `1,204 → 312 tokens`; an estimate is `~1,204 → ~312 tokens`. */
const tokensText = ({ inputTokens, outputTokens }: Account["usage"], isEstimated: boolean): string => {
  const [input, output] = [inputTokens, outputTokens].map((count) => `${isEstimated ? "~" : ""}${formatCount(count)}`)
  return `${input} → ${output} tokens`
}

/** `3.2 s`, `42 s`, `2 min 5 s` */
const formatDuration = (ms: number): string => {
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`
  const whole = Math.round(ms / 1000)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** `1,204` */
export const formatCount = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",")
