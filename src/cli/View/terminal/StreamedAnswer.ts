/** An answer in progress: turns its events into items at the end of the live region. */

import { plural } from "../../../base/Prose.ts"
import { incompleteAt, sanitize, sanitizeLine } from "../../../base/Sanitize.ts"
import type * as Block from "../../../message/Block.ts"
import * as Tokens from "../../../message/Tokens.ts"
import type * as LanguageModel from "../../../model/LanguageModel.ts"
import type { ModelError } from "../../../model/ModelError.ts"
import * as Reply from "../../../model/Reply.ts"
import * as Retry from "../../../model/Retry.ts"
import * as ToolResult from "../../../tool/ToolResult.ts"
import { failureOf } from "../../conversation/TurnNotices.ts"
import type { LiveRegion } from "./LiveRegion.ts"
import * as MarkdownBlocks from "./MarkdownBlocks.ts"
import * as ScrollbackItem from "./ScrollbackItem.ts"
import * as TextLayout from "./TextLayout.ts"
import type { Theme } from "./Theme.ts"

/** The maximum number of lines of a tool result, or of thinking, that are shown. */
const MAX_DETAIL_LINES = 40

/** The part of thinking that is kept: its end. */
const MAX_THINKING_CHARS = 8000

export interface Details {
  /** True if tool results and thinking are shown. */
  isOpen: boolean
}

interface Call {
  readonly item: ScrollbackItem.ScrollbackItem
  /** Undefined while the call runs. */
  result: ToolResult.ToolResult | undefined
}

interface Thinking {
  readonly item: ScrollbackItem.ScrollbackItem
  /** The thinking, at most its last `MAX_THINKING_CHARS` characters. */
  text: string
}

export class StreamedAnswer {
  readonly #region: LiveRegion
  readonly #theme: Theme
  readonly #details: Details
  #parser = new MarkdownBlocks.Parser()
  /** The end of the text, if it may be a part of an escape sequence. */
  #pending = ""
  /** The block that may still change. */
  #openBlock: ScrollbackItem.ScrollbackItem | undefined
  #thinking: Thinking | undefined
  /** The items of the current request, which a restart discards. */
  #attempt: Array<ScrollbackItem.ScrollbackItem> = []
  #hasText = false
  /** The running calls by id. */
  readonly #calls = new Map<string, Call>()
  /** The items with details, each with an item that shows them. */
  #foldable: Array<{
    readonly item: ScrollbackItem.ScrollbackItem
    readonly unfolded: ScrollbackItem.ScrollbackItem
  }> = []
  #characters = 0
  #diagnostic = ""

  constructor(region: LiveRegion, theme: Theme, details: Details) {
    this.#region = region
    this.#theme = theme
    this.#details = details
  }

  /** An estimate for the text so far. */
  get tokens(): number {
    return this.#characters === 0 ? 0 : Tokens.tokens({ characters: this.#characters, messages: 0 })
  }

  /** Shows or hides thinking and tool results. If they are already in the scrollback, repeats them once below. */
  toggleDetails(): void {
    if (this.#foldable.some(({ item }) => this.#region.items.includes(item))) {
      this.#details.isOpen = !this.#details.isOpen
      for (const item of this.#region.items) item.invalidate()
      this.#region.requestRender()
      return
    }
    this.#region.add(this.#foldable.map(({ unfolded }) => unfolded))
    this.#foldable = []
  }

  readonly part = Reply.Part.$match({
    Text: ({ text }) => this.#pushText(text),
    Thinking: ({ text }) => this.#pushThinking(text),
    Image: (image) => {
      this.#finishText()
      this.#add(ScrollbackItem.line(ScrollbackItem.imageText(image), this.#theme))
    },
    ToolUse: () => this.#finishText(),
    Finish: () => this.#finishText(),
  })

  retry({ attempt, delay, error, restarted }: LanguageModel.Retrying): void {
    if (restarted) this.#restart()
    this.#note(`${Retry.describe(attempt, delay)}: ${error.message}`)
  }

  replaced(by: string, error: ModelError): void {
    this.#note(`${by} answers instead: ${error.message}`)
  }

  compacted(leftOut: number, error: ModelError): void {
    this.#note(`${plural(leftOut, "older tool result")} left out: ${error.message}`)
  }

  /** Shows each action of an agent as a line, and the last line of its diagnostics while it answers. */
  reported({ isDiagnostic, text }: LanguageModel.Report): void {
    const line = text.trimEnd().split("\n").at(-1)?.trim() ?? ""
    if (isDiagnostic) this.#diagnostic = line || this.#diagnostic
    else if (line !== "") {
      this.#finishText()
      this.#note(line)
    }
  }

  /** The last line that an agent has written to stderr. */
  get diagnostic(): string {
    return this.#diagnostic
  }

  /** The text before a call is final: a restart does not discard it. */
  toolStarted(call: Block.ToolUse): void {
    this.#finishText()
    this.#attempt = []
    this.#hasText = false
    const text = { call: ScrollbackItem.callText(call), name: call.name }
    const state: Call = {
      result: undefined,
      item: this.#makeFoldable((columns, isOpen) => this.#callLines(text, state.result, columns, isOpen)),
    }
    this.#calls.set(call.id, state)
    this.#region.add([state.item])
  }

  toolFinished({ id }: Pick<Block.ToolUse, "id">, result: ToolResult.ToolResult): void {
    const state = this.#calls.get(id)
    if (state === undefined) return
    this.#calls.delete(id)
    state.result = result
    state.item.isFinal = true
    state.item.invalidate()
    this.#region.requestRender()
  }

  /** `text` is the complete answer, which is shown if no part of it was received. */
  end(text = ""): void {
    this.#finishText()
    if (!this.#hasText) this.#region.add(ScrollbackItem.answer(text, this.#theme))
    const [...running] = this.#calls.keys()
    for (const id of running) this.toolFinished({ id }, ToolResult.error("It was stopped."))
  }

  #pushText(text: string): void {
    this.#finishThinking()
    this.#characters += Tokens.lengthOf(text)
    const all = this.#pending + text
    const length = incompleteAt(all)
    this.#pending = all.slice(length)
    this.#parse(sanitize(all.slice(0, length)))
  }

  #parse(text: string): void {
    if (text === "") return
    this.#hasText ||= text.trim() !== ""
    const finished = this.#parser.push(text)
    if (finished.length > 0) this.#replaceOpenBlock(finished)
    if (this.#openBlock === undefined) {
      const block = this.#parser.open
      if (block === undefined) return
      const parser = this.#parser
      this.#openBlock = ScrollbackItem.make(
        (columns) => (parser.open === undefined ? [] : ScrollbackItem.renderBlock(parser.open, columns, this.#theme)),
        { isFinal: false, isTight: block.isTight },
      )
      this.#add(this.#openBlock)
    }
    this.#openBlock.invalidate()
    this.#region.requestRender()
  }

  /** Puts finished blocks in the place of the open one. */
  #replaceOpenBlock(blocks: ReadonlyArray<MarkdownBlocks.Block>): void {
    const items = blocks.map((block) => ScrollbackItem.fromBlock(block, this.#theme))
    this.#attempt.push(...items)
    this.#region.replace(this.#openBlock === undefined ? [] : [this.#openBlock], items)
    this.#openBlock = undefined
  }

  #pushThinking(text: string): void {
    this.#characters += Tokens.lengthOf(text)
    const thinking = this.#thinking ?? this.#beginThinking()
    thinking.text = (thinking.text + text).slice(-MAX_THINKING_CHARS)
    thinking.item.invalidate()
    this.#region.requestRender()
  }

  #beginThinking(): Thinking {
    const thinking: Thinking = {
      text: "",
      item: this.#makeFoldable((columns, isOpen) => this.#thinkingLines(thinking.text, columns, isOpen)),
    }
    this.#thinking = thinking
    this.#add(thinking.item)
    return thinking
  }

  #makeFoldable(draw: (columns: number, isOpen: boolean) => ReadonlyArray<string>): ScrollbackItem.ScrollbackItem {
    const item = ScrollbackItem.make((columns) => draw(columns, this.#details.isOpen), { isFinal: false })
    this.#foldable.push({ item, unfolded: ScrollbackItem.make((columns) => draw(columns, true)) })
    return item
  }

  #thinkingLines(text: string, columns: number, isOpen: boolean): ReadonlyArray<string> {
    const { quiet } = this.#theme
    const thinking = sanitize(text).trim()
    if (!isOpen) {
      const last = thinking.slice(-columns).replaceAll(/\s+/g, " ")
      return [quiet(TextLayout.cut(`thinking… ${last.slice(-Math.max(0, columns - 12)).toWellFormed()}`, columns))]
    }
    return ["thinking…", ...TextLayout.wrap(thinking, columns).slice(-MAX_DETAIL_LINES)].map(quiet)
  }

  #callLines(
    { call, name }: { readonly call: string; readonly name: string },
    result: ToolResult.ToolResult | undefined,
    columns: number,
    isOpen: boolean,
  ): ReadonlyArray<string> {
    const { marks, quiet } = this.#theme
    const isFailed = result?.isError === true
    const mark = result === undefined ? marks.running : isFailed ? marks.failed : marks.done
    const said = isFailed && !isOpen ? failureText(name, result.text, call) : call
    const line = quiet(TextLayout.cut(sanitizeLine(`${mark} ${said}`), columns))
    if (result === undefined || !isOpen) return [line]
    const { lines, more } = TextLayout.head(sanitize(result.text), MAX_DETAIL_LINES)
    return [
      line,
      ...lines.map((line) => quiet(TextLayout.cut(`  ${line.replaceAll("\t", "    ")}`, columns))),
      ...(more === 0 ? [] : [quiet(TextLayout.cut(`  … ${plural(more, "more line")}`, columns))]),
    ]
  }

  #finishThinking(): void {
    if (this.#thinking !== undefined) this.#thinking.item.isFinal = true
    this.#thinking = undefined
  }

  /** Ends the current text: what follows is a new block. */
  #finishText(): void {
    this.#finishThinking()
    const rest = this.#pending
    this.#pending = ""
    this.#parse(sanitize(rest))
    this.#replaceOpenBlock(this.#parser.end())
    this.#parser = new MarkdownBlocks.Parser()
  }

  #restart(): void {
    this.#pending = ""
    this.#parser = new MarkdownBlocks.Parser()
    this.#openBlock = undefined
    this.#thinking = undefined
    this.#hasText = false
    this.#region.replace(this.#attempt, [])
    this.#foldable = this.#foldable.filter(({ item }) => !this.#attempt.includes(item))
    this.#attempt = []
  }

  #note(text: string): void {
    this.#finishText()
    this.#region.add([ScrollbackItem.line(sanitizeLine(text), this.#theme)])
  }

  #add(item: ScrollbackItem.ScrollbackItem): void {
    this.#attempt.push(item)
    this.#region.add([item])
  }
}

/** `read_file failed: no such file (path: "src/a.ts")`: the arguments may fill the line, so the reason comes first. */
const failureText = (name: string, result: string, call: string): string => {
  const words = call.slice(call.indexOf("("))
  return `${name} failed: ${failureOf(name, result)}${words === "()" ? "" : ` ${words}`}`
}
