/** What is said, as the pieces it is shown in. All texts are as they were said: here they are made safe to print. */
import { Markdown } from "@earendil-works/pi-tui/dist/components/markdown.js"
import * as Option from "effect/Option"
import type { Node } from "../../../forest/Node.ts"
import * as Block from "../../../message/Block.ts"
import * as Message from "../../../message/Message.ts"
import { plural } from "../../../message/Plural.ts"
import { printable, printableLine } from "../../../message/Printable.ts"
import * as Cost from "../../../model/Cost.ts"
import type { Account, Form } from "../../../session/View.ts"
import * as Blocks from "./Blocks.ts"
import * as Lines from "./Lines.ts"
import * as ScrollbackItem from "./ScrollbackItem.ts"
import * as Theme from "./Theme.ts"

/** The most that is shown again of what a person has said. */
const MOST_SAID = { lines: 20, characters: 2000 }

export const titled = (
  title: string,
  facts: ReadonlyArray<string>,
  theme: Theme.Theme,
): ScrollbackItem.ScrollbackItem =>
  ScrollbackItem.make(
    (columns) => [
      ...Lines.wrap(printableLine(title), columns).map(theme.strong),
      ...facts.flatMap((fact) => Lines.wrap(printableLine(fact), columns)).map(theme.quiet),
    ],
    { isTight: true },
  )

/** The person's words. */
export const said = (text: string, theme: Theme.Theme): ScrollbackItem.ScrollbackItem => {
  const { lines, more } = Lines.head(printable(text.slice(0, MOST_SAID.characters)), MOST_SAID.lines)
  const left = Math.max(0, text.length - MOST_SAID.characters)
  return ScrollbackItem.make((columns) => [
    ...Lines.wrap(lines.join("\n"), columns - 2).map((line) => `${theme.quiet(">")} ${theme.strong(line)}`),
    ...(more > 0 || left > 0
      ? [
          theme.quiet(
            Lines.cut(`> … ${left > 0 ? plural(left, "more character") : plural(more, "more line")}`, columns),
          ),
        ]
      : []),
  ])
}

export const answer = (text: string, theme: Theme.Theme): ReadonlyArray<ScrollbackItem.ScrollbackItem> =>
  Blocks.of(printable(text)).map((block) => settled(block, theme))

export const settled = (block: Blocks.Block, theme: Theme.Theme): ScrollbackItem.ScrollbackItem =>
  ScrollbackItem.make((columns) => drawn(block, columns, theme), { isTight: block.isTight })

/** A block of Markdown. */
export const drawn = (block: Blocks.Block, columns: number, theme: Theme.Theme): ReadonlyArray<string> =>
  Blocks.Block.$match(block, {
    Prose: ({ text }) => (isExcessive(text) ? Lines.wrap(text, columns) : prose(text, columns, theme)),
    Code: ({ isClosed, language, lines }) => [
      ...(language === undefined ? [] : [theme.quiet(Lines.cut(`\`\`\`${language}`, columns))]),
      ...lines.flatMap((line) => Lines.fold(line, columns)),
      ...(isClosed ? [theme.quiet("```")] : []),
    ],
  })

/** As it stands, where the parser, which is others' and reads what models write, fails. */
const prose = (text: string, columns: number, theme: Theme.Theme): ReadonlyArray<string> => {
  const options = { preserveOrderedListMarkers: true, renderLatex: false }
  const rendered = Option.liftThrowable(() =>
    new Markdown(text, 0, 0, Theme.markdown(theme), undefined, options).render(columns),
  )
  return Option.getOrElse(rendered(), () => Lines.wrap(text, columns))
}

/** What no one writes for people, and what would take a parser of Markdown seconds, or all of the stack. */
const isExcessive = (text: string): boolean =>
  (text.match(/[*_~`[]/g)?.length ?? 0) > 1000 || /^(?:> *|[-*+] +){50}/m.test(text)

/** A line or several of what vibe has to say. */
export const noted = (text: string, theme: Theme.Theme): ScrollbackItem.ScrollbackItem => {
  const words = printable(text).trimEnd()
  return ScrollbackItem.make((columns) => Lines.wrap(words, columns).map(theme.quiet))
}

/** Stands out by its mark also where there are no colours. */
export const failed = (text: string, theme: Theme.Theme): ScrollbackItem.ScrollbackItem => {
  const words = printable(text).trimEnd()
  return ScrollbackItem.make((columns) =>
    Lines.wrap(words, columns - 2).map((line, row) =>
      theme.alarming(`${row === 0 ? theme.marks.failed : " "} ${line}`),
    ),
  )
}

export const printed = (text: string, form: Form, theme: Theme.Theme): ReadonlyArray<ScrollbackItem.ScrollbackItem> => {
  if (form === "markdown") return answer(text, theme)
  const lines = printable(text)
    .replace(/(?<!\n)\n+$/, "")
    .split("\n")
  const style = form === "diff" ? changed(theme) : () => (line: string) => line
  return [ScrollbackItem.make((columns) => lines.flatMap((line) => Lines.fold(line, columns).map(style(line))))]
}

/** How a line of a unified diff looks; its sign says the same. */
const changed =
  ({ added, quiet, removed, strong }: Theme.Theme) =>
  (line: string): ((line: string) => string) => {
    if (/^(\+\+\+|---) /.test(line)) return strong
    return line.startsWith("+") ? added : line.startsWith("-") ? removed : line.startsWith("@@") ? quiet : String
  }

/** `read_file(path: "src/a.ts")`. */
export const call = ({ name, parameters }: Pick<Block.ToolUse, "name" | "parameters">): string => {
  const words = Object.entries(parameters).map(([name, value]) => `${name}: ${short(JSON.stringify(value) ?? "")}`)
  return printableLine(`${name}(${words.join(", ")})`)
}

const short = (text: string): string => (text.length <= 60 ? text : `${text.slice(0, 59).toWellFormed()}…`)

/** What was said before, by one node of a conversation. */
export const earlier = ({ message }: Node, theme: Theme.Theme): ReadonlyArray<ScrollbackItem.ScrollbackItem> => {
  switch (message.role) {
    case "user": {
      const pictures = message.content.filter((block) => block.type === "image").map(picture)
      return [said([Message.text(message), ...pictures].join("\n"), theme)]
    }
    case "assistant":
      return message.content.flatMap((block) => {
        if (Block.isText(block)) return answer(block.text, theme)
        if (Block.isToolUse(block)) return [line(`${theme.marks.done} ${call(block)}`, theme)]
        return block.type === "image" ? [line(picture(block), theme)] : []
      })
    // What a tool gave back is the model's to read.
    case "tool":
      return []
    case "system":
      return [noted(Message.text(message), theme)]
  }
}

/** One quiet line, cut to the width. */
export const line = (text: string, theme: Theme.Theme): ScrollbackItem.ScrollbackItem =>
  ScrollbackItem.make((columns) => [theme.quiet(Lines.cut(printableLine(text), columns))])

export const picture = ({ data, media_type }: Pick<Block.Image, "data" | "media_type">): string =>
  `[${printableLine(media_type)}, ${Math.ceil((data.length * 3) / 4 / 1024)} kB]`

/** `3.2 s · 1,204 → 312 tokens · about $0.0021 so far`, of what is known. */
export const account = ({ cost, durationMs, usage: { inputTokens, outputTokens } }: Account): string =>
  [
    seconds(durationMs),
    ...(inputTokens + outputTokens === 0 ? [] : [`${thousands(inputTokens)} → ${thousands(outputTokens)} tokens`]),
    ...(cost === undefined || cost === 0 ? [] : [`${Cost.inWords(cost)} so far`]),
  ].join(" · ")

/** `3.2 s`, `42 s`, `2 min 5 s`. */
export const seconds = (ms: number): string => {
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`
  const whole = Math.round(ms / 1000)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** `1,204`. */
export const thousands = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",")
