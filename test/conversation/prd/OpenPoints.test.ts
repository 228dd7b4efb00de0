import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { systemPrompt } from "../../../src/conversation/DiscoveryPrompt.ts"
import * as OpenPoints from "../../../src/conversation/prd/OpenPoints.ts"
import { inLinearTime, size } from "../../utils/linearTime.ts"

const lines = (...lines: ReadonlyArray<string>) => lines.join("\n")

describe("OpenPoints.inDocument", () => {
  it.each([
    "## Open",
    "## What is open",
    "## Open questions",
    "### Still open",
    "# Unknowns",
    "## 7. Open points",
    "## **Open**",
    "## To be decided",
    "## Questions still open",
  ])("finds the items below %s, up to the next section", (heading) => {
    const document = lines(
      "# Search",
      "Which index?",
      heading,
      "",
      "- Which database?",
      "    - the one of the shop",
      "* [ ] Who pays",
      "2. How fast",
      "Words.",
      "- [x] settled",
      "- ~~dropped~~",
      "####### no heading",
      "# Scope",
      "- all",
    )
    assert.deepStrictEqual(OpenPoints.inDocument(document), [
      "Which database?",
      "Who pays",
      "How fast",
      "Words.",
      "####### no heading",
    ])
  })

  it("finds lines with a mark anywhere else", () => {
    const document = lines(
      "# Search",
      "- Latency: TBD",
      "The limit is [open: ask Ann].",
      "The owner is (unknown).",
      "TODO: name the table",
      "**Unknown:** the volume",
      "- Open: the price",
      "It costs ??? a month",
    )
    assert.deepStrictEqual(OpenPoints.inDocument(document), [
      "Latency: TBD",
      "The limit is [open: ask Ann].",
      "The owner is (unknown).",
      "TODO: name the table",
      "**Unknown:** the volume",
      "Open: the price",
      "It costs ??? a month",
    ])
  })

  it.each([
    ["code", lines("```", "## Open", "- TBD", "```")],
    [
      "a section that says that nothing is",
      lines("## Open", "None.", "- nothing", "Nothing is open at the moment.", "-"),
    ],
    ["words that only contain a mark", lines("## Opening hours", "- 9 to 5", "todo.ts is open: true", "OPEN the door")],
    ["acceptance", lines("## Acceptance", "- [ ] it is fast", "Is it?")],
    ["nothing", ""],
  ])("finds none in %s", (_, document) => {
    assert.deepStrictEqual(OpenPoints.inDocument(document), [])
  })

  for (const text of ["## Open ", "- TBD ", "(open ", "[open ", "what is still ", "none ", "* ", '?"', "\t"]) {
    it.effect(`takes linear time for a text that repeats ${JSON.stringify(text)}`, () =>
      inLinearTime(
        Effect.sync(() => {
          for (const end of ["", "\n"]) {
            OpenPoints.inDocument(`${text}${end}`.repeat(size(100_000)))
            OpenPoints.questionsIn(`${text}${end}`.repeat(size(100_000)))
          }
        }),
      ),
    )
  }

  it("recognises the word by which the interview marks what is open", () => {
    assert.include(systemPrompt, "What stayed open is written down as open")
  })
})

describe("OpenPoints.questionsIn", () => {
  it("finds the lines that end with a question", () => {
    const answer = lines(
      "Done.",
      "- Is it fast?",
      "Should it be? I think so.",
      "**And now?**",
      "```",
      "why?",
      "```",
      "?",
    )
    assert.deepStrictEqual(OpenPoints.questionsIn(answer), ["Is it fast?", "**And now?**"])
  })
})
