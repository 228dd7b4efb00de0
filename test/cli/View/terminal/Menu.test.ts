import { assert, describe, it } from "@effect/vitest"
import { Menu } from "../../../../src/cli/View/terminal/Menu.ts"
import * as Theme from "../../../../src/cli/View/terminal/Theme.ts"

const choices = [
  {
    label: "Why is the sky blue, and why is it red in the evening, wherever one is",
    about: "3 h ago · 4 messages · It scatters",
  },
  { label: "Short", about: "now" },
]

const rows = (columns: number) =>
  new Menu(
    { title: "Which?", command: "/resume N", preselected: 0, choices },
    Theme.plain,
    () => 40,
    () => undefined,
  )
    .render(columns)
    // The list underlines no text of its own, but resets the style of what it has cut.
    .map((row) => row.replaceAll("\u001b[0m", "").trimEnd())

describe("Menu", () => {
  it("ends a cell that is cut with an ellipsis", () => {
    assert.deepStrictEqual(rows(80).slice(1, 3), [
      "→ Why is the sky blue, and why is it red in the…  3 h ago · 4 messages · It s…",
      "  Short                                           now",
    ])
    assert.strictEqual(rows(30)[1], "→ Why is the sky blue, and …")
  })

  it("says that typing filters the lines, which is all that it looks in", () => {
    assert.strictEqual(rows(80).at(-1), "enter picks · esc none · type to filter these lines")
  })

  it("adds below the lines that match what a search has found, keeps what is selected, and says where it looks", () => {
    const searches: Array<{ readonly words: string; readonly onFound: (indices: ReadonlyArray<number>) => void }> = []
    const chosen: Array<number | undefined> = []
    const menu = new Menu(
      {
        title: "Which?",
        command: "/resume N",
        preselected: 0,
        choices: [...choices, { label: "Sketch", about: "old" }],
      },
      Theme.plain,
      () => 40,
      (index) => chosen.push(index),
      { label: "in a message", find: (words, onFound) => searches.push({ words, onFound }) },
    )
    const lines = () => menu.render(80).map((row) => row.replaceAll("\u001b[0m", "").trimEnd())
    for (const letter of "sk") menu.handleInput(letter)
    assert.deepStrictEqual(
      searches.map(({ words }) => words),
      ["", "sk"],
    )
    menu.handleInput("\u001b[B")
    searches.at(-1)?.onFound([1, 2])
    assert.deepStrictEqual(lines().slice(2), [
      "→ Sketch                                          old",
      "  Short                                           in a message · now",
      "enter picks · esc none · type to filter, also in a message",
    ])
    menu.handleInput("\u001b[B")
    menu.handleInput("\r")
    assert.deepStrictEqual(chosen, [1])
    menu.handleInput("e")
    assert.notInclude(lines().join("\n"), "in a message ·", "what was found for other words")
  })

  it("cuts nothing where there is room, also after it was narrow", () => {
    const menu = new Menu(
      { title: "Which?", command: "/resume N", preselected: 0, choices: choices.slice(1) },
      Theme.plain,
      () => 40,
      () => undefined,
    )
    menu.render(41)
    assert.match(menu.render(120)[1] ?? "", /^→ Short {57}now$/)
  })
})
