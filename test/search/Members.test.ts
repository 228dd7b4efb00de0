import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Members from "../../src/search/Members.ts"

/** A ranked symbol of this qualified name. The number is its score. */
const answer = (
  score: number,
  qualifiedName: string,
  { file = 1, kind = "method", nameMatch = undefined as string | undefined } = {},
): Members.Answer => ({
  score,
  nameMatch,
  row: { file, kind, name: qualifiedName.slice(qualifiedName.lastIndexOf(".") + 1), qualifiedName },
})
const names = (answers: ReadonlyArray<Members.Answer>) => answers.map(({ row }) => row.qualifiedName)

describe("Members.spread", () => {
  const session = ["get", "post", "put", "head"].map((name, n) => answer(9 - n, `Session.${name}`))
  const send = answer(1, "send", { kind: "function" })

  it("shows two members of a class among other answers, and the rest after those", () => {
    assert.deepStrictEqual(names(Members.spread([...session, send], "how is a request sent")), [
      "Session.get",
      "Session.post",
      "send",
      "Session.put",
      "Session.head",
    ])
  })

  it("shows all members of a class that the question names", () => {
    const all = [...session, send]
    assert.deepStrictEqual(names(Members.spread(all, "the methods of Session")), names(all))
    assert.notDeepEqual(names(Members.spread(all, "what a session does")), names(all))
  })

  it("leaves a member that the question names in its place", () => {
    const put = answer(7, "Session.put", { nameMatch: "mentioned" })
    const [get = put, post = put] = session
    assert.deepStrictEqual(names(Members.spread([get, post, put, send], "x")).slice(0, 3), [
      "Session.get",
      "Session.post",
      "Session.put",
    ])
  })

  it("counts neither the class itself, nor classes of the same name in other files, nor functions of a namespace", () => {
    const all = [
      answer(9, "Session", { kind: "class" }),
      answer(8, "Session.get"),
      answer(7, "Session.post"),
      answer(6, "Session.get", { file: 2 }),
      answer(5, "Session.post", { file: 2 }),
      ...["Util.a", "Util.b", "Util.c"].map((name, n) => answer(4 - n, name, { kind: "function" })),
    ]
    assert.deepStrictEqual(Members.spread(all, "x"), all)
  })

  it.prop(
    "loses no answer, and has no higher score after a lower one",
    [FastCheck.array(FastCheck.tuple(FastCheck.constantFrom("A.x", "A.y", "B.x", "f"), FastCheck.nat(100)))],
    ([generated]) => {
      const ranked = generated.map(([name, score]) => answer(score, name)).sort((one, other) => other.score - one.score)
      const found = Members.spread(ranked, "x")
      assert.deepStrictEqual(names(found).sort(), names(ranked).sort())
      assert.isTrue(found.every(({ score }, n) => n === 0 || score <= (found[n - 1]?.score ?? 0)))
    },
  )
})
