import { type Schema, Validator } from "@cfworker/json-schema"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { IndexEntry, type Purpose } from "../../src/index/IndexEntry.ts"
import * as PurposeMerge from "../../src/index/PurposeMerge.ts"
import { NOTHING } from "../../src/index/Purposes.ts"
import * as Findings from "../../src/review/Findings.ts"
import * as Sarif from "../../src/review/Sarif.ts"
import * as SymbolDiff from "../../src/review/SymbolDiff.ts"
import type { SymbolVersion } from "../../src/review/SymbolVersion.ts"
import { lineFor, versionsOf } from "./outlined.ts"

const path = "src/a.ts"
const sum = "/** x */\nexport function sum(one: number, other: number) {\n  return one + other\n}\n"
const shop = (body: string) => `export class Shop {\n  sell(item: string) {\n    ${body}\n  }\n}\n`

/** The entry that an index with these purposes would have. */
const entryWith =
  (purpose: (symbol: SymbolVersion) => Purpose | undefined) =>
  (symbol: SymbolVersion): IndexEntry =>
    new IndexEntry({
      path: symbol.path,
      name: symbol.name,
      container: symbol.container,
      kind: symbol.kind,
      startLine: symbol.startLine,
      endLine: symbol.endLine,
      signature: symbol.signature,
      exported: true,
      usedBy: 0,
      isMajor: symbol.majorWhen === "always",
      hash: symbol.hash,
      purpose: purpose(symbol),
    })

interface Change {
  readonly before: string
  readonly after: string
  /** What models wrote of the source before, by symbol. */
  readonly purposes?: Readonly<Record<string, string>>
  /** The purpose in the index afterwards; by default that of the text, which is stale after a change. */
  readonly entryOf?: Findings.Known["entryOf"]
  readonly class?: "code" | "test"
}

const find = ({ after, before, class: fileClass = "code", entryOf, purposes = {} }: Change) =>
  Effect.gen(function* () {
    const lines = yield* Effect.forEach(Object.entries(purposes), ([symbol, text]) =>
      lineFor(path, before, symbol, text),
    )
    const changes = SymbolDiff.compare([
      {
        path,
        before: yield* versionsOf(path, before, lines.join("")),
        after: yield* versionsOf(path, after, lines.join("")),
      },
    ])
    return Findings.find(
      { changes },
      { entryOf: entryOf ?? entryWith(({ purpose }) => purpose), classOf: () => fileClass },
      [],
    )
  })

const told = (findings: ReadonlyArray<Findings.Finding>) =>
  findings.map(({ level, line, message, rule }) => `${level} ${rule} ${line} ${message}`)

describe("Findings.find", () => {
  it.effect("finds a purpose of the source before, at the first line that differs", () =>
    Effect.gen(function* () {
      const change = { before: sum, after: sum.replace("+ other", "- other"), purposes: { sum: "Adds two numbers." } }
      assert.deepStrictEqual(told(yield* find(change)), [
        "warning stale-purpose 3 the body of function sum has changed since its purpose was written: Adds two numbers.",
      ])
    }),
  )

  it.effect("finds nothing where the purpose was written anew, was none of a model's, or was stale before", () =>
    Effect.gen(function* () {
      const change = { before: sum, after: sum.replace("+", "-"), purposes: { sum: "Adds two numbers." } }
      const fresh: Purpose = { text: "Subtracts.", origin: "model", model: "m", node: "n", stale: false }
      assert.deepStrictEqual(yield* find({ ...change, entryOf: entryWith(() => fresh) }), [])
      assert.deepStrictEqual(yield* find({ before: change.before, after: change.after }), [])
      const longAgo = yield* lineFor(path, sum.replace("+", "*"), "sum", "Multiplies.")
      const [before, after] = [yield* versionsOf(path, sum, longAgo), yield* versionsOf(path, change.after, longAgo)]
      const known: Findings.Known = { entryOf: entryWith(({ purpose }) => purpose), classOf: () => "code" }
      assert.deepStrictEqual(Findings.find({ changes: SymbolDiff.compare([{ path, before, after }]) }, known, []), [])
    }),
  )

  it.effect("finds a stale purpose behind a comment that was there before, and none behind a new one", () =>
    Effect.gen(function* () {
      const documented = sum.replace("x", "Adds up the prices of a basket.")
      const purposes = { sum: "Adds two numbers." }
      const after = documented.replace("one: number", "one: bigint")
      assert.deepStrictEqual(told(yield* find({ before: documented, after, purposes })), [
        "warning stale-purpose 2 the signature of function sum has changed since its purpose was written: Adds two numbers. (its comment is shown meanwhile)",
      ])
      assert.deepStrictEqual(yield* find({ before: sum, after, purposes }), [])
    }),
  )

  it.effect("notes a class whose members alone have changed", () =>
    Effect.gen(function* () {
      const findings = yield* find({
        before: shop("return item"),
        after: shop("return item.trim()"),
        purposes: { Shop: "Sells.", "Shop.sell": "Sells one item." },
      })
      assert.deepStrictEqual(told(findings), [
        "note stale-purpose 3 members of class Shop have changed since its purpose was written: Sells.",
        "warning stale-purpose 3 the body of method Shop.sell has changed since its purpose was written: Sells one item.",
      ])
    }),
  )

  it.effect("finds the purpose of a symbol that has another name by now", () =>
    Effect.gen(function* () {
      const findings = yield* find({
        before: sum,
        after: sum.replace("function sum", "function total"),
        purposes: { sum: "Adds two numbers." },
      })
      assert.deepStrictEqual(told(findings), [
        "warning stale-purpose 2 function total was sum when its purpose was written: Adds two numbers.",
      ])
    }),
  )

  it.effect("finds nothing about a symbol of which a model had nothing to say, be it new or changed", () =>
    Effect.gen(function* () {
      const after = sum.replace("+ other", "- other")
      assert.deepStrictEqual(yield* find({ before: sum, after, purposes: { sum: NOTHING } }), [])
      const entryOf: Findings.Known["entryOf"] = (version) => {
        const entry = entryWith(() => undefined)(version)
        return entry === undefined ? undefined : new IndexEntry({ ...entry, isSelfExplanatory: true })
      }
      assert.deepStrictEqual(yield* find({ before: "", after: sum, entryOf }), [])
    }),
  )

  it.effect("notes major symbols that are new and have no purpose, in code", () =>
    Effect.gen(function* () {
      const change = { before: "", after: `${sum}const minor = 1\n${shop("return item")}` }
      assert.deepStrictEqual(told(yield* find(change)), [
        "note missing-purpose 2 function sum is new and has no purpose",
        "note missing-purpose 6 class Shop is new and has no purpose",
        "note missing-purpose 7 method Shop.sell is new and has no purpose",
      ])
      assert.deepStrictEqual(yield* find({ ...change, class: "test" }), [])
    }),
  )

  it.effect("finds nothing about a purpose that a comment said, whatever becomes of the comment", () =>
    Effect.gen(function* () {
      const before = sum.replace("x", "Adds up the prices of a basket.")
      const body = before.replace("+ other", "- other")
      const withoutComment = body.slice(body.indexOf("export"))
      const renamed = before.replace("function sum", "function total")
      for (const after of [body, withoutComment, renamed]) {
        assert.deepStrictEqual(yield* find({ before, after }), [], after)
        // As in an index that has no purpose of it any more.
        assert.deepStrictEqual(yield* find({ before, after, entryOf: entryWith(() => undefined) }), [], after)
      }
    }),
  )

  it.effect("is in order of paths, then of lines, however the changes are ordered", () =>
    Effect.gen(function* () {
      const source = `${sum}${sum.replaceAll("sum", "total")}`
      const changed = source.replaceAll("+ other", "- other")
      const comparisons = yield* Effect.forEach(["b.ts", "a.ts", "B.ts", "c.ts"], (file) =>
        Effect.gen(function* () {
          const lines = yield* Effect.forEach(["sum", "total"], (symbol) =>
            lineFor(file, source, symbol, "Calculates."),
          )
          return {
            path: file,
            before: yield* versionsOf(file, source, lines.join("")),
            after: yield* versionsOf(file, changed, lines.join("")),
          }
        }),
      )
      const known: Findings.Known = { entryOf: entryWith(({ purpose }) => purpose), classOf: () => "code" }
      const changes = SymbolDiff.compare(comparisons)
      const expected = ["B.ts:3", "B.ts:7", "a.ts:3", "a.ts:7", "b.ts:3", "b.ts:7", "c.ts:3", "c.ts:7"]
      for (const shuffled of [changes, changes.toReversed(), [...changes.slice(3), ...changes.slice(0, 3)]]) {
        const findings = Findings.find({ changes: shuffled }, known, [])
        assert.deepStrictEqual(
          findings.map(({ line, path }) => `${path}:${line}`),
          expected,
        )
      }
    }),
  )

  it("finds flaws of the files of purposes, each at its path", () => {
    const flaws = PurposeMerge.findFlaws("<<<<<<< HEAD\n=======\n>>>>>>> main\n{\n")
    const known: Findings.Known = { entryOf: () => undefined, classOf: () => undefined }
    const files = [
      { path: ".vibe/purposes.jsonl", flaws: [], isUnmerged: true },
      { path: ".vibe/purposes/src.jsonl", flaws, isUnmerged: false },
    ]
    assert.deepStrictEqual(
      Findings.find({ changes: [] }, known, files).map(({ line, message, path, rule }) => [rule, path, line, message]),
      [
        [
          "unmerged-purposes",
          ".vibe/purposes.jsonl",
          1,
          "a merge has left it with a conflict, and lines of one side may be missing",
        ],
        ["conflict-markers", ".vibe/purposes/src.jsonl", 1, "3 lines with markers of a merge conflict"],
        ["damaged-purpose", ".vibe/purposes/src.jsonl", 4, "a line is no purpose"],
      ],
    )
  })
})

/** An object with these properties and no others, all of them required but for the optional ones. */
const object = (properties: Record<string, Schema>, optional: ReadonlyArray<string> = []): Schema => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
})
const list = (items: Schema): Schema => ({ type: "array", items })
const text: Schema = { type: "string", minLength: 1 }
const message = object({ text })
const level = { enum: ["none", "note", "warning", "error"] }

/**
 * What the specification asks of the objects that are used here (sections 3.13, 3.14, 3.19, 3.27, 3.28, 3.29, 3.30,
 * 3.33 and 3.49 of SARIF 2.1.0), and nothing of what is not used.
 */
const sarif = object({
  $schema: { type: "string", format: "uri" },
  version: { const: "2.1.0" },
  runs: list(
    object({
      tool: object({
        driver: object({
          name: text,
          version: { const: "1.2.3" },
          informationUri: { type: "string", format: "uri" },
          rules: list(
            object({
              id: text,
              shortDescription: message,
              help: message,
              defaultConfiguration: object({ level }),
            }),
          ),
        }),
      }),
      columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
      results: list(
        object({
          ruleId: text,
          ruleIndex: { type: "integer", minimum: 0 },
          level,
          message,
          locations: list(
            object(
              {
                physicalLocation: object({
                  artifactLocation: object({
                    uri: { type: "string", format: "uri-reference" },
                    uriBaseId: text,
                  }),
                  region: object({ startLine: { type: "integer", minimum: 1 } }),
                }),
                logicalLocations: list(object({ name: text, fullyQualifiedName: text })),
              },
              ["logicalLocations"],
            ),
          ),
          partialFingerprints: { type: "object", additionalProperties: { type: "string" } },
        }),
      ),
    }),
  ),
})

describe("Sarif.toSarif", () => {
  const finding: Findings.Finding = {
    rule: "stale-purpose",
    level: "warning",
    path: "src/a b/ü#1.ts",
    line: 3,
    symbol: undefined,
    message: "the body of function sum has changed",
    purpose: undefined,
  }

  it.effect("is a log by the specification, with a rule for each result", () =>
    Effect.gen(function* () {
      const [stale] = yield* find({ before: sum, after: sum.replace("+", "-"), purposes: { sum: "Adds two numbers." } })
      assert.isDefined(stale)
      for (const findings of [[], [finding], stale === undefined ? [] : [stale, finding]]) {
        const { errors, valid } = new Validator(sarif, "2020-12", false).validate(Sarif.toSarif(findings, "", "1.2.3"))
        assert.isTrue(valid, JSON.stringify(errors))
      }
      const log = JSON.stringify(Sarif.toSarif(stale === undefined ? [] : [stale], "", "1.2.3"))
      assert.include(log, '"ruleId":"stale-purpose","ruleIndex":0,"level":"warning"')
      assert.include(log, '"fullyQualifiedName":"sum"')
    }),
  )

  it("names files from the top of the repository, as in URLs", () => {
    assert.include(
      JSON.stringify(Sarif.toSarif([finding], "packages/a", "1.2.3")),
      '"uri":"packages/a/src/a%20b/%C3%BC%231.ts","uriBaseId":"%SRCROOT%"',
    )
  })

  it("gives a finding the same fingerprint wherever its lines move", () => {
    const fingerprintOf = (line: number) =>
      /"partialFingerprints":(\{.*?\})/.exec(JSON.stringify(Sarif.toSarif([{ ...finding, line }], "", "1.2.3")))?.[1]
    assert.isDefined(fingerprintOf(3))
    assert.strictEqual(fingerprintOf(3), fingerprintOf(30))
  })
})
