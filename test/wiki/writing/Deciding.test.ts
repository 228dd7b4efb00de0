import { assert, describe, it } from "@effect/vitest"
import * as Deciding from "../../../src/wiki/writing/Deciding.ts"

const entry = (name: string, usedBy = 0) => ({ name, usedBy, exported: true })

const weigh = (source: string, name = "f", usedBy = 0, calls = 0) => Deciding.weigh(entry(name, usedBy), source, calls)

const deciding =
  "def call(env)\n  return unauthorized unless env.auth?\n  if env.valid?\n    @app.call(env)\n  end\nend"

describe("Deciding.weigh", () => {
  it("gives no weight to stubs, abstract methods, and bodies of one statement", () => {
    for (const source of [
      "@overload\ndef get(self, key: str) -> str: ...",
      "def get(self):\n    ...",
      'def get(self):\n    """Gets it."""\n    raise NotImplementedError()',
      "def escape(s)\n  URI.encode(s)\nend",
      "post(url: string) {\n  return this.send(url)\n}",
      "def post(\n    self,\n    url: str,\n):\n    return super().post(\n        url,\n        data=data,\n        json=json,\n    )",
    ])
      assert.isUndefined(weigh(source), source)
  })

  it("weighs branches, names by which an object is entered, and calls within the part", () => {
    const plain = weigh("def store(env)\n  @a = env.a\n  @b = env.b\nend") ?? assert.fail("no weight")
    assert.isAbove(weigh(deciding) ?? 0, plain)
    assert.isAbove(weigh(deciding, "call") ?? 0, weigh(deciding) ?? 0)
    assert.isAbove(weigh(deciding, "f", 0, 3) ?? 0, weigh(deciding) ?? 0)
  })

  it("counts a function that decides before one that is only used much", () => {
    const used = weigh("def store(env)\n  @a = env.a\n  @b = env.b\nend", "store", 20) ?? assert.fail("no weight")
    assert.isAbove(weigh(deciding, "call") ?? 0, used)
  })
})

describe("Deciding.isTrivial", () => {
  it("is true of getters and of a few statements without a branch, and not of what decides or does much", () => {
    for (const source of [
      "def color(self):\n    return self.ctx.color",
      "function M.opts(opts)\n  local all = merge(opts)\n  all.done = true\n  return all\nend",
    ])
      assert.isTrue(Deciding.isTrivial(entry("start", 9), source), source)
    const long = Array.from({ length: 6 }, (_, at) => `    step(${at})`)
    for (const source of [deciding, ["def run():", ...long].join("\n")])
      assert.isFalse(Deciding.isTrivial(entry("run"), source), source)
  })
})

describe("Deciding.bodyOf", () => {
  it("leaves out the header, docstrings, comments and closing lines", () => {
    const source =
      'def f(\n    a,\n    b,\n):\n    """Says.\n\n    More.\n    """\n    # Why.\n    x = 1\n    return x\n'
    assert.deepStrictEqual(Deciding.bodyOf(source), ["x = 1", "return x"])
  })
})
