/** The screen of a session: shows its entries, and handles keys. Time is a parameter, so that it needs no clock. */
import type { AutocompleteProvider } from "@earendil-works/pi-tui/dist/autocomplete.js"
import { isKeyRelease, type KeyId, matchesKey } from "@earendil-works/pi-tui/dist/keys.js"
import type { Terminal } from "@earendil-works/pi-tui/dist/terminal.js"
import { setCapabilities } from "@earendil-works/pi-tui/dist/terminal-image.js"
import type { TuiInputListenerResult } from "@earendil-works/pi-tui/dist/tui.js"
import * as View from "../../../conversation/View.ts"
import type * as Block from "../../../message/Block.ts"
import { exitHint } from "../LineReader.ts"
import * as Footer from "./Footer.ts"
import { LiveRegion } from "./LiveRegion.ts"
import { Menu, type Search } from "./Menu.ts"
import { PictureChips, pastedPath } from "./PictureChips.ts"
import { Prompt } from "./Prompt.ts"
import * as ScrollbackItem from "./ScrollbackItem.ts"
import { type Details, StreamedAnswer } from "./StreamedAnswer.ts"
import * as Theme from "./Theme.ts"

export interface Options extends Pick<View.Options, "commands" | "history"> {
  readonly terminal: Terminal
  readonly theme: Theme.Theme
  readonly completions: AutocompleteProvider
  readonly callbacks: ScreenCallbacks
}

/** Actions that the screen requests from its owner. */
interface ScreenCallbacks {
  readonly onInput: (input: View.Input) => void
  /** Draws a frame soon. */
  readonly requestFrame: () => void
  /** Starts or stops the regular calls of `tick`, which an answer in progress needs. */
  readonly setTicking: (isTicking: boolean) => void
  /** Opens the draft in the user's editor. */
  readonly openEditor: () => void
  /** Suspends the process, as Ctrl-Z does. */
  readonly suspend: () => void
  /** Attaches the picture at a path, or pastes `text` if there is none. */
  readonly attachFile: (path: string, text: string) => void
  /** Attaches the picture in the clipboard. */
  readonly attachClipboard: () => void
}

/** A longer input is a paste. */
const MAX_KEY_SEQUENCE_CHARS = 32

/** The part of an earlier message that is searched, and shown as far as the terminal is wide. */
const MAX_LABEL_CHARS = 300

export class ChatScreen {
  readonly region: LiveRegion
  readonly prompt: Prompt
  readonly #options: Options
  readonly #details: Details = { isOpen: false }
  readonly #chips = new PictureChips()
  #state: Footer.State = { answering: undefined, queued: [], model: undefined }
  #answer: StreamedAnswer | undefined
  /** The current answer, or the latest. */
  #lastAnswer: StreamedAnswer | undefined
  /** The time at which the answer began, in milliseconds since the epoch. */
  #startedAt = 0
  #isClosed = false
  #menu: { readonly component: Menu; readonly close: () => void } | undefined

  constructor(options: Options) {
    // Pictures and links are escape sequences with content from the model.
    setCapabilities({ images: null, trueColor: false, hyperlinks: false })
    const { callbacks, history, terminal, theme } = options
    const focused = () => (this.#menu === undefined ? [this.prompt] : [this.#menu.component, this.prompt])
    this.#options = options
    this.region = new LiveRegion(
      terminal,
      Footer.make(() => this.#state, focused, theme),
      callbacks.requestFrame,
    )
    this.prompt = new Prompt(this.region, Theme.editor(theme), {
      history,
      hints: () => Footer.hints(this.#state),
      chips: this.#chips,
      takePaste: (text) => {
        const path = pastedPath(text)
        if (path !== undefined) callbacks.attachFile(path, text)
        return path !== undefined
      },
    })
    this.prompt.setAutocompleteProvider(options.completions)
    this.prompt.onSubmit = (text) => this.#send(text)
    this.region.addInputListener((data) => this.#handleKey(data))
    this.region.setFocus(this.prompt)
  }

  show(entry: View.Entry, now: number): void {
    const { theme } = this.#options
    View.Entry.$match(entry, {
      Titled: ({ facts, model, title }) => {
        this.#state = { ...this.#state, model }
        this.region.add([ScrollbackItem.title(title, facts, theme)])
      },
      History: ({ more, nodes }) => {
        if (more) this.region.add([ScrollbackItem.line("earlier messages: /tree", theme)])
        this.region.add(nodes.flatMap((node) => ScrollbackItem.history(node, theme)))
      },
      Asked: ({ model, pictures = [], text }) => {
        this.#end()
        this.#state = { ...this.#state, model }
        this.#showUserMessage([text, ...pictures.map((picture) => `[${picture}]`)].join("\n"))
        this.region.commit()
        this.#begin(now)
      },
      Queued: ({ text }) => {
        this.#state = { ...this.#state, queued: [...this.#state.queued, text] }
      },
      Dequeued: ({ text }) => this.#dequeue(text),
      Steered: ({ text }) => {
        this.#dequeue(text)
        this.#showUserMessage(text)
      },
      Answered: ({ account, text }) => {
        this.#end(text)
        this.region.add([ScrollbackItem.line(ScrollbackItem.accountText(account), theme)])
      },
      NotPersisted: ({ text }) => this.#end(text),
      Stopped: ({ account }) => {
        this.#end()
        this.region.add([ScrollbackItem.line(`stopped · ${ScrollbackItem.accountText(account)}`, theme)])
      },
      Failed: ({ text }) => {
        this.#end()
        this.region.add([ScrollbackItem.failure(text, theme)])
      },
      Cleared: () => this.region.clearScreen(),
      ExitHint: () => this.note(exitHint),
      Noted: ({ text }) => this.region.add([ScrollbackItem.note(text, theme)]),
      Printed: ({ form, text }) => this.region.add(ScrollbackItem.output(text, form, theme)),
    })
  }

  /** The answer in progress. One that has failed is resumed by further events. */
  streamedAnswer(now: number): StreamedAnswer {
    return this.#answer ?? this.#begin(now)
  }

  /** Updates the elapsed time. */
  tick(now: number): void {
    if (this.#answer === undefined) return
    this.#state = {
      ...this.#state,
      answering: { elapsedMs: now - this.#startedAt, tokens: this.#answer.tokens, diagnostic: this.#answer.diagnostic },
    }
    this.region.requestRender()
  }

  /** Calls `onChosen` once, with the index of the choice or undefined. Returns a function that closes the menu. */
  choose(choices: View.Menu, onChosen: (index: number | undefined) => void, search?: Search): () => void {
    const { terminal, theme } = this.#options
    const close = (index?: number): void => {
      if (this.#menu?.component === component) this.#menu = undefined
      this.region.setFocus(this.prompt)
      this.region.requestRender()
      onChosen(index)
    }
    const redrawing = search && {
      ...search,
      find: (words: string, onFound: (indices: ReadonlyArray<number>) => void) =>
        search.find(words, (indices) => {
          onFound(indices)
          this.region.requestRender()
        }),
    }
    const component = new Menu(choices, theme, () => terminal.rows, close, redrawing)
    if (this.#isClosed) {
      onChosen(undefined)
      return () => {}
    }
    this.#menu = { component, close }
    this.region.setFocus(component)
    this.region.requestRender()
    return close
  }

  /** Puts a text into the prompt. */
  setDraft(text: string): void {
    this.prompt.write(text)
  }

  /**
   * Puts a picture into the prompt, at the cursor. `name` is the name of its file; undefined for one from the
   * clipboard.
   */
  attach(picture: Block.Image, name?: string): void {
    this.prompt.insertTextAtCursor(`${this.#chips.add(picture, name)} `)
    this.region.requestRender()
  }

  /** Ends the input. */
  close(): void {
    this.#menu?.close()
    this.#emit(View.Input.Closed())
  }

  note(text: string): void {
    this.region.add([ScrollbackItem.note(text, this.#options.theme)])
  }

  #begin(now: number): StreamedAnswer {
    const answer = new StreamedAnswer(this.region, this.#options.theme, this.#details)
    this.#answer = answer
    this.#lastAnswer = answer
    this.#startedAt = now
    this.#state = { ...this.#state, answering: { elapsedMs: 0, tokens: 0, diagnostic: "" } }
    this.#options.callbacks.setTicking(true)
    return answer
  }

  /** Ends the answer, with its complete text if there is one. */
  #end(text?: string): void {
    const ending = this.#answer ?? new StreamedAnswer(this.region, this.#options.theme, this.#details)
    ending.end(text)
    this.#answer = undefined
    this.#state = { ...this.#state, answering: undefined }
    this.#options.callbacks.setTicking(false)
  }

  #showUserMessage(text: string): void {
    this.region.add([ScrollbackItem.userMessage(text, this.#options.theme)])
  }

  #dequeue(text: string): void {
    const { queued } = this.#state
    const index = queued.indexOf(text)
    if (index !== -1) this.#state = { ...this.#state, queued: queued.toSpliced(index, 1) }
  }

  #send(text: string): void {
    if (text === "") return
    this.prompt.remember(text)
    const isCommand = this.#options.commands.some(({ name }) => text === `/${name}` || text.startsWith(`/${name} `))
    if (isCommand) this.region.add([ScrollbackItem.line(text, this.#options.theme)])
    const pictures = this.#chips.in(text)
    this.#emit(View.Input.Sent(pictures.length === 0 ? { text } : { text, pictures }))
  }

  /** Offers the earlier messages, the latest first; the chosen one replaces the text of the prompt. */
  #searchSent(): void {
    const { sent } = this.prompt
    const choices = sent.map((text) => ({ label: text.slice(0, MAX_LABEL_CHARS), about: undefined }))
    if (choices.length === 0) this.note("there is no earlier message to search")
    else
      this.choose({ title: "Earlier messages", choices, preselected: 0, command: "" }, (index) => {
        const text = index === undefined ? undefined : sent[index]
        if (text !== undefined) this.prompt.write(text)
      })
  }

  #emit(input: View.Input): void {
    if (this.#isClosed) return
    this.#isClosed = input._tag === "Closed"
    this.#options.callbacks.onInput(input)
  }

  /** Keys that it does not consume go to the focused component. */
  #handleKey(data: string): TuiInputListenerResult {
    if (data.length > MAX_KEY_SEQUENCE_CHARS || isKeyRelease(data)) return undefined
    // The editor does not support Alt-Enter.
    if (matchesKey(data, "alt+enter")) return { data: "\n" }
    const isChoosing = this.#menu !== undefined
    const keys: ReadonlyArray<readonly [key: KeyId, isActive: boolean, act: () => void]> = [
      ["escape", !isChoosing && !this.prompt.isShowingAutocomplete(), () => this.#emit(View.Input.StopRequested())],
      ["ctrl+c", !isChoosing && this.prompt.getText() !== "", () => this.prompt.discard()],
      ["ctrl+c", !isChoosing, () => this.#emit(View.Input.ExitRequested())],
      ["ctrl+d", !isChoosing && this.prompt.getText() === "", () => this.close()],
      ["ctrl+o", true, () => this.#lastAnswer?.toggleDetails()],
      ["ctrl+r", !isChoosing, () => this.#searchSent()],
      ["ctrl+v", !isChoosing, this.#options.callbacks.attachClipboard],
      ["ctrl+l", true, () => this.region.clearScreen()],
      ["ctrl+g", true, this.#options.callbacks.openEditor],
      ["ctrl+z", true, this.#options.callbacks.suspend],
    ]
    const [, , act] = keys.find(([key, isActive]) => isActive && matchesKey(data, key)) ?? []
    act?.()
    return act && { consume: true }
  }
}
