import { assert, describe, it } from "@effect/vitest"
import * as PrdVersions from "../../../src/conversation/prd/PrdVersions.ts"
import type { Draft, Node } from "../../../src/forest/Node.ts"
import * as Block from "../../../src/message/Block.ts"
import { NodeId } from "../../../src/message/NodeId.ts"
import * as Usage from "../../../src/message/Usage.ts"

const ids = { answer: NodeId.make("n-1"), notice: NodeId.make("n-2") }

const nodeOf = (id: NodeId, draft: Draft): Node => ({
  ...draft,
  id,
  root: NodeId.make("r"),
  parent: NodeId.make("r"),
  createdAt: 0,
})

const noticeOf = (text: string, source: Draft["source"] = { type: "notice" }): Node =>
  nodeOf(ids.notice, { message: { role: "system", content: [Block.text(text)] }, source })

const document = "# Dark Mode PRD\n## Goals\nWords."

const answer = nodeOf(ids.answer, {
  message: { role: "assistant", content: [Block.text(`Sure.\n${document}`)] },
  source: { type: "model", model: "test/x", finish: "stop", usage: Usage.none },
})

describe("PrdVersions.readAcceptance", () => {
  it.each([true, false])("reads what it has recorded, with isWhole %s", (isWhole) => {
    const acceptance = { answer: ids.answer, isWhole }
    assert.deepStrictEqual(
      PrdVersions.readAcceptance(nodeOf(ids.notice, PrdVersions.acceptance(acceptance))),
      acceptance,
    )
  })

  it.each([
    ["another notice", noticeOf("[The message above was not answered.]")],
    ["a notice that goes on", noticeOf("[The user accepted all of answer n-1 as the PRD], and more")],
    ["a notice that names no answer", noticeOf("[The user accepted all of answer  as the PRD]")],
    ["what a user has written", noticeOf("[The user accepted all of answer n-1 as the PRD]", { type: "user" })],
    ["an answer", answer],
  ])("reads none in %s", (_, node) => {
    assert.isUndefined(PrdVersions.readAcceptance(node))
  })
})

describe("PrdVersions.versions", () => {
  const accepted = (isWhole: boolean) =>
    PrdVersions.versions([answer, nodeOf(ids.notice, PrdVersions.acceptance({ answer: ids.answer, isWhole }))])

  it("has no version of a doubtful document until it is accepted", () => {
    assert.deepStrictEqual(PrdVersions.versions([answer]), [])
    assert.deepStrictEqual(
      PrdVersions.versions([answer, noticeOf("[The user accepted the PRD of answer n-9 as the PRD]")]),
      [],
    )
  })

  it("has the document alone, or all of the answer, as the user has accepted it", () => {
    const contents = (isWhole: boolean) => accepted(isWhole).map(({ node, prd }) => [node, prd.content])
    assert.deepStrictEqual(contents(false), [[ids.answer, document]])
    assert.deepStrictEqual(contents(true), [[ids.answer, `Sure.\n${document}`]])
  })
})
