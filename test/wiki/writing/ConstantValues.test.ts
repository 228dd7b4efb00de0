import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Markdown from "../../../src/wiki/Markdown.ts"
import type { Page, Statement } from "../../../src/wiki/Page.ts"
import * as ConstantValues from "../../../src/wiki/writing/ConstantValues.ts"
import * as Material from "../../../src/wiki/writing/Material.ts"
import * as Wiki from "./Wiki.fixture.ts"

/** A function with two constants in several languages. */
const languages: Readonly<Record<string, { readonly path: string; readonly text: string }>> = {
  Python: {
    path: "a.py",
    text: "WAIT_SECONDS = 30\nPREFIXES = ['Content-', 'If-']\nclass A:\n    LIMIT: int = 5\n\n\ndef run():\n    return WAIT_SECONDS, PREFIXES\n",
  },
  TypeScript: {
    path: "a.ts",
    text: "export const WAIT_SECONDS: number = 30\nconst PREFIXES = ['Content-', 'If-']\nclass A {\n  static readonly LIMIT = 5\n}\nexport function run() {\n  return [WAIT_SECONDS, PREFIXES, A]\n}\n",
  },
  Java: {
    path: "A.java",
    text: "class A {\n  static final int WAIT_SECONDS = 30;\n  static final String[] PREFIXES = {'Content-', 'If-'};\n  static final int LIMIT = 5;\n  static int run() {\n    return WAIT_SECONDS;\n  }\n}\n",
  },
  Rust: {
    path: "src/a.rs",
    text: "pub const WAIT_SECONDS: u64 = 30;\nconst PREFIXES: [&str; 2] = ['Content-', 'If-'];\nstruct A;\nimpl A {\n    const LIMIT: u8 = 5;\n}\npub fn run() -> u64 {\n    WAIT_SECONDS\n}\n",
  },
  Ruby: {
    path: "a.rb",
    text: "WAIT_SECONDS = 30\nPREFIXES = ['Content-', 'If-']\nclass A\n  LIMIT = 5\nend\ndef run\n  WAIT_SECONDS\nend\n",
  },
}

/** The statements of a page about `run`, with values. */
const withValues = (
  file: { readonly path: string; readonly text: string },
  texts: ReadonlyArray<string>,
  other?: Partial<Statement>,
) =>
  Effect.gen(function* () {
    const { project } = yield* Wiki.open({ [file.path]: file.text })
    const items = yield* project.symbolsIn(file.path)
    const run = items.find(({ entry }) => entry?.name === "run") ?? assert.fail("no run")
    const page: Page = {
      name: "a",
      kind: "part",
      title: "A",
      sections: [
        {
          form: "list",
          blocks: texts.map((text) => [
            { text, kind: "claim", author: "model", citations: [Material.citationOf(run)], ...other },
          ]),
        },
      ],
    }
    return yield* ConstantValues.add(project, page)
  }).pipe(Effect.scoped)

const textsOf = (page: Page) => page.sections.flatMap(({ blocks }) => blocks.flat().map(({ text }) => text))

const python = languages.Python ?? assert.fail()

describe("ConstantValues.add", () => {
  for (const [language, file] of Object.entries(languages)) {
    it.effect(`puts the value behind the name of a constant, and cites it: ${language}`, () =>
      Effect.gen(function* () {
        const page = yield* withValues(file, ["`run` waits `WAIT_SECONDS`, at most `A.LIMIT` times, for `PREFIXES`."])
        const list = language === "Java" ? "{'Content-', 'If-'}" : "['Content-', 'If-']"
        assert.deepStrictEqual(textsOf(page), [
          `\`run\` waits \`WAIT_SECONDS\` (\`30\`), at most \`A.LIMIT\` (\`5\`) times, for \`PREFIXES\` (\`${list}\`).`,
        ])
        const [statement] = page.sections[0]?.blocks[0] ?? []
        assert.deepStrictEqual(
          statement?.citations.map(({ symbol }) => symbol?.split(".").at(-1)),
          ["run", "WAIT_SECONDS", "LIMIT", "PREFIXES"],
        )
        assert.isTrue(statement?.citations.every(({ hash }) => hash !== undefined))
        // The printed page is read as the same statements.
        const printed = Markdown.print(Markdown.fromPage(page))
        assert.deepStrictEqual(textsOf(Markdown.parse("a", printed).page), textsOf(page))
      }),
    )
  }

  it.effect("says a value once on a page, and not where the text has it", () =>
    Effect.gen(function* () {
      const told = ["`run` waits `WAIT_SECONDS`, which is 30.", "It waits `WAIT_SECONDS` again."]
      assert.deepStrictEqual(textsOf(yield* withValues(python, told)), [
        told[0],
        "It waits `WAIT_SECONDS` (`30`) again.",
      ])
      const twice = ["It waits `WAIT_SECONDS`.", "It waits `WAIT_SECONDS`."]
      assert.deepStrictEqual(textsOf(yield* withValues(python, twice)), ["It waits `WAIT_SECONDS` (`30`).", twice[1]])
    }),
  )

  it.effect("leaves alone names that are no constants of the cited files, persons and pointers", () =>
    Effect.gen(function* () {
      const others = ["It reads `HTTP_PROXY` and WAIT_SECONDS and `wait_seconds`."]
      assert.deepStrictEqual(textsOf(yield* withValues(python, others)), others)
      const named = ["It waits `WAIT_SECONDS`."]
      assert.deepStrictEqual(textsOf(yield* withValues(python, named, { author: "person" })), named)
      assert.deepStrictEqual(textsOf(yield* withValues(python, named, { kind: "pointer" })), named)
      const two = { path: "b.py", text: "if x:\n    WAIT = 1\nelse:\n    WAIT = 2\n\ndef run():\n    pass\n" }
      assert.deepStrictEqual(textsOf(yield* withValues(two, ["It waits `WAIT`."])), ["It waits `WAIT`."])
    }),
  )
})

describe("ConstantValues.literalOf", () => {
  it.each([
    ["WAIT = timedelta(weeks=1)", "timedelta(weeks=1)"],
    ["CHUNK = 1024 * 100", "1024 * 100"],
    ["const URL: string = 'https://a.example/x';", "'https://a.example/x'"],
    ["STYLE = 'auto'  # follows the terminal", "'auto'"],
    ["STYLE = '# // no comment'", "'# // no comment'"],
    ["HOME = Path('.config')", "Path('.config')"],
    ["static final boolean IS_ON = true;", "true"],
    ["const MAX: Duration = Duration::from_secs(5);", undefined],
    ["NAME = other", undefined],
    ["NAME = compute()", undefined],
    ["KEY = `a`", undefined],
    ["TABLE = [\n  1,\n  2,\n]", undefined],
    [`LONG = '${"x".repeat(60)}'`, undefined],
    ["f = (a) => a", undefined],
    ["NAME", undefined],
    ["", undefined],
  ])("takes what is a literal and short: %s", (source, expected) => {
    assert.strictEqual(ConstantValues.literalOf(source), expected)
  })

  it("takes time in proportion to the source, whatever it is", () => {
    for (const source of [
      "a=".repeat(50_000),
      `a = ${"(".repeat(100_000)}`,
      `a = ${"1 + ".repeat(50_000)}`,
      " ".repeat(100_000),
    ]) {
      assert.isUndefined(ConstantValues.literalOf(source))
    }
  })
})
