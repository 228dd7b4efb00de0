import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Project, referencesIn } from "../../../index/IndexStore/references/References.fixture.ts"

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
  [
    "finds types in a file of any name, by the namespaces around and those that are imported within one",
    {
      "Core/Models.cs":
        "namespace My.Core\n{\n  public class Region { public static Region Make() => new Region(); public void Grow() {} }\n}\nnamespace My.Core.Deep { public class Inner {} }\n",
      "App/In.cs":
        "namespace My.App;\nusing Core;\nusing Region2 = My.Core.Region;\nclass In {\n  Region a; Region2 b; Core.Deep.Inner c; Near d;\n  void Go() { a.Grow(); Region.Make().Grow(); }\n}\n",
      "Near.cs": "namespace My;\nclass Far {}\nclass Near {}\n",
    },
    "App/In.cs",
    [
      "My.App.In.Go -> App/In.cs My.App.In.a: 6",
      "My.App.In.Go -> Core/Models.cs My.Core.Region.Grow: 6",
      "My.App.In.Go -> Core/Models.cs My.Core.Region.Make: 6",
      "My.App.In.Go -> Core/Models.cs My.Core.Region: 6",
      "My.App.In.a -> Core/Models.cs My.Core.Region: 5",
      "My.App.In.b -> Core/Models.cs My.Core.Region: 5",
      "My.App.In.c -> Core/Models.cs My.Core.Deep.Inner: 5",
      "My.App.In.d -> Near.cs My.Near: 5",
    ],
  ],
  [
    "finds types of each of the namespaces that stand in one file",
    {
      "Left.cs": "namespace Left { class One {} }\n",
      "Right.cs": "namespace Right { class Two {} }\n",
      "Both.cs": "namespace Left {\n  class Use { One a; }\n}\nnamespace Right {\n  class Other { Two b; }\n}\n",
    },
    "Both.cs",
    ["Left.Use.a -> Left.cs Left.One: 2", "Right.Other.b -> Right.cs Right.Two: 5"],
  ],
  [
    "tells types by the number of their parameters",
    {
      "Box.cs":
        "namespace N;\nclass Box { public void Plain() {} }\nclass Box<T> { public void Typed() {} public void Plain() {} }\n",
      "Use.cs":
        "namespace N;\nclass Use {\n  void Go(Box a, Box<int> b) {\n    a.Plain();\n    b.Typed();\n    a.Typed();\n  }\n}\n",
    },
    "Use.cs",
    [
      "N.Use.Go -> Box.cs N.Box.Plain: 4",
      "N.Use.Go -> Box.cs N.Box.Typed: 5 6",
      "N.Use.Go -> Box.cs N.Box: 3",
      "N.Use.Go -> Box.cs N.Box: 3",
    ],
  ],
  [
    "follows usings for the whole project, of this project alone, and functions of top-level statements",
    {
      "App/App.csproj": "<Project />\n",
      "App/Properties/Usings.cs": "global using My.Core;\n",
      "Other/Other.csproj": "<Project />\n",
      "Core/Models.cs": "namespace My.Core;\npublic class Region { public void Grow() {} }\n",
      "Other/Use.cs": "class Use { Region a; }\n",
      "App/Program.cs":
        "var made = new Region();\nmade.Grow();\nHelp(made);\nvoid Help(Region given) { given.Grow(); }\n",
    },
    "App/Program.cs",
    [
      "- -> App/Program.cs Help: 3",
      "- -> Core/Models.cs My.Core.Region.Grow: 2",
      "- -> Core/Models.cs My.Core.Region: 1",
      "Help -> Core/Models.cs My.Core.Region.Grow: 4",
      "Help -> Core/Models.cs My.Core.Region: 4",
    ],
  ],
  [
    "resolves extension methods of known types, their bases and results, and of values of which nothing is known",
    {
      ...core,
      "Core/Extensions.cs":
        "namespace My.Core;\npublic static class Extensions {\n  public static Part Weld(this Machine machine, int heat, int time = 1) => null;\n  public static void Bend(this Part part) {}\n  public static void Paint<T>(this T any, params string[] colours) {}\n  public static Engine Loosen(this string text) => null;\n  public static void Stop(this Part part) {}\n}\n",
      "App/E.cs":
        'using My.Core;\nclass E {\n  void Run(Engine engine, List<Part> parts) {\n    engine.Weld(1).Bend();\n    engine?.Weld(1, 2);\n    parts.ForEach(each => each.Bend());\n    "a".Loosen().Stop();\n    this.Paint("red", "green", "blue");\n    Extensions.Bend(null);\n    engine.First().Stop();\n  }\n}\n',
    },
    "App/E.cs",
    [
      "E.Run -> Core/Engine.cs My.Core.Engine.First: 10",
      "E.Run -> Core/Engine.cs My.Core.Engine: 3",
      "E.Run -> Core/Engine.cs My.Core.Part: 3",
      "E.Run -> Core/Extensions.cs My.Core.Extensions.Bend: 4 6 9",
      "E.Run -> Core/Extensions.cs My.Core.Extensions.Loosen: 7",
      "E.Run -> Core/Extensions.cs My.Core.Extensions.Paint: 8",
      "E.Run -> Core/Extensions.cs My.Core.Extensions.Stop: 10",
      "E.Run -> Core/Extensions.cs My.Core.Extensions.Weld: 4 5",
      "E.Run -> Core/Extensions.cs My.Core.Extensions: 9",
      "E.Run -> Core/Machine.cs My.Core.Machine.Stop: 7",
    ],
  ],
  [
    "leaves extension methods open that another value, namespace, number of arguments or member may mean",
    {
      ...core,
      "Core/Extensions.cs":
        "namespace My.Core;\npublic static class Extensions {\n  public static void Bend(this Part part, int by) {}\n  public static void Where(this Part part, int by) {}\n  public static void Turn(this Engine engine, int by) {}\n  public static void Paint(this Part part, int by) {}\n  public static void Paint(this Part part, string with) {}\n  public static void Read(this Stream stream, int by) {}\n}\npublic class Input : LibraryInput { public static Encoding Coding; }\n",
      "Core/Far.cs":
        "namespace My.Far;\npublic static class FarExtensions { public static void Cool(this object any) {} }\n",
      "App/F.cs":
        "using My.Core;\nclass F {\n  void Run(Engine engine, Part part, object o) {\n    engine.Bend(1);\n    part.Bend();\n    part.Cool();\n    Library.Bend(1);\n    string.Bend(1);\n    part.Paint(1);\n    Call(x => x.Where(1));\n    Call(x => x.Turn(1));\n    engine.Turn(1);\n    new Input().Read(1);\n    Input.Coding.Read(1);\n  }\n}\n",
    },
    "App/F.cs",
    [
      "F.Run -> Core/Engine.cs My.Core.Engine: 3",
      "F.Run -> Core/Engine.cs My.Core.Part: 3",
      "F.Run -> Core/Extensions.cs My.Core.Extensions.Turn: 12",
      "F.Run -> Core/Extensions.cs My.Core.Input.Coding: 14",
      "F.Run -> Core/Extensions.cs My.Core.Input: 13 14",
    ],
  ],
  [
    "takes the only overload that the number of arguments fits, also in another part, in a base or as an extension",
    {
      "Core/Base.cs":
        "namespace N;\nclass Base { public void Go(int a, int b, int c) {} }\npartial class Own : Base {\n  public void Go(int a) {}\n  public void Go(int a, int b = 1, string c = null, bool d = true, bool e = true) {}\n  public void Go() {}\n}\nclass Other { public void Go() {} }\n",
      "Core/Part.cs":
        "namespace N;\npartial class Own {\n  public void Log(params object[] all) {}\n  public void Log(string one) {}\n}\n",
      "Core/Extensions.cs":
        "namespace N;\nstatic class Extensions { public static void Go(this Own own, int a, int b, int c, int d, int e, int f) {} }\n",
      "Use.cs":
        "namespace N;\nclass Use : Own {\n  void Run(Own own) {\n    own.Go();\n    own.Go(1, 2, 3, 4);\n    own.Go(1, 2, 3, 4, 5, 6);\n    own.Go(1);\n    Go();\n    own.Log(1, 2, 3);\n    own.Log(1);\n    Extensions.Go(own, 1, 2, 3, 4, 5, 6);\n    own.Go(1, 2, 3, 4, 5, 6, 7);\n    base.Go(1, 2, 3, 4);\n  }\n}\n",
    },
    "Use.cs",
    [
      "N.Use -> Core/Base.cs N.Own: 2",
      "N.Use.Run -> Core/Base.cs N.Own.Go: 4 8",
      "N.Use.Run -> Core/Base.cs N.Own.Go: 5 13",
      "N.Use.Run -> Core/Base.cs N.Own: 3",
      "N.Use.Run -> Core/Extensions.cs N.Extensions.Go: 6 11",
      "N.Use.Run -> Core/Extensions.cs N.Extensions: 11",
      "N.Use.Run -> Core/Part.cs N.Own.Log: 9",
    ],
  ],
  [
    "resolves parameters of lambdas by what the method, extension method or constructor gives to them",
    {
      ...core,
      "Core/Setup.cs":
        "namespace My.Core;\npublic class Setup {\n  public Setup(params Action<Engine>[] all) {}\n  public Setup(int number) {}\n  public void With(Func<Engine, Part, int> change, string name = null) {}\n  public void Each<T>(Action<T> change) {}\n}\npublic static class SetupExtensions {\n  public static void Also(this Setup setup, int by, Expression<Func<Part, bool>> test) {}\n}\n",
      "App/L.cs":
        'using My.Core;\nclass L {\n  void Run(Setup setup) {\n    setup.With((e, p) => {\n      e.Stop();\n      p.Turn();\n    }, "name");\n    setup.Also(1, p => p.Turn());\n    SetupExtensions.Also(setup, 1, p => p.Turn());\n    new Setup(e => e.First(), e => e.Stop());\n    setup.Each(e => e.Stop());\n    setup.Gone(e => e.Stop());\n  }\n}\n',
    },
    "App/L.cs",
    [
      "L.Run -> Core/Engine.cs My.Core.Engine.First: 10",
      "L.Run -> Core/Engine.cs My.Core.Part.Turn: 6 8 9",
      "L.Run -> Core/Machine.cs My.Core.Machine.Stop: 5 10",
      "L.Run -> Core/Setup.cs My.Core.Setup.Each: 11",
      "L.Run -> Core/Setup.cs My.Core.Setup.With: 4",
      "L.Run -> Core/Setup.cs My.Core.Setup: 3 10",
      "L.Run -> Core/Setup.cs My.Core.SetupExtensions.Also: 8 9",
      "L.Run -> Core/Setup.cs My.Core.SetupExtensions: 9",
    ],
  ],
  [
    "leaves a name open that two programs declare, and takes that of its own",
    {
      "A/A.csproj": "<Project />\n",
      "A/Start.cs": "namespace N;\nclass Start { public static void Run() {} }\n",
      "A/Use.cs": "namespace N;\nclass Use { void Go() { Start.Run(); } }\n",
      "B/B.csproj": "<Project />\n",
      "B/Other.cs": "namespace N;\nclass Start { public static void Run() {} }\n",
      "C.cs": "namespace N;\nclass C { void Go() { Start.Run(); } }\n",
    },
    "A/Use.cs",
    ["N.Use.Go -> A/Start.cs N.Start.Run: 2", "N.Use.Go -> A/Start.cs N.Start: 2"],
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
