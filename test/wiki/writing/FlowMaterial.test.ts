import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Flow, Plan } from "../../../src/wiki/Plan.ts"
import * as FlowMaterial from "../../../src/wiki/writing/FlowMaterial.ts"
import * as FlowRequest from "../../../src/wiki/writing/FlowRequest.ts"
import * as Material from "../../../src/wiki/writing/Material.ts"
import * as MaterialLimits from "../../../src/wiki/writing/MaterialLimits.ts"
import * as Wiki from "./Wiki.fixture.ts"

/** The message that asks for the flow from a function with so many steps. */
const messageFor = (steps: number) =>
  Effect.gen(function* () {
    const source = `import { send } from "../mail/mail.ts"

/** Closes the shop. */
export function close(): void {
${Array.from({ length: steps }, (_, at) => `  lock(${at})`).join("\n")}
  send("all", "We are closed")
}

function lock(door: number): void {
  console.log(door)
}
`
    const { project } = yield* Wiki.open({ ...Wiki.shop, "src/close/close.ts": source })
    const [start] = yield* project.symbolsIn("src/close/close.ts")
    const flow: Flow = {
      name: "flow-close",
      title: "What happens when the shop closes",
      start: Material.citationOf(start ?? assert.fail("no symbol")),
    }
    const plan: Plan = { parts: project.folders, flows: [flow], undescribed: [] }
    const input = yield* FlowMaterial.gather(project, plan, flow, MaterialLimits.defaults)
    return FlowRequest.messageOf([input ?? assert.fail("no flow")])
  }).pipe(Effect.scoped)

describe("FlowMaterial.gather", () => {
  it.effect("shows the source of the start as a whole, beside those of others", () =>
    Effect.gen(function* () {
      const message = yield* messageFor(200)
      assert.lengthOf(message.match(/^ lock\(\d+\)$/gm) ?? [], 200)
      assert.notInclude(message, "lines cut")
      assert.include(message, "setTimeout(() => deliver(to, text), 0)")
    }),
  )

  it.effect("cuts a start that would leave no room for anything else", () =>
    Effect.gen(function* () {
      const message = yield* messageFor(3_000)
      assert.match(message, /^… \d+ lines cut$/m)
      assert.include(message, "setTimeout(() => deliver(to, text), 0)")
    }),
  )

  it.effect("follows the call that leads to most code before many that only prepare it", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 40 }, (_, at) => `Of${at}`)
      const prepare = names.map(
        (name) =>
          `function prepare${name}(): void {\n  check${name}()\n}\nfunction check${name}(): void {\n  console.log("ready")\n}`,
      )
      const lines = Array.from({ length: 30 }, (_, at) => `  console.log(${at})`).join("\n")
      const source = `/** Runs the shop. */
export function run(): void {
${names.map((name) => `  prepare${name}()`).join("\n")}
  serve()
}
function serve(): void {
  takeOrders()
  deliverParcels()
}
function takeOrders(): void {
${lines}
}
function deliverParcels(): void {
${lines}
}
${prepare.join("\n")}
`
      const { project } = yield* Wiki.open({ ...Wiki.shop, "src/run/run.ts": source })
      const [start] = yield* project.symbolsIn("src/run/run.ts")
      const flow: Flow = {
        name: "flow-run",
        title: "What happens when the shop runs",
        start: Material.citationOf(start ?? assert.fail("no symbol")),
      }
      const plan: Plan = { parts: project.folders, flows: [flow], undescribed: [] }
      const input = yield* FlowMaterial.gather(project, plan, flow, MaterialLimits.defaults)
      const called = input?.calls.map(({ item }) => item.entry?.name ?? "") ?? []
      assert.includeMembers(called, ["run", "serve", "takeOrders", "deliverParcels"])
      // There is no room for all, and none stands without its caller.
      assert.isBelow(called.length, 80)
      for (const name of called.filter((name) => name.startsWith("check"))) {
        assert.include(called, name.replace("check", "prepare"))
      }
    }).pipe(Effect.scoped),
  )

  it.effect("says what a symbol is for at its first mention, and what a mark means once", () =>
    Effect.gen(function* () {
      const source = `/** Locks the shop. */
export function lockAll(): void {
  lockDoor("front")
  lockSafe()
  later(() => lockDoor("back"))
}
/** Locks the safe. */
function lockSafe(): void {
  lockDoor("safe")
}
/** Waits for the bolt, since a key may be lost. */
function lockDoor(name: string): void {
  if (name === "") return
  turnKey(name)
}
/** Turns the key. */
function turnKey(name: string): void {
  console.log(name)
}
function later(run: () => void): void {
  run()
}
`
      const { project } = yield* Wiki.open({ ...Wiki.shop, "src/lock/lock.ts": source })
      const [start] = yield* project.symbolsIn("src/lock/lock.ts")
      const flow: Flow = { name: "flow-lock", title: "", start: Material.citationOf(start ?? assert.fail("no symbol")) }
      const plan: Plan = { parts: project.folders, flows: [flow], undescribed: [] }
      const input = yield* FlowMaterial.gather(project, plan, flow, MaterialLimits.defaults)
      const message = FlowRequest.messageOf([input ?? assert.fail("no flow")])
      const tree = message.slice(message.indexOf("Calls:"), message.indexOf("Sources:"))
      assert.isAbove(tree.match(/\] lockDoor\b/g)?.length ?? 0, 1, tree)
      assert.lengthOf(tree.match(/# Waits for the bolt/g) ?? [], 1)
      assert.isAbove(tree.match(/<see elsewhere>/g)?.length ?? 0, 0)
      assert.lengthOf(message.match(/<see elsewhere>: its own calls/g) ?? [], 1)
      assert.notInclude(message, "only named")
    }).pipe(Effect.scoped),
  )

  it.effect("shows a function that calls others on the flow as a whole before a longer helper", () =>
    Effect.gen(function* () {
      const helper = Array.from({ length: 90 }, (_, at) => `  text = text.replace("${at}", "a long text in its place")`)
      const source = `/** Opens the shop. */
export function open(): void {
  prepare("shop")
}

function prepare(text: string): void {
  if (clean(text) === "") return
${Array.from({ length: 40 }, (_, at) => `  lights.push("light ${at}")`).join("\n")}
  announce(text)
}

function clean(text: string): string {
${helper.join("\n")}
  return text
}

function announce(text: string): void {
  console.log(text)
}
`
      const { project } = yield* Wiki.open({ ...Wiki.shop, "src/open/open.ts": source })
      const [start] = yield* project.symbolsIn("src/open/open.ts")
      const flow: Flow = { name: "flow-open", title: "", start: Material.citationOf(start ?? assert.fail("no symbol")) }
      const plan: Plan = { parts: project.folders, flows: [flow], undescribed: [] }
      const input = yield* FlowMaterial.gather(project, plan, flow, MaterialLimits.defaults)
      const sources = Array.from((input ?? assert.fail("no flow")).sources.values())
      assert.lengthOf(
        sources.flatMap(({ lines }) => lines.join("\n").match(/lights\.push/g) ?? []),
        40,
      )
      const names = sources.map(({ item }) => item.entry?.name ?? "")
      assert.isBelow(names.indexOf("prepare"), names.indexOf("clean"))
    }).pipe(Effect.scoped),
  )
})
