import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Project, referencesIn } from "../../../index/IndexStore/references/References.fixture.ts"
import { some } from "../../../thoroughness.ts"
import { inLinearTime, size } from "../../../utils/linearTime.ts"

const lines = (...all: ReadonlyArray<string>): string => `${all.join("\n")}\n`

const engine = lines(
  "public protocol Startable {",
  "    func start()",
  "}",
  "extension Startable {",
  "    func warmUp() {}",
  "}",
  "struct Engine: Startable {",
  "    struct Part { let size: Int }",
  "    let parts: [Part]",
  "    static let standard = Engine(size: 1)",
  "    init(size: Int) {}",
  "    init(named name: String, size: Int = 1) {}",
  "    func start() { warmUp() }",
  "    func run(_ count: Int, then next: () -> Void) {}",
  "    func run(fast: Bool) {}",
  '    static func make() -> Engine { Engine(named: "a") }',
  "}",
)

const cases: ReadonlyArray<readonly [name: string, files: Project, from: string, expected: ReadonlyArray<string>]> = [
  [
    "resolves types, initialisers and members by their labels, also of extensions in other files",
    {
      "Sources/Car/Engine.swift": engine,
      "Sources/Car/Engine+More.swift": "extension Engine {\n    func stop() { start() }\n}\n",
      "Sources/Car/Car.swift": lines(
        "class Car {",
        "    let engine: Engine",
        "    var spare = Engine(size: 3)",
        "    init(engine: Engine) { self.engine = engine }",
        "    func drive(other: Engine?, any: [Engine]) {",
        "        engine.start()",
        "        other?.stop()",
        "        spare.run(1) {}",
        "        self.engine.run(fast: true)",
        "        Engine.make().warmUp()",
        '        let made = Engine(named: "a", size: 2)',
        "        made.stop()",
        "        Engine.standard.start()",
        "        any.start()",
        "        helper(made)",
        "        if let other { other.start() }",
        "        let part: Engine.Part? = nil",
        "    }",
        "    private func helper(_ engine: Engine) {}",
        "    private func wrong() { engine.run(slow: true) }",
        "}",
      ),
    },
    "Sources/Car/Car.swift",
    [
      "Car.drive -> Sources/Car/Car.swift Car.engine: 6 9",
      "Car.drive -> Sources/Car/Car.swift Car.helper: 15",
      "Car.drive -> Sources/Car/Car.swift Car.spare: 8",
      "Car.drive -> Sources/Car/Engine+More.swift Engine.stop: 7 12",
      "Car.drive -> Sources/Car/Engine.swift Engine.Part: 17",
      "Car.drive -> Sources/Car/Engine.swift Engine.init: 11",
      "Car.drive -> Sources/Car/Engine.swift Engine.make: 10",
      "Car.drive -> Sources/Car/Engine.swift Engine.run: 8",
      "Car.drive -> Sources/Car/Engine.swift Engine.run: 9",
      "Car.drive -> Sources/Car/Engine.swift Engine.standard: 13",
      "Car.drive -> Sources/Car/Engine.swift Engine.start: 6 13 16",
      "Car.drive -> Sources/Car/Engine.swift Engine: 5 10 11 13 17",
      "Car.drive -> Sources/Car/Engine.swift Startable.warmUp: 10",
      "Car.engine -> Sources/Car/Engine.swift Engine: 2",
      "Car.helper -> Sources/Car/Engine.swift Engine: 19",
      "Car.init -> Sources/Car/Car.swift Car.engine: 4",
      "Car.init -> Sources/Car/Engine.swift Engine: 4",
      "Car.spare -> Sources/Car/Engine.swift Engine.init: 3",
      "Car.spare -> Sources/Car/Engine.swift Engine: 3",
      "Car.wrong -> Sources/Car/Car.swift Car.engine: 20",
    ],
  ],
  [
    "takes names of parameters, variables, closures and generic types as they are",
    {
      "Sources/A/Item.swift": "struct Item { func go() {}\n    static func of() {} }\n",
      "Sources/A/A.swift": lines(
        "final class A {",
        "    func go() {}",
        "    func run(go: () -> Void, list: [Int]) {",
        "        go()",
        "        list.forEach { go in go() }",
        "        for go in list { print(go) }",
        "    }",
        "    func other<Item>(_ item: Item) -> Item { Item.of() }",
        "    func call() { let item = Item(); item.go(); go() }",
        "    func two(flag: Bool) { var item = Item(); item = make(); item.go() }",
        "}",
      ),
    },
    "Sources/A/A.swift",
    [
      "A.call -> Sources/A/A.swift A.go: 9",
      "A.call -> Sources/A/Item.swift Item.go: 9",
      "A.call -> Sources/A/Item.swift Item: 9",
      "A.two -> Sources/A/Item.swift Item.go: 10",
      "A.two -> Sources/A/Item.swift Item: 10",
    ],
  ],
]

/** Texts that would take minutes if anything in the reader took time in the square of their length. */
const hostile: Readonly<Record<string, string>> = {
  "calls in calls": `let a = ${"A(b: ".repeat(size(50_000))}1${")".repeat(size(50_000))}\n`,
  "closures in closures": `func a() { ${"b { c in ".repeat(size(20_000))}${"}".repeat(size(20_000))} }\n`,
  "types in types": `${"struct Abcdefgh {\n".repeat(size(1_000))}${"}".repeat(size(1_000))}\n`,
  "a long chain": `let a = A()${".b(c: 1)".repeat(size(50_000))}\n`,
  "a long list": `let a = A(${"b: 1, ".repeat(size(50_000))}c: 1)\n`,
  "open brackets": "(<[".repeat(size(50_000)),
  "generics that do not end": `${"a<".repeat(size(50_000))}\n`,
  "one name often": `func f() {\n${"let x = A()\nx.b()\n".repeat(size(20_000))}}\n`,
}

describe("references of Swift", () => {
  for (const [name, text] of some(Object.entries(hostile), 1)) {
    it.effect(`are read in linear time of ${name}`, () => inLinearTime(referencesIn({ "Sources/A/a.swift": text })))
  }

  for (const [name, files, from, expected] of cases) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const all = yield* referencesIn(files)
        assert.deepStrictEqual(
          all.filter((line) => line.startsWith(`${from} `)).map((line) => line.slice(from.length + 1)),
          expected,
        )
      }),
    )
  }
})
