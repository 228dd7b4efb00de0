import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Either from "effect/Either"
import { parse } from "smol-toml"
import * as TomlTable from "../../src/install/TomlTable.ts"
import { cases } from "../thoroughness.ts"

const { array, boolean, constantFrom, record, tuple, uniqueArray } = FastCheck

const path = ["mcp_servers", "vibe"]

const blank = constantFrom("", "\n", "# [mcp_servers.vibe]\n", "  \n", '# """\n')

const keys = uniqueArray(
  constantFrom(
    'model = "o" # """',
    'text = """\n[mcp_servers.vibe]\ncommand = \\"""x"""',
    "literal = '''\n[a]\n'''''",
    "list = [ # [\n  [1, 2], # ]\n  3,\n]",
    'inline = { a = "}", b = [1] }',
    "when = 1979-05-27T07:32:00Z",
    '"[odd]" = 1',
    'dotted . "key" = true',
    "empty = ''",
  ),
  { maxLength: 3 },
)

const headers = constantFrom(
  "[mcp_servers.git]",
  "[ profiles . fast ]",
  "[mcp_servers]",
  '[mcp_servers."a.b".env]',
  "[[hooks]]",
)

const texts = tuple(
  keys,
  uniqueArray(record({ header: headers, keys, blank }), { selector: ({ header }) => header, maxLength: 4 }),
  blank,
  boolean(),
  boolean(),
  boolean(),
)
  .map(([first, tables, end, isEnded, isWindows, hasMark]) => {
    const lines = [...first, ...tables.flatMap(({ blank, header, keys }) => [`${blank}${header} # h`, ...keys])]
    const text = `${lines.join("\n")}${isEnded && lines.length > 0 ? `\n${end}` : ""}`
    return `${hasMark ? "\ufeff" : ""}${isWindows ? text.replaceAll("\n", "\r\n") : text}`
  })
  .filter((text) => Either.isRight(TomlTable.read(text, path)))

const entries = record({
  command: constantFrom("npx", "C:\\node.exe", 'a "b"'),
  args: array(constantFrom("-y", "vibe-index", "mcp", "]"), { maxLength: 3 }),
})

const right = <A, E>(either: Either.Either<A, E>): A => Either.getOrThrow(either)

const parsed = (text: string): Record<string, unknown> => parse(text.replace(/^\ufeff/, ""))

describe("TomlTable", () => {
  it("takes back exactly what it has put in", () => {
    FastCheck.assert(
      FastCheck.property(texts, entries, (text, entry) => {
        assert.strictEqual(right(TomlTable.remove(right(TomlTable.put(text, path, entry)), path)), text)
      }),
      { numRuns: cases(400) },
    )
  })

  it("adds the table at the end, changes no other value, and adds it once", () => {
    FastCheck.assert(
      FastCheck.property(texts, entries, (text, entry) => {
        const installed = right(TomlTable.put(text, path, entry))
        assert.isTrue(installed.startsWith(text))
        assert.strictEqual(right(TomlTable.put(installed, path, entry)), installed)
        const [before, after] = [parsed(text), parsed(installed)]
        const servers = { ...(before.mcp_servers ?? {}), vibe: entry }
        assert.deepEqual(after, { ...before, mcp_servers: servers })
      }),
    )
  })
})
