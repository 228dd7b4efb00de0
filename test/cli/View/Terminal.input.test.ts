import { assert, describe, it } from "@effect/vitest"
import { Chunk, Effect, Option, Queue, TestClock } from "effect"
import { TurnEvent } from "../../../src/agent/TurnEvent.ts"
import { FileError, NotFound } from "../../../src/code/FileError.ts"
import { Entry, Input } from "../../../src/conversation/View.ts"
import * as Block from "../../../src/message/Block.ts"
import { answered, asked, inputField, readFile, text } from "./terminal/entries.ts"
import * as VirtualTerminal from "./terminal/VirtualTerminal.ts"

const { keys } = VirtualTerminal

/** The inputs of the view so far, in order. */
const inputsOf = ({ view }: VirtualTerminal.VirtualTerminal) =>
  Effect.map(Queue.takeAll(view.inputs), Chunk.toReadonlyArray)

describe("Terminal, input", () => {
  it.scoped("passes on messages of one line and of several", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      yield* seen.type("one")
      assert.include(yield* text(seen.screen), inputField("one").join("\n"))
      yield* seen.press(keys.enter)
      assert.include(yield* text(seen.screen), inputField("").join("\n"))
      yield* seen.press("a", keys.altEnter, "b", "\n", "c", "\x1b[13;2u", "d", "\\", keys.enter, "e", keys.enter)
      assert.deepStrictEqual(yield* inputsOf(seen), [
        Input.Sent({ text: "one" }),
        Input.Sent({ text: "a\nb\nc\nd\ne" }),
      ])
    }),
  )

  it.scoped("recalls earlier messages", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open({ history: ["first", "second"] })
      yield* seen.type("third")
      yield* seen.press(keys.enter, keys.up)
      assert.include(yield* text(seen.screen), inputField("third").join("\n"))
      yield* seen.press(keys.up, keys.up)
      assert.include(yield* text(seen.screen), inputField("first").join("\n"))
      yield* seen.press(keys.enter)
      assert.deepStrictEqual(yield* inputsOf(seen), [Input.Sent({ text: "third" }), Input.Sent({ text: "first" })])
    }),
  )

  it.scoped("recalls a message of several lines with the cursor at its end, and goes on from there", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open({ history: ["first", `${"a long line ".repeat(12)}\nend`] })
      yield* seen.press(keys.up)
      yield* seen.type("!")
      assert.match(yield* seen.view.draft, /\nend!$/)
      yield* seen.press(keys.ctrl("c"), keys.up, keys.up, keys.up, keys.up, keys.up)
      assert.match(yield* seen.view.draft, /^a long[^!]*$/)
    }),
  )

  it.scoped("searches earlier messages with Ctrl-R, the latest first", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open({ history: ["What is a monad?", "And a monoid?", "Thanks"] })
      yield* seen.type("draft")
      yield* seen.press(keys.ctrl("r"))
      yield* seen.wait()
      const shown = yield* text(seen.screen)
      assert.isBelow(shown.indexOf("Thanks"), shown.indexOf("What is a monad?"))
      yield* seen.type("mona")
      yield* seen.press(keys.enter)
      assert.strictEqual(yield* seen.view.draft, "What is a monad?")
      yield* seen.press(keys.ctrl("r"), keys.escape)
      assert.strictEqual(yield* seen.view.draft, "What is a monad?")
      assert.deepStrictEqual(yield* inputsOf(seen), [])
    }),
  )

  it.scoped("completes commands at the start, and files anywhere", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open({
        commands: [
          { name: "tree", argument: "[NODE]", summary: "Shows the branches" },
          { name: "model", argument: "[NAME]", summary: "Changes the model" },
        ],
        files: (letters) =>
          Effect.succeed(["src/a.ts", "src/b.ts", "evil\u001b[2J"].filter((path) => path.includes(letters))),
      })
      yield* seen.type("/")
      yield* seen.wait()
      assert.match(
        yield* text(seen.screen),
        /\/tree \[NODE\] +Shows the branches\n.*\/model \[NAME\] +Changes the model/,
      )
      yield* seen.type("mo")
      yield* seen.press(keys.enter)
      yield* seen.type("see @b.")
      yield* seen.press(keys.tab)
      yield* seen.type("please")
      yield* seen.press(keys.enter)
      // A path that is complete needs no completion: Enter sends.
      yield* seen.type("see @src/b.ts")
      yield* seen.wait()
      yield* seen.press(keys.enter)
      assert.deepStrictEqual(yield* inputsOf(seen), [
        Input.Sent({ text: "/model" }),
        Input.Sent({ text: "see @src/b.ts please" }),
        Input.Sent({ text: "see @src/b.ts" }),
      ])
      assert.include(yield* text(seen.screen), "\n/model\n")
    }),
  )

  it.scoped("attaches a picture of a pasted path, or of the clipboard, as a chip that one key deletes", () =>
    Effect.gen(function* () {
      const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1])
      const picture = Block.image("image/png", Buffer.from(png).toString("base64"))
      const seen = yield* VirtualTerminal.open({
        readFile: (path) =>
          path.endsWith("/shot.png")
            ? Effect.succeed(png)
            : Effect.fail(new FileError({ path, reason: new NotFound() })),
        clipboard: { write: () => Effect.succeed(false), readPicture: Effect.succeedSome(png) },
      })
      yield* seen.type("Is ")
      yield* seen.press(keys.paste("/tmp/shot.png"))
      yield* seen.type("like ")
      yield* seen.press(keys.ctrl("v"))
      yield* seen.wait()
      assert.include(yield* text(seen.screen), inputField("Is [picture 1: shot.png] like [picture 2]").join("\n"))
      yield* seen.press(keys.backspace, keys.backspace)
      yield* seen.wait()
      assert.include(yield* text(seen.screen), inputField("Is [picture 1: shot.png] like").join("\n"))
      yield* seen.type("this?")
      yield* seen.press(keys.enter, keys.paste("/tmp/none.png"), keys.enter)
      assert.deepStrictEqual(yield* inputsOf(seen), [
        Input.Sent({ text: "Is [picture 1: shot.png] like this?", pictures: [picture] }),
        Input.Sent({ text: "/tmp/none.png" }),
      ])
    }),
  )

  it.scoped("says why a picture cannot be attached, and leaves what was pasted", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open({ readFile: () => Effect.succeed(new Uint8Array([0, 1])) })
      yield* seen.press(keys.paste("/tmp/shot.png"))
      yield* seen.wait()
      assert.include(yield* text(seen.screen), "shot.png is no picture; PNG, JPEG, GIF and WebP are")
      assert.strictEqual(yield* seen.view.draft, "/tmp/shot.png")
      yield* seen.press(keys.ctrl("v"))
      yield* seen.wait()
      assert.include(yield* text(seen.screen), "there is no picture in the clipboard")
    }),
  )

  it.scoped("completes the argument of a command that offers some", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open({
        commands: [
          {
            name: "model",
            argument: "[NAME]",
            summary: "Changes the model",
            complete: (typed) =>
              Effect.succeed(
                [
                  { label: "a/small", about: "$1 in" },
                  { label: "b/large", about: undefined },
                ].filter(({ label }) => label.includes(typed)),
              ),
          },
        ],
      })
      yield* seen.type("/model ")
      yield* seen.wait()
      assert.match(yield* text(seen.screen), /a\/small +\$1 in\n.*b\/large/)
      yield* seen.type("la")
      yield* seen.wait()
      yield* seen.press(keys.tab, keys.enter)
      assert.deepStrictEqual(yield* inputsOf(seen), [Input.Sent({ text: "/model b/large" })])
    }),
  )

  it.scoped("clears the screen at Ctrl-L and /clear, and keeps what is typed and an answer in progress", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      yield* seen.view.show(Entry.Noted({ text: "an old note" }))
      yield* asked(seen)
      yield* VirtualTerminal.streamText(seen, "Half an ans")
      yield* seen.type("draft")
      yield* seen.wait()
      yield* seen.press(keys.ctrl("l"))
      yield* seen.wait()
      const shown = yield* text(seen.screen)
      assert.notInclude(shown, "an old note")
      assert.include(shown, "Half an ans")
      assert.include(shown, inputField("draft", { model: "test/model · " }).join("\n"))
      yield* answered(seen, "")
      yield* seen.view.show(Entry.Cleared())
      yield* seen.wait()
      assert.deepStrictEqual(yield* seen.screen, inputField("draft", { model: "test/model · " }))
    }),
  )

  it.scoped("takes a paste of any size, and shows how much it is", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      const line = "All of \u001b[31mit\u001b[0m. 漢字\r\n"
      yield* seen.type("see ")
      yield* seen.press(keys.paste(line.repeat(40_000)))
      assert.include(yield* text(seen.screen), inputField("see [paste #1 +40001 lines]").join("\n"))
      assert.strictEqual((yield* seen.view.draft).length, 4 + 40_000 * 14)
      yield* seen.press(keys.enter)
      const [said] = yield* inputsOf(seen)
      assert.deepStrictEqual(said, Input.Sent({ text: `see ${"All of it. 漢字\n".repeat(40_000).trim()}` }))
      yield* asked(seen, said?._tag === "Sent" ? said.text : "")
      assert.isBelow((yield* seen.all).length, 40)
    }),
  )

  it.scoped(
    "passes on requests to stop and to exit; Ctrl-C first empties the input field, and Up recalls its text",
    () =>
      Effect.gen(function* () {
        const seen = yield* VirtualTerminal.open()
        yield* asked(seen)
        yield* seen.type("words")
        yield* seen.press(keys.escape, keys.ctrl("d"))
        assert.deepStrictEqual(yield* inputsOf(seen), [Input.StopRequested()])
        assert.strictEqual(yield* seen.view.draft, "words")
        yield* seen.press(keys.ctrl("c"))
        assert.deepStrictEqual(yield* inputsOf(seen), [])
        assert.strictEqual(yield* seen.view.draft, "")
        yield* seen.press(keys.ctrl("c"), keys.ctrl("c"))
        assert.deepStrictEqual(yield* inputsOf(seen), [Input.ExitRequested(), Input.ExitRequested()])
        yield* seen.press(keys.up)
        assert.strictEqual(yield* seen.view.draft, "words")
      }),
  )

  it.scoped("closes completions with Esc before it stops an answer", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open({
        commands: [{ name: "tree", argument: undefined, summary: "Shows it" }],
      })
      yield* seen.type("/")
      yield* seen.press(keys.escape)
      assert.notInclude(yield* text(seen.screen), "Shows it")
      assert.deepStrictEqual(yield* inputsOf(seen), [])
      yield* seen.press(keys.escape)
      assert.deepStrictEqual(yield* inputsOf(seen), [Input.StopRequested()])
    }),
  )

  it.scoped("closes the input on Ctrl-D, and passes on nothing after it", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      yield* seen.press(keys.ctrl("d"), "a", keys.enter, keys.ctrl("d"))
      assert.deepStrictEqual(yield* inputsOf(seen), [Input.Closed()])
    }),
  )

  it.scoped("closes the input when the terminal is lost, and keeps the input field", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      yield* seen.type("words")
      yield* seen.disconnect
      assert.deepStrictEqual(yield* inputsOf(seen), [Input.Closed()])
      assert.strictEqual(yield* seen.view.draft, "words")
    }),
  )

  it.scoped("shows queued messages until they are sent", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      yield* asked(seen)
      yield* seen.type("and then?")
      yield* seen.press(keys.enter)
      assert.deepStrictEqual(yield* inputsOf(seen), [Input.Sent({ text: "and then?" })])
      yield* seen.view.show(Entry.Queued({ text: "and then?" }))
      assert.include(
        yield* text(seen.screen),
        ["waits: and then?", ...inputField("", { model: "test/model · " })].join("\n"),
      )
      yield* answered(seen, "It is.")
      yield* seen.view.show(Entry.Dequeued({ text: "and then?" }))
      yield* asked(seen, "and then?")
      const shown = yield* text(seen.screen)
      assert.notInclude(shown, "waits")
      assert.include(shown, "> and then?")
    }),
  )

  it.scoped("shows a command that waited no longer, once it runs, and one more of the same words until that runs", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      yield* asked(seen)
      yield* seen.view.show(Entry.Queued({ text: "/save t" }))
      yield* seen.view.show(Entry.Queued({ text: "/save t" }))
      yield* answered(seen, "It is.")
      yield* seen.view.show(Entry.Dequeued({ text: "/save t" }))
      assert.lengthOf((yield* text(seen.screen)).match(/waits: \/save t/g) ?? [], 1)
      yield* seen.view.show(Entry.Dequeued({ text: "/save t" }))
      yield* seen.view.show(Entry.Noted({ text: "saved" }))
      assert.notInclude(yield* text(seen.screen), "waits")
    }),
  )

  it.scoped("shows messages that go to the model in the middle of its answer", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      yield* asked(seen)
      yield* seen.view.onEvent(TurnEvent.ToolStarted({ call: readFile }))
      yield* seen.view.show(Entry.Queued({ text: "not that one" }))
      yield* seen.view.show(Entry.Queued({ text: "and quickly" }))
      yield* seen.view.show(Entry.Steered({ text: "not that one" }))
      yield* VirtualTerminal.streamText(seen, "As you wish.")
      yield* seen.wait()
      const shown = yield* text(seen.screen)
      assert.include(shown, "> not that one\n\nAs you wish.")
      assert.include(shown, "waits: and quickly")
      assert.notInclude(shown, "waits: not")
    }),
  )

  it.scoped("offers a menu, by arrow keys and by letters", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      const choices = ["apple", "pear", "plum"].map((label) => ({ label, about: `a ${label}` }))
      const choose = (...pressed: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.fork(
            seen.view.choose({ title: "Which one", choices, preselected: 1, command: "/pick N" }),
          )
          yield* seen.wait()
          assert.match(yield* text(seen.screen), /Which one\n {2}apple +a apple\n→ pear +a pear\n {2}plum/)
          yield* seen.press(...pressed)
          return yield* fiber
        })
      assert.deepStrictEqual(yield* choose(keys.enter), Option.some(1))
      assert.deepStrictEqual(yield* choose(keys.down, keys.enter), Option.some(2))
      assert.deepStrictEqual(yield* choose("a", "p", "p", keys.enter), Option.some(0))
      assert.deepStrictEqual(yield* choose(keys.escape), Option.none())
      assert.deepStrictEqual(yield* choose(keys.ctrl("c")), Option.none())
      yield* seen.wait()
      assert.notInclude(yield* text(seen.screen), "Which one")
      assert.deepStrictEqual(yield* inputsOf(seen), [])
    }),
  )

  it.scoped("searches for a filter once no letter has come for a moment, and offers what is found", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      const searched: Array<string> = []
      const find = (words: string) =>
        Effect.as(
          Effect.sync(() => searched.push(words)),
          [1],
        )
      const choices = ["apple", "pear"].map((label) => ({ label, about: undefined }))
      const menu = { title: "Which one", choices, preselected: 0, command: "/pick N" }
      const fiber = yield* Effect.fork(seen.view.choose(menu, { label: "in a message", find }))
      yield* seen.wait()
      yield* seen.press("r", "i", "p")
      yield* TestClock.adjust("1 second")
      yield* seen.wait()
      assert.deepStrictEqual(searched, ["rip"])
      assert.match(yield* text(seen.screen), /Which one: rip\n→ pear +in a message/)
      yield* seen.press("e")
      yield* seen.press(keys.escape)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual([yield* fiber, searched], [Option.none(), ["rip"]])
    }),
  )

  it.scoped("puts a text into the input field", () =>
    Effect.gen(function* () {
      const seen = yield* VirtualTerminal.open()
      yield* seen.view.setDraft("as I said")
      assert.include(yield* text(seen.screen), inputField("as I said").join("\n"))
      yield* seen.type("!")
      yield* seen.press(keys.enter)
      assert.deepStrictEqual(yield* inputsOf(seen), [Input.Sent({ text: "as I said!" })])
    }),
  )

  it.scoped("gives the terminal and the draft to the user's editor", () =>
    Effect.gen(function* () {
      let isStopped = false
      const seen: VirtualTerminal.VirtualTerminal = yield* VirtualTerminal.open({
        edit: (text) =>
          Effect.map(
            Effect.suspend(() => seen.modes),
            (modes) => {
              isStopped = modes.isStopped
              return `${text}\nand more`
            },
          ),
      })
      yield* seen.type("words")
      yield* seen.press(keys.ctrl("g"))
      yield* seen.wait()
      assert.isTrue(isStopped)
      assert.isFalse((yield* seen.modes).isStopped)
      assert.strictEqual(yield* seen.view.draft, "words\nand more")
      assert.include(yield* text(seen.screen), "words\nand more")
    }),
  )

  it.scoped("continues below after a suspension", () =>
    Effect.gen(function* () {
      let isStopped = false
      const seen: VirtualTerminal.VirtualTerminal = yield* VirtualTerminal.open({
        suspend: Effect.map(
          Effect.suspend(() => seen.modes),
          (modes) => {
            isStopped = modes.isStopped
          },
        ),
      })
      yield* asked(seen)
      yield* VirtualTerminal.streamText(seen, "Half an ans")
      yield* seen.type("words")
      yield* seen.press(keys.ctrl("z"))
      yield* VirtualTerminal.streamText(seen, "wer.")
      yield* seen.wait()
      assert.isTrue(isStopped)
      const shown = yield* text(seen.all)
      assert.include(shown, "Half an answer.\n")
      assert.strictEqual(shown.match(/Half/g)?.length, 1)
      assert.include(shown, inputField("words", { model: "test/model · " }).join("\n"))
    }),
  )
})
