import { assert, describe, it } from "@effect/vitest"
import { IndexEntry, isOpen, majorWhen, type Outlined, sameSymbol, statementOf } from "../../src/index/IndexEntry.ts"

/** A public method of an exported class, on ten lines. */
const method: Outlined = {
  name: "send",
  kind: "method",
  container: "Adapter",
  startLine: 1,
  endLine: 10,
  signature: "def send(self, request, timeout=None):",
  exported: true,
}

const short = { ...method, endLine: 3 }

describe("majorWhen", () => {
  it.each(["function", "class", "interface", "type", "enum"] as const)("takes every %s of the top level", (kind) => {
    const atTop = { ...method, kind, container: undefined }
    assert.strictEqual(majorWhen(atTop, undefined), "always")
    assert.strictEqual(majorWhen({ ...atTop, exported: false }, undefined), "always")
    assert.strictEqual(majorWhen({ ...atTop, container: "space", exported: false }, "module"), "always")
  })

  it("takes a nested class if it is exported", () => {
    const nested = { ...method, kind: "class" as const, container: "Outer" }
    assert.strictEqual(majorWhen(nested, "class"), "always")
    assert.strictEqual(majorWhen({ ...nested, exported: false }, "class"), "used")
  })

  it("takes every method with a body of five lines", () => {
    assert.strictEqual(majorWhen({ ...method, exported: false, name: "_send" }, "class"), "always")
    assert.strictEqual(majorWhen({ ...method, name: "__call__" }, "class"), "always")
    assert.strictEqual(majorWhen({ ...method, exported: false, endLine: 5 }, "class"), "used")
  })

  it("takes short methods of the public interface of a class", () => {
    assert.strictEqual(majorWhen(short, "class"), "always")
    // In Go and C++ the type may be in another file.
    assert.strictEqual(majorWhen(short, undefined), "always")
    assert.strictEqual(majorWhen({ ...short, exported: false }, "class"), "used")
  })

  it.each([
    ["def name(self):", "name"],
    ["get name(): string", "name"],
    ["fn len(&self) -> usize", "len"],
    ["setName(name: string): void", "setName"],
  ])("takes the accessor %s once it is used", (signature, name) => {
    assert.strictEqual(majorWhen({ ...short, signature, name }, "class"), "used")
  })

  it("takes short constructors and operators once they are used", () => {
    assert.strictEqual(majorWhen({ ...short, name: "__init__" }, "class"), "used")
    assert.strictEqual(majorWhen({ ...short, name: "constructor" }, "class"), "used")
  })

  it.each(["__repr__", "__eq__", "toString", "hashCode"])("never takes the boilerplate %s", (name) => {
    assert.strictEqual(majorWhen({ ...method, name }, "class"), "never")
  })

  it.each([
    "impl Clone: fn clone(&self) -> Self",
    "impl fmt::Debug: fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result",
    "static func == (lhs: Key, rhs: Key) -> Bool",
    "func hash(into hasher: inout Hasher)",
  ])("never takes %s, which a compiler can write", (signature) => {
    assert.strictEqual(majorWhen({ ...method, signature }, "class"), "never")
  })

  it.each([
    "impl Service: fn call(&mut self, req: Request) -> Self::Future",
    "fn clone(url: &str) -> Repository",
    "func hash(_ plaintext: String) throws -> String",
  ])("takes %s", (signature) => {
    assert.strictEqual(majorWhen({ ...method, signature }, "class"), "always")
  })

  it("never takes the tests in a module beside the code, nor what helps them", () => {
    assert.strictEqual(majorWhen({ ...method, kind: "function", container: "tests" }, "module"), "never")
    assert.strictEqual(majorWhen({ ...method, kind: "function", container: "router.test" }, "module"), "never")
    assert.strictEqual(majorWhen({ ...method, kind: "method", container: "tests.Mock" }, "class"), "never")
    assert.strictEqual(majorWhen({ ...method, kind: "method", container: "tests" }, "class"), "always")
    assert.strictEqual(majorWhen({ ...method, kind: "function", container: "testing" }, "module"), "always")
  })

  it("never takes a type in one line within another, such as an associated type", () => {
    const type = { ...method, kind: "type" as const, container: "Body", signature: "impl Body: type Data = Bytes" }
    assert.strictEqual(majorWhen({ ...type, endLine: type.startLine }, "class"), "never")
    assert.strictEqual(majorWhen(type, "class"), "always")
    assert.strictEqual(majorWhen({ ...type, endLine: type.startLine, container: undefined }, undefined), "always")
    assert.strictEqual(majorWhen({ ...type, endLine: type.startLine }, "module"), "always")
  })

  it("takes methods of an interface once they are used", () => {
    assert.strictEqual(majorWhen({ ...method, endLine: 1 }, "interface"), "used")
    assert.strictEqual(majorWhen({ ...method, endLine: 1 }, "type"), "used")
  })

  it("takes what a CommonJS module exports", () => {
    const member = { ...short, container: "User", signature: "User.ban = async function (uid)" }
    for (const parent of ["constant", "function", undefined] as const) {
      assert.strictEqual(majorWhen(member, parent), "always")
    }
  })

  it("never takes helpers inside a function", () => {
    assert.strictEqual(majorWhen({ ...method, kind: "function", exported: false }, "function"), "never")
    assert.strictEqual(majorWhen({ ...method, exported: false }, "method"), "never")
  })

  it("takes an exported constant once it is used", () => {
    const constant = { ...method, kind: "constant" as const, container: undefined }
    assert.strictEqual(majorWhen(constant, undefined), "used")
    assert.strictEqual(majorWhen({ ...constant, exported: false }, undefined), "never")
    assert.strictEqual(majorWhen({ ...constant, container: "Colour" }, "class"), "never")
  })

  it.each(["field", "variable", "module"] as const)("never takes a %s", (kind) => {
    assert.strictEqual(majorWhen({ ...method, kind, container: undefined }, undefined), "never")
  })
})

describe("statementOf", () => {
  it.each([
    ["Parses a subscript. Why does items.0 work like indexing?", "Parses a subscript."],
    ["Writes dots for many. What do [FILE]... brackets mean?", "Writes dots for many."],
    ["Parses a.b and a.b[0](). How is a.0.b read?", "Parses a.b and a.b[0]()."],
    ["Parses a subscript. It is quick. What does !x mean?", "Parses a subscript. It is quick."],
    ["Keeps cookies, e.g. of a login. How does a client stay logged in?", "Keeps cookies, e.g. of a login."],
    ["Keeps cookies. Who? And how long?", "Keeps cookies. Who? And how long?"],
    ["How does a client stay logged in?", "How does a client stay logged in?"],
    ["Keeps cookies from one request to the next.", "Keeps cookies from one request to the next."],
  ])("of %j is %j", (text, statement) => assert.strictEqual(statementOf({ text }), statement))
})

describe("majorWhen, its borders", () => {
  it.each<readonly [what: string, change: Partial<Outlined>, when: string]>([
    ["a method with a body of five lines", { exported: false, startLine: 1, endLine: 6 }, "always"],
    ["one with a line less", { exported: false, startLine: 1, endLine: 5 }, "used"],
    ["an accessor on three lines", { name: "name", signature: "name()", endLine: 3 }, "used"],
    ["one on four lines", { name: "name", signature: "name()", endLine: 4 }, "always"],
    ["a method that sets something", { name: "set", signature: "set(a)", endLine: 1 }, "used"],
    ["a method that sets by a name with an underscore", { name: "_set_name", signature: "_(a)", endLine: 1 }, "used"],
    ["a method whose name only begins so", { name: "settle", signature: "settle(a)", endLine: 1 }, "always"],
    ["a method whose name only ends so", { name: "reset", signature: "reset(a)", endLine: 1 }, "always"],
    ["a test of Rust", { container: "tests.Helper" }, "never"],
    ["a test of Rust in a module", { container: "io.tests.Helper" }, "never"],
    ["a member of what only ends so", { container: "contests.Helper" }, "always"],
  ])("takes %s as it is", (_, change, when) => {
    assert.strictEqual(majorWhen({ ...method, ...change }, "class"), when)
  })
})

describe("an entry", () => {
  const entry = (startLine: number, fields: Partial<ConstructorParameters<typeof IndexEntry>[0]> = {}) =>
    new IndexEntry({ ...method, path: "a.ts", usedBy: 0, isMajor: true, hash: "h", startLine, ...fields })

  it("is open if it is major, without a purpose or with a stale one", () => {
    const purpose = (stale: boolean) => ({
      purpose: { text: "Sends.", origin: "model", model: "m", node: "n", stale } as const,
    })
    assert.deepStrictEqual(
      [{}, purpose(true), purpose(false), { isMajor: false }, { isMajor: false, ...purpose(true) }].map((fields) =>
        isOpen(entry(1, fields)),
      ),
      [true, true, false, false, false],
    )
  })

  it("is the same symbol as the nearest one of its name", () => {
    const symbols = [entry(5), entry(20), entry(11, { name: "other" }), entry(12, { container: undefined })]
    const lineOf = (startLine: number) => sameSymbol(symbols, { qualifiedName: "Adapter.send", startLine })?.startLine
    assert.deepStrictEqual([1, 12, 13, 99].map(lineOf), [5, 5, 20, 20])
    assert.isUndefined(sameSymbol(symbols, { qualifiedName: "send", startLine: 1 })?.container)
    assert.isUndefined(sameSymbol(symbols, { qualifiedName: "none", startLine: 1 }))
  })

  it.each([
    ["Opens.  Who asks?", "Opens."],
    ["Opens. Shuts! Who asks?", "Opens. Shuts!"],
    ["Opens a.b well. What of a.b?", "Opens a.b well."],
    ["Who asks?", "Who asks?"],
    ["Opens. Who asks", "Opens. Who asks"],
    ["Opens", "Opens"],
  ])("states of %j: %s", (text, statement) => assert.strictEqual(statementOf({ text }), statement))
})
