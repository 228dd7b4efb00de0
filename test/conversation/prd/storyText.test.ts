/** How the parts of a user story are read off its text, however it is written. */
import { assert, describe, it } from "@effect/vitest"
import * as StoryText from "../../../src/conversation/prd/storyText.ts"

/** Lines as `Prd` makes them: headings have levels, and lines of code none. */
const linesOf = (...texts: ReadonlyArray<string>): ReadonlyArray<StoryText.Line> => {
  let isFenced = false
  return texts.map((text, at) => {
    if (text.startsWith("```")) isFenced = !isFenced
    const level = isFenced ? 0 : (/^(#{1,6})\s/.exec(text)?.[1]?.length ?? 0)
    return { number: at + 1, text, level, isFenced: isFenced || text.startsWith("```") }
  })
}

describe("storyText.firstParagraph", () => {
  it.each<readonly [what: string, lines: ReadonlyArray<string>, paragraph: string]>([
    ["joins its lines without bold", ["", "As a **reader**", " I want it. ", "", "More."], "As a reader I want it."],
    ["leaves out the label of a description", ["**Description:** As a reader.", "- one"], "As a reader."],
    ["ends at a list", ["One.", "- two"], "One."],
    ["ends at a rule", ["One.", "---", "Two."], "One."],
    ["ends at a heading", ["One.", "#### Two", "Three."], "One."],
    ["ends at a field, though it has no text yet", ["**Priority:** P1", "One."], ""],
    ["begins after a list or a rule", ["- one", "---", "Two."], "Two."],
    ["takes no code", ["```", "code", "```", "One."], "One."],
    ["is empty without any", ["", "  "], ""],
  ])("%s", (_, lines, paragraph) => {
    assert.strictEqual(StoryText.firstParagraph(linesOf(...lines)), paragraph)
  })
})

describe("storyText.fieldValue", () => {
  const priority = (...lines: ReadonlyArray<string>) => StoryText.fieldValue(linesOf(...lines), StoryText.PRIORITY)

  it.each<readonly [lines: ReadonlyArray<string>, value: string | undefined]>([
    [["**Priority:** P1 "], "P1"],
    [["**Priority**:  **P1** "], "P1"],
    [["Priority: P1"], "P1"],
    [["- **Priority:** P1"], "P1"],
    [["- Priority: P1"], "P1"],
    [["#### Priority", "", "P1", "", "P2"], "P1"],
    [["**Priority**", "- P1", "- P2"], "P1, P2"],
    [["**Priority:**", "**Labels:** ui", "P1"], undefined],
    [["**Priority:**", "#### Notes", "P1"], undefined],
    [["**Priority:**", "", "**Priority:** P3"], "P3"],
    [["Priorities: P1"], undefined],
    [["```", "Priority: P1", "```"], undefined],
    [[`**${"x".repeat(81)} Priority:** P1`], undefined],
  ])("of %j is %j", (lines, value) => assert.strictEqual(priority(...lines), value))

  it("takes words that a description may have only in bold or as a heading", () => {
    const blockedBy = (text: string) => StoryText.fieldValue(linesOf(text), StoryText.DEPENDS_ON)
    assert.strictEqual(blockedBy("**Blocked by:** US-1"), "US-1")
    assert.strictEqual(blockedBy("#### Blocked by: US-1"), "US-1")
    assert.isUndefined(blockedBy("Blocked by: US-1"))
    assert.strictEqual(blockedBy("Depends on: US-1"), "US-1")
    assert.isUndefined(blockedBy("- Blocked by: US-1"))
  })
})

describe("storyText.findCriteria", () => {
  it.each<readonly [what: string, lines: ReadonlyArray<string>, criteria: ReadonlyArray<string>]>([
    ["leaves out items without text", ["Acceptance criteria:", "- [ ] ", "- [ ] one", "-  ", "- two"], ["one", "two"]],
    ["leaves them out of lists without a title", ["- [ ] ", "- [ ] one", "- [ ]  "], ["one"]],
    [
      "joins lines that go on",
      ["Acceptance criteria:", "- one", "  and more", "goes on", "- two"],
      ["one and more goes on", "two"],
    ],
    ["ends an item at a blank line", ["Acceptance criteria:", "- one", "", "Words.", "- two"], ["one"]],
    ["goes on after a blank line if that is indented", ["Acceptance criteria:", "- one", "", "  more"], ["one more"]],
    [
      "takes groups with titles",
      ["Acceptance criteria:", "- one", "**Further:**", "- two", "*Last*", "- three"],
      ["one", "two", "three"],
    ],
    [
      "takes lines where there is no list",
      ["Acceptance criteria:", "It **is** fast.", "It stays."],
      ["It is fast.", "It stays."],
    ],
    [
      "takes no table and no fence for a line",
      ["Acceptance criteria:", "| a | b |", "```", "```", "It stays."],
      ["It stays."],
    ],
    [
      "takes those on the line of the title",
      ["**Acceptance criteria:** It stays; 2) it is fast"],
      ["It stays", "it is fast"],
    ],
    ["takes no remark in brackets for one", ["**Acceptance criteria:** (all of them)", "- one"], ["one"]],
    ["takes no words that introduce a list for one", ["**Acceptance criteria:** all of these:", "- one"], ["one"]],
    ["takes lists with boxes before others", ["- one", "", "Words.", "- [ ] two", "- three"], ["two", "three"]],
    ["takes the first list where none has boxes", ["- one", "", "Words.", "- two"], ["one"]],
    [
      "leaves out lists of other fields",
      ["**Notes:** see", "- none", "", "**Tasks:**", "- no", "", "Words.", "- one"],
      ["one"],
    ],
    ["ends at a rule", ["Acceptance criteria:", "- one", "---", "- two"], ["one"]],
    ["ends at another field", ["Acceptance criteria:", "- one", "**Priority:** P1", "- two"], ["one"]],
    [
      "takes headings below its own",
      ["#### Criteria", "- one", "##### Further", "- two", "#### Notes", "- no"],
      ["one", "two"],
    ],
    [
      "takes numbers, letters, signs and names before items",
      ["Criteria:", "1. a", "2) b", "(c) c", "• d", "☑ e", "AC1: f", "**AC-2.1**: g"],
      ["a", "b", "c", "d", "e", "f", "g"],
    ],
    ["is empty without any", ["Words."], []],
  ])("%s", (_, lines, criteria) => {
    assert.deepStrictEqual(StoryText.findCriteria(linesOf(...lines)), criteria)
  })
})

describe("storyText.withoutBold", () => {
  it("leaves out the marks, and white space around the text", () => {
    assert.strictEqual(StoryText.withoutBold(" ** a **b** "), "a b")
    assert.strictEqual(StoryText.withoutBold("a * b"), "a * b")
  })
})
