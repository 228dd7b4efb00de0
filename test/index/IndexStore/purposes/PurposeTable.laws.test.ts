import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, Layer } from "effect"
import * as Sqlite from "../../../../src/index/IndexStore/Sqlite.ts"
import type * as IndexStore from "../../../../src/index/IndexStore.ts"
import { temporaryFolder } from "../../../disk/TemporaryFolder.ts"
import { cases } from "../../../thoroughness.ts"
import { symbols, withIndex } from "../../IndexStore.fixture.ts"

const onDisk = Layer.provide(Sqlite.layer, symbols)

const words = FastCheck.array(FastCheck.constantFrom(..."apple banana cherry damson elder fig".split(" ")), {
  minLength: 1,
  maxLength: 6,
}).map((words) => words.join(" "))

const names = Array.from({ length: 9 }, (_, n) => `plant${n}`)

/**
 * Three files with three functions each. `change`: more at the end of each. All change together, so that their former
 * postings are compacted away: until then they count in the frequencies of terms.
 */
const filesOf = (bodies: ReadonlyArray<string>, change = "") =>
  Object.fromEntries(
    [0, 1, 2].map((file) => [
      `src/${file}.ts`,
      names
        .slice(3 * file, 3 * file + 3)
        .map((name, n) => `export function ${name}() {\n  ${bodies[3 * file + n]}\n}\n`)
        .join("") + change,
    ]),
  )

const purposesFile = (root: string) => path.join(root, ".vibe", "purposes.jsonl")

/** The index of a new folder that has these purposes. */
const newIndex = Effect.fnUntraced(function* (
  files: Readonly<Record<string, string>>,
  purposes: string,
  questions: ReadonlyArray<string>,
) {
  const root = yield* temporaryFolder
  fs.mkdirSync(path.dirname(purposesFile(root)))
  fs.writeFileSync(purposesFile(root), purposes)
  return yield* withIndex(root, files, answers(questions))
})

/** The answers to questions, with their scores. */
const answers = (questions: ReadonlyArray<string>) => (index: IndexStore.Index) =>
  Effect.forEach(questions, (question) =>
    Effect.map(index.search(question, { limit: 20 }), (hits) => hits.map(({ entry, score }) => [entry.name, score])),
  )

/** Records what there is of these purposes, in the order of `order`, all `together` or each alone. */
const record = (purposes: ReadonlyArray<string | undefined>, order: ReadonlyArray<number>, how: "together" | "alone") =>
  Effect.fnUntraced(function* (index: IndexStore.Index) {
    const added: Array<IndexStore.NewPurpose> = []
    for (const n of order) {
      const text = purposes[n]
      const [entry] = yield* index.find(names[n] ?? "")
      if (text !== undefined && entry !== undefined) added.push({ entry, text, model: "scripted/test", node: "n-1" })
    }
    if (how === "together") return yield* index.record(added)
    for (const purpose of added) yield* index.record([purpose])
  })

describe("recorded purposes", () => {
  const many = { minLength: names.length, maxLength: names.length }
  const generated = FastCheck.record({
    bodies: FastCheck.array(words, many),
    purposes: FastCheck.array(FastCheck.option(words, { nil: undefined }), many),
    order: FastCheck.shuffledSubarray(Array.from(names.keys()), many),
    questions: FastCheck.array(words, { minLength: 3, maxLength: 3 }),
  })

  it.scoped.prop(
    "give the same answers recorded one by one, all at once, after a change of the files, and in a new index",
    [generated],
    ([{ bodies, order, purposes, questions }]) =>
      Effect.gen(function* () {
        const [one, other] = [yield* temporaryFolder, yield* temporaryFolder]
        const [files, changed] = [filesOf(bodies), filesOf(bodies, "// apple and fig\n")]
        const ask = answers(questions)
        const alone = yield* withIndex(one, files, (index) =>
          Effect.zipRight(record(purposes, order, "alone")(index), ask(index)),
        )
        const together = yield* withIndex(other, files, (index) =>
          Effect.zipRight(record(purposes, Array.from(names.keys()), "together")(index), ask(index)),
        )
        assert.deepStrictEqual(alone, together)
        const text = fs.existsSync(purposesFile(one)) ? fs.readFileSync(purposesFile(one), "utf8") : ""
        assert.deepStrictEqual(yield* newIndex(files, text, questions), alone)
        assert.deepStrictEqual(yield* withIndex(one, changed, ask), yield* newIndex(changed, text, questions))
      }).pipe(Effect.provide(onDisk)),
    { fastCheck: { numRuns: cases(10), seed: 1 } },
  )

  it.scoped.prop(
    "leave nothing behind when all are removed",
    [generated],
    ([{ bodies, order, purposes, questions }]) =>
      Effect.gen(function* () {
        const root = yield* temporaryFolder
        const files = filesOf(bodies)
        const before = yield* withIndex(root, files, answers(questions))
        yield* withIndex(root, files, record(purposes, order, "alone"))
        fs.writeFileSync(purposesFile(root), "")
        assert.deepStrictEqual(yield* withIndex(root, files, answers(questions)), before)
      }).pipe(Effect.provide(onDisk)),
    { fastCheck: { numRuns: cases(10), seed: 1 } },
  )
})
