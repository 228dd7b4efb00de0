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
