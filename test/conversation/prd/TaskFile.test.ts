import { assert, describe, it } from "@effect/vitest"
import * as PrdJson from "../../../src/conversation/prd/PrdJson.ts"
import * as TaskFile from "../../../src/conversation/prd/TaskFile.ts"

const content = (title: string) => `# PRD: A\n\n### US-001: ${title}\n\nIt is so.\n`

const made = (title: string) =>
  TaskFile.text(PrdJson.make(content(title), { createdAt: "2026-01-01T00:00:00.000Z", sourcePrd: "tasks/prd-a.md" }))

describe("TaskFile", () => {
  it("is JSON that ends with a line break", () => {
    assert.match(made("One"), /^\{\n {2}"name": "A",\n/)
    assert.isTrue(made("One").endsWith("}\n"))
  })

  it("is called prd.json, and after the document where that is taken", () => {
    assert.deepStrictEqual(TaskFile.names("Dark Mode").slice(0, 3), [
      "prd.json",
      "prd-dark-mode.json",
      "prd-dark-mode-2.json",
    ])
  })

  it("counts stories", () => {
    assert.deepStrictEqual([0, 1, 2].map(TaskFile.countStories), ["0 user stories", "1 user story", "2 user stories"])
  })

  it("recognises what it has made of this document or an earlier one, whenever that was", () => {
    const holding = TaskFile.makeClassifier(content("Two"), [content("One")])
    assert.deepStrictEqual(
      [made("Two"), made("One"), made("Three"), made("One").replace("false", "true"), "{}", "no JSON"].map(holding),
      ["same", "ours", "foreign", "foreign", "foreign", "foreign"],
    )
  })
})
