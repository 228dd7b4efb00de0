import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as MissingSources from "../../../src/wiki/writing/MissingSources.ts"
import * as Wiki from "./Wiki.fixture.ts"

/**
 * The same code in several languages: `send` calls `shouldRetry` and `log`, and `main` of another file calls `send`.
 */
const languages: Readonly<Record<string, { readonly files: Readonly<Record<string, string>>; readonly path: string }>> =
  {
    Python: {
      path: "client.py",
      files: {
        "client.py":
          "def should_retry(status):\n    return status == 503\n\n\ndef log(text):\n    print(text)\n\n\ndef send(status):\n    log('sent')\n    return should_retry(status)\n",
        "app.py": "from client import send\n\n\ndef main():\n    return send(200)\n",
      },
    },
    TypeScript: {
      path: "client.ts",
      files: {
        "client.ts":
          "function shouldRetry(status: number) {\n  return status === 503\n}\n\nfunction log(text: string) {\n  console.log(text)\n}\n\nexport function send(status: number) {\n  log('sent')\n  return shouldRetry(status)\n}\n",
        "app.ts": 'import { send } from "./client.ts"\n\nexport function main() {\n  return send(200)\n}\n',
      },
    },
    Go: {
      path: "client.go",
      files: {
        "go.mod": "module example.org/shop\n",
        "client.go":
          'package shop\n\nfunc shouldRetry(status int) bool {\n\treturn status == 503\n}\n\nfunc log(text string) {\n\tprintln(text)\n}\n\nfunc send(status int) bool {\n\tlog("sent")\n\treturn shouldRetry(status)\n}\n',
        "app.go": "package shop\n\nfunc main() {\n\tsend(200)\n}\n",
      },
    },
    Ruby: {
      path: "client.rb",
      files: {
        "client.rb":
          "module Client\n  def self.should_retry(status)\n    status == 503\n  end\n\n  def self.log(text)\n    puts text\n  end\n\n  def self.send_it(status)\n    log('sent')\n    should_retry(status)\n  end\nend\n",
        "app.rb": "require_relative 'client'\n\ndef main\n  Client.send_it(200)\nend\n",
      },
    },
  }

const opened = new Map(Object.entries(languages).map(([language, { files }]) => [language, Wiki.openedOnce(files)]))

const foundIn = (language: string, text: string, most = 3) =>
  Effect.gen(function* () {
    const { path } = languages[language] ?? assert.fail(language)
    const { project } = yield* opened.get(language) ?? assert.fail(language)
    const items = yield* project.symbolsIn(path)
    const cited = items.filter(({ entry }) => /^send/.test(entry?.name ?? ""))
    assert.lengthOf(cited, 1)
    const found = yield* MissingSources.find(project, cited, text, most)
    return found.map(({ entry }) => entry?.name.replaceAll("_", "").toLowerCase())
  }).pipe(Effect.scoped)

describe("MissingSources.find", () => {
  for (const language of Object.keys(languages)) {
    it.effect(`finds what a statement names or speaks of, and nothing else: ${language}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* foundIn(language, "A request is retried if the server is busy."), ["shouldretry"])
        assert.deepStrictEqual(yield* foundIn(language, "What is sent is written by `log`."), ["log"])
        assert.deepStrictEqual(yield* foundIn(language, "It is called by `main`."), ["main"])
        assert.deepStrictEqual(yield* foundIn(language, "It takes a status."), [])
        assert.deepStrictEqual(yield* foundIn(language, "`log` says that it is retried.", 1), ["log"])
      }),
    )
  }

  it.effect("finds the short constants by whose names a cited function decides, up to six of them", () =>
    Effect.gen(function* () {
      const names = "APPLE BREAD CHEESE DOUGH EGG FLOUR GARLIC HONEY".split(" ").map((word) => `LIMIT_${word}`)
      const { project } = yield* Wiki.open({
        "limits.py": [
          ...names.map((name, at) => `${name} = ${at}`),
          `LONG = [\n${"    1,\n".repeat(9)}]`,
          `\n\ndef check(size):\n    return size in (LONG, ${names.join(", ")})\n`,
        ].join("\n"),
      })
      const items = yield* project.symbolsIn("limits.py")
      const cited = items.filter(({ entry }) => entry?.name === "check")
      const found = yield* MissingSources.find(project, cited, "So much honey is allowed: `LIMIT_GARLIC`.", 1)
      const shown = found.map(({ entry }) => entry?.name)
      assert.lengthOf(shown, 6)
      assert.deepStrictEqual(shown.slice(0, 2), ["LIMIT_GARLIC", "LIMIT_HONEY"])
      assert.notInclude(shown, "LONG")
      assert.deepStrictEqual(yield* MissingSources.find(project, cited, "A size is allowed.", 0), [])
    }).pipe(Effect.scoped),
  )
})
