import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import { UsageError } from "../../../src/base/UsageError.ts"
import * as Arguments from "../../../src/cli/arguments/Arguments.ts"
import { commands } from "../../utils/commands.ts"

const read = (...argv: ReadonlyArray<string>) => Arguments.parse(commands, argv)

const argv = (...typed: ReadonlyArray<string>) => {
  const request = Either.getOrThrow(read(...typed))
  assert.strictEqual(request._tag, "Run")
  return request._tag === "Run" ? [...request.command.name.split(" "), ...request.words] : []
}

const error = (...typed: ReadonlyArray<string>) => Either.getOrThrow(Either.flip(read(...typed)))

const helped = (...typed: ReadonlyArray<string>) => {
  const request = Either.getOrThrow(read(...typed))
  assert.strictEqual(request._tag, "Help")
  return request._tag === "Help" ? request.command?.name : undefined
}

const ifText = "; if it is part of the text, quote the whole text or put '--' before it"

describe("Arguments.parse", () => {
  it("takes options before the command, before the path and after it", () => {
    const expected = ["index", "--verbose", "--", "."]
    assert.deepStrictEqual(argv("--verbose", "index", "."), expected)
    assert.deepStrictEqual(argv("index", "--verbose", "."), expected)
    assert.deepStrictEqual(argv("index", ".", "--verbose"), expected)
  })

  it("takes values after a space and after an equals sign, wherever they stand", () => {
    const expected = ["index", "--model", "google/x=y", "--", "src"]
    assert.deepStrictEqual(argv("--model", "google/x=y", "index", "src"), expected)
    assert.deepStrictEqual(argv("index", "src", "--model=google/x=y"), expected)
  })

  it("accepts the short names of options", () => {
    assert.deepStrictEqual(argv("ask", "-m", "google/x", "why?", "-s", "Be brief", "-c"), [
      ...["ask", "--system", "Be brief", "--continue", "", "--model", "google/x"],
      ...["--", "why?"],
    ])
    assert.strictEqual(error("status", "-m", "google/x").message, "unknown option '-m'")
  })

  it("ends the options at --", () => {
    assert.deepStrictEqual(argv("query", "--json", "--", "--help", "--", "-x"), [
      "query",
      "--json",
      "--",
      "--help",
      "--",
      "-x",
    ])
  })

  it("keeps all values of an option that repeats, and the last of one that does not", () => {
    assert.deepStrictEqual(argv("index", "--ext", ".ts", "--ext=.js"), ["index", "--ext", ".ts", "--ext", ".js", "--"])
    assert.deepStrictEqual(argv("query", "a", "--limit", "1", "--limit", "2"), ["query", "--limit", "2", "--", "a"])
  })

  it("lets an option do without its value, and takes a word apart for it only where that names a node", () => {
    const id = "1m7zm95cdhtmtkf31b"
    assert.deepStrictEqual(argv("ask", "--continue", "and now?"), ["ask", "--continue", "", "--", "and now?"])
    assert.deepStrictEqual(argv("ask", "--continue", "understanding", "it"), [
      "ask",
      "--continue",
      "",
      "--",
      "understanding",
      "it",
    ])
    for (const name of ["@", "@^", "@~2", id, `${id}^~2`, id.slice(0, 10)]) {
      assert.deepStrictEqual(argv("ask", "--continue", name, "why?"), ["ask", "--continue", name, "--", "why?"])
    }
    assert.deepStrictEqual(argv("ask", "why?", "--continue=draft"), ["ask", "--continue", "draft", "--", "why?"])
    assert.include(error("ask", "--continue=", "why?").message, "'--continue' needs a value")
  })

  it("names the nearest option to an unknown one", () => {
    assert.strictEqual(error("index", "--vebose").message, "unknown option '--vebose'; did you mean '--verbose'?")
    assert.strictEqual(error("index", "--inc").message, "unknown option '--inc'; did you mean '--include'?")
    // Hidden options are not named.
    assert.strictEqual(error("index", "--include-mark").message, "unknown option '--include-mark'")
    assert.strictEqual(error("--vebose", "index").message, "unknown option '--vebose'; did you mean '--verbose'?")
    assert.strictEqual(error("index", "-y").message, "unknown option '-y'")
  })

  it("names no option that is not near", () => {
    assert.strictEqual(error("--nope").message, "unknown option '--nope'")
    assert.strictEqual(error("index", "--josn").message, "unknown option '--josn'; did you mean '--json'?")
  })

  it("does not know an option of another command", () => {
    const { command, message } = error("status", "--verbose")
    assert.strictEqual(message, "unknown option '--verbose'")
    assert.strictEqual(command, "status")
  })

  it("says how an unknown option becomes text, in a command that takes text", () => {
    assert.strictEqual(error("query", "how", "is", "--listen", "handled").message, `unknown option '--listen'${ifText}`)
    assert.strictEqual(
      error("ask", "what", "does", "--systen", "do").message,
      `unknown option '--systen'; did you mean '--system'?${ifText.replace("; if", " If")}`,
    )
  })

  it("names an unknown option as it was typed, not as another command calls it", () => {
    assert.strictEqual(error("query", "-r", "3", "foo").message, `unknown option '-r'${ifText}`)
    assert.strictEqual(error("query", "-n", "3", "foo").message, `unknown option '-n'${ifText}`)
  })

  it("names the option that has another name in this command", () => {
    const cases = [
      [
        ["index", "--max-tokens", "9"],
        "unknown option '--max-tokens'; '--max-run-tokens' limits the tokens of the run",
      ],
      [["prd", "--prompt", "a.md"], "unknown option '--prompt'; '--system-file' reads the system prompt from a file"],
      [["prd", "-n", "3"], "unknown option '-n'; did you mean '--stories'?"],
      [["index", "-v"], "unknown option '-v'; did you mean '--verbose'?"],
      [["status", "-v"], "unknown option '-v'; did you mean '-V'?"],
    ] as const
    for (const [typed, message] of cases) assert.strictEqual(error(...typed).message, message)
  })

  it("names the nearest command to an unknown one", () => {
    assert.strictEqual(error("idnex").message, "unknown command 'idnex'; did you mean 'index'?")
    assert.strictEqual(error("stat", ".").message, "unknown command 'stat'; did you mean 'status'?")
    assert.strictEqual(error("frobnicate").message, "unknown command 'frobnicate'")
    assert.strictEqual(error("help", "switch").message, "unknown command 'switch'; did you mean 'loom switch'?")
    assert.strictEqual(error("idnex", "--help").message, "unknown command 'idnex'; did you mean 'index'?")
  })

  it("names the command that other programs call otherwise, and the one that answers a question", () => {
    assert.strictEqual(error("search", "retries").message, "unknown command 'search'; did you mean 'query'?")
    assert.strictEqual(error("find").message, "unknown command 'find'; did you mean 'query'?")
    assert.strictEqual(
      error("where is X decided").message,
      `unknown command 'where is X decided'; to search the index: vibe query "where is X decided"`,
    )
  })

  it("blames the option, not the value it left behind", () => {
    assert.strictEqual(
      error("--modle", "offline", "index").message,
      "unknown option '--modle'; did you mean '--model'?",
    )
  })

  it("misses the value of an option", () => {
    const message = "option '--model' needs a value: --model PROVIDER/NAME"
    for (const typed of [["--model"], ["--model", "--verbose"], ["--model="], ["--model", ""], ["--model", "--"]]) {
      assert.strictEqual(error("index", ...typed).message, message)
    }
  })

  it("names the option, the wrong value and the choices", () => {
    const formats = "option '--format' takes markdown, md, json, jsonl or html"
    assert.strictEqual(error("loom", "export", "--format", "pdf").message, `${formats}, not 'pdf'`)
    assert.strictEqual(
      error("index", "--thinking=lots").message,
      "option '--thinking' takes off, low, medium, high or auto, not 'lots'",
    )
    assert.strictEqual(
      error("loom", "search", "x", "--role", "bot").message,
      "option '--role' takes user, assistant, tool or system, not 'bot'",
    )
  })

  it("misses an option that a command needs", () => {
    const { command, message } = error("loom", "move", "@")
    assert.strictEqual(message, "'loom move' needs --to NODE")
    assert.strictEqual(command, "loom move")
  })

  it("refuses a value for an option that takes none", () => {
    assert.strictEqual(error("index", "--verbose=yes").message, "option '--verbose' takes no value")
  })

  it("counts the arguments", () => {
    assert.strictEqual(error("index", "a", "b").message, "unexpected argument 'b'")
    assert.strictEqual(error("models", "a", "b").message, "unexpected argument 'b'")
    assert.strictEqual(error("query").message, "'query' needs TEXT: words or names to look for")
    assert.match(error("show", "--json").message, /^'show' needs SYMBOL: a name \(append/)
    assert.match(error("install").message, /^'install' needs AGENT: claude, codex, /)
    assert.strictEqual(error("index", "").message, "'index' needs PATH")
    assert.deepStrictEqual(argv("query", "a", "b", "c"), ["query", "--", "a", "b", "c"])
  })

  it("asks for a command where there are only options", () => {
    assert.strictEqual(error("--verbose").message, "which command?")
  })

  it("helps with the program", () => {
    for (const typed of [[], ["--help"], ["-h"], ["help"], ["help", "--help"]]) {
      assert.isUndefined(helped(...typed))
    }
  })

  it("helps with a command, whatever else is wrong with the line", () => {
    for (const typed of [
      ["index", "--help"],
      ["-h", "index"],
      ["help", "index"],
      ["index", "a", "b", "-h", "--model"],
    ]) {
      assert.strictEqual(helped(...typed), "index")
    }
  })

  it("helps with the settings, which are no command", () => {
    const settings = Arguments.Request.Help({ command: undefined, group: undefined, isOfSettings: true })
    for (const typed of [
      ["help", "settings"],
      ["help", "settings", "--help"],
    ])
      assert.deepStrictEqual(Either.getOrThrow(read(...typed)), settings)
    assert.strictEqual(error("settings").message, "unknown command 'settings'")
    assert.strictEqual(error("help", "settings", "extra").message, "unknown command 'extra'")
  })

  it("takes a command of two words for one, with options anywhere", () => {
    const expected = ["loom", "log", "--limit", "2", "--", "@"]
    assert.deepStrictEqual(argv("loom", "log", "@", "--limit", "2"), expected)
    assert.deepStrictEqual(argv("--limit", "2", "loom", "log", "@"), expected)
    assert.deepStrictEqual(argv("loom", "generate", "-n", "2"), ["loom", "generate", "-n", "2", "--"])
  })

  it("distinguishes a command of a group from the command of the same name", () => {
    assert.strictEqual(helped("loom", "show", "--help"), "loom show")
    assert.strictEqual(helped("show", "--help"), "show")
    assert.strictEqual(error("loom", "show").command, "loom show")
  })

  it("helps with a group, and names the nearest command in it", () => {
    const request = Either.getOrThrow(read("loom"))
    assert.deepStrictEqual(request, Arguments.Request.Help({ command: undefined, group: "loom", isOfSettings: false }))
    assert.strictEqual(error("loom", "lgo").message, "unknown command 'loom lgo'; did you mean 'loom log'?")
    assert.strictEqual(error("lom", "log").message, "unknown command 'lom'; did you mean 'loom'?")
    assert.strictEqual(error("loom", "--json").message, "which command?")
  })

  it("prints the version", () => {
    for (const typed of ["--version", "-V", "-v", "version"]) {
      assert.strictEqual(Either.getOrThrow(read(typed))._tag, "Version", typed)
    }
    assert.strictEqual(error("version", "2").message, "unexpected argument '2'")
  })

  it("refuses more arguments than help takes", () => {
    assert.strictEqual(error("help", "query", "extra").message, "unexpected argument 'extra'")
    assert.isUndefined(helped("help", "help"))
  })

  it("names the file to edit where config is given a value to set", () => {
    assert.include(error("config", "set", "model").message, "edit the file that 'vibe config --path' prints")
  })

  it("takes --color in every command, with a value after an equals sign alone", () => {
    const color = (...typed: ReadonlyArray<string>) => {
      const request = Either.getOrThrow(read(...typed))
      return request._tag === "Run" ? [request.color, ...request.words.slice(-1)] : []
    }
    assert.deepStrictEqual(color("query", "x"), [undefined, "x"])
    assert.deepStrictEqual(color("query", "--color", "x"), ["always", "x"])
    assert.deepStrictEqual(color("query", "--color", "never", "x"), ["never", "x"])
    assert.deepStrictEqual(color("--color", "auto", "query", "always"), ["auto", "always"])
    assert.deepStrictEqual(color("--color=never", "query", "x"), ["never", "x"])
    assert.deepStrictEqual(color("query", "x", "--color", "--no-color"), ["never", "x"])
    assert.include(error("query", "x", "--color=blue").message, "always, never or auto")
  })

  const words = FastCheck.array(FastCheck.string({ minLength: 1 }), { minLength: 1 })

  it.prop("hands every word after -- on as it is", [words], ([words]) => {
    assert.deepStrictEqual(argv("query", "--", ...words), ["query", "--", ...words])
  })

  it.prop(
    "never throws",
    [
      FastCheck.array(
        FastCheck.oneof(FastCheck.string(), FastCheck.constantFrom("--", "index", "--model", "-h", "--=", "--json=")),
      ),
    ],
    ([typed]) => {
      const result = read(...typed)
      assert.isTrue(Either.isRight(result) || result.left instanceof UsageError)
    },
  )
})

describe("Arguments.wantsJson", () => {
  it("counts --json before --, and not after it", () => {
    assert.isTrue(Arguments.wantsJson(["idnex", "--json"]))
    assert.isFalse(Arguments.wantsJson(["query", "--", "--json"]))
  })
})
