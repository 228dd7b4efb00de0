import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck as fc } from "effect"
import type { Unit } from "../../../src/wiki/Places.ts"
import * as PlanRequest from "../../../src/wiki/writing/PlanRequest.ts"
import * as Wiki from "./Wiki.fixture.ts"

const unit = (number: number, path = `src/u${number}/`): Unit => ({
  number,
  path,
  files: [`${path}a.ts`, `${path}b.ts`],
  size: 4,
  isHelpers: false,
})

const units = (count: number) => Array.from({ length: count }, (_, at) => unit(at + 1))

const part = (title: string, ...numbers: ReadonlyArray<number>) => ({ title, line: "", units: numbers })

const draft = (...parts: ReadonlyArray<PlanRequest.Draft["parts"][number]>): PlanRequest.Draft => ({ parts, flows: [] })

describe("PlanRequest.toPlan", () => {
  it("gives each part a title, a name and its files", () => {
    const plan = PlanRequest.toPlan(draft(part("Cart & prices.", 1, 2), part("Übersicht", 3)), {
      units: units(3),
      candidates: [],
    })
    assert.deepStrictEqual(
      plan?.parts.map(({ name, title }) => [name, title]),
      [
        ["cart-prices", "Cart & prices"],
        ["ubersicht", "Übersicht"],
      ],
    )
    assert.deepStrictEqual(plan?.parts[1]?.files, ["src/u3/a.ts", "src/u3/b.ts"])
  })

  it("puts the sections of a divided file into different parts, and the file as a whole into one that has all", () => {
    const heads = new Map([["core.py", ["Context", "Command", "Option"].map((name) => ({ name, weight: 9 }))]])
    const section = (number: number, ...names: ReadonlyArray<string>): Unit => ({
      ...unit(number, "core.py"),
      files: ["core.py"],
      symbols: [{ path: "core.py", names }],
    })
    const all = [section(1, "Context"), section(2, "Command"), section(3, "Option"), unit(4)]
    const plan = PlanRequest.toPlan(draft(part("Contexts", 1), part("Commands", 2, 3, 4)), {
      units: all,
      candidates: [],
      heads,
    })
    assert.deepStrictEqual(plan?.parts[0]?.symbols, [{ path: "core.py", names: ["Context"] }])
    assert.deepStrictEqual(plan?.parts[1]?.symbols, [{ path: "core.py", names: ["Command", "Option"] }])
    assert.deepStrictEqual(plan?.parts[1]?.files, ["core.py", "src/u4/a.ts", "src/u4/b.ts"])
    const whole = PlanRequest.toPlan(draft(part("Core", 1, 2, 3), part("Rest", 4)), {
      units: all,
      candidates: [],
      heads,
    })
    assert.deepStrictEqual([whole?.parts[0]?.files, whole?.parts[0]?.symbols], [["core.py"], undefined])
  })

  it("gives parts of the same title, of another script and with the name of the start page names of their own", () => {
    const plan = PlanRequest.toPlan(draft(part("Index", 1), part("価格", 2), part("Index", 3)), {
      units: units(3),
      candidates: [],
    })
    const names = plan?.parts.map(({ name }) => name) ?? []
    assert.strictEqual(new Set(names).size, 3)
    assert.notInclude(names, "index")
    for (const name of names) assert.match(name, /^[a-z0-9-]+$/)
  })

  it("puts a unit that is left out beside its neighbour, and keeps the first place of one that is named twice", () => {
    const all = [...units(9), unit(10, "src/u1/deep/")]
    const parts = all.slice(0, 9).map(({ number }) => part(`Part ${number}`, number, ...(number === 9 ? [1] : [])))
    const plan = PlanRequest.toPlan(draft(...parts), { units: all, candidates: [] })
    assert.include(plan?.parts[0]?.files ?? [], "src/u1/deep/a.ts")
    assert.strictEqual(plan?.parts.flatMap(({ files }) => files).length, 20)
  })

  it("refuses one part for everything, too many parts, and a plan that leaves out much", () => {
    const of = (draft: PlanRequest.Draft) => PlanRequest.toPlan(draft, { units: units(20), candidates: [] })
    const numbers = units(20).map(({ number }) => number)
    assert.isUndefined(of(draft(part("All", ...numbers))))
    assert.isUndefined(of(draft(...numbers.map((number) => part(`Part ${number}`, number)))))
    assert.isUndefined(of(draft(...numbers.slice(0, 10).map((number) => part(`Part ${number}`, number)))))
  })

  it.prop(
    "puts each file into exactly one part, whatever a model writes",
    [
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.array(fc.integer({ min: -1, max: 45 }), { maxLength: 12 }), { maxLength: 20 }),
    ],
    ([count, lists]) => {
      const all = units(count)
      const plan = PlanRequest.toPlan(draft(...lists.map((list, at) => part(`Part ${at}`, ...list))), {
        units: all,
        candidates: [],
      })
      if (plan === undefined) return
      const files = plan.parts.flatMap(({ files }) => files)
      assert.sameMembers(
        files,
        all.flatMap(({ files }) => files),
      )
      assert.strictEqual(new Set(files).size, files.length)
      assert.strictEqual(new Set(plan.parts.map(({ name }) => name)).size, plan.parts.length)
    },
  )
})

describe("PlanRequest.messageOf", () => {
  it.scoped("names help files of Vim and man pages, with the sections of a few documents", () =>
    Effect.gen(function* () {
      const { project } = yield* Wiki.open({
        ...Wiki.shop,
        "doc/shop.txt":
          "*shop.txt*    A shop for garden tools\n\n==========\nTable of Contents     *shop-contents*\n\n1. Carts\n\n1. Carts     *shop-carts*\n\nText.\n\n2. Mails      *shop-mails*\n\nText.\n",
        "man/man1/shop.1": ".TH SHOP 1\n.SH NAME\nshop \\- sell garden tools\n.SH DESCRIPTION\nIt sells.\n",
        "src/notes.txt": "*notes*   None\n",
      })
      assert.deepStrictEqual(project.about.documents, [
        "doc/shop.txt: A shop for garden tools; sections: Carts, Mails",
        "man/man1/shop.1: shop - sell garden tools; sections: NAME, DESCRIPTION",
      ])
    }),
  )

  it.scoped("names the documents of the project by their titles, or by how they begin", () =>
    Effect.gen(function* () {
      const { project } = yield* Wiki.open({
        ...Wiki.shop,
        "SPEC.rdoc": "= Specification\n\n== Carts\n",
        "docs/guide.rst": "=====\nGuide\n=====\n\nWords.\n",
        "docs/mail.md": "The mailer sends receipts to customers after each order.\n\n## Use\n",
        "docs/CHANGELOG.md": "# Changes\n",
        "docs/manual/payments.adoc": "= Payments\n",
        "docs/ja/guide.md": "# Translated\n",
        "src/price/notes.md": "# Notes\n",
      })
      const titles = [
        "SPEC.rdoc: Specification",
        "docs/guide.rst: Guide",
        "docs/mail.md: The mailer sends receipts to customers after each order.",
        "docs/manual/payments.adoc: Payments",
      ]
      assert.deepStrictEqual(project.about.documents, titles)
      const message = PlanRequest.messageOf({ about: project.about, units: [], candidates: [] })
      assert.include(message, ["Its own documents:", ...titles, "", "Units of"].join("\n"))
      const bare = PlanRequest.messageOf({ about: { ...project.about, documents: [] }, units: [], candidates: [] })
      assert.notInclude(bare, "documents")
    }),
  )

  it.scoped("puts the documents first that the contents list, in their order", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 20 }, (_, at) => `a${String(at).padStart(2, "0")}`)
      const { project } = yield* Wiki.open({
        ...Wiki.shop,
        ...Object.fromEntries(names.map((name) => [`docs/${name}.md`, `# ${name}\n`])),
        "docs/quickstart.rst": "========\nPayments\n========\n",
        "docs/why.md": "# Orders\n",
        "docs/index.rst": "====\nShop\n====\n\n.. toctree::\n\n   why\n   quickstart\n",
      })
      assert.deepStrictEqual(project.about.documents?.slice(0, 3), [
        "docs/why.md: Orders",
        "docs/quickstart.rst: Payments",
        "docs/a00.md: a00",
      ])
      assert.lengthOf(project.about.documents ?? [], 16)
    }),
  )
})

describe("PlanRequest.flawsOf", () => {
  it("names units that are missing, named twice or unknown, and a wrong number of parts", () => {
    assert.deepStrictEqual(
      PlanRequest.flawsOf(draft(part("A", 1, 2), part("B", 2, 99)), units(20)).map((flaw) => flaw.slice(0, 40)),
      [
        "- These units are in no part: 3 (src/u3/",
        "- These units are in more than one part:",
        "- There are no units with these numbers:",
        "- There are 2 parts with units; there sh",
      ],
    )
    assert.deepStrictEqual(PlanRequest.flawsOf(draft(part("A", 1), part("B", 2)), units(2)), [])
  })
})
