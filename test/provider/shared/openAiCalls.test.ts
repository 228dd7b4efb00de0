import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as ChatCalls from "../../../src/provider/shared/openAiCalls.ts"

const piece = (piece: Partial<ChatCalls.Piece>): ChatCalls.Piece => ({
  index: undefined,
  id: undefined,
  name: undefined,
  arguments: "",
  extra: undefined,
  ...piece,
})

const calls = (...pieces: ReadonlyArray<Partial<ChatCalls.Piece>>) =>
  pieces
    .map(piece)
    .reduce(ChatCalls.appendPiece, [])
    .map(({ arguments: json, id, name }) => [id, name, json])

describe("appendPiece distinguishes calls", () => {
  it("that are numbered, in whatever order their fragments arrive", () => {
    assert.deepStrictEqual(
      calls(
        { index: 0, id: "a", name: "look" },
        { index: 1, id: "b", name: "find" },
        { index: 1, arguments: '{"x"' },
        { index: 0, arguments: "{" },
        { index: 1, arguments: ":1}" },
        { index: 0, arguments: "}" },
      ),
      [
        ["a", "look", "{}"],
        ["b", "find", '{"x":1}'],
      ],
    )
  })

  it("that are numbered from one and repeat their name as an empty string", () => {
    assert.deepStrictEqual(calls({ index: 1, id: "a", name: "look" }, { index: 1, arguments: "{}" }), [
      ["a", "look", "{}"],
    ])
  })

  it("that have their names in pieces", () => {
    assert.deepStrictEqual(
      calls(
        { index: 0, id: "a", name: "read_" },
        { index: 0, name: "file" },
        { index: 0, arguments: "{}" },
        { index: 1, id: "b", name: "look" },
        { index: 1, name: "look", arguments: "{}" },
      ),
      [
        ["a", "read_file", "{}"],
        ["b", "look", "{}"],
      ],
    )
  })

  it("that have ids and no numbers", () => {
    assert.deepStrictEqual(
      calls(
        { id: "a", name: "look", arguments: "{" },
        { id: "b", name: "look", arguments: "{" },
        { id: "a", arguments: "}" },
        { id: "b", arguments: "}" },
      ),
      [
        ["a", "look", "{}"],
        ["b", "look", "{}"],
      ],
    )
  })

  it("that have an id on the first fragment only, and no numbers", () => {
    assert.deepStrictEqual(
      calls(
        { id: "a", name: "look" },
        { arguments: '{"x":' },
        { arguments: "1}" },
        { id: "b", name: "look" },
        { arguments: "{}" },
      ),
      [
        ["a", "look", '{"x":1}'],
        ["b", "look", "{}"],
      ],
    )
  })

  it("that all have the number 0, by their ids", () => {
    assert.deepStrictEqual(
      calls({ index: 0, id: "a", name: "look", arguments: "{}" }, { index: 0, id: "b", name: "look", arguments: "{}" }),
      [
        ["a", "look", "{}"],
        ["b", "look", "{}"],
      ],
    )
  })

  it("that have neither ids nor numbers, though they are equal", () => {
    for (const index of [undefined, 0]) {
      assert.deepStrictEqual(
        calls(
          { index, name: "roll", arguments: '{"sides":6}' },
          { index, name: "roll", arguments: '{"sides":6}' },
          { index, name: "stop" },
        ),
        [
          [undefined, "roll", '{"sides":6}'],
          [undefined, "roll", '{"sides":6}'],
          [undefined, "stop", ""],
        ],
      )
    }
  })

  it("where every fragment repeats name and id", () => {
    assert.deepStrictEqual(
      calls({ index: 0, id: "0", name: "look" }, { index: 0, id: "0", name: "look", arguments: "{}" }),
      [["0", "look", "{}"]],
    )
  })

  it("with arguments that begin with a placeholder `{}`", () => {
    assert.deepStrictEqual(
      calls(
        { index: 0, id: "a", name: "look", arguments: "{}" },
        { index: 0, arguments: '{"x"' },
        { index: 0, arguments: ":{}}" },
      ),
      [["a", "look", '{"x":{}}']],
    )
  })

  it("that have two ids and one number, whose fragments alternate", () => {
    assert.deepStrictEqual(
      calls(
        { index: 0, id: "a", name: "look" },
        { index: 0, id: "b", name: "look" },
        { index: 0, id: "a", arguments: '{"x"' },
        { index: 0, id: "b", name: "look", arguments: '{"y"' },
        { index: 0, id: "a", name: "look", arguments: ":1}" },
        { index: 0, id: "b", arguments: ":2}" },
      ),
      [
        ["a", "look", '{"x":1}'],
        ["b", "look", '{"y":2}'],
      ],
    )
  })

  it.each([0, undefined])("that have one id, each with whole arguments, numbered %j", (index) => {
    const [one, other] = [
      { index, id: "a", name: "look", arguments: '{"x":1}' },
      { index, id: "a", name: "look", arguments: '{"x":2}' },
    ]
    assert.deepStrictEqual(calls(one, other), [
      ["a", "look", '{"x":1}'],
      ["a", "look", '{"x":2}'],
    ])
    assert.deepStrictEqual(calls(one, { ...other, name: "find" })[1], ["a", "find", '{"x":2}'])
    assert.deepStrictEqual(calls(one, other, other), calls(one, other))
  })

  it("and keeps a fragment that belongs to none as a call without a name", () => {
    assert.deepStrictEqual(calls({ arguments: "{}" }), [[undefined, "", "{}"]])
  })

  it.prop(
    "in whatever fragments their arguments arrive",
    [
      FastCheck.array(FastCheck.dictionary(FastCheck.string(), FastCheck.string()), { minLength: 1, maxLength: 4 }),
      FastCheck.boolean(),
    ],
    ([all, numbered]) => {
      const pieces = all.flatMap((parameters, at) => {
        const index = numbered ? at : undefined
        const start = { index, id: `id_${at}`, name: "look" }
        return [start, ...Array.from(JSON.stringify(parameters), (character) => ({ index, arguments: character }))]
      })
      assert.deepStrictEqual(
        pieces
          .map(piece)
          .reduce(ChatCalls.appendPiece, [])
          .map((call) => ChatCalls.parseParameters(call.arguments)),
        all,
      )
    },
  )
})

describe("parseParameters", () => {
  it("parses empty text as no arguments, and nested JSON strings", () => {
    for (const json of ["", " ", "null", "{}", '"{}"', "[]", "[ ]"])
      assert.deepStrictEqual(ChatCalls.parseParameters(json), {})
    assert.deepStrictEqual(ChatCalls.parseParameters('"{\\"a\\":1}"'), { a: 1 })
  })

  it("returns undefined for anything but an object, and for truncated text", () => {
    for (const json of ["[1]", "[{}]", "1", '"a"', '{"a":', "{} {}"])
      assert.isUndefined(ChatCalls.parseParameters(json))
  })
})
