import { Text } from "@codemirror/state"
import * as fc from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { type Known, receive, type Version } from "../../../../src/page/conversation/document/Merge.ts"
import { cases } from "../../../thoroughness.ts"

/** A page with a document, without the page. */
interface Editor {
  now: string
  known: Known
  /** On its way to the server, or the server's response on its way back. */
  saving: { readonly text: string; readonly version: number; response?: Version | "lost" } | undefined
  /** Events that have not arrived. */
  events: Array<Version>
}

const open = (document: Version): Editor => ({
  now: document.text,
  known: { base: document, sent: undefined },
  saving: undefined,
  events: [],
})

const hear = (editor: Editor, document: Version, isState = false) => {
  const { changes, known } = receive(editor.known, editor.now, document, isState)
  editor.known = known
  if (changes === undefined) return
  editor.now = changes.apply(Text.of(editor.now.split("\n"))).toString()
}

/** Two editors, a model, and a server that refuses a text that was made from an old one. */
class Simulation {
  document: Version = { text: "start\nmiddle\nend\n", version: 0 }
  readonly editors = [open(this.document), open(this.document)]
  written: Array<string> = []
  private next = 0x4e00

  /** A character that nothing else has written. */
  private fresh() {
    const character = String.fromCharCode(this.next++)
    this.written.push(character)
    return character
  }
  private change(text: string) {
    this.document = { text, version: this.document.version + 1 }
    for (const { events } of this.editors) events.push(this.document)
  }
  private insert(text: string, at: number) {
    const place = at % (text.length + 1)
    return `${text.slice(0, place)}${this.fresh()}${text.slice(place)}`
  }
  model(at: number) {
    this.change(this.insert(this.document.text, at))
  }
  type(editor: Editor, at: number) {
    editor.now = this.insert(editor.now, at)
  }
  /** Sends, has the server answer, or takes the answer: the next step of a save. */
  save(editor: Editor, isLost: boolean) {
    const { saving } = editor
    if (saving === undefined) {
      if (editor.now === editor.known.base.text) return
      editor.saving = { text: editor.now, version: editor.known.base.version }
      editor.known = { ...editor.known, sent: editor.now }
    } else if (saving.response === undefined) {
      if (saving.version === this.document.version) {
        // A text that is lost before it arrives changes nothing.
        if (!(isLost && saving.text.length % 2 === 0)) this.change(saving.text)
      }
      saving.response = isLost ? "lost" : this.document
    } else {
      editor.saving = undefined
      if (saving.response === "lost") {
        // The connection was lost, so the page asks for the state when it is back.
        editor.events = []
        hear(editor, this.document, true)
      } else hear(editor, saving.response)
    }
  }
  event(editor: Editor) {
    // While a text is on its way, a page waits for its outcome.
    const event = editor.saving === undefined ? editor.events.shift() : undefined
    if (event !== undefined) hear(editor, event)
  }
  reload(editor: Editor) {
    editor.saving = undefined
    editor.events = []
    hear(editor, this.document, true)
  }
  settle() {
    for (let round = 0; round < 100; round++)
      for (const editor of this.editors) {
        this.save(editor, false)
        this.event(editor)
      }
  }
}

/** What becomes of `now`, which was made of `base`, when the server has `theirs`. */
const merge = (base: string, now: string, theirs: string): string => {
  const { changes } = receive({ base: { text: base, version: 0 }, sent: undefined }, now, { text: theirs, version: 1 })
  return changes === undefined ? now : changes.apply(Text.of(now.split("\n"))).toString()
}

describe("receive", () => {
  it("puts no word into one that the other side wrote, unless both have edited the same", () => {
    const word = fc.stringMatching(/^[deilmo]{1,8}$/)
    const words = fc.array(word, { minLength: 1, maxLength: 6 })
    const edits = fc.record({ words, at: fc.nat(5), phrase: words, typed: word, place: fc.nat(60) })
    fc.assert(
      fc.property(edits, ({ at, phrase, place, typed, words }) => {
        const replaced = at % words.length
        const base = words.join(" ")
        const from = words.slice(0, replaced).reduce((sum, { length }) => sum + length + 1, 0)
        const to = from + (words[replaced]?.length ?? 0)
        const where = place % (base.length + 1)
        // Within the word, or as a part of it.
        fc.pre(where < from || where > to)
        const now = `${base.slice(0, where)} [${typed}] ${base.slice(where)}`
        const theirs = `${base.slice(0, from)}<${phrase.join(" ")}>${base.slice(to)}`
        const merged = merge(base, now, theirs)
        assert.include(merged, `[${typed}]`)
        for (const each of `<${phrase.join(" ")}>`.split(" ")) assert.include(merged, each)
        assert.strictEqual(merged.length, now.length + theirs.length - base.length)
      }),
      { numRuns: cases(2000), seed: 11 },
    )
  })

  it("keeps what is typed behind a word that the model replaces", () => {
    const base = "start\nmiddle\nend"
    const end = "\nend\n- a line of the model"
    const theirs = base.replace("middle", "MIDDLE by model").replace("\nend", end)
    for (let count = 1; count < 30; count++) {
      const typed = ` ${"A".repeat(count)}`
      const now = base.replace("middle", `middle${typed}`)
      const merged = `start\nMIDDLE by model${typed}${end}`
      assert.strictEqual(merge(base, now, theirs), merged)
      assert.strictEqual(merge(base, theirs, now), merged)
    }
  })

  it("loses no character and doubles none, in any order of two editors, a model, and lost connections", () => {
    const step = fc.record({
      what: fc.constantFrom("type", "type", "model", "save", "save", "event", "lose", "reload"),
      who: fc.nat(1),
      at: fc.nat(60),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const simulation = new Simulation()
        for (const { at, what, who } of steps) {
          const editor = simulation.editors[who] ?? assert.fail()
          if (what === "type") simulation.type(editor, at)
          else if (what === "model") simulation.model(at)
          else if (what === "event") simulation.event(editor)
          else if (what === "reload") simulation.reload(editor)
          else simulation.save(editor, what === "lose")
        }
        simulation.settle()
        const [one, other] = simulation.editors
        const { document, written } = simulation
        assert.strictEqual(one?.now, document.text)
        assert.strictEqual(other?.now, document.text)
        for (const character of written) assert.strictEqual(document.text.split(character).length, 2, document.text)
        assert.strictEqual(document.text.length, "start\nmiddle\nend\n".length + written.length)
      }),
      { numRuns: cases(2000), seed: 11 },
    )
  })
})
