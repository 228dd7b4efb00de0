import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Project, referencesIn } from "./References.fixture.ts"

const core = {
  "Core/Engine.cs":
    "namespace My.Core;\npublic partial class Engine : Machine {\n  public Part Part { get; set; }\n  public Part First() { return Part; }\n  public static Engine Make() => new Engine();\n}\npublic class Part { public void Turn() {} }\n",
  "Core/Engine.Parts.cs": "namespace My.Core;\npublic partial class Engine {\n  public void Mend() { First(); }\n}\n",
  "Core/Part.cs": "namespace My.Other;\npublic class Part { public void Turn() {} }\n",
  "Core/Machine.cs":
    "namespace My.Core;\npublic abstract class Machine {\n  protected int speed;\n  public void Stop() {}\n}\n",
  "Lib/Engine.cs": "namespace Lib;\npublic class Engine { public void Stop() {} }\n",
}

const cases: ReadonlyArray<readonly [name: string, files: Project, from: string, expected: ReadonlyArray<string>]> = [
  [
    "resolves types by namespaces, usings, aliases and qualified names",
    {
      ...core,
      "App/A.cs":
        "using My.Core;\nusing Old = Lib.Engine;\nnamespace My.App;\nclass A {\n  Engine one;\n  Old two;\n  Lib.Engine three;\n  Unknown four;\n}\n",
    },
    "App/A.cs",
    [
      "My.App.A.one -> Core/Engine.cs My.Core.Engine: 5",
      "My.App.A.three -> Lib/Engine.cs Lib.Engine: 7",
      "My.App.A.two -> Lib/Engine.cs Lib.Engine: 6",
    ],
  ],
  [
    "resolves members by fields, properties, parameters, results and what is constructed",
    {
      ...core,
      "App/B.cs":
        "using My.Core;\nnamespace My.App;\nclass B {\n  private readonly Engine _engine = new();\n  async Task Run(Engine given, List<Engine> all, object o) {\n    _engine.Stop();\n    given.Part.Turn();\n    var made = new Engine();\n    made.Mend();\n    foreach (var each in all) each.Stop();\n    Engine.Make().First();\n    if (o is Engine found) found?.Stop();\n    all.ForEach(each => each.Stop());\n  }\n}\n",
    },
    "App/B.cs",
    [
      "My.App.B.Run -> App/B.cs My.App.B._engine: 6",
      "My.App.B.Run -> Core/Engine.Parts.cs My.Core.Engine.Mend: 9",
      "My.App.B.Run -> Core/Engine.cs My.Core.Engine.First: 11",
      "My.App.B.Run -> Core/Engine.cs My.Core.Engine.Make: 11",
      "My.App.B.Run -> Core/Engine.cs My.Core.Engine.Part: 7",
      "My.App.B.Run -> Core/Engine.cs My.Core.Engine: 5 8 11 12",
      "My.App.B.Run -> Core/Engine.cs My.Core.Part.Turn: 7",
      "My.App.B.Run -> Core/Machine.cs My.Core.Machine.Stop: 6 10 12",
      "My.App.B._engine -> Core/Engine.cs My.Core.Engine: 4",
    ],
  ],
  [
    "resolves names without a receiver in the class, in its parts and in its bases",
    {
      ...core,
      "Core/Sports.cs":
        "namespace My.Core;\nclass Sports : Engine {\n  void Go(int speed) {\n    Stop();\n    Mend();\n    base.Stop();\n    this.Help(speed);\n    Help(1);\n  }\n  void Help(int x) { x = speed; }\n}\n",
    },
    "Core/Sports.cs",
    [
      "My.Core.Sports -> Core/Engine.cs My.Core.Engine: 2",
      "My.Core.Sports.Go -> Core/Engine.Parts.cs My.Core.Engine.Mend: 5",
      "My.Core.Sports.Go -> Core/Machine.cs My.Core.Machine.Stop: 4 6",
      "My.Core.Sports.Go -> Core/Sports.cs My.Core.Sports.Help: 7 8",
      "My.Core.Sports.Help -> Core/Machine.cs My.Core.Machine.speed: 10",
    ],
  ],
]

describe("references of C#", () => {
  for (const [name, files, from, expected] of cases) {
    it.effect(name, () =>
      Effect.map(referencesIn(files), (lines) => {
        const own = lines.filter((line) => line.startsWith(`${from} `))
        assert.deepStrictEqual(
          own.map((line) => line.slice(from.length + 1)),
          expected,
        )
      }),
    )
  }
})
