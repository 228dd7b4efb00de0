import { assert, describe, it } from "@effect/vitest"
import * as NameSimilarity from "../../src/search/NameSimilarity.ts"

describe("NameSimilarity.distanceFrom", () => {
  const distance = (asked: string, name: string) =>
    NameSimilarity.distanceFrom(asked)(name.split(".").at(-1) ?? "", name)

  it.each([
    ["Append", "append", 0],
    ["apend", "append", 1],
    ["mian", "main", 1],
    ["Forest.append()", "Forest.append", 0],
    ["Forest#append", "Forest.append", 0],
    ["Tree.append", "Forest.append", 1],
  ])("from %s to %s is %d", (asked, name, expected) => {
    assert.strictEqual(distance(asked, name), expected)
  })

  it("is smallest for a typing error, larger for a prefix, largest for a part", () => {
    const distances = ["append", "apend", "appendAllNodes", "unappended"].map((name) => distance("append", name) ?? 9)
    assert.deepStrictEqual(distances.toSorted(), distances)
    assert.isBelow(distances[3] ?? 9, 9)
  })

  it.each([
    ["interfce", "InterfaceType"],
    ["Interfce", "makeInterface"],
    ["resutls", "print_results"],
    ["configuraton", "parse.loadConfiguration"],
    ["depednency", "DEPENDENCY_GRAPH"],
    ["gebür", "berechneGebühr"],
  ])("finds the word that %s means in %s, farther than a name that is it", (asked, name) => {
    assert.isAtLeast(distance(asked, name) ?? 0, 1.5)
    assert.isBelow(distance(asked, name) ?? 9, 2)
  })

  const mistypings = (word: string) =>
    Array.from({ length: word.length - 2 }, (_, at) => at + 1).flatMap((at) => [
      `${word.slice(0, at)}${word.slice(at + 1)}`,
      `${word.slice(0, at)}${word[at]}${word.slice(at)}`,
      `${word.slice(0, at)}${word[at + 1] ?? ""}${word[at]}${word.slice(at + 2)}`,
      `${word.slice(0, at)}z${word.slice(at + 1)}`,
    ])

  it.each([
    ["interface", ["parseInterface", "interface_names", "InterfaceOfAll", "is2Interface", "load-interface-file"]],
    ["request", ["handleRequest", "http_request_pool", "RequestError"]],
  ] as const)(
    "finds %s with a letter missing, doubled, exchanged or wrong in names of several words",
    (word, names) => {
      for (const typed of mistypings(word)) {
        for (const name of names) assert.isBelow(distance(typed, name) ?? 9, 2, `${typed} ${name}`)
      }
    },
  )

  it.each([
    ["getUser", "getUesr"],
    ["getUser", "GetUser"],
    ["handleRequest", "hadnleRequest"],
    ["connection_pool", "conection_pool"],
    ["connectionPool", "conection_pool"],
  ])("has %s nearest to %s", (name, typed) => {
    const others = ["get", "user", "request", "handle", "pool", "connect", "getUserName", "requestPool"]
    const distances = [name, ...others].map((other) => distance(typed, other) ?? 99)
    assert.strictEqual(distances.indexOf(Math.min(...distances)), 0)
  })

  it("puts a name with a mistyped word behind the word itself, and before one with only its beginning", () => {
    const distances = ["interface", "parseInterface", "inter"].map((name) => distance("interfce", name) ?? 9)
    assert.deepStrictEqual(distances.toSorted(), distances)
    assert.isAbove(distances[1] ?? 0, distances[0] ?? 9)
  })

  it.each([
    ["sesion", "SectionHeader"],
    ["pluck", "unlockedDoor"],
    ["lost", "sortListItems"],
    ["render", "sendHeader"],
    ["setting_valeu", "SettingValue.of"],
    ["interface", "internalName"],
  ])("finds no word that %s means in %s", (asked, name) => {
    assert.isUndefined(distance(asked, name))
  })

  it("is none for a name that is less than half of what was typed", () => {
    assert.isUndefined(distance("interfce", "INT"))
    assert.isUndefined(distance("configuration", "ration"))
    assert.isDefined(distance("SessionError", "Session"))
  })

  it("is none for another word", () => {
    assert.isUndefined(distance("append", "render"))
    assert.isUndefined(distance("x", "index"))
  })
})
