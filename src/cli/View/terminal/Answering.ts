/** An answer while it is made: what is heard of it, as pieces at the end of what is shown. */
import * as Duration from "effect/Duration"
import type * as Block from "../../../message/Block.ts"
import { plural } from "../../../message/Plural.ts"
import { printable, printableLine, unfinished } from "../../../message/Printable.ts"
import * as Tokens from "../../../message/Tokens.ts"
import type * as LanguageModel from "../../../model/LanguageModel.ts"
import type { ModelError } from "../../../model/ModelError.ts"
import * as Reply from "../../../model/Reply.ts"
import * as ToolResult from "../../../tool/ToolResult.ts"
import * as Blocks from "./Blocks.ts"
import * as Lines from "./Lines.ts"
import type { LiveRegion } from "./LiveRegion.ts"
import * as ScrollbackItem from "./ScrollbackItem.ts"
import * as ScrollbackItems from "./ScrollbackItems.ts"
import type { Theme } from "./Theme.ts"

/** The most lines that are shown of a tool's result, or of what was thought. */
const MOST_LINES = 40

/** Of thinking, how much of its end is looked at. */
const MOST_THOUGHT = 8000

export interface Details {
  /** Whether what tools gave back and what was thought are shown. */
  isOpen: boolean
}

interface Call {
  readonly piece: ScrollbackItem.ScrollbackItem
  /** None while it runs. */
  result: ToolResult.ToolResult | undefined
}

interface Thought {
  readonly piece: ScrollbackItem.ScrollbackItem
  /** The end of it. */
  text: string
}

export class Answering {
  readonly #region: LiveRegion
  readonly #theme: Theme
  readonly #details: Details
  #reader = new Blocks.Reader()
  /** What may be half of an escape sequence. */
  #held = ""
  /** The block that is not settled yet. */
  #open: ScrollbackItem.ScrollbackItem | undefined
  #thought: Thought | undefined
  /** Of the request that is on its way: void where it begins anew. */
  #attempt: Array<ScrollbackItem.ScrollbackItem> = []
  #hasText = false
  /** Those that have begun, by their ids. */
  readonly #calls = new Map<string, Call>()
  /** What has more to show than it shows, and a piece that shows it. */
  #folded: Array<{ readonly piece: ScrollbackItem.ScrollbackItem; readonly open: ScrollbackItem.ScrollbackItem }> = []
  #characters = 0

  constructor(region: LiveRegion, theme: Theme, details: Details) {
    this.#region = region
    this.#theme = theme
    this.#details = details
  }

  /** Heard so far: an estimate. */
  get tokens(): number {
    return this.#characters === 0 ? 0 : Tokens.tokens({ characters: this.#characters, messages: 0 })
  }

  /** Shows what was thought and what tools gave back, or folds it; below, and once, where the scrollback has it folded. */
  unfold(): void {
    if (this.#folded.some(({ piece }) => this.#region.pieces.includes(piece))) {
      this.#details.isOpen = !this.#details.isOpen
      for (const piece of this.#region.pieces) piece.invalidate()
      this.#region.requestRender()
      return
    }
    this.#region.add(this.#folded.map(({ open }) => open))
    this.#folded = []
  }

  readonly part = Reply.Part.$match({
    Text: ({ text }) => this.#say(text),
    Thinking: ({ text }) => this.#think(text),
    Image: (image) => {
      this.#settle()
      this.#add(ScrollbackItems.line(ScrollbackItems.picture(image), this.#theme))
    },
    ToolUse: () => this.#settle(),
    Finish: () => this.#settle(),
  })

  /** What was heard of the request is void where it begins anew. */
  retry({ attempt, delay, error, restarted }: LanguageModel.Retrying): void {
    if (restarted) this.#restart()
    this.#note(`retry ${attempt} in ${Duration.format(delay)}: ${error.message}`)
  }

  replaced(by: string, error: ModelError): void {
    this.#note(`${by} answers instead: ${error.message}`)
  }

  compacted(leftOut: number, error: ModelError): void {
    this.#note(`${plural(leftOut, "older tool result")} left out: ${error.message}`)
  }

  /** What was said before a tool stands. */
  toolStarted(call: Block.ToolUse): void {
    this.#settle()
    this.#attempt = []
    this.#hasText = false
    const words = ScrollbackItems.call(call)
    const state: Call = {
      result: undefined,
      piece: this.#foldable((columns, isOpen) => this.#callLines(words, state.result, columns, isOpen)),
    }
    this.#calls.set(call.id, state)
    this.#region.add([state.piece])
  }

  toolFinished({ id }: Pick<Block.ToolUse, "id">, result: ToolResult.ToolResult): void {
    const state = this.#calls.get(id)
    if (state === undefined) return
    this.#calls.delete(id)
    state.result = result
    state.piece.isFinal = true
    state.piece.invalidate()
    this.#region.requestRender()
  }

  /** Nothing more is heard. `text` is the whole answer, where there is one: it is shown if none of it was heard. */
  end(text = ""): void {
    this.#settle()
    if (!this.#hasText) this.#region.add(ScrollbackItems.answer(text, this.#theme))
    const [...running] = this.#calls.keys()
    for (const id of running) this.toolFinished({ id }, ToolResult.error("It was stopped."))
  }

  #say(text: string): void {
    this.#settleThought()
    this.#characters += Tokens.lengthOf(text)
    const whole = this.#held + text
    const length = unfinished(whole)
    this.#held = whole.slice(length)
    this.#read(printable(whole.slice(0, length)))
  }

  #read(text: string): void {
    if (text === "") return
    this.#hasText ||= text.trim() !== ""
    const settled = this.#reader.read(text)
    if (settled.length > 0) this.#show(settled)
    if (this.#open === undefined) {
      const block = this.#reader.open
      if (block === undefined) return
      const reader = this.#reader
      this.#open = ScrollbackItem.make(
        (columns) => (reader.open === undefined ? [] : ScrollbackItems.drawn(reader.open, columns, this.#theme)),
        { isSettled: false, isTight: block.isTight },
      )
      this.#add(this.#open)
    }
    this.#open.invalidate()
    this.#region.requestRender()
  }

  /** Settled blocks take the place of the one that was open. */
  #show(blocks: ReadonlyArray<Blocks.Block>): void {
    const pieces = blocks.map((block) => ScrollbackItems.settled(block, this.#theme))
    this.#attempt.push(...pieces)
    this.#region.replace(this.#open === undefined ? [] : [this.#open], pieces)
    this.#open = undefined
  }

  #think(text: string): void {
    this.#characters += Tokens.lengthOf(text)
    const thought = this.#thought ?? this.#beginThought()
    thought.text = (thought.text + text).slice(-MOST_THOUGHT)
    thought.piece.invalidate()
    this.#region.requestRender()
  }

  #beginThought(): Thought {
    const thought: Thought = {
      text: "",
      piece: this.#foldable((columns, isOpen) => this.#thoughtLines(thought.text, columns, isOpen)),
    }
    this.#thought = thought
    this.#add(thought.piece)
    return thought
  }

  #foldable(draw: (columns: number, isOpen: boolean) => ReadonlyArray<string>): ScrollbackItem.ScrollbackItem {
    const piece = ScrollbackItem.make((columns) => draw(columns, this.#details.isOpen), { isSettled: false })
    this.#folded.push({ piece, open: ScrollbackItem.make((columns) => draw(columns, true)) })
    return piece
  }

  #thoughtLines(text: string, columns: number, isOpen: boolean): ReadonlyArray<string> {
    const { quiet } = this.#theme
    const words = printable(text).trim()
    if (!isOpen) {
      const last = words.slice(-columns).replaceAll(/\s+/g, " ")
      return [quiet(Lines.cut(`thinking… ${last.slice(-Math.max(0, columns - 12)).toWellFormed()}`, columns))]
    }
    return ["thinking…", ...Lines.wrap(words, columns).slice(-MOST_LINES)].map(quiet)
  }

  #callLines(
    words: string,
    result: ToolResult.ToolResult | undefined,
    columns: number,
    isOpen: boolean,
  ): ReadonlyArray<string> {
    const { marks, quiet } = this.#theme
    const mark = result === undefined ? marks.running : result.isError === true ? marks.failed : marks.done
    const line = quiet(Lines.cut(`${mark} ${words}`, columns))
    if (result === undefined || !isOpen) return [line]
    const { lines, more } = Lines.head(printable(result.text), MOST_LINES)
    return [
      line,
      ...lines.map((line) => quiet(Lines.cut(`  ${line.replaceAll("\t", "    ")}`, columns))),
      ...(more === 0 ? [] : [quiet(Lines.cut(`  … ${plural(more, "more line")}`, columns))]),
    ]
  }

  #settleThought(): void {
    if (this.#thought !== undefined) this.#thought.piece.isFinal = true
    this.#thought = undefined
  }

  /** The words are at an end, for now. */
  #settle(): void {
    this.#settleThought()
    const rest = this.#held
    this.#held = ""
    this.#read(printable(rest))
    this.#show(this.#reader.end())
    this.#reader = new Blocks.Reader()
  }

  #restart(): void {
    this.#held = ""
    this.#reader = new Blocks.Reader()
    this.#open = undefined
    this.#thought = undefined
    this.#hasText = false
    this.#region.replace(this.#attempt, [])
    this.#folded = this.#folded.filter(({ piece }) => !this.#attempt.includes(piece))
    this.#attempt = []
  }

  #note(text: string): void {
    this.#settle()
    this.#region.add([ScrollbackItems.line(printableLine(text), this.#theme)])
  }

  #add(piece: ScrollbackItem.ScrollbackItem): void {
    this.#attempt.push(piece)
    this.#region.add([piece])
  }
}
