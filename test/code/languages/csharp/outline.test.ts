import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { docs, outlined, rows, signatures, withSymbols } from "../../Symbols/outlined.ts"

const source = `using System;
using static System.Math;
using Alias = System.IO.File;

namespace Example.Stores
{
    /// <summary>
    /// Keeps <see cref="T:Example.Thing"/>s &amp; more.
    /// </summary>
    /// <param name="size">how many</param>
    [Serializable, Other(1)]
    public abstract partial class Store<T> : Base, IKeep where T : class
    {
        public const int Limit = 1, Most = 2;
        private readonly string _name;
        public event EventHandler Changed;
        public int Size { get; private set; }
        int Doubled => 2;
        public int this[int index] { get { return 1; } }
        public Store(int size) : base(size) { int local; void Inner() {} }
        ~Store() {}
        [Obsolete] public async Task<int> Keep<Q>(int a, string b = "x") where Q : new() => 1;
        public static Store<T> operator +(Store<T> a, Store<T> b) { return a; }
        public static implicit operator int(Store<T> a) => 1;
        public delegate void Handler(int a);
        enum State { On, Off = 1 }
        public interface IVisit { void Visit(); int Count { get; } }
        void IKeep.Explicit() {}
    }
    internal struct Point { public int X; }
    public record Pair(int A, string B);
}
`

withSymbols("the outline of C#", (it) => {
  it.effect("has namespaces and types with their members", () =>
    Effect.gen(function* () {
      const outline = yield* outlined("Store.cs", source)
      assert.deepStrictEqual(rows(outline), [
        "+ module Example.Stores 5-32",
        "+ class Example.Stores.Store 11-29",
        "+ constant Example.Stores.Store.Limit 14-14",
        "+ constant Example.Stores.Store.Most 14-14",
        "- field Example.Stores.Store._name 15-15",
        "+ field Example.Stores.Store.Changed 16-16",
        "+ field Example.Stores.Store.Size 17-17",
        "- field Example.Stores.Store.Doubled 18-18",
        "+ field Example.Stores.Store.this 19-19",
        "+ method Example.Stores.Store.Store 20-20",
        "- method Example.Stores.Store.~Store 21-21",
        "+ method Example.Stores.Store.Keep 22-22",
        "+ method Example.Stores.Store.operator + 23-23",
        "+ method Example.Stores.Store.operator int 24-24",
        "+ type Example.Stores.Store.Handler 25-25",
        "- enum Example.Stores.Store.State 26-26",
        "+ interface Example.Stores.Store.IVisit 27-27",
        "+ method Example.Stores.Store.IVisit.Visit 27-27",
        "+ field Example.Stores.Store.IVisit.Count 27-27",
        "- method Example.Stores.Store.Explicit 28-28",
        "- class Example.Stores.Point 30-30",
        "- field Example.Stores.Point.X 30-30",
        "+ class Example.Stores.Pair 31-31",
        "+ field Example.Stores.Pair.A 31-31",
        "+ field Example.Stores.Pair.B 31-31",
      ])
      assert.deepStrictEqual(outline.imports, ["System", "System.Math", "System.IO.File"])
    }),
  )

  it.effect("has the text of XML docs, and signatures without attributes and initialisers", () =>
    Effect.gen(function* () {
      const outline = yield* outlined("Store.cs", source)
      assert.deepStrictEqual(docs(outline), { "Example.Stores.Store": "Keeps Example.Things & more.\nsize: how many" })
      assert.deepStrictEqual(signatures(outline), {
        "Example.Stores": "namespace Example.Stores",
        "Example.Stores.Store": "public abstract partial class Store<T> : Base, IKeep where T : class",
        "Example.Stores.Store.Limit": "public const int Limit = 1, Most = 2",
        "Example.Stores.Store.Most": "public const int Limit = 1, Most = 2",
        "Example.Stores.Store._name": "private readonly string _name",
        "Example.Stores.Store.Changed": "public event EventHandler Changed",
        "Example.Stores.Store.Size": "public int Size",
        "Example.Stores.Store.Doubled": "int Doubled",
        "Example.Stores.Store.this": "public int this[int index]",
        "Example.Stores.Store.Store": "public Store(int size)",
        "Example.Stores.Store.~Store": "~Store()",
        "Example.Stores.Store.Keep": 'public async Task<int> Keep<Q>(int a, string b = "x") where Q : new()',
        "Example.Stores.Store.operator +": "public static Store<T> operator +(Store<T> a, Store<T> b)",
        "Example.Stores.Store.operator int": "public static implicit operator int(Store<T> a)",
        "Example.Stores.Store.Handler": "public delegate void Handler(int a)",
        "Example.Stores.Store.State": "enum State",
        "Example.Stores.Store.IVisit": "public interface IVisit",
        "Example.Stores.Store.IVisit.Visit": "void Visit()",
        "Example.Stores.Store.IVisit.Count": "int Count",
        "Example.Stores.Store.Explicit": "void IKeep.Explicit()",
        "Example.Stores.Point": "internal struct Point",
        "Example.Stores.Point.X": "public int X",
        "Example.Stores.Pair": "public record Pair(int A, string B)",
        "Example.Stores.Pair.A": "int A",
        "Example.Stores.Pair.B": "string B",
      })
    }),
  )

  it.effect("has the rest of a file in a namespace without a body, and functions of a program without a class", () =>
    Effect.gen(function* () {
      const program = "namespace A.B;\npublic class C { public int X; }\n"
      assert.deepStrictEqual(rows(yield* outlined("C.cs", program)), [
        "+ module A.B 1-1",
        "+ class A.B.C 2-2",
        "+ field A.B.C.X 2-2",
      ])
      assert.deepStrictEqual(rows(yield* outlined("Program.cs", "var a = 1;\nint Twice(int x) => x * 2;\n")), [
        "- function Twice 2-2",
      ])
    }),
  )
})
