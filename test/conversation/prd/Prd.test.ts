import { assert, describe, it } from "@effect/vitest"
import * as Prd from "../../../src/conversation/prd/Prd.ts"
import { PRD_SYSTEM_PROMPT } from "../../../src/conversation/prd/Prd.ts"

const lines = (...lines: ReadonlyArray<string>) => lines.join("\n")

const document = (name: string, ...body: ReadonlyArray<string>) => lines(`# PRD: ${name}`, "", ...body)

const marked = (...body: ReadonlyArray<string>) => lines("[PRD]", ...body, "[/PRD]")

describe("Prd.detect", () => {
  it.each<readonly [why: string, answer: string, name: string, content: string]>([
    [
      "between markers, without them",
      lines("Here it is:", "", marked("# PRD: Dark Mode", "", "Dark."), "", "Anything else?"),
      "Dark Mode",
      document("Dark Mode", "Dark."),
    ],
    ["without a heading", marked("Some words."), "Untitled Feature", "Some words."],
    ["with another heading", marked("# My Thing", "Words."), "My Thing", "# My Thing\nWords."],
    ["with sections alone", marked("## Overview", "Words."), "Untitled Feature", "## Overview\nWords."],
    [
      "the last of two (agents revise)",
      lines(marked("# PRD: A", "a"), "Better:", marked("# PRD: B", "b")),
      "B",
      "# PRD: B\nb",
    ],
    ["the last complete one", lines(marked("# PRD: A", "a"), "[PRD]", "# PRD: B", "b"), "A", "# PRD: A\na"],
    ["one that was begun anew", lines("[PRD]", "# PRD: A", "oops", marked("# PRD: B", "b")), "B", "# PRD: B\nb"],
    [
      "in lines that end as Windows has it",
      "[PRD]\r\n# PRD: X\r\n\r\nWords.\r\n[/PRD]\r\n",
      "X",
      document("X", "Words."),
    ],
    ["with markers that share their lines", "Done: [PRD]\n# PRD: X\nWords.[/PRD]", "X", "# PRD: X\nWords."],
    ["after words and its marker", "Here: [PRD]# PRD: X\nWords.[/PRD]", "X", "# PRD: X\nWords."],
    ["after words, a marker and a blank", "Here it is: [PRD] # PRD: X\nWords.\n[/PRD]", "X", "# PRD: X\nWords."],
    ["after words and a marker in bold", "Done. **[PRD]**# X\nWords.\n**[/PRD]**", "X", "# X\nWords."],
    ["before words after its end", "Here: [PRD]# PRD: X\nWords.[/PRD] Shall I go on?", "X", "# PRD: X\nWords."],
    ["between markers in small letters", "[prd]\n# PRD: X\nWords.\n[/prd]", "X", "# PRD: X\nWords."],
    ["between markers in letters of both cases", "Done: [Prd]# PRD: X\nWords.[/prd]", "X", "# PRD: X\nWords."],
    [
      "that mentions its end",
      "[PRD]\n# PRD: X\nIt ends with [/PRD] here.\nEnd.\n[/PRD]",
      "X",
      "# PRD: X\nIt ends with [/PRD] here.\nEnd.",
    ],
    ["right after its marker", "[PRD]# PRD: X\nWords.\n[/PRD]", "X", "# PRD: X\nWords."],
    [
      "with an example of markers in it",
      marked("# PRD: X", "```", "[PRD]", "[/PRD]", "```", "End."),
      "X",
      lines("# PRD: X", "```", "[PRD]", "[/PRD]", "```", "End."),
    ],
    [
      "that speaks of markers itself",
      marked("# PRD: X", "It stands between [PRD] and [/PRD]", "End."),
      "X",
      lines("# PRD: X", "It stands between [PRD] and [/PRD]", "End."),
    ],
    [
      "with a fence that was forgotten",
      lines(marked("# PRD: X", "```", "code"), "Good?"),
      "X",
      lines("# PRD: X", "```", "code"),
    ],
    [
      "a heading, to the end",
      lines("Well.", document("X", "Words.", "", "# More", "Words.")),
      "X",
      document("X", "Words.", "", "# More", "Words."),
    ],
    ["the last heading", lines(document("A", "a"), document("B", "b")), "B", document("B", "b")],
    ["a heading as Windows ends its line", "# PRD: X\r\nWords.", "X", "# PRD: X\nWords."],
    [
      "a heading after a mere mention",
      lines("I write it after a [PRD]", "", document("X", "Words.")),
      "X",
      document("X", "Words."),
    ],
    ["markers rather than a heading", lines(marked("# PRD: A", "a"), document("B", "b")), "A", "# PRD: A\na"],
    ["a name in another script", marked("# PRD：暗黑模式", "说明"), "暗黑模式", "# PRD：暗黑模式\n说明"],
    [
      "a name that is no example's",
      marked("```", "# PRD: Sample", "```", "# PRD: Real", "x"),
      "Real",
      lines("```", "# PRD: Sample", "```", "# PRD: Real", "x"),
    ],
    [
      "in a fence that holds all of the answer",
      lines("```markdown", marked("# PRD: X", "", "Words."), "```"),
      "X",
      document("X", "Words."),
    ],
    [
      "below a heading in a fence that holds all of the answer, with code in it",
      lines("```md", "# PRD: X", "Words.", "```js", "code()", "```", "End.", "```", ""),
      "X",
      lines("# PRD: X", "Words.", "```js", "code()", "```", "End."),
    ],
    [
      "in a fence between other words, where it has marks and sections",
      lines("Here it is:", "", "```markdown", marked("# PRD: X", "## Goals", "Words."), "```", "", "Anything else?"),
      "X",
      lines("# PRD: X", "## Goals", "Words."),
    ],
    [
      "in a fence between its marks",
      marked("```markdown", "# PRD: X", "", "Words.", "```"),
      "X",
      document("X", "Words."),
    ],
    ["without its end mark, below its heading", lines("Here:", "[PRD]", "# PRD: X", "Words"), "X", "# PRD: X\nWords"],
    ["without its end mark, in a fence", lines("```", "[PRD]", "# PRD: X", "Words", "```"), "X", "# PRD: X\nWords"],
    [
      "without its end mark, below the last heading",
      lines("# PRD: X", "Intro.", "[PRD]", "# PRD: X", "Words"),
      "X",
      "# PRD: X\nWords",
    ],
    [
      "without its first mark",
      lines(document("X", "Words."), "[/PRD]", "Anything else?"),
      "X",
      document("X", "Words."),
    ],
    ["between marks in bold", lines("**[PRD]**", "# PRD: X", "Words.", "**[/PRD]**"), "X", "# PRD: X\nWords."],
    ["between marks as headings", lines("### [PRD]", "# PRD: X", "Words.", "### [/PRD]"), "X", "# PRD: X\nWords."],
    ["between marks with escapes", lines("\\[PRD\\]", "# PRD: X", "Words.", "\\[/PRD\\]"), "X", "# PRD: X\nWords."],
    ["with a heading of a lower level", "## PRD: Foo\nWords.", "Foo", "## PRD: Foo\nWords."],
    [
      "with the sections of that heading, which also speak of it",
      lines("# PRD: X", "Words.", "## PRD: Notes", "More."),
      "X",
      lines("# PRD: X", "Words.", "## PRD: Notes", "More."),
    ],
    ["with a dash in its heading", "# PRD - Foo\nWords.", "Foo", "# PRD - Foo\nWords."],
    ["with a long dash in its heading", "# PRD — Foo\nWords.", "Foo", "# PRD — Foo\nWords."],
    [
      "with its heading in full",
      "# Product Requirements Document: X\nWords.",
      "X",
      "# Product Requirements Document: X\nWords.",
    ],
    [
      "with its heading in full and in short",
      "# Product Requirements Document (PRD): X\nWords.",
      "X",
      "# Product Requirements Document (PRD): X\nWords.",
    ],
    ["with its heading in bold", "# **PRD: Dark Mode**\nWords.", "Dark Mode", "# **PRD: Dark Mode**\nWords."],
  ])("finds it %s", (_, answer, featureName, content) => {
    assert.deepStrictEqual(Prd.detect(answer), { name: featureName, content })
  })

  it.each([
    ["nothing of it", "What is it for?"],
    ["a mention", "I will wrap the final PRD in [PRD]...[/PRD] markers."],
    ["a mention over two lines", "I will wrap it in [PRD]\nand [/PRD] once I know enough."],
    ["a mention at the beginning of its line", "[PRD] opens it,\nand it ends with [/PRD]"],
    ["a document on one line", "[PRD]# PRD: X[/PRD]"],
    ["a fenced example", lines("```markdown", marked("# PRD: Sample", "Words."), "```", "Shall I?")],
    ["a fenced heading", lines("~~~", "# PRD: Sample", "Words.", "~~~", "Shall I?")],
    ["a quoted example", lines("> [PRD]", "> # PRD: Sample", "> [/PRD]")],
    ["code within a line", "It goes between `[PRD]` and `[/PRD]`:\nwait for it."],
    ["nothing between markers", marked("", "  ")],
    ["text after a mark that nothing closes, without a heading", lines("[PRD]", "Words")],
    ["a mention before a stray marker", lines("[PRD] and [/PRD] mark it.", "# Title", "Words.", "[/PRD]")],
    ["a heading without words below", "# PRD: X\n\n"],
    ["a heading without its colon", "# PRD Foo\nWords."],
    ["a number with dashes", "# PRD-12 is done\nWords."],
    ["a heading within a line", "Say # PRD: Foo\nWords."],
    ["a marker that closes nothing", "[/PRD]\nWords."],
  ])("finds none in %s", (_, answer) => {
    assert.isUndefined(Prd.detect(answer))
  })

  it("detects a PRD of 4 MB on one line", () => {
    const prd = Prd.detect(`[PRD]\n${"words and ".repeat(400_000)}\n[/PRD]`)
    assert.lengthOf(prd?.content ?? "", 3_999_999)
  })
})

describe("Prd.find", () => {
  const stories = ["## User Stories", "### US-001: A", "### US-002: B"]

  it.each<readonly [why: string, answer: string, doubt: Prd.Doubt, name: string, content: string]>([
    ["a document without its end mark", lines("[PRD]", "# PRD: X", "Words"), "unclosed", "X", "# PRD: X\nWords"],
    [
      "a document without its end mark after a complete one",
      lines(marked("# PRD: A", "a"), "[PRD]", "# PRD: B", "b"),
      "unclosed",
      "B",
      "# PRD: B\nb",
    ],
    [
      "a heading and sections in a fence among other words",
      lines("I would write:", "```", "# PRD: X", "## Goals", "Words.", "```", "Shall I?"),
      "fenced",
      "X",
      lines("# PRD: X", "## Goals", "Words."),
    ],
    [
      "a document whose end mark is outside of its fence",
      lines("Here:", "```", "[PRD]", "# PRD: X", "## Goals", "Words.", "```", "[/PRD]"),
      "fenced",
      "X",
      lines("# PRD: X", "## Goals", "Words."),
    ],
    [
      "a title that says what it is, with sections",
      lines("Sure.", "# Dark Mode PRD", "## Goals", "Words."),
      "unmarked",
      "Dark Mode PRD",
      lines("# Dark Mode PRD", "## Goals", "Words."),
    ],
    [
      "a title in bold that says what it is, with sections",
      lines("**Product Requirements: Dark Mode**", "## Goals", "Words."),
      "unmarked",
      "Untitled Feature",
      lines("**Product Requirements: Dark Mode**", "## Goals", "Words."),
    ],
    [
      "user stories",
      lines("Sure.", "", "# Dark Mode", ...stories),
      "unmarked",
      "Dark Mode",
      lines("# Dark Mode", ...stories),
    ],
    [
      "a document without its end mark and without a name",
      lines("[PRD]", "# Dark Mode", ...stories),
      "unmarked",
      "Dark Mode",
      lines("# Dark Mode", ...stories),
    ],
    ...Object.entries({
      "stories that are items in bold": lines(
        "# Dark Mode",
        "## User Stories",
        "- **US-001**: As a user I want dark.",
        "- **US-002**: As a user I want light.",
      ),
      "stories that are lines in bold": lines("# Dark Mode", "**User Stories**", "**US-001: A**", "a", "**US-002: B**"),
      "one story with functional requirements": lines(
        "# Dark Mode",
        "## 2. User Stories",
        "### US-001: A",
        "- [ ] a",
        "## 3. Functional Requirements",
        "- FR-1",
      ),
      "stories that are only numbered": lines("# Dark Mode", "## User Stories", "### Story 1: A", "### Story 2: B"),
      "one story that is only numbered, with requirements": lines(
        "# Dark Mode",
        "## User Stories",
        "### User Story 1: A",
        "## Requirements",
        "- FR-1",
      ),
      "one story in bold and one below a heading": lines(
        "# Dark Mode",
        "## User Stories",
        "### US-001: A",
        "a",
        "**US-002: B**",
      ),
      "a title in bold above stories in bold": lines("**PRD: Dark Mode**", "", "**US-001: A**", "- a"),
      "a title that is underlined": lines("PRD: Dark Mode", "=====", "", "User Stories", "---", "", "US-001 A"),
    }).map(([why, content]) => [why, lines("Sure.", "", content), "unmarked", "Dark Mode", content] as const),
  ])("has its doubts about %s", (_, answer, doubt, name, content) => {
    assert.deepStrictEqual(Prd.find(answer).doubtful, { doubt, prd: { name, content } })
  })

  it.each([
    ["a question", "What is it for?"],
    ["a complete document", marked("# PRD: X", "Words.")],
    ["a document whose marks share lines", "Done: [PRD]\n# PRD: X\nWords.[/PRD]"],
    ["a heading that speaks of a PRD", lines("## What the PRD will say", "### Goals", "Words.")],
    ["a single user story", lines("# Dark Mode", "### US-001: A", "Words.")],
    [
      "what a changelog says of stories",
      lines("# Changelog", "## 1.1.0", "- **US-001**: dark.", "- **US-002**: light."),
    ],
    ["a question about stories", lines("Which one comes first?", "", "- **US-001**: A", "- **US-002**: B")],
    ["prose about a story", lines("# Progress", "", "**US-001** is done, and **US-002** is open.")],
    ["tales", lines("# For children", "### Story 1: The fox", "Words.", "### Story 2: The crow", "Words.")],
    [
      "a README",
      lines(
        "Dark Mode",
        "=====",
        "",
        "# Requirements",
        "- Node.js",
        "",
        "User stories are in `prd/`.",
        "---",
        "# License",
      ),
    ],
    ["a single user story in a section of its own", lines("# Dark Mode", "## User Stories", "### US-001: A", "Words.")],
    ["a single numbered story in a section of its own", lines("# Dark Mode", "## User Stories", "### Story 1: A", "a")],
    ["a single user story beside requirements", lines("# Dark Mode", "### US-001: A", "## Requirements", "- Node.js")],
    [
      "sections of stories and of requirements without a story",
      lines("# Plan", "## User Stories", "None yet.", "## Requirements", "- Node.js"),
    ],
    ["a plan with a section of user stories but without a story", lines("# Plan", "## User Stories", "We need some.")],
    ["a rule below a mention", lines("Your PRD is saved.", "---", "Anything else?")],
    ["a short example", lines("```", "# PRD: Sample", "Words.", "```", "Shall I?")],
  ])("has no doubts about %s", (_, answer) => {
    assert.isUndefined(Prd.find(answer).doubtful)
  })

  it.each([
    ["a document without its end mark", lines("[PRD]", "# PRD: X", "x")],
    ["a document below a heading", document("X", "x")],
  ])("says of %s that it is cut off, in an answer that was interrupted", (_, answer) => {
    const { complete, doubtful } = Prd.find(answer, false)
    assert.deepStrictEqual([complete, doubtful?.doubt, doubtful?.prd.name], [undefined, "cut off", "X"])
  })
})

/** However a model wraps a document, the document itself is found, without marks and fences at its ends. */
describe("a wrapped document", () => {
  const documents = [
    document("X", "Words."),
    document("X", "## Goals", "- one", "", "```js", "code()", "```"),
    document("X", "```js", "code()", "```", "", "It stands between [PRD] and [/PRD]", "End."),
    lines("## PRD - Y", "", "## US-001: A", "- [ ] b"),
  ]
  const wrappers: ReadonlyArray<readonly [why: string, wrap: (content: string) => string]> = [
    ["nothing", (content) => content],
    ["marks", (content) => marked(content)],
    ["marks in bold", (content) => lines("**[PRD]**", content, "**[/PRD]**")],
    ["marks in a fence", (content) => lines("```markdown", marked(content), "```")],
    ["marks in a long fence", (content) => lines("````", marked(content), "````")],
    ["a fence in marks", (content) => marked("```markdown", content, "```")],
    ["a fence of tildes", (content) => lines("~~~md", content, "~~~")],
    ["a first mark", (content) => lines("[PRD]", content)],
    ["an end mark", (content) => lines(content, "[/PRD]")],
    ["a first mark in a fence", (content) => lines("```markdown", "[PRD]", content, "```")],
    ["a fence that is not closed", (content) => lines("```markdown", content)],
  ]
  for (const [why, wrap] of wrappers) {
    it(`is found in ${why}, with words around it and line ends of Windows`, () => {
      for (const content of documents) {
        assert.strictEqual(Prd.detect(wrap(content))?.content, content)
        assert.strictEqual(Prd.detect(`\n${wrap(content)}\n\n`.replaceAll("\n", "\r\n"))?.content, content)
      }
    })
  }
})

describe("Prd.wholeAnswer", () => {
  it("is all of the answer, without marks at its ends", () => {
    assert.deepStrictEqual(Prd.wholeAnswer(lines("# A plan", "Words.", "[/PRD]", "")), {
      name: "A plan",
      content: "# A plan\nWords.",
    })
    assert.isUndefined(Prd.wholeAnswer("[PRD]\n\n"))
  })
})

describe("Prd.detectComplete", () => {
  it.each<readonly [string, string, string | undefined]>([
    ["a document between markers", lines(marked("# PRD: X", "x"), "And n"), "X"],
    ["a document whose markers were complete at the end", marked("# PRD: X", "x"), "X"],
    ["no document that lacks its end", lines("[PRD]", "# PRD: X", "x"), undefined],
    ["no document below a heading", document("X", "x"), undefined],
    ["no document that ends in a fence", marked("# PRD: X", "```", "code"), undefined],
  ])("finds %s in an answer that was interrupted", (_, answer, name) => {
    assert.strictEqual(Prd.detectComplete(answer)?.name, name)
  })
})

describe("Prd.fileName", () => {
  it.each([
    ["Dark Mode", "prd-dark-mode.md"],
    ["日本語", "prd-日本語.md"],
    ["🚀", "prd-untitled.md"],
    ["", "prd-untitled-feature.md"],
    [`${"a".repeat(59)} b`, `prd-${"a".repeat(59)}.md`],
    ["𠮷".repeat(200), `prd-${"𠮷".repeat(30)}.md`],
    [`a${"𠮷".repeat(200)}`, `prd-a${"𠮷".repeat(29)}.md`],
  ])("is never without a name, nor too long: of %j it is %j", (name, file) => {
    assert.strictEqual(Prd.fileName(name), file)
  })
})

describe("PRD_SYSTEM_PROMPT", () => {
  it("begins as specified", () => {
    assert.isTrue(PRD_SYSTEM_PROMPT.startsWith("You are helping create a Product Requirements Document (PRD)"))
  })

  it("asks with lettered options, one set at a time, and for the whole document between markers", () => {
    for (const words of [
      "lettered options (A, B, C, D)",
      "one set",
      "[PRD]",
      "[/PRD]",
      "context is sufficient",
      Prd.submission,
    ]) {
      assert.include(PRD_SYSTEM_PROMPT, words)
    }
  })

  it("contains no document that would be detected if a model repeats it", () => {
    assert.isUndefined(Prd.detect(PRD_SYSTEM_PROMPT))
  })
})
