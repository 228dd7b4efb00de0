import { assert, describe, it } from "@effect/vitest"
import { ConfigError, FastCheck } from "effect"
import {
  GenerationAbortedError,
  ToolIterationLimitExceededError,
  ToolNotFoundError,
  ToolsOnlySupportNSingletonError,
} from "../../src/agent/GenerateError.ts"
import { sanitize, sanitizeJson } from "../../src/base/Sanitize.ts"
import { UsageError } from "../../src/base/UsageError.ts"
import { Crash, NothingExplained, Unsound } from "../../src/cli/CommandError.ts"
import * as Failure from "../../src/cli/Failure.ts"
import { FileError, NotFound } from "../../src/code/FileError.ts"
import * as ForestError from "../../src/forest/ForestError.ts"
import { AmbiguousName, NoSuchNode } from "../../src/forest/NodeName.ts"
import * as IndexError from "../../src/index/IndexError.ts"
import { NoSuchSymbol } from "../../src/lookup/NoSuchSymbol.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as ModelError from "../../src/model/ModelError.ts"

const model = (reason: ModelError.Reason, model = "google/gemini-2.5-flash") =>
  new ModelError.ModelError({ model, reason })

const index = (reason: IndexError.Reason) => new IndexError.IndexError({ path: "/p", reason })

const forest = (reason: ForestError.Reason) => new ForestError.ForestError({ reason })

const said = { message: "said" }

describe("Failure.exitCode", () => {
  it.each<readonly [number, string, Failure.Failure]>([
    [1, "a provider that broke", model(new ModelError.Overloaded(said))],
    [1, "an answer of no use", model(new ModelError.Unusable({ message: "said", correction: "" }))],
    [1, "an empty answer", model(new ModelError.Empty())],
    [7, "an index that cannot be written", index(new IndexError.Unwritable({ cause: "x" }))],
    [1, "a mistake of vibe's own", new Crash({ cause: new Error("said") })],
    [1, "a symbol that is not there", new NoSuchSymbol({ symbol: "x", nearest: [] })],
    [8, "batches that were all refused", new NothingExplained(said)],
    [2, "a wrong command line", new UsageError({ message: "said" })],
    [2, "a bad path", new FileError({ path: "/p", reason: new NotFound() })],
    [2, "a setting", ConfigError.InvalidData(["X"], "said")],
    [2, "a key that cannot be used", model(new ModelError.Misconfigured(said))],
    [2, "a folder without an index", index(new IndexError.NotIndexed())],
    [2, "a folder without code", index(new IndexError.NothingToIndex())],
    [3, "no key, or a refused one", model(new ModelError.Unauthorized(said))],
    [3, "a region that is not served", model(new ModelError.Unsupported(said))],
    [3, "no such model", model(new ModelError.ModelNotFound(said))],
    [4, "a used-up quota", model(new ModelError.QuotaExhausted(said))],
    [4, "a rate limit", model(new ModelError.RateLimited(said))],
    [5, "a blocked answer", model(new ModelError.Blocked(said))],
    [6, "a full context", model(new ModelError.ContextOverflow(said))],
    [6, "an answer that was cut off", model(new ModelError.OutputLimit(said))],
    [1, "an answer that was let go", new GenerationAbortedError({})],
    [2, "a tool to be called that is not offered", new ToolNotFoundError({ name: "x" })],
    [2, "several answers with tools", new ToolsOnlySupportNSingletonError({})],
    [6, "calls without an end", new ToolIterationLimitExceededError({ limit: 5 })],
    [2, "a node that is not there", new NoSuchNode({ name: "x", trees: 0, bookmarks: [] })],
    [2, "a name that may be several", new AmbiguousName({ name: "x", candidates: [], more: false })],
    [2, "a root that is edited", forest(new ForestError.IsRoot({ id: NodeId.make("r"), operation: "edit" }))],
    [
      2,
      "an answer that is deleted without its call",
      forest(new ForestError.Answering({ id: NodeId.make("b"), call: NodeId.make("a"), operation: "delete" })),
    ],
    [2, "a text that says nothing", forest(new ForestError.BlankText())],
    [2, "nothing to undo", forest(new ForestError.NothingToUndo())],
    [2, "what was purged", forest(new ForestError.Purged())],
    [7, "traces of what was purged", forest(new ForestError.Uncompacted({ cause: "x" }))],
    [1, "a message that cannot be stored", forest(new ForestError.Invalid({ what: "message", issues: ["x"] }))],
    [7, "a path that is broken", forest(new ForestError.NotFound({ id: NodeId.make("x") }))],
    [7, "a forest of a newer version", forest(new ForestError.TooNew({ version: 9 }))],
    [7, "a forest that is damaged", new Unsound({ problems: [] })],
    [7, "an index of a newer version", index(new IndexError.TooNew({ version: 9 }))],
    [7, "a broken index", index(new IndexError.Unreadable({ cause: "x" }))],
  ])("is %i for %s", (code, _, failure) => {
    assert.strictEqual(Failure.exitCode(failure), code)
  })
})

describe("Failure.failure", () => {
  it("has what is wrong and what to do", () => {
    assert.strictEqual(
      Failure.line(index(new IndexError.NotIndexed())),
      "vibe: /p: there is no index here yet. Make one with 'vibe index'",
    )
    assert.strictEqual(
      Failure.line(new UsageError({ message: "unexpected argument 'b'", command: "index" })),
      "vibe: unexpected argument 'b'. See 'vibe index --help'",
    )
  })

  it("says where to get a key, and lists other providers", () => {
    const line = Failure.line(model(new ModelError.Unauthorized({ message: "GOOGLE_API_KEY is not set" })))
    for (const part of ["GOOGLE_API_KEY", "https://aistudio.google.com/apikey", "vibe models"]) {
      assert.include(line, part)
    }
  })

  it("names a setting, since its own message may be redacted", () => {
    assert.strictEqual(
      Failure.line(ConfigError.MissingData(["VIBE", "MODEL"], "<redacted>")),
      "vibe: VIBE_MODEL is not set",
    )
    assert.strictEqual(Failure.line(ConfigError.InvalidData(["X"], "is wrong")), "vibe: X: is wrong")
  })

  it("advises on a full context in words that fit whatever was asked", () => {
    assert.strictEqual(
      Failure.line(model(new ModelError.ContextOverflow({ message: "too long" }))),
      "vibe: google/gemini-2.5-flash: too long. Give it less to read, or name a model with a larger context with --model or VIBE_MODEL",
    )
  })

  it("is one line that no terminal obeys", () => {
    const line = Failure.line(model(new ModelError.Overloaded({ message: "a\x1b]0;title\x07b\nc. \x1b[2J" })))
    assert.strictEqual(
      line,
      "vibe: google/gemini-2.5-flash: ab c. Another model can be named with --model or VIBE_MODEL",
    )
  })
})

describe("a name of thousands of characters", () => {
  const name = "x".repeat(10_000)

  it.each([
    ["a symbol", new NoSuchSymbol({ symbol: name, nearest: [] })],
    ["an argument", new UsageError({ message: `'${name}' is no command` })],
    ["an address of a model", model(new ModelError.ModelNotFound({ message: name }))],
  ])("is cut in the line and in the JSON if it is %s", (_, failure) => {
    assert.isBelow(Failure.line(failure).length, 600)
    assert.isBelow(Failure.sentence(failure).length, 600)
    assert.isBelow(JSON.stringify(Failure.toJson(failure)).length, 600)
  })
})

describe("Failure.failure of a forest that is damaged", () => {
  it("advises --mend where only derived data is damaged", () => {
    const found = { subject: "node a", what: "is not found by its words", isMendable: true }
    assert.strictEqual(
      Failure.line(new Unsound({ problems: [found] })),
      "vibe: an index of the forest is damaged: 1 problem. 'vibe loom verify --mend' makes it again",
    )
    const problems = [found, { subject: "node b", what: "holds no message" }]
    assert.strictEqual(Failure.line(new Unsound({ problems })), "vibe: the forest is damaged: 2 problems")
  })
})

describe("Failure.failureObject", () => {
  it("gives the reason a name", () => {
    assert.deepStrictEqual(Failure.toJson(model(new ModelError.Blocked({ message: "safety" }))), {
      error: { reason: "Blocked", message: "google/gemini-2.5-flash: safety" },
    })
    assert.deepStrictEqual(Failure.toJson(new UsageError({ message: "which command?" })), {
      error: { reason: "UsageError", message: "which command?" },
    })
  })
})

describe("a symbol that is not there", () => {
  it("has the nearest names, or what finds it by other words", () => {
    assert.strictEqual(
      Failure.line(new NoSuchSymbol({ symbol: "Nope", nearest: [] })),
      "vibe: no symbol 'Nope' in the index. 'vibe query' searches what symbols are for",
    )
    assert.strictEqual(
      Failure.line(new NoSuchSymbol({ symbol: "Nope", nearest: ["a.ts:Node"] })),
      "vibe: no symbol 'Nope' in the index; near it: a.ts:Node",
    )
  })
})

describe("printableJson", () => {
  it.prop("is JSON of the same value, and safe to print", [FastCheck.fullUnicodeString()], ([text]) => {
    const json = sanitizeJson({ text })
    assert.deepStrictEqual(JSON.parse(json), { text })
    assert.strictEqual(sanitize(json), json)
  })

  it("escapes what JSON leaves as it is", () => {
    assert.strictEqual(sanitizeJson("\x9b2J\u202e\u{e0041}\x7f"), '"\\u009b2J\\u202e\\udb40\\udc41\\u007f"')
  })
})

describe("Failure.sentenceOnPage", () => {
  it("advises nothing that a page does not have: no options and no slash commands", () => {
    const reasons = [
      new ModelError.Unauthorized(said),
      new ModelError.QuotaExhausted(said),
      new ModelError.ContextOverflow(said),
      new ModelError.ModelNotFound(said),
    ]
    for (const reason of reasons) {
      const shown = Failure.sentenceOnPage(model(reason))
      assert.match(shown, /choose .*model.* below$/i)
      assert.notMatch(shown, /--|\/[a-z]+ (?:makes|begins|chooses)/)
    }
  })
})
