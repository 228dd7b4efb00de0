/** Edits of a user and of a model to one text, in any order. */
import { assert } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import * as Files from "../../src/code/Files.ts"
import * as Saves from "../../src/conversation/document/Saves.ts"
import * as TextFile from "../../src/conversation/document/TextFile.ts"
import * as Document from "../../src/conversation/modes/Document.ts"
import * as Message from "../../src/message/Message.ts"
import type { Request } from "../../src/model/Request.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import { isThorough } from "../thoroughness.ts"
import { withScript } from "./Looms.ts"

export const INTERLEAVINGS = isThorough ? 500 : 5

export const path = "/here/plan.md"

/** Where in a text, in thousandths of its length. */
export const place = FastCheck.nat({ max: 1000 })

/** The person opens the file, types something somewhere, or takes some of it away, and saves. */
export const save = FastCheck.record({
  type: FastCheck.constantFrom("types" as const, "types" as const, "erases" as const),
  place,
  length: FastCheck.nat({ max: 6 }),
  ending: FastCheck.constantFrom("", "\n", " ", "\n\n"),
})

/** Changes of the model to its version of the text, which remove nothing that the user has typed. */
export const rewriting = FastCheck.record({
  how: FastCheck.constantFrom("replaces" as const, "drops" as const, "adds" as const),
  place,
})

export const saves = FastCheck.array(save, { maxLength: 2 })

export const turn = FastCheck.record({
  before: saves,
  /** While the model thinks. */
  meanwhile: saves,
  /** Just before the file is replaced. */
  late: saves,
  rewritings: FastCheck.array(rewriting, { minLength: 1, maxLength: 3 }),
  /** The whole text anew, or a place of it. */
  isWhole: FastCheck.boolean(),
  isReadOnly: FastCheck.constantFrom(false, false, true),
})

export type Save = typeof save extends FastCheck.Arbitrary<infer A> ? A : never

export type Rewriting = typeof rewriting extends FastCheck.Arbitrary<infer A> ? A : never

export type Turn = typeof turn extends FastCheck.Arbitrary<infer A> ? A : never

/** Characters that only the person types, each once. */
export const isTyped = (text: string) => /[\u4e00-\u9fff]/.test(text)

export const rewrite = (text: string, { how, place }: Rewriting) => {
  const lines = text.split("\n")
  const index = Math.min(lines.length - 1, Math.floor((lines.length * place) / 1000))
  if (how === "adds") return lines.toSpliced(index, 0, "model").join("\n")
  if (isTyped(lines[index] ?? "")) return text
  return lines.toSpliced(index, 1, ...(how === "drops" ? [] : ["model"])).join("\n")
}

export const shownIn = ({ messages }: Request) => {
  const last = messages.at(-1)
  const [, shown = ""] = /^\[current prompt: "(.*)"\]$/s.exec(last === undefined ? "" : Message.text(last)) ?? []
  return shown
}

/** The person rests, and the file can be written. */
export const last: Turn = {
  before: [],
  meanwhile: [],
  late: [],
  rewritings: [{ how: "adds", place: 0 }],
  isWhole: true,
  isReadOnly: false,
}

/** The disk, the person at it, and what they have typed and not erased. */
export const person = () => {
  const files = Files.makeMemory({ [path]: "one\ntwo\nthree\nfour\n" })
  const typed = new Set<string>()
  let next = 0x4e00
  const read = () => new TextDecoder().decode(Effect.runSync(files.readReal(path, 1_000_000)).bytes)
  const saves = (all: ReadonlyArray<Save>) => {
    for (const { ending, length, place, type } of all) {
      const text = read()
      const index = Math.floor((text.length * place) / 1000)
      if (type === "erases") for (const character of text.slice(index, index + length)) typed.delete(character)
      const character = String.fromCharCode(next++)
      if (type === "types") typed.add(character)
      const [put, past] = type === "types" ? [character + ending, 0] : ["", length]
      Effect.runSync(files.write(path, text.slice(0, index) + put + text.slice(index + past)))
    }
  }
  return { files, typed, read, saves }
}

export const interleaved = (turns: ReadonlyArray<Turn>) =>
  Effect.gen(function* () {
    const { files, read, saves, typed } = person()
    let late: ReadonlyArray<Save> = []
    let isReadOnly = false
    const service: Files.Service = {
      ...files,
      write: (path, text, over) => {
        saves(late)
        late = []
        return isReadOnly ? files.write("/nowhere/plan.md", text) : files.write(path, text, over)
      },
    }
    let turn = last
    let asked: Request | undefined
    const model = yield* Scripted.make((request, index) => {
      asked = request
      if (index % 2 === 1) return "Done."
      saves(turn.meanwhile)
      late = turn.late
      isReadOnly = turn.isReadOnly
      const shown = shownIn(request)
      const text = turn.rewritings.reduce(rewrite, shown)
      if (turn.isWhole || shown === "") return Scripted.calls(["revise_document", { text }])
      return Scripted.calls(["revise_document", { edits: [{ find: shown, replace: text }] }])
    })
    const file = yield* TextFile.open(path).pipe(Effect.provideService(Files.Files, service))
    const kind = yield* Document.make({ file, systemPrompt: "" }).pipe(Effect.provide(Saves.layerSilent))
    const { send: say } = yield* kind.open({
      from: undefined,
      model,
      tools: ToolRegistry.make([]),
      show: () => Effect.void,
    })
    for (const [index, next] of [...turns, last].entries()) {
      turn = next
      saves(next.before)
      yield* say(`turn ${index}`, {
        onEvent: () => Effect.void,
        messageStored: () => Effect.void,
        meanwhile: Effect.succeed(""),
      })
      for (const character of typed) assert.include(read(), character)
    }
    // What could not be written before is there by now, what the model did last among it.
    assert.include(read(), "model")
    // And the model has been told it as it is, in the last request of that turn.
    assert.strictEqual(asked === undefined ? "" : shownIn(asked), read())
  }).pipe(Effect.scoped, withScript([]))
