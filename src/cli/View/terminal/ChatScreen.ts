/** What a person sees of a conversation, and what their keys do. It knows no time: it is told what time it is. */
import type { AutocompleteProvider } from "@earendil-works/pi-tui/dist/autocomplete.js"
import { isKeyRelease, type KeyId, matchesKey } from "@earendil-works/pi-tui/dist/keys.js"
import type { Terminal } from "@earendil-works/pi-tui/dist/terminal.js"
import { setCapabilities } from "@earendil-works/pi-tui/dist/terminal-image.js"
import type { TuiInputListenerResult } from "@earendil-works/pi-tui/dist/tui.js"
import * as View from "../../../session/View.ts"
import { exitHint } from "../exitHint.ts"
import { Answering, type Details } from "./Answering.ts"
import * as Footer from "./Footer.ts"
import { LiveRegion } from "./LiveRegion.ts"
import { Menu } from "./Menu.ts"
import { Prompt } from "./Prompt.ts"
import * as ScrollbackItems from "./ScrollbackItems.ts"
import * as Theme from "./Theme.ts"

export interface Options extends Pick<View.Options, "commands" | "history"> {
  readonly terminal: Terminal
  readonly theme: Theme.Theme
  readonly completions: AutocompleteProvider
  readonly callbacks: ScreenCallbacks
}

/** What the person or the screen wants of others. */
export interface ScreenCallbacks {
  readonly onInput: (input: View.Input) => void
  /** A frame, when it is time for one. */
  readonly requestFrame: () => void
  /** To be told the time, as long as an answer is on its way. */
  readonly setTicking: (isWanted: boolean) => void
  /** The words in the person's own editor. */
  readonly openEditor: () => void
  /** The shell that this was called from. */
  readonly suspend: () => void
}

/** The longest sequence that a key is told by; what is longer is a paste. */
const LONGEST_KEY = 32

export class ChatScreen {
  readonly region: LiveRegion
  readonly prompt: Prompt
  readonly #options: Options
  readonly #details: Details = { isOpen: false }
  #state: Footer.State = { answering: undefined, queued: [], model: undefined }
  #answering: Answering | undefined
  /** The one before, or the same. */
  #last: Answering | undefined
  /** When it began, in milliseconds. */
  #since = 0
  #hasLeft = false
  #menu: { readonly component: Menu; readonly close: () => void } | undefined

  constructor(options: Options) {
    // Pictures and links would be sequences that a model has a say in.
    setCapabilities({ images: null, trueColor: false, hyperlinks: false })
    const { history, terminal, theme, callbacks: wishes } = options
    const writing = () => (this.#menu === undefined ? [this.prompt] : [this.#menu.component, this.prompt])
    this.#options = options
    this.region = new LiveRegion(
      terminal,
      Footer.make(() => this.#state, writing, theme),
      wishes.requestFrame,
    )
    this.prompt = new Prompt(this.region, Theme.editor(theme), {
      history,
      hints: () => Footer.hints(this.#state),
    })
    this.prompt.setAutocompleteProvider(options.completions)
    this.prompt.onSubmit = (text) => this.#send(text)
    this.region.addInputListener((data) => this.#press(data))
    this.region.setFocus(this.prompt)
  }

  show(entry: View.Entry, now: number): void {
    const { theme } = this.#options
    View.Entry.$match(entry, {
      Titled: ({ facts, model, title }) => {
        this.#state = { ...this.#state, model }
        this.region.add([ScrollbackItems.titled(title, facts, theme)])
      },
      History: ({ more, nodes }) => {
        if (more) this.region.add([ScrollbackItems.line("earlier messages are in the forest: /tree", theme)])
        this.region.add(nodes.flatMap((node) => ScrollbackItems.earlier(node, theme)))
      },
      Asked: ({ model, text }) => {
        this.#end()
        this.#state = { ...this.#state, model }
        this.#take(text)
        this.region.settle()
        this.#begin(now)
      },
      Queued: ({ text }) => {
        this.#state = { ...this.#state, queued: [...this.#state.queued, text] }
      },
      Steered: ({ text }) => this.#take(text),
      Answered: ({ account, text }) => {
        this.#end(text)
        this.region.add([ScrollbackItems.line(ScrollbackItems.account(account), theme)])
      },
      NotPersisted: ({ text }) => this.#end(text),
      Stopped: ({ account }) => {
        this.#end()
        this.region.add([ScrollbackItems.line(`stopped · ${ScrollbackItems.account(account)}`, theme)])
      },
      Failed: ({ text }) => {
        this.#end()
        this.region.add([ScrollbackItems.failed(text, theme)])
      },
      ExitHint: () => this.note(exitHint),
      Noted: ({ text }) => this.region.add([ScrollbackItems.noted(text, theme)]),
      Printed: ({ form, text }) => this.region.add(ScrollbackItems.printed(text, form, theme)),
    })
  }

  /** The answer that is on its way; one that has been told to have failed goes on where more of it is heard. */
  answering(now: number): Answering {
    return this.#answering ?? this.#begin(now)
  }

  /** Time passes. */
  tick(now: number): void {
    if (this.#answering === undefined) return
    this.#state = { ...this.#state, answering: { elapsedMs: now - this.#since, tokens: this.#answering.tokens } }
    this.region.requestRender()
  }

  /** Tells the place of what is chosen, or of none. Gives what takes the menu away. */
  choose(choices: View.Menu, chosen: (place: number | undefined) => void): () => void {
    const { terminal, theme } = this.#options
    const close = (place?: number): void => {
      if (this.#menu?.component === component) this.#menu = undefined
      this.region.setFocus(this.prompt)
      this.region.requestRender()
      chosen(place)
    }
    const component = new Menu(choices, theme, () => terminal.rows, close)
    if (this.#hasLeft) {
      chosen(undefined)
      return () => {}
    }
    this.#menu = { component, close }
    this.region.setFocus(component)
    this.region.requestRender()
    return close
  }

  /** Puts words where the person writes; they wait no longer. */
  draft(text: string): void {
    this.#dequeue(text)
    this.prompt.write(text)
  }

  /** There is nobody any more. */
  leave(): void {
    this.#menu?.close()
    this.#hear(View.Input.Closed())
  }

  /** A quiet word to the person. */
  note(text: string): void {
    this.region.add([ScrollbackItems.noted(text, this.#options.theme)])
  }

  #begin(now: number): Answering {
    const answering = new Answering(this.region, this.#options.theme, this.#details)
    this.#answering = answering
    this.#last = answering
    this.#since = now
    this.#state = { ...this.#state, answering: { elapsedMs: 0, tokens: 0 } }
    this.#options.callbacks.setTicking(true)
    return answering
  }

  /** Nothing more is heard of the answer. */
  #end(text?: string): void {
    const ending = this.#answering ?? new Answering(this.region, this.#options.theme, this.#details)
    ending.end(text)
    this.#answering = undefined
    this.#state = { ...this.#state, answering: undefined }
    this.#options.callbacks.setTicking(false)
  }

  /** The person's words, which wait no longer. */
  #take(text: string): void {
    this.#dequeue(text)
    this.region.add([ScrollbackItems.said(text, this.#options.theme)])
  }

  #dequeue(text: string): void {
    const { queued } = this.#state
    const place = queued.indexOf(text)
    if (place !== -1) this.#state = { ...this.#state, queued: queued.toSpliced(place, 1) }
  }

  #send(text: string): void {
    if (text === "") return
    this.prompt.remember(text)
    const isCommand = this.#options.commands.some(({ name }) => text === `/${name}` || text.startsWith(`/${name} `))
    if (isCommand) this.region.add([ScrollbackItems.line(text, this.#options.theme)])
    this.#hear(View.Input.Sent({ text }))
  }

  #hear(input: View.Input): void {
    if (this.#hasLeft) return
    this.#hasLeft = input._tag === "Closed"
    this.#options.callbacks.onInput(input)
  }

  /** Keys that are meant for what is focused go there. */
  #press(data: string): TuiInputListenerResult {
    if (data.length > LONGEST_KEY || isKeyRelease(data)) return undefined
    // One more way to say a line break than the editor knows.
    if (matchesKey(data, "alt+enter")) return { data: "\n" }
    const isChoosing = this.#menu !== undefined
    const keys: ReadonlyArray<readonly [key: KeyId, isMeant: boolean, act: () => void]> = [
      ["escape", !isChoosing && !this.prompt.isShowingAutocomplete(), () => this.#hear(View.Input.StopRequested())],
      ["ctrl+c", !isChoosing, () => this.#hear(View.Input.ExitRequested())],
      ["ctrl+d", !isChoosing && this.prompt.getText() === "", () => this.leave()],
      ["ctrl+o", true, () => this.#last?.unfold()],
      ["ctrl+g", true, this.#options.callbacks.openEditor],
      ["ctrl+z", true, this.#options.callbacks.suspend],
    ]
    const [, , act] = keys.find(([key, isMeant]) => isMeant && matchesKey(data, key)) ?? []
    act?.()
    return act && { consume: true }
  }
}
