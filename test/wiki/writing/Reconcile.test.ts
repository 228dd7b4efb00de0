import { assert, describe, it } from "@effect/vitest"
import type { Plan } from "../../../src/wiki/Plan.ts"
import * as Reconcile from "../../../src/wiki/writing/Reconcile.ts"

const part = (name: string, ...files: ReadonlyArray<string>) => ({ name, title: name, line: "", files })

const plan: Plan = {
  parts: [part("cart", "src/cart/a.ts", "src/cart/b.ts"), part("mail", "src/mail/a.ts"), part("rest", "main.ts")],
  flows: [],
  undescribed: [],
  model: "a/b",
}

const files = plan.parts.flatMap((part) => part.files)

describe("Reconcile.reconcile", () => {
  it("changes nothing if the files are the same", () => {
    const { changed, gone, isOutdated, plan: next } = Reconcile.reconcile(plan, files)
    assert.deepStrictEqual(next, plan)
    assert.deepStrictEqual([changed.size, gone.length, isOutdated], [0, 0, false])
  })

  it("puts a new file into the part of its folder, or of the nearest one around it", () => {
    const { changed, plan: next } = Reconcile.reconcile(plan, [...files, "src/mail/html/b.ts", "tool.ts"])
    assert.deepStrictEqual(next.parts[1]?.files, ["src/mail/a.ts", "src/mail/html/b.ts"])
    assert.deepStrictEqual(Array.from(changed).toSorted(), ["mail", "rest"])
  })

  it("removes a part without files, and says that a part has lost some", () => {
    const { changed, gone, plan: next } = Reconcile.reconcile(plan, ["src/cart/a.ts", "main.ts"])
    assert.deepStrictEqual(gone, ["mail"])
    assert.deepStrictEqual(Array.from(changed), ["cart"])
    assert.deepStrictEqual(
      next.parts.map(({ name }) => name),
      ["cart", "rest"],
    )
  })

  it("says that a plan is outdated if most of the code is new", () => {
    const added = files.map((file) => `lib/${file}`)
    assert.isTrue(Reconcile.reconcile(plan, [...files.slice(1), ...added]).isOutdated)
    assert.isFalse(Reconcile.reconcile(plan, [...files, ...added.slice(1)]).isOutdated)
  })

  const divided: Plan = {
    ...plan,
    parts: [
      { ...part("context", "core.ts"), symbols: [{ path: "core.ts", names: ["limit", "Context"] }] },
      { ...part("command", "core.ts", "main.ts"), symbols: [{ path: "core.ts", names: ["Command", "Group"] }] },
    ],
  }
  const reconcileHeads = (...names: ReadonlyArray<string>) =>
    Reconcile.reconcile(divided, ["core.ts", "main.ts"], new Map([["core.ts", names.map((name) => ({ name }))]]))
  const namesOf = ({ plan }: Reconcile.Reconciled) =>
    plan.parts.map(({ name, symbols }) => [name, ...(symbols ?? []).flatMap(({ names }) => names)])

  it("puts a new class of a divided file into the part of the one before it, and writes no page anew for it", () => {
    const reconciled = reconcileHeads("limit", "Context", "Frame", "Command", "Option", "Group")
    assert.deepStrictEqual(namesOf(reconciled), [
      ["context", "limit", "Context", "Frame"],
      ["command", "Command", "Option", "Group"],
    ])
    assert.strictEqual(reconciled.changed.size, 0)
  })

  it("keeps the part of a class that was renamed, and removes one whose classes are gone", () => {
    assert.deepStrictEqual(namesOf(reconcileHeads("Scope", "Command", "Group")), [
      ["context", "Scope"],
      ["command", "Command", "Group"],
    ])
    assert.deepStrictEqual(namesOf(reconcileHeads("bound", "Scope", "Command", "Group", "Bundle")), [
      ["context", "bound", "Scope"],
      ["command", "Command", "Group", "Bundle"],
    ])
    const reconciled = reconcileHeads("Command", "Group")
    assert.deepStrictEqual(reconciled.gone, ["context"])
    assert.deepStrictEqual(namesOf(reconciled), [["command", "Command", "Group"]])
  })

  it("leaves a divided plan as it is while nothing is known of the file, and forgets a file that is gone", () => {
    assert.deepStrictEqual(Reconcile.reconcile(divided, ["core.ts", "main.ts"]).plan, divided)
    const { gone, plan: next } = Reconcile.reconcile(divided, ["main.ts"])
    assert.deepStrictEqual(gone, ["context"])
    assert.deepStrictEqual(next.parts, [part("command", "main.ts")])
  })
})
