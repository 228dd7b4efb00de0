import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import * as AnswerSchema from "../../../src/cli/ask/AnswerSchema.ts"
import { firstCodeBlock } from "../../../src/cli/ask/AnswerSchema.ts"
import * as NodeFiles from "../../../src/code/Files/Node.ts"
import { temporaryFolder } from "../../disk/TemporaryFolder.ts"

const person = {
  type: "object",
  properties: { name: { type: "string" }, born: { type: "integer" } },
  required: ["name"],
  additionalProperties: false,
}

const open = (text: string) =>
  Effect.gen(function* () {
    const file = path.join(yield* temporaryFolder, "schema.json")
    fs.writeFileSync(file, text)
    return yield* AnswerSchema.open(file)
  }).pipe(Effect.provide(NodeFiles.layer))

describe("AnswerSchema.read", () => {
  it.scoped.each<readonly [string, string]>([
    ['{"name":"Ada"}', '{"name":"Ada"}'],
    ['\n {"name": "Ada"} \n', '{"name": "Ada"}'],
    ['```json\n{"name":"Ada"}\n```', '{"name":"Ada"}'],
    ['```\n{\n  "name":"Ada"\n}\n```\n', '{\n  "name":"Ada"\n}'],
  ])("finds the JSON in %j", ([answer, json]) =>
    Effect.gen(function* () {
      const { read } = yield* open(JSON.stringify(person))
      assert.strictEqual(yield* read(answer), json)
    }),
  )

  it.scoped.each<readonly [string, string]>([
    ["Her name is Ada.", "it is no JSON"],
    ["", "it is no JSON"],
    ["{}", "name"],
    ['{"name":1}', "name"],
    ['{"name":"Ada","born":"1815"}', "born"],
    ['{"name":"Ada","age":36}', "age"],
    ["null", "object"],
  ])("says what is wrong with %j", ([answer, word]) =>
    Effect.gen(function* () {
      const { read } = yield* open(JSON.stringify(person))
      const error = yield* Effect.flip(read(answer))
      assert.strictEqual(error._tag, "InvalidAnswer")
      assert.include(error.message, word)
    }),
  )
})

describe("AnswerSchema, of what is nested too deeply", () => {
  it.scoped("refuses such an answer", () =>
    Effect.gen(function* () {
      const { read } = yield* open("{}")
      const error = yield* Effect.flip(read("[".repeat(20_000) + "]".repeat(20_000)))
      assert.strictEqual(error.message, "the answer is not valid by the schema: it is nested more than 256 levels deep")
    }),
  )

  it.scoped("refuses such a schema", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(open(`${'{"not":'.repeat(20_000)}{}${"}".repeat(20_000)}`))
      assert.include(error.message, "schema.json: cannot be used: it is nested more than 256 levels deep")
    }),
  )
})

describe("AnswerSchema.open", () => {
  it.scoped("puts the schema into the instruction", () =>
    Effect.gen(function* () {
      const { form } = yield* open(JSON.stringify(person, null, 2))
      assert.include(form, JSON.stringify(person))
    }),
  )

  it.scoped.each<readonly [string, string]>([
    ["{", "is no JSON"],
    ["[]", "is no JSON Schema"],
    ['"string"', "is no JSON Schema"],
    ['{"$ref":"#/$defs/none"}', 'cannot be used: #/$ref: nothing is there by the name "#/$defs/none"'],
    ['{"properties":{"name":{"type":"strng"}}}', 'cannot be used: #/properties/name/type: there is no type "strng"'],
    ['{"$ref":"#"}', "cannot be used: #: its references lead in a circle"],
    ['{"$recursiveRef":"#"}', "cannot be used: its references lead in a circle"],
  ])("says what is wrong with a file that holds %j", ([text, word]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(open(text))
      assert.strictEqual(error._tag, "UsageError")
      assert.include(error.message, word)
    }),
  )
})

describe("CodeBlock.first", () => {
  it.each<readonly [what: string, answer: string, code: string | undefined]>([
    ["what is in the fence, and nothing around it", "So:\n\n```sh\nls -l\n\npwd\n```\nThat is it.", "ls -l\n\npwd\n"],
    ["the first of several", "```\na\n```\n```\nb\n```", "a\n"],
    ["a fence of tildes, in which one of backticks is code", "~~~md\n```\na\n```\n~~~", "```\na\n```\n"],
    ["a longer fence, in which a shorter one is code", "````\n```\na\n```\n`````", "```\na\n```\n"],
    ["what is indented no more than its fence without that", "  ```py\n  if a:\n    b\n c\n  ```", "if a:\n  b\nc\n"],
    ["what ends in CRLF", "```\r\na\r\n```\r\n", "a\r\n"],
    ["what is not closed up to the end", "```\na\n``", "a\n``"],
    ["nothing of an empty block", "```\n```", ""],
    ["no code in words", "Use `a` or ``b``.", undefined],
    ["no code between backticks on a line", "```a``` and\nb", undefined],
    ["no code in what is a quarter of a line to the right", "    ```\n    a\n    ```", undefined],
  ])("finds %s", (_, answer, code) => assert.strictEqual(firstCodeBlock(answer), code))

  it.prop(
    "gives back any lines that were put into a fence long enough",
    [FastCheck.array(FastCheck.string())],
    ([lines]) => {
      const code = lines.map((line) => line.replaceAll(/[\r\n]/g, "")).join("\n")
      const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map(({ length }) => length))
      const fence = "`".repeat(longest + 1)
      assert.strictEqual(firstCodeBlock(`Here:\n${fence}text\n${code}\n${fence}\n`), `${code}\n`)
    },
  )
})
