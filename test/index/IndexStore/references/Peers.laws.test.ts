import { assert, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { cases } from "../../../thoroughness.ts"
import { withIndex } from "../../IndexStore.fixture.ts"
import { layer, linesOf, type Project, usedBy } from "./References.fixture.ts"

/** Languages in which files of a folder share names, or add members to the types of each other. */
const files: ReadonlyArray<readonly [path: string, variants: ReadonlyArray<string>]> = [
  ["go/a.go", ["package a\n\ntype T struct{}\n", "package a\n\ntype T struct{ U }\n\nfunc (t T) Go() {}\n"]],
  ["go/b.go", ["package a\n\nfunc (t T) Go() {}\n\ntype U struct{}\n", "package a\n\nfunc help() {}\n"]],
  ["go/c.go", ["package a\n\nfunc use(t T) {\n\tt.Go()\n\thelp()\n}\n", "package a\n\nfunc (u U) Go() {}\n"]],
  ["cs/Alpha.cs", ["namespace N;\nclass Alpha { }\n", "namespace N;\nclass Alpha { void Go() { Help(); } }\n"]],
  ["cs/Alpha.Parts.cs", ["namespace N;\npartial class Alpha { void Help() {} }\n"]],
  ["cs/Box.cs", ["namespace N;\nclass Box { Alpha inner; }\n"]],
  ["cs/Use.cs", ["namespace N;\nclass Use { Box box; void Run() { box.inner.Help(); } }\n"]],
  [
    "cs/Many.cs",
    ["namespace N;\nclass Far { }\nclass Box { Far inner; }\n", "global using M;\nnamespace M;\nclass Near { }\n"],
  ],
  [
    "cs/Lifts.cs",
    [
      "namespace N;\nstatic class Lifts { public static void Lift(this Box box) {} }\n",
      "namespace N.Deep;\nstatic class Lifts { public static void Lift(this Far far) {}\npublic static void Drop(this object one) {} }\n",
      "namespace N;\nstatic class Lifts { public static Far Lift(this Box box, int by = 1) => null;\nvoid Drop() {} }\n",
    ],
  ],
  [
    "cs/Lifted.cs",
    [
      "namespace N.Deep;\nclass Lifted { void Run(Box box, Library some) { box.Lift(); box.inner.Lift(); some.Drop(); } }\n",
      "namespace N;\nclass Lifted { void Run(Box box) { box.Lift().Lift(); each => each.Drop(); } void Lift() {} }\n",
    ],
  ],
  ["cs/Drops.cs", ["namespace N;\nclass Drops { void Drop() {} }\n", "class Drops { int Lift; }\n"]],
  ["cs/Far.cs", ["class User { N.Far far; Near near; }\n"]],
  ["php/a.php", ["<?php\nnamespace A;\nfunction one() {}\nclass Kit {}\n", "<?php\nfunction two() {}\n"]],
  [
    "php/b.php",
    ["<?php\nfunction two() {}\nclass Kit {}\n", "<?php\nnamespace A;\nfunction go(Kit $kit) { one(); two(); }\n"],
  ],
  [
    "rb/lib/alpha.rb",
    ["class Alpha < Base\n  def go; help; end\nend\n", "class Alpha\n  include Loud\n  def go; shout; end\nend\n"],
  ],
  [
    "rb/lib/parts.rb",
    ["class Alpha\n  def help; end\nend\n", "module Loud\n  def shout; end\nend\n", "class Alpha\nend\n"],
  ],
  ["rb/lib/base.rb", ["class Base\n  def help; end\nend\n", "module Out\n  class Base\n    LIMIT = 1\n  end\nend\n"]],
  [
    "rb/lib/use.rb",
    [
      "module Out\n  class Use < Base\n    def run; Alpha.new.help; LIMIT; end\n  end\nend\n",
      "class Loud\n  def shout; Out::Base::LIMIT; end\nend\n",
    ],
  ],
  [
    "ex/lib/kit.ex",
    [
      "defmodule Out.Kit do\n  def go(a), do: a\n  def help(a), do: a\nend\n",
      "defmodule Out do\n  defmodule Kit do\n    def go(a, b), do: {a, b}\n  end\n  def help(a), do: a\nend\n",
    ],
  ],
  [
    "ex/lib/loud.ex",
    [
      "defmodule Loud do\n  defmacro __using__(_) do\n    quote do\n      import Out.Kit\n    end\n  end\n  def help(a), do: a\nend\n",
      "defprotocol Out.Kit do\n  def go(a)\nend\n",
      "defmodule Loud do\n  def __using__(_), do: quote(do: import(Loud))\n  def help(a), do: a\nend\n",
    ],
  ],
  [
    "ex/lib/use.ex",
    [
      "defmodule Use do\n  use Loud\n  def run(a), do: help(a) |> go()\n  def far(a), do: Out.Kit.go(a)\nend\n",
      "defmodule Use do\n  import Out.Kit\n  import Loud\n  def run(a), do: {help(a), go(a)}\nend\n",
      "defmodule Use do\n  alias Out.Kit\n  def help(a), do: Kit.go(a, %Kit{})\n  defmodule Out.Kit do\n  end\nend\n",
    ],
  ],
  ["rs/src/lib.rs", ["mod a;\nmod b;\npub struct T;\n", "mod a;\npub fn help() {}\n"]],
  ["rs/src/a.rs", ["use crate::T;\nimpl T { pub fn go(&self) {} }\n", "use crate::help;\nfn run() { help(); }\n"]],
  ["rs/src/b.rs", ["use crate::T;\nfn run(t: T) { t.go(); }\n", "use super::T;\nimpl T { fn go(&self) {} }\n"]],
  ["rs/src/c.rs", ["use super::*;\nfn go(t: T) { help(); t.go(); }\n", "pub use crate::*;\n"]],
  ["java/p/A.java", ["package p;\nclass A extends B { void go() { help(); } }\n", "package p;\nclass A { B b; }\n"]],
  [
    "java/p/B.java",
    ["package p;\nclass B { void help() {} }\n", "package p;\nclass B { void run(A a) { a.go(); } }\n"],
  ],
]

const state = FastCheck.tuple(
  ...files.map(([, variants]) => FastCheck.integer({ min: -1, max: variants.length - 1 })),
).map(
  (choice): Readonly<Record<string, string>> =>
    Object.fromEntries(
      files.flatMap(([path, variants], at) => {
        const text = variants[choice[at] ?? -1]
        return text === undefined ? [] : [[path, text]]
      }),
    ),
)

it.effect.prop(
  "finds the same references in Go, C#, PHP, Ruby, Elixir, Rust and Java after any changes as in a new index",
  [FastCheck.array(state, { minLength: 2, maxLength: 4 })],
  ([states]) =>
    Effect.gen(function* () {
      const read = (root: string, files: Project) =>
        withIndex(root, files, (index) => Effect.zip(linesOf(index), usedBy(index)))
      for (const [number, given] of states.entries()) {
        // Files in memory have no time of change: their size says that they have.
        const texts = Object.entries(given).map(([path, text]) => [path, text + "\n".repeat(400 * number)])
        const project = { "README.md": "A project.\n", ...Object.fromEntries(texts) }
        const found = yield* read("/changed", project)
        // The first one is a new index itself.
        if (number > 0) assert.deepStrictEqual(found, yield* read(`/new${number}`, project))
      }
    }).pipe(Effect.provide(layer)),
  { fastCheck: { numRuns: cases(15) } },
)
