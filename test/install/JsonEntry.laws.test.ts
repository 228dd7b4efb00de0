import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Either from "effect/Either"
import { parse } from "jsonc-parser"
import * as JsonEntry from "../../src/install/JsonEntry.ts"
import { cases } from "../thoroughness.ts"

const { array, boolean, constantFrom, oneof, record, string, tuple, uniqueArray } = FastCheck

const path = ["mcpServers", "vibe"]
const options = { comments: true }

const space = constantFrom(
  "",
  " ",
  "\n",
  "\n  ",
  "\r\n\t",
  "  ",
  " // note, { [ }\n",
  "/* , } */",
  '\n    // "x\n    ',
  "/*\n*/ ",
)

const scalar = oneof(
  constantFrom("1", "-2.5e3", "true", "null", '"}"', '"// no comment"', '"a, \\"b\\""', '"\\u00e9"'),
  string({ maxLength: 8 }).map((text) => JSON.stringify(text)),
)

const list = tuple(array(tuple(space, scalar, space), { maxLength: 3 }), space).map(
  ([items, empty]) => `[${items.length === 0 ? empty : items.map((item) => item.join("")).join(",")}]`,
)

interface Member {
  readonly key: string
  readonly value: string
  readonly spaces: readonly [string, string, string, string]
}

const objectOf = (members: ReadonlyArray<Member>, empty: string, trailing: boolean, end: string): string => {
  if (members.length === 0) return `{${empty}}`
  const texts = members.map(({ key, spaces: [a, b, c, d], value }) => `${a}${JSON.stringify(key)}${b}:${c}${value}${d}`)
  return `{${texts.join(",")}${trailing ? "," : ""}${end}}`
}

const memberOf = (value: FastCheck.Arbitrary<string>, keys: FastCheck.Arbitrary<string>) =>
  record({ key: keys, value, spaces: tuple(space, space, space, space) })

const object = (value: FastCheck.Arbitrary<string>, keys: FastCheck.Arbitrary<string>) =>
  tuple(uniqueArray(memberOf(value, keys), { selector: ({ key }) => key, maxLength: 4 }), space, boolean(), space).map(
    ([members, empty, trailing, end]) => objectOf(members, empty, trailing, end),
  )

const otherKeys = constantFrom("git", "a b", "", "//", "theme", "projects")
const servers = object(oneof(scalar, list, object(scalar, otherKeys)), otherKeys)

/** A text with or without servers, in any layout. */
const documents = tuple(
  uniqueArray(memberOf(oneof(scalar, list, object(scalar, otherKeys)), otherKeys), {
    selector: ({ key }) => key,
    maxLength: 3,
  }),
  oneof(
    servers.map((value) => [value]),
    constantFrom<Array<string>>([]),
  ),
  tuple(space, space, space, space),
  FastCheck.nat(3),
  tuple(space, boolean(), space, space, space),
  boolean(),
).map(([members, [own], spaces, place, [empty, trailing, end, before, after], hasMark]) => {
  const all = own === undefined ? members : members.toSpliced(place, 0, { key: "mcpServers", value: own, spaces })
  return `${hasMark ? "\ufeff" : ""}${before}${objectOf(all, empty, trailing, end)}${after}`
})

const entries = record({
  command: constantFrom("npx", "/opt/node bin/node", 'C:\\Program Files\\"node".exe'),
  args: array(constantFrom("-y", "vibe-index", "mcp", "${workspaceFolder}"), { maxLength: 3 }),
})

const right = <A, E>(either: Either.Either<A, E>): A => Either.getOrThrow(either)

const parsed = (text: string) => parse(text.replace(/^\ufeff/, ""), [], { allowTrailingComma: true })

describe("JsonEntry", () => {
  it("takes back exactly what it has put in", () => {
    FastCheck.assert(
      FastCheck.property(documents, entries, (text, entry) => {
        const installed = right(JsonEntry.put(text, path, entry, options))
        assert.strictEqual(right(JsonEntry.remove(installed, path, options)), text)
      }),
      { numRuns: cases(600) },
    )
  })

  it("adds the entry, and changes no other value and no order", () => {
    FastCheck.assert(
      FastCheck.property(documents, entries, (text, entry) => {
        const { mcpServers, ...others } = parsed(right(JsonEntry.put(text, path, entry, options)))
        const { mcpServers: before = {}, ...othersBefore } = parsed(text)
        assert.strictEqual(JSON.stringify(others), JSON.stringify(othersBefore))
        assert.strictEqual(JSON.stringify(mcpServers), JSON.stringify({ ...before, vibe: entry }))
      }),
      { numRuns: cases(400) },
    )
  })

  it("removes no character: what it adds stands between those that were there", () => {
    FastCheck.assert(
      FastCheck.property(documents, entries, (text, entry) => {
        const installed = right(JsonEntry.put(text, path, entry, options))
        let at = 0
        for (const character of installed) if (character === text[at]) at += 1
        assert.strictEqual(at, text.length)
      }),
    )
  })

  it("puts in the same entry once", () => {
    FastCheck.assert(
      FastCheck.property(documents, entries, (text, entry) => {
        const once = right(JsonEntry.put(text, path, entry, options))
        assert.strictEqual(right(JsonEntry.put(once, path, entry, options)), once)
      }),
    )
  })

  it("refuses or edits any text, and never fails otherwise", () => {
    FastCheck.assert(
      FastCheck.property(
        oneof(
          string(),
          array(constantFrom("{", "}", "[", "]", '"', ",", ":", "//", "\n", '"mcpServers"')).map((all) => all.join("")),
        ),
        entries,
        (text, entry) => {
          Either.map(JsonEntry.put(text, path, entry, options), (installed) =>
            assert.strictEqual(right(JsonEntry.remove(installed, path, options)), text),
          )
        },
      ),
      { numRuns: cases(400) },
    )
  })
})
