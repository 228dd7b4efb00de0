import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import type { Page, Section, Statement } from "../../../src/wiki/Page.ts"
import { findStatements, type Limits } from "../../../src/wiki/reading/findStatements.ts"

const statement = (text: string, options: { cites?: string; kind?: Statement["kind"] } = {}): Statement => ({
  text,
  kind: options.kind ?? "claim",
  author: "model",
  citations: [{ path: "src/a.ts", symbol: options.cites ?? "run" }],
})

const list = (title: string, ...texts: ReadonlyArray<string | Statement>): Section => ({
  title,
  form: "list",
  blocks: texts.map((text) => [typeof text === "string" ? statement(text) : text]),
})

const page = (name: string, title: string, ...sections: ReadonlyArray<Section>): Page => ({
  name,
  kind: "part",
  title,
  sections,
})

const sessions = page(
  "sessions",
  "Sessions",
  list(
    "What it does",
    "A session is stored as JSON below the folder of the configuration.",
    "Expired cookies are removed before it is written.",
    "A header with the prefix `Content-` is left out.",
  ),
)

const plugins = page(
  "plugins",
  "Plugins",
  list("Where to change what", statement("add a plugin", { cites: "PluginManager", kind: "pointer" })),
  list("What it does", "Each plugin is an entry point of a package.", "A plugin that fails to load is skipped."),
)

/** Returns what is found, as `page: text`. */
const found = (question: string, pages: ReadonlyArray<Page> = [plugins, sessions], limits?: Limits) =>
  findStatements(question, pages, { limits }).flatMap(({ blocks, page }) =>
    blocks.map(({ statements }) => `${page.name}: ${statements.map(({ text }) => text).join(" ")}`),
  )

describe("what a wiki says about a question", () => {
  it("is the statement with its words, in any form of them", () => {
    assert.deepStrictEqual(found("how do we store a session?"), [
      "sessions: A session is stored as JSON below the folder of the configuration.",
    ])
    assert.deepStrictEqual(found("removing expired cookie"), [
      "sessions: Expired cookies are removed before it is written.",
    ])
  })

  it("is found by the symbols that a statement cites, and by the title of its page", () => {
    assert.deepStrictEqual(found("PluginManager"), ["plugins: add a plugin"])
    assert.include(found("sessions expired").join(), "Expired cookies")
  })

  it("has the page with the best statement first, and the statements of a page in its order", () => {
    assert.deepStrictEqual(found("a plugin that fails to load, an entry point"), [
      "plugins: Each plugin is an entry point of a package.",
      "plugins: A plugin that fails to load is skipped.",
    ])
    const [first] = findStatements("which cookies of a plugin are expired", [plugins, sessions])
    assert.strictEqual(first?.page.name, "sessions")
  })

  it("is found by what the search of the index finds of its symbols, beside words that others have as well", () => {
    const told = [
      statement("The result is stored.", { cites: "keep" }),
      statement("The result is written.", { cites: "save" }),
      statement("where the result is opened", { cites: "open", kind: "pointer" }),
    ]
    const answer = (symbol: string) =>
      findStatements("what becomes of the result", [page("results", "Output", list("What it does", ...told))], {
        limits: { statements: 1, characters: 0 },
        relevance: (citation) => (citation.symbol === symbol ? 1 : 0),
      }).flatMap(({ blocks }) => blocks.flatMap(({ statements }) => statements.map(({ text }) => text)))
    assert.deepStrictEqual(answer("keep"), ["The result is stored."])
    assert.deepStrictEqual(answer("save"), ["The result is written."])
    assert.deepStrictEqual(answer("open"), answer("none"))
  })

  it("says once what two pages say in the same words", () => {
    const again = page("again", "Plugins again", list("What it does", "A plugin that fails to load is skipped."))
    assert.lengthOf(
      found("skipped plugin that fails", [plugins, again]).filter((text) => text.endsWith("is skipped.")),
      1,
    )
  })

  const writing = page(
    "writing",
    "Writing",
    list(
      "What it does",
      "The stream of a body is chosen by whether stdout is a terminal.",
      "A body that is streamed to a terminal is decoded, and the stream of a body is encoded again.",
      "A stream of a body ends at the end of the body.",
    ),
  )

  it.each([
    ["how is the stream of a body chosen, and what happens to a plugin that fails?"],
    ["What happens to a plugin that fails? Where is the stream of a body chosen?"],
    ["Where is the stream of a body chosen and which plugin fails"],
  ])("has an answer to each part of: %s", (question) => {
    const answers = found(question, [plugins, writing], { statements: 2, characters: 120 })
    assert.sameMembers(answers, [
      "writing: The stream of a body is chosen by whether stdout is a terminal.",
      "plugins: A plugin that fails to load is skipped.",
    ])
  })

  it("takes a part with 'it' to be about the others, and one without to be about its own words", () => {
    const cookies = page("cookies", "Cookies", list("What it does", "A plugin is removed.", "A cookie is removed."))
    for (const question of [
      "what is a cookie, and when is it removed?",
      "is a cookie expired? when are they removed",
    ]) {
      assert.strictEqual(
        found(question, [cookies, plugins], { statements: 1, characters: 0 })[0],
        "cookies: A cookie is removed.",
      )
    }
  })

  it("goes on to statements with one word of a short question, as long as all are short", () => {
    const place = "A session lies below the folder of the configuration, which is made when it is missing."
    const others = Array.from({ length: 12 }, (_, at) => (at < 3 ? `Header ${at} is stored.` : `Plugin ${at} runs.`))
    const ask = (...told: ReadonlyArray<string>) =>
      found("how are sessions stored", [page("s", "S", list("", ...told, place, ...others))])
    assert.include(ask("A session is stored in a field of the plugin."), `s: ${place}`)
    const long = Array.from(
      { length: 8 },
      (_, at) => `A session is stored in field ${at} of a plugin ${"that is so ".repeat(5)}`,
    )
    assert.notInclude(ask(...long), `s: ${place}`)
  })

  it.each([400, 1_000])("takes a word for no more the rarer it is, among %d others", (count) => {
    const many = Array.from({ length: count }, (_, at) => `Thing ${at} is done${at % 60 === 0 ? " by a plugin" : ""}.`)
    const loader = page("loader", "Plugins", list("", "A plugin is an entry point."))
    const lexers = page("lexers", "Lexers", list("", "The lexer that was found first is taken."), list("", ...many))
    const [first] = findStatements("how are plugins found", [lexers, loader])
    assert.strictEqual(first?.page.name, "loader")
  })

  it.each([
    ["which cookies expire", ["Cookies expire in a year.", "It can be changed by a setting for cookies."]],
    ["the setting for proxies", ["Cookies expire in a year.", "It can be changed by a setting for cookies."]],
    ["who wears a hat", ["A hat is worn."]],
  ])("leaves out of a paragraph what has no word of: %s", (question, expected) => {
    const block = [
      statement("Cookies expire in a year."),
      statement("It can be changed by a setting for cookies."),
      statement("A hat is worn."),
    ] as const
    const paragraph: Section = { title: "Mixed", form: "text", blocks: [block] }
    const [answer] = findStatements(question, [page("mixed", "Mixed", paragraph)])
    assert.deepStrictEqual(
      answer?.blocks[0]?.statements.map(({ text }) => text),
      expected,
    )
  })

  it.each([
    ["where is it decided when colours are removed?", "`strip` obeys the setting."],
    ["how do I find a command by an alias?", "`lookup` takes the first argument."],
  ])("has what is said of the symbol that a pointer in these words names: %s", (question, expected) => {
    const about = (text: string, cites: string) => statement(text, { cites })
    const told = list(
      "",
      about("`strip` obeys the setting.", "strip"),
      about("`lookup` takes the first argument.", "lookup"),
      about("`print` ends with a line break.", "print"),
    )
    const places = list(
      "Where to change what",
      statement("When colors are removed", { cites: "strip", kind: "pointer" }),
      statement("How a command is found, for an alias", { cites: "lookup", kind: "pointer" }),
    )
    const texts = findStatements(question, [page("p", "P", told, places)]).flatMap(({ blocks }) =>
      blocks.flatMap(({ statements }) => statements.map(({ text }) => text)),
    )
    assert.include(texts, expected)
    assert.notInclude(texts, "`print` ends with a line break.")
  })

  it.each(["How do I add my own codec?", "Where is it decided which codec is needed first?"])(
    "counts the words with which people ask for little: %s",
    (question) => {
      const codecs = page("codecs", "Values", list("", "A codec reads and writes a value.", "A value is a number."))
      const other = page("other", "Other", list("", "A thing of its own is added, decided on and needed first."))
      assert.match(found(question, [other, codecs])[0] ?? "", /^codecs: A codec/)
    },
  )

  it("prefers what to implement if the question is how to add something", () => {
    const codecs = page(
      "codecs",
      "Values",
      list("", "A codec reads a codec.", "A subclass of the codec must implement two methods and may read more."),
    )
    const [first] = findStatements("How do I write a codec?", [codecs], { limits: { statements: 1, characters: 0 } })
    assert.match(first?.blocks[0]?.statements[0]?.text ?? "", /^A subclass/)
    assert.match(found("What is a codec?", [codecs], { statements: 1, characters: 0 })[0] ?? "", /reads a codec/)
  })

  it("is nothing for words that no page has, for symbols alone, and without pages", () => {
    for (const question of ["kubernetes", "?!", "", "the of and", "セッション"])
      assert.deepStrictEqual(found(question), [], question)
    assert.deepStrictEqual(found("plugin", []), [])
    assert.deepStrictEqual(found("plugin", [page("empty", "Plugin")]), [])
  })

  it("takes a question of ten thousand words for its beginning", () => {
    assert.include(
      found(`expired cookies ${"and so on ".repeat(10_000)}`),
      "sessions: Expired cookies are removed before it is written.",
    )
  })

  it("never exceeds its limits but by the best block, and has only blocks of the pages", () => {
    const words = FastCheck.constantFrom("plugin", "load", "session", "cookie", "header", "stored", "expired", "folder")
    const texts = FastCheck.array(words, { minLength: 1, maxLength: 12 }).map((found) => found.join(" "))
    const pages = FastCheck.array(FastCheck.array(texts, { minLength: 1, maxLength: 8 }), {
      minLength: 1,
      maxLength: 4,
    })
    const limits = FastCheck.record({
      statements: FastCheck.integer({ min: 1, max: 6 }),
      characters: FastCheck.integer({ min: 0, max: 200 }),
    })
    FastCheck.assert(
      FastCheck.property(texts, pages, limits, (question, all, limits) => {
        const wiki = all.map((texts, at) => page(`p${at}`, `Page ${at}`, list("Title", ...texts)))
        const answers = findStatements(question, wiki, { limits })
        const blocks = answers.flatMap(({ blocks }) => blocks)
        assert.isAtMost(blocks.length, limits.statements)
        const lengths = blocks.map(({ statements }) => statements.map(({ text }) => text).join(" ").length)
        const sum = lengths.reduce((sum, length) => sum + length, 0)
        assert.isAtMost(sum - Math.max(0, ...lengths), limits.characters)
        for (const { blocks, page } of answers) {
          assert.include(wiki, page)
          for (const { at, section, statements } of blocks) {
            assert.isNotEmpty(statements)
            assert.includeMembers([...(section.blocks[at] ?? [])], [...statements])
          }
        }
      }),
    )
  })
})
