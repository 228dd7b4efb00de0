import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import type { Page, Statement } from "../../../src/wiki/Page.ts"
import * as States from "../../../src/wiki/States.ts"
import * as Asking from "../../../src/wiki/writing/Asking.ts"
import * as CheckRequest from "../../../src/wiki/writing/CheckRequest.ts"
import * as Material from "../../../src/wiki/writing/Material.ts"
import * as MaterialLimits from "../../../src/wiki/writing/MaterialLimits.ts"
import * as NewStatements from "../../../src/wiki/writing/NewStatements.ts"
import * as SourceText from "../../../src/wiki/writing/SourceText.ts"
import * as Wiki from "./Wiki.fixture.ts"

/** A function too long for any check. Only its last line says what it returns. */
const long = `export function long(): number {
${Array.from({ length: 600 }, (_, at) => `  console.log("a step of the way, the one with number ${at}")`).join("\n")}
  return 7
}
`

const files = { ...Wiki.shop, "src/long/long.ts": long }

const opened = Wiki.openedOnce(files)

interface Verdicts {
  readonly holds?: ReadonlyArray<number>
  readonly partly?: ReadonlyArray<{
    readonly i: number
    readonly t?: string
    readonly old?: string
    readonly new?: string
  }>
  readonly not?: ReadonlyArray<number>
  readonly unseen?: ReadonlyArray<number>
}

/** Checks a page of claims, each about an exported symbol or a named one, and answers the requests in turn. */
const check = (
  claims: ReadonlyArray<readonly [text: string, path: string]>,
  answers: ReadonlyArray<Verdicts>,
  further: Readonly<Record<string, string>> = {},
  names: ReadonlyArray<string> = [],
  heldBefore: ReadonlyArray<string> = [],
  beside: ReadonlyArray<string> = [],
) =>
  Effect.gen(function* () {
    const { project } = yield* Object.keys(further).length === 0 ? opened : Wiki.open({ ...files, ...further })
    let asked = 0
    const { model, requests } = yield* Wiki.model({
      check_statements: () =>
        Scripted.calls(["check_statements", { holds: [], partly: [], not: [], ...answers[asked++] }]),
    })
    const statements = yield* Effect.forEach(claims, ([text, path], at) =>
      Effect.map(project.symbolsIn(path), (items): Statement => {
        const name = names[at]
        const exported =
          items.find(({ entry }) => (name === undefined ? entry?.exported === true : entry?.qualifiedName === name)) ??
          assert.fail(`nothing in ${path}`)
        return { text, kind: "claim", author: "model", unchecked: "due", citations: [Material.citationOf(exported)] }
      }),
    )
    const others = yield* Effect.forEach(beside, (path) =>
      Effect.map(project.symbolsIn(path), ([item]) => (item === undefined ? [] : [Material.citationOf(item)])),
    )
    const page: Page = {
      name: "page",
      kind: "part",
      title: "Page",
      sections: [
        {
          form: "list",
          blocks: statements.map((each) => [{ ...each, citations: [...each.citations, ...others.flat()] }] as const),
        },
      ],
    }
    const asking = yield* Asking.make({ model, thinking: undefined, onEvent: () => Effect.void })
    const other: Page = {
      ...page,
      name: "other",
      sections: heldBefore.flatMap((text, at) => {
        const { unchecked: _, ...held } = statements[at] ?? assert.fail(`no statement ${at}`)
        return [{ form: "list" as const, blocks: [[{ ...held, text }] as const] }]
      }),
    }
    let current = page
    let checked = CheckRequest.nothing
    const keep = (changed: Page, sums: CheckRequest.Sums) =>
      Effect.sync(() => {
        current = changed
        checked = CheckRequest.add(checked, sums)
      })
    for (const stage of ["first", "further"] as const) {
      const known = { others: [other] }
      yield* NewStatements.check(asking, project, [current], stage, MaterialLimits.defaults, keep, known)
    }
    return {
      checked,
      messages: requests.map(Wiki.messageOf),
      statements: States.statementsOf(current).map(({ text, unchecked }) => [text, unchecked]),
    }
  }).pipe(Effect.scoped)

/** A class whose methods have forty lines each. */
const tillOf = (names: ReadonlyArray<string>) => {
  const method = (name: string) =>
    [`  ${name}() {`, ...Array.from({ length: 40 }, (_, at) => `    this.step("${name}", ${at})`), "  }"].join("\n")
  return `export class Till {\n${names.map(method).join("\n")}\n}\n`
}

const price = ["An article that is unknown costs nothing.", "src/price/price.ts"] as const
const mail = ["A mail is sent later.", "src/mail/mail.ts"] as const
const last = ["It returns seven.", "src/long/long.ts"] as const

describe("NewStatements.check", () => {
  it.effect("takes the mark off claims that hold, and asks once", () =>
    Effect.gen(function* () {
      const { checked, messages, statements } = yield* check([price, mail], [{ holds: [1, 2] }])
      assert.lengthOf(messages, 1)
      assert.deepStrictEqual(statements, [
        [price[0], undefined],
        [mail[0], undefined],
      ])
      assert.deepInclude(checked, { statements: 2, corrected: 0, dropped: 0, undecided: 0 })
    }),
  )

  it.effect(
    "shows claims once more that the lines did not decide, alone and with their sources as whole as possible",
    () =>
      Effect.gen(function* () {
        const { messages, statements } = yield* check([price, last], [{ holds: [1], unseen: [2] }, { holds: [1] }])
        assert.lengthOf(messages, 2)
        const [first = "", second = ""] = messages
        assert.include(second, `1. ${last[0]}`)
        assert.notInclude(second, price[0])
        const linesOf = (message: string) => message.match(/^.*a step of the way/gm)?.length ?? 0
        assert.isAbove(linesOf(second), 2 * linesOf(first))
        assert.deepStrictEqual(statements, [
          [price[0], undefined],
          [last[0], undefined],
        ])
      }),
  )

  it.effect("marks a claim that stays undecided though its source is cut, and drops one whose source is whole", () =>
    Effect.gen(function* () {
      const { checked, statements } = yield* check([price, last], [{ unseen: [1, 2] }, { unseen: [1, 2] }])
      assert.deepStrictEqual(statements, [[last[0], "undecided"]])
      assert.deepInclude(checked, { statements: 2, corrected: 0, dropped: 1, undecided: 1 })
    }),
  )

  it.effect("shows what an undecided claim speaks of and does not cite, and asks once more about each", () =>
    Effect.gen(function* () {
      const undecided = [
        ["A mail is delivered to the console.", "src/mail/mail.ts"],
        ["A mail is later.", "src/mail/mail.ts"],
      ] as const
      const { messages, statements } = yield* check(undecided, [{ unseen: [1, 2] }, { holds: [1], unseen: [2] }])
      const [first = "", second = "", ...others] = messages
      assert.lengthOf(others, 0)
      assert.notInclude(first, "function deliver(")
      assert.include(second, "function deliver(")
      assert.include(second, "console.log(to, text)")
      assert.include(second, undecided[1][0])
      assert.deepStrictEqual(statements, [[undecided[0][0], undefined]])
    }),
  )

  it.effect("shows all short constants by whose names an undecided claim is decided", () =>
    Effect.gen(function* () {
      const limits = ["low", "high", "wide", "deep", "long", "late"].map(
        (name, at) => `const ${name}Limit = ${700 + at}`,
      )
      const body =
        "export function allows(size: number) {\n  return size > lowLimit + highLimit + wideLimit + deepLimit + longLimit + lateLimit\n}"
      const { messages, statements } = yield* check(
        [["A size is compared with 4213.", "src/limits.ts"]],
        [{ unseen: [1] }, { unseen: [1] }],
        { "src/limits.ts": `${limits.join("\n")}\n\n${body}\n` },
      )
      const [first = "", second = ""] = messages
      for (const line of limits) assert.notInclude(first, line)
      for (const line of limits) assert.include(second, line)
      assert.deepStrictEqual(statements, [])
    }),
  )

  it.effect("asks once more about a claim that is corrected and undecided, and marks it then", () =>
    Effect.gen(function* () {
      const answer = { partly: [{ i: 1, old: "mail", new: "letter" }], unseen: [1] }
      const { messages, statements } = yield* check([["A mail is later.", "src/mail/mail.ts"]], [answer, answer])
      assert.lengthOf(messages, 2)
      assert.include(messages[1], "A mail is later.")
      assert.deepStrictEqual(statements, [["A letter is later.", "undecided"]])
    }),
  )

  it.effect("asks once more for a claim that the answer does not mention, and marks it then", () =>
    Effect.gen(function* () {
      const { messages, statements } = yield* check([price, mail], [{ holds: [1] }, { holds: [7] }])
      assert.lengthOf(messages, 2)
      assert.deepStrictEqual(statements, [
        [price[0], undefined],
        [mail[0], "undecided"],
      ])
    }),
  )

  it.effect("leaves claims whose sources do not fit to a second request, and cuts none of the first", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 30 }, (_, at) => `step${at}`)
      const claims = names.map((name) => [`It counts to ${name}.`, `src/${name}.ts`] as const)
      const { messages, statements } = yield* check(
        claims,
        [{ holds: names.map((_, at) => at + 1) }, { holds: names.map((_, at) => at + 1) }],
        Object.fromEntries(
          names.map((name) => [
            `src/${name}.ts`,
            [
              `export const ${name} = () => {`,
              ...Array.from({ length: 28 }, (_, at) => `  step("${name}", ${at}, "of those that are counted here")`),
              "}",
              "",
            ].join("\n"),
          ]),
        ),
      )
      assert.lengthOf(messages, 2)
      const [first = "", second = ""] = messages
      assert.notInclude(first, "lines cut")
      for (const [text] of claims) assert.notStrictEqual(first.includes(text), second.includes(text), text)
      assert.isTrue(statements.every(([, unchecked]) => unchecked === undefined))
    }),
  )

  it.effect("shows undecided claims in as many requests as it takes to show each source whole that fits into one", () =>
    Effect.gen(function* () {
      const names = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
      const source = (name: string) =>
        [
          `export const ${name} = () => {`,
          ...Array.from({ length: 90 }, (_, at) => `  step("${name}", ${at}, "of those that are counted here")`),
          "}",
          "",
        ].join("\n")
      const claims = [...names, "long"].map((name) => [`It counts to ${name}.`, `src/${name}.ts`] as const)
      const undecided = { unseen: claims.map((_, at) => at + 1) }
      const { messages, statements } = yield* check(claims, [undecided, ...claims.map(() => undecided)], {
        ...Object.fromEntries(names.map((name) => [`src/${name}.ts`, source(name)])),
        "src/long.ts": long,
      })
      const linesOf = (message: string, name: string) => {
        const [, shown = ""] = message.split(`In src/${name}.ts:`)
        return shown.split('"""')[1]?.match(/^[^…\n].*$/gm)?.length ?? 0
      }
      const [first = "", ...others] = messages
      assert.isAbove(others.length, 1)
      for (const name of names) assert.strictEqual(Math.max(...others.map((each) => linesOf(each, name))), 92, name)
      assert.isAbove(Math.max(...others.map((each) => linesOf(each, "long"))), linesOf(first, "long"))
      // An undecided claim is dropped if its source was whole, and marked if no request can show it whole.
      assert.deepStrictEqual(statements, [["It counts to long.", "undecided"]])
    }),
  )

  it.effect("shows what other pages say of a source that has held, and less of the source then", () =>
    Effect.gen(function* () {
      const linesOf = ([first = ""]: ReadonlyArray<string>) => first.match(/^.*a step of the way/gm)?.length ?? 0
      const without = yield* check([last], [{ holds: [1] }])
      const { messages } = yield* check([last], [{ holds: [1] }], {}, [], ["`long` returns the number 7."])
      assert.include(messages[0], 'In src/long/long.ts:\nS1:\nheld: `long` returns the number 7.\n"""')
      assert.isAtMost(2 * linesOf(messages), linesOf(without.messages))
    }),
  )

  it.effect("shows the comment above a source, and of a long one what claims speak of", () =>
    Effect.gen(function* () {
      const comment = [
        "Sells tools.",
        "",
        ...Array.from({ length: 60 }, (_, at) => `Note ${at}.`),
        "",
        "It is a façade for the parts",
        "that a customer does not see.",
      ]
      const { messages } = yield* check(
        [price, ["The shop is a façade.", "src/shop.ts"], ["The shop has the comment inside.", "src/inside.py"]],
        [{ holds: [1, 2, 3] }],
        {
          "src/shop.ts": `/**\n${comment.map((line) => ` * ${line}`).join("\n")}\n */\nexport class Shop {}\n`,
          "src/inside.py": 'def inside():\n    """Returns one."""\n    return 1\n',
        },
        ["priceOf", "Shop", "inside"],
      )
      const [message = ""] = messages
      assert.include(message, '"""\n# The price of an article; 0 if it is sold out.\nexport ')
      assert.match(
        message,
        /"""\n# Sells tools\.\n[^"]*… some of it is left out\n[^"]*# It is a façade for the parts that a customer does not see\.\nexport /,
      )
      assert.isBelow(message.match(/Note \d+/g)?.length ?? 0, 60)
      assert.lengthOf(message.match(/Returns one/g) ?? [], 1)
    }),
  )

  it.effect("shows a long table of data with all of its entries, in few lines", () =>
    Effect.gen(function* () {
      const entries = Array.from({ length: 150 }, (_, at) => `  // The entry of number ${at}.\n  option${at}: ${at},`)
      const { messages } = yield* check(
        [["The default of `option77` is 77.", "src/defaults.ts"]],
        [{ holds: [1] }],
        { "src/defaults.ts": `export const defaults = {\n${entries.join("\n")}\n}\n` },
        ["defaults"],
      )
      for (const at of [0, 77, 149]) assert.include(messages[0], `option${at}: ${at}`)
      assert.notInclude(messages[0], "lines cut")
    }),
  )

  it.effect("names the resolved references from what a claim cites to what it cites or names", () =>
    Effect.gen(function* () {
      const claim = "`totalOf` sums what `priceOf` returns, and `unheardOf` does nothing."
      const { messages } = yield* check([[claim, "src/cart/cart.ts"], mail], [{ holds: [1, 2] }], {}, [
        "totalOf",
        "send",
      ])
      assert.include(messages[0], `1. ${claim} (S1, R1)`)
      assert.match(messages[0] ?? "", /\nR1 Resolved references:\nS1 uses priceOf$/)
      assert.include(messages[0], `2. ${mail[0]} (S2)`)
    }),
  )

  it.effect("shows a class without the lines of its methods that are shown themselves", () =>
    Effect.gen(function* () {
      const method = (name: string) =>
        [`  ${name}() {`, ...Array.from({ length: 18 }, (_, at) => `    this.step("${name}", ${at})`), "  }"].join("\n")
      const { messages } = yield* check(
        [
          ["A till has two methods.", "src/till.ts"],
          ["It opens.", "src/till.ts"],
        ],
        [{ holds: [1, 2] }],
        { "src/till.ts": `export class Till {\n${method("open")}\n${method("shut")}\n}\n` },
        ["Till", "Till.open"],
      )
      const [message = ""] = messages
      assert.lengthOf(message.match(/this\.step\("open"/g) ?? [], 18)
      assert.lengthOf(message.match(/this\.step\("shut"/g) ?? [], 18)
      assert.include(message, "(shown apart)")
    }),
  )

  it.effect("shows a field within its type, and not a second time", () =>
    Effect.gen(function* () {
      const { messages } = yield* check(
        [
          ["An article has a price.", "src/type.ts"],
          ["Its price is a number.", "src/type.ts"],
        ],
        [{ holds: [1, 2] }],
        { "src/type.ts": "export interface Article {\n  readonly price: number\n}\n" },
        ["Article", "Article.price"],
      )
      assert.lengthOf(messages[0]?.match(/readonly price/g) ?? [], 1)
      assert.include(messages[0], "2. Its price is a number. (S1)")
    }),
  )

  it.effect(
    "shows a method that is cited apart if its class is too long to show it, though others held the class",
    () =>
      Effect.gen(function* () {
        const { messages } = yield* check(
          [
            ["A till has many methods.", "src/till.ts"],
            ["It closes the drawer with number 11.", "src/till.ts"],
          ],
          [{ holds: [1, 2] }],
          { "src/till.ts": tillOf(["open", "shut", "count"]) },
          ["Till", "Till.shut"],
          ["`Till` has methods."],
        )
        const [message = ""] = messages
        assert.match(message, /2\. It closes the drawer with number 11\. \(S2\)/)
        assert.include(message, "S2 Till.shut:")
        assert.lengthOf(message.match(/this\.step\("shut"/g) ?? [], 40)
      }),
  )

  it.effect("shows the methods that a statement names of a class that it cites, and each once", () =>
    Effect.gen(function* () {
      const claim = "`Till.shut` closes the drawer, and `count()` counts."
      const { messages } = yield* check(
        [[claim, "src/till.ts"]],
        [{ holds: [1] }],
        { "src/till.ts": tillOf(["open", "shut", "count", "sell"]) },
        ["Till"],
      )
      const [message = ""] = messages
      assert.include(message, `1. ${claim} (S1, S2, S3`)
      for (const [name, label] of [
        ["shut", "S1"],
        ["count", "S2"],
      ] as const) {
        assert.include(message, `${label} Till.${name}:`)
        assert.lengthOf(message.match(new RegExp(`this\\.step\\("${name}"`, "g")) ?? [], 40, name)
      }
      assert.isBelow(message.match(/this\.step\("sell"/g)?.length ?? 0, 40)
    }),
  )

  it.effect("shows what the program has read of a manifest if a statement speaks of it", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 80 }, (_, at) => `name-${at} = "a tool for garden number ${at}"`)
      const manifest = [
        "[project]",
        'name = "shop"',
        'requires-python = ">=3.10"',
        "",
        "[tool.garden]",
        ...names,
        "",
        "[tool.pytest.ini_options]",
        'testpaths = ["tests"]',
        "",
      ]
      const { project } = yield* Wiki.open({ ...files, "pyproject.toml": manifest.join("\n") })
      const document = project.documents.find(({ item }) => item.path === "pyproject.toml")
      const statement = (text: string): Statement => ({
        text,
        kind: "claim",
        author: "model",
        citations: [Material.citationOf(document?.item ?? assert.fail("no document"))],
      })
      const [request] = yield* NewStatements.prepare(
        project,
        [statement("Shop needs Python 3.10 or newer."), statement("`pytest` runs the tests.")],
        "first",
        MaterialLimits.defaults,
      )
      const { message } = NewStatements.questionOf(request ?? assert.fail("no request"), "first")
      const above = message.split("In pyproject.toml:\nS1 the file:")[1]?.split('"""')[0]
      assert.strictEqual(
        above,
        "\nthe program read: Needs Python >=3.10.\nthe program read: pytest runs the tests in tests.\n",
      )
      assert.include(message, "A line that begins with the program read: says what all of the file means")
    }).pipe(Effect.scoped),
  )

  it.effect("shows as much of a long function as a writer that asks for it, in the first stage already", () =>
    Effect.gen(function* () {
      const { project } = yield* opened
      const [item = assert.fail("no symbol")] = yield* project.symbolsIn("src/long/long.ts")
      const asked = SourceText.write((yield* project.sourceOf(item)) ?? "", {
        maxLines: 120,
        maxTokens: MaterialLimits.defaults.sources / 2,
      })
      const { messages } = yield* check([last], [{ holds: [1] }])
      const linesOf = (text = "") => text.match(/^.*a step of the way/gm)?.length ?? 0
      const [, shown] = messages[0]?.split("Sources:") ?? []
      assert.isAtLeast(linesOf(shown), linesOf(asked.join("\n")) - 3)
    }).pipe(Effect.scoped),
  )

  it.effect("names the condition under which the file of a source is compiled", () =>
    Effect.gen(function* () {
      const { messages } = yield* check(
        [["It sets the codec.", "src/codec.go"]],
        [{ holds: [1] }],
        {
          "src/codec.go": '//go:build sonic\n\npackage codec\n\nfunc Set() {\n\tname = "sonic"\n}\n',
        },
        ["Set"],
      )
      assert.include(messages[0], "In src/codec.go (only compiled if sonic):\nS1:")
    }),
  )

  it.effect("leaves claims due if there is no second answer", () =>
    Effect.gen(function* () {
      const { statements } = yield* check([price, last], [{ holds: [1], unseen: [2] }, {}])
      assert.deepStrictEqual(statements, [
        [price[0], undefined],
        [last[0], "due"],
      ])
    }),
  )

  it.effect("shows a long source less where it only supports what another one decides", () =>
    Effect.gen(function* () {
      const linesOf = ([first = ""]: ReadonlyArray<string>) => first.match(/^.*a step of the way/gm)?.length ?? 0
      const deciding = yield* check([last], [{ holds: [1] }])
      const beside = yield* check([price], [{ holds: [1] }], {}, [], [], ["src/long/long.ts"])
      assert.isAbove(linesOf(beside.messages), 0)
      assert.isAtMost(2 * linesOf(beside.messages), linesOf(deciding.messages))
    }),
  )

  it.effect("asks about the undecided claims of several pages at once, and shows their common source once", () =>
    Effect.gen(function* () {
      const { project } = yield* opened
      const { model, requests } = yield* Wiki.model()
      const [item = assert.fail("no symbol")] = yield* project.symbolsIn("src/price/price.ts")
      const pages = ["one", "two"].map(
        (name): Page => ({
          name,
          kind: "part",
          title: name,
          sections: [
            {
              form: "list",
              blocks: [
                [
                  {
                    text: `Page ${name} speaks of prices.`,
                    kind: "claim",
                    author: "model",
                    unchecked: "due",
                    citations: [Material.citationOf(item)],
                  },
                ],
              ],
            },
          ],
        }),
      )
      const asking = yield* Asking.make({ model, thinking: undefined, onEvent: () => Effect.void })
      const kept: Array<string> = []
      const keep = (page: Page) => Effect.sync(() => void kept.push(page.name))
      yield* NewStatements.check(asking, project, pages, "further", MaterialLimits.defaults, keep)
      assert.lengthOf(requests, 1)
      const [message = ""] = requests.map(Wiki.messageOf)
      assert.include(message, "1. Page one speaks of prices. (S1)")
      assert.include(message, "2. Page two speaks of prices. (S1)")
      assert.deepStrictEqual(kept, ["one", "two"])
    }).pipe(Effect.scoped),
  )
})
