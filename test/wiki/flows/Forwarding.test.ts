import { assert, describe, it } from "@effect/vitest"
import { IndexEntry } from "../../../src/index/IndexEntry.ts"
import * as Forwarding from "../../../src/wiki/flows/Forwarding.ts"

const isForwarding = (signature: string, rest: string): boolean => {
  const source = signature + rest
  const entry = new IndexEntry({
    path: "a",
    name: "f",
    kind: "function",
    startLine: 1,
    endLine: source.split("\n").length,
    signature,
    exported: true,
    usedBy: 0,
    isMajor: true,
    hash: "h",
  })
  return Forwarding.isForwarding(entry, source)
}

describe("Forwarding.isForwarding", () => {
  it("recognises a body that is one call with plain arguments", () => {
    assert.isTrue(isForwarding("func GET(path string) gin.IRoutes", " {\n\treturn engine().GET(path, handlers...)\n}"))
    assert.isTrue(isForwarding("def save(self, text)", ":\n    return self.store.save(text)"))
    assert.isTrue(isForwarding("function M.load(name)", "\n  return Loader.load(name, { start = true })\nend"))
    assert.isTrue(isForwarding("const load = (name: string) =>", " read(name)"))
    assert.isTrue(
      isForwarding("pub async fn get(&self)", " {\n    // As the trait says.\n    self.inner.get().await\n}"),
    )
  })

  it("takes a condition, an operator, a second statement or a call among the arguments for more", () => {
    for (const [signature = "", rest = ""] of [
      ["func Run(a string)", ' {\n\tif a == "" { return }\n\tserve(a)\n}'],
      ["const load = (name: string) =>", " cache.get(name) ?? read(name)"],
      ["def save(self)", ":\n    self.check()\n    self.store.save()"],
      ["def save(self)", ":\n    self.store.save(encode(self))"],
      ["def area(self)", ":\n    return 3"],
      ["func Empty()", " {\n}"],
    ]) {
      assert.isFalse(isForwarding(signature, rest), signature + rest)
    }
  })

  it("reads a long hostile line in linear time", () => {
    assert.isFalse(isForwarding("function f()", ` { return ${"a.".repeat(290)}`))
    assert.isFalse(isForwarding("function f()", ` { return ${"a.".repeat(50_000)}`))
  })
})
