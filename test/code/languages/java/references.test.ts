import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Project, referencesIn } from "../../../index/IndexStore/references/References.fixture.ts"

const engine =
  "package com.example.core;\n\npublic class Engine extends Base {\n  Part part;\n  public Part first() { return part; }\n  public static Engine make() { return new Engine(); }\n  public static class Part {\n    public void turn() {}\n  }\n}\n"

const base = "package com.example.core;\n\nclass Base {\n  protected int speed;\n  public void stop() {}\n}\n"

const core = { "src/main/java/com/example/core/Engine.java": engine, "src/main/java/com/example/core/Base.java": base }

const withCore = (path: string, text: string): Project => ({ ...core, [path]: text })

const cases: ReadonlyArray<readonly [name: string, files: Project, from: string, expected: ReadonlyArray<string>]> = [
  [
    "resolves types by imports, by the package and by imports of a package",
    withCore(
      "src/test/java/com/example/core/EngineTest.java",
      "package com.example.core;\n\nclass EngineTest {\n  Engine one;\n  com.other.Engine two;\n}\n",
    ),
    "src/test/java/com/example/core/EngineTest.java",
    ["EngineTest.one -> Engine: 4"],
  ],
  [
    "resolves members by fields, parameters, variables, results and what is constructed",
    withCore(
      "src/main/java/com/example/App.java",
      "package com.example;\n\nimport com.example.core.*;\nimport java.util.List;\nimport static com.example.core.Engine.make;\n\nclass App {\n  private final Engine engine = new Engine();\n  void run(Engine given, List<Engine> all) {\n    engine.stop();\n    given.first().turn();\n    var made = new Engine();\n    made.stop();\n    this.engine.first();\n    for (var each : all) each.stop();\n    make().stop();\n    Engine.Part part = null;\n    part.turn();\n  }\n}\n",
    ),
    "src/main/java/com/example/App.java",
    [
      "App.engine -> Engine: 8",
      "App.run -> App.engine: 10 14",
      "App.run -> Base.stop: 10 13 15 16",
      "App.run -> Engine.Part.turn: 11 18",
      "App.run -> Engine.Part: 17",
      "App.run -> Engine.first: 11 14",
      "App.run -> Engine.make: 16",
      "App.run -> Engine: 9 12 17",
    ],
  ],
  [
    "resolves names without a receiver in the class, in those around it and in its bases",
    withCore(
      "src/main/java/com/example/core/Sports.java",
      "package com.example.core;\n\nclass Sports extends Engine {\n  int top = speed;\n  void go() {\n    stop();\n    first();\n    super.stop();\n    new Runnable() {\n      public void run() { go(); }\n    };\n  }\n  class Gear {\n    void shift() { go(); }\n  }\n  void with(int speed) { int go = speed; }\n}\n",
    ),
    "src/main/java/com/example/core/Sports.java",
    [
      "Sports -> Engine: 3",
      "Sports.Gear.shift -> Sports.go: 14",
      "Sports.go -> Base.stop: 6 8",
      "Sports.go -> Engine.first: 7",
      "Sports.go -> Sports.go: 10",
      "Sports.top -> Base.speed: 4",
    ],
  ],
  [
    "tells overloads apart by the number of arguments, and chooses none if several take as many",
    {
      "src/Base.java":
        "class Base {\n  void add(int a) {}\n  void add(int a, int b) {}\n  void say(String a) {}\n  void say(char a) {}\n  void log(String a) {}\n  void log(String a, Object... rest) {}\n}\n",
      "src/Sub.java":
        "class Sub extends Base {\n  void add(int a, int b, int c) {}\n  void run() {\n    add(1, /* two */ 2, 3);\n    this.add(1, 2);\n    say(null);\n    this.say(null);\n    log(null, 1, 2);\n  }\n}\n",
      "src/User.java":
        "class User {\n  void go(Base base, Sub sub) {\n    base.add(1);\n    base.add(1, 2);\n    sub.add(1, 2, 3);\n    base.say(null);\n    base.log(null, 1, 2);\n  }\n}\n",
    },
    "src/User.java",
    [
      "User.go -> Base.add: 3",
      "User.go -> Base.add: 4",
      "User.go -> Base.log: 7",
      "User.go -> Base: 2",
      "User.go -> Sub.add: 5",
      "User.go -> Sub: 2",
    ],
  ],
  [
    "tells overloads apart in the class itself and in its bases, by the number of arguments",
    {
      "src/Base.java":
        "class Base {\n  void add(int a) {}\n  void add(int a, int b) {}\n  void say(String a) {}\n  void say(char a) {}\n  void log(String a) {}\n  void log(String a, Object... rest) {}\n}\n",
      "src/Sub.java":
        "class Sub extends Base {\n  void add(int a, int b, int c) {}\n  void run() {\n    add(1, /* two */ 2, 3);\n    this.add(1, 2);\n    say(null);\n    this.say(null);\n    log(null, 1, 2);\n  }\n}\n",
      "src/User.java":
        "class User {\n  void go(Base base, Sub sub) {\n    base.add(1);\n    base.add(1, 2);\n    sub.add(1, 2, 3);\n    base.say(null);\n    base.log(null, 1, 2);\n  }\n}\n",
    },
    "src/Sub.java",
    ["Sub -> Base: 1", "Sub.run -> Base.add: 5", "Sub.run -> Base.log: 8", "Sub.run -> Sub.add: 4"],
  ],
  [
    "resolves static imports of all members, qualified names, and types in a file of another name or folder",
    {
      "src/demo/Shapes.java":
        "package demo;\npublic class Shapes { public static int check(int n) { return n; } public static class In { public static void deep() {} } }\nclass Square { int side() { return 1; } }\n",
      "odd/Use.java": "package demo;\nclass Use { int go(Square s) { return s.side(); } }\n",
      "src/app/App.java":
        "package app;\nimport static demo.Shapes.*;\nclass App extends Base {\n  void go() {\n    check(1);\n    demo.Shapes.check(2);\n    demo.Shapes.In.deep();\n    demo.Shapes held = null;\n    other.Shapes.check(3);\n    helped();\n  }\n}\nclass Base { void helped() {} }\n",
    },
    "src/app/App.java",
    [
      "App -> Base: 3",
      "App.go -> Base.helped: 10",
      "App.go -> Shapes.In.deep: 7",
      "App.go -> Shapes.In: 7",
      "App.go -> Shapes.check: 5 6",
      "App.go -> Shapes: 6 7 8",
    ],
  ],
]

describe("references of Java", () => {
  for (const [name, files, from, expected] of cases) {
    it.effect(name, () =>
      Effect.map(referencesIn(files), (lines) => {
        const own = lines.filter((line) => line.startsWith(`${from} `))
        assert.deepStrictEqual(
          own.map((line) => line.slice(from.length + 1).replace(/-> \S+/, "->")),
          expected,
        )
      }),
    )
  }
})
