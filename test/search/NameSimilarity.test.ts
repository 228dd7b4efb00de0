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
  ])("finds the word that %s means in %s, farther than a name that has it", (asked, name) => {
    assert.isAbove(distance(asked, name) ?? 0, 4)
    assert.isBelow(distance(asked, name) ?? 9, 8)
  })

  it.each([
    ["sesion", "SectionHeader"],
    ["color", "colourOf"],
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
