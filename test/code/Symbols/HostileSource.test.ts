import { assert } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { Symbols } from "../../../src/code/Symbols.ts"
import { cases, isThorough, some } from "../../thoroughness.ts"
import { anyText } from "../../utils/anyText.ts"
import { outlined, rows, withSymbols } from "./outlined.ts"

/** A sound file of every language that is outlined, and what is found in it. */
const sound: ReadonlyArray<readonly [path: string, text: string, rows: ReadonlyArray<string>]> = [
  ["a.ts", "class A {\n  b() {}\n}\n", ["- class A 1-3", "- method A.b 2-2"]],
  ["a.tsx", "const A = () => <p>{1}</p>\n", ["- function A 1-1"]],
  ["a.js", "exports.a = () => 1\n", ["+ function a 1-1"]],
  ["a.py", "class A:\n  def b(): pass\n", ["+ class A 1-2", "+ method A.b 2-2"]],
  ["a.go", "package a\nfunc B() {}\n", ["+ module a 1-1", "+ function B 2-2"]],
  ["a.rs", "pub fn a() {}\n", ["+ function a 1-1"]],
  ["a.java", "public class A {\n  public void b() {}\n}\n", ["+ class A 1-3", "+ method A.b 2-2"]],
  ["a.cpp", "int a() { return 1; }\n", ["+ function a 1-1"]],
  ["a.cs", "public class A {\n  public void B() {}\n}\n", ["+ class A 1-3", "+ method A.B 2-2"]],
  ["a.rb", "class A\n  def b\n  end\nend\n", ["+ class A 1-4", "+ method A.b 2-3"]],
  ["a.php", "<?php\nfunction a() {}\n", ["+ function a 2-2"]],
  ["a.sh", "a() {\n  b\n}\n", ["+ function a 1-3"]],
  ["a.css", ".a { color: red }\n", []],
  ["a.kt", "class A {\n  fun b() {}\n}\n", ["+ class A 1-3", "+ method A.b 2-2"]],
  ["a.swift", "struct A {\n  func b() {}\n}\n", ["+ class A 1-3", "+ method A.b 2-2"]],
  ["a.m", "@implementation A\n- (void)b {\n}\n@end\n", ["+ class A 1-4", "+ method A.b 2-3"]],
  ["a.scala", "class A {\n  def b = 1\n}\n", ["+ class A 1-3", "+ method A.b 2-2"]],
  ["a.groovy", "class A {\n  def b() { 1 }\n}\n", ["+ class A 1-3", "+ method A.b 2-2"]],
  ["a.dart", "class A {\n  void b() {}\n}\n", ["+ class A 1-3", "+ method A.b 2-2"]],
  ["a.lua", "function a()\n  b()\nend\n", ["+ function a 1-3"]],
  ["a.pl", "sub a {\n  1\n}\n", ["+ function a 1-3"]],
  ["a.r", "a <- function(b) {\n  b\n}\n", ["+ function a 1-3"]],
  ["a.jl", "function a(b)\n  b\nend\n", ["+ function a 1-3"]],
  ["a.ex", "defmodule A do\n  def b do\n  end\nend\n", ["+ module A 1-4", "+ function A.b 2-3"]],
  ["a.hs", "a :: Int\na = 1\n", ["+ function a 1-2"]],
  ["a.zig", "pub fn a() void {}\n", ["+ function a 1-1"]],
  ["a.sol", "contract A {\n  function b() public {}\n}\n", ["+ class A 1-3", "+ method A.b 2-2"]],
  ["a.ps1", "function A {\n  1\n}\n", ["+ function A 1-3"]],
  ["a.sql", "create table a (b int);\n", ["+ class a 1-1"]],
  ["a.graphql", "type A {\n  b: Int\n}\n", ["+ class A 1-3", "+ field A.b 2-2"]],
  ["a.proto", "message A {\n  int32 b = 1;\n}\n", ["+ class A 1-3", "+ field A.b 2-2"]],
  ["a.tf", 'resource "a" "b" {\n}\n', ["+ class a.b 1-2"]],
  ["a.vue", "<script setup>\nfunction b() {}\n</script>\n", ["+ class a 1-3", "- function b 2-2"]],
  ["a.svelte", "<script>\nexport let b\n</script>\n", ["+ class a 1-3", "+ variable b 2-2"]],
  ["a.astro", "---\nconst b = 1\n---\n", ["+ class a 1-3", "- constant b 2-2"]],
]

const paths = sound.map(([path]) => path)

/** Outlines it, and sees that the parser is none the worse for it. */
const survived = Effect.fnUntraced(function* (path: string, text: string) {
  const outline = yield* outlined(path, text)
  const [, after = "", expected = []] = sound.find(([known]) => known === path) ?? []
  const next = yield* outlined(path, after)
  assert.deepStrictEqual([rows(next), next.note], [expected, undefined], `after ${JSON.stringify(text.slice(0, 40))}`)
  return outline
})

const brackets = ["(", "[", "{", "<", ")", "]", "}", ">", "([{<", "{\n"]

const openers = [
  ...["/*", "//", "#", '"', "'", "`", "`${", '"""', "'''", "<<EOF\n", "<<~EOF\n", "<<<EOF\n", "<a>", "<a b={", "{/*"],
  ...['r#"', '@"', '$"{', 'R"x(', "=begin\n", "%w(", '"#{', "$(", "${", '"$(', 'f"{', "<?php ", "#if A\n", "<!--"],
  ...["if x then\n", "begin\n", "do\n", "case x in\n", "def f\n", "class A {", "function f() {", "module A\n", "\\\n"],
]

/**
 * The length of what is hostile, and how many parts of it are opened; the time they take
 * must not grow faster than these.
 */
const [LENGTH, BLOCKS] = isThorough ? [100_000, 2_000] : [5_000, 250]

const many = (line: string, length: number) => Array.from({ length }, (_, n) => line.replaceAll("N", `${n}`)).join("\n")

/** Each took seconds or hundreds of megabytes once, by another way than the others. */
const found: ReadonlyArray<readonly [what: string, path: string, text: string]> = [
  ["memory in the square of its length, after the last step", "a.java", "A(*".repeat(6_667)],
  ["memory in the square of its length, after the last step", "a.java", "A<".repeat(50_000)],
  ["memory in the square of its length, after the last step", "a.ts", "a<b,".repeat(5_000)],
  ["memory in the square of its length, after the last step", "a.cs", "template<a<".repeat(2_000)],
  ["memory in the square of its length, after the last step", "a.sh", "a|".repeat(10_000)],
  ["memory in the square of its length, after the last step", "a.rs", "%w(".repeat(7_000)],
  ["a look through the rest of the text at each step", "a.sh", ")".repeat(200_000)],
  ["a look through the rest of the text at each step", "a.sh", "||".repeat(100_000)],
  ["a look through the rest of the text at each step", "a.rb", `${"%(".repeat(7_000)}\n`.repeat(70)],
  ["many meanings at once", "a.go", "<!--".repeat(5_000)],
  ["many meanings at once", "a.py", "<!--".repeat(5_000)],
  ["many meanings at once", "a.css", ":is(".repeat(5_000)],
  ["many meanings at once", "a.ts", "namespace A::".repeat(15_000)],
  ["parents of what lies deep", "a.rb", "public ".repeat(20_000)],
  ["names as long as the nesting is deep", "a.rs", `${"mod a{".repeat(20_000)}a${"}".repeat(20_000)}`],
  ["names as long as the nesting is deep", "a.java", `${"class A{".repeat(20_000)}${"}".repeat(20_000)}`],
  ["a block that ends behind the text", "a.m", "@interface A ;"],
  ["a block that ends behind the text", "a.m", "@interface A ;".repeat(1_000)],
  ["each name in each namespace that is used", "a.cpp", many("using namespace uN; void fN() { gN(1); }", 18_000)],
  ["more nodes than characters", "a.tsx", `${`${"A.".repeat(7_000)}\n`.repeat(71)}switch (a) {}`],
]

/** The share of what is large that `npm test` outlines. */
const PART = isThorough ? 1 : 10

/** Source that is valid, but larger than what people write: it is outlined whole. */
const large: ReadonlyArray<readonly [what: string, path: string, text: string, symbols: number]> = [
  [`${50 / PART},000 symbols`, "a.ts", many("const aN = 1", 50_000 / PART), 50_000 / PART],
  [`${50 / PART},000 symbols`, "a.js", many("exports.aN = 1", 50_000 / PART), 50_000 / PART],
  [`${50 / PART},000 symbols`, "a.kt", many("val aN = 1", 50_000 / PART), 50_000 / PART],
  [`${40 / PART},000 symbols`, "a.lua", many("function aN() end", 40_000 / PART), 40_000 / PART],
  [`${40 / PART},000 symbols`, "a.sql", many("create table aN;", 40_000 / PART), 40_000 / PART],
  ["a comment of a megabyte", "a.ts", `/*${"*\n".repeat(499_000)}*/\nfunction a() {}\n`, 1],
  ["a comment of a megabyte", "a.py", `${"# x\n".repeat(249_000)}def a(): pass\n`, 1],
  ["a comment of a megabyte", "a.swift", `/*${"x\n".repeat(499_000)}*/\nfunc a() {}\n`, 1],
  ["a comment of a megabyte", "a.vue", `<!--${"x\n".repeat(499_000)}-->\n<script>\nfunction b() {}\n</script>`, 2],
  [
    "a name that is used 50,000 times",
    "a.vue",
    `<script>\nfunction b() {}\n</script>\n${"<p>{{ b }}</p>\n".repeat(50_000)}`,
    2,
  ],
  ["tags without an end", "a.vue", '<script "\n'.repeat(90_000), 1],
  ["tags without an end", "a.svelte", `<script '"\n`.repeat(80_000), 1],
  [
    `a language that changes ${10_000 / PART} times`,
    "a.php",
    many("<p><?php function aN() {} ?></p>", 10_000 / PART),
    10_000 / PART,
  ],
  [
    `a language that changes ${10_000 / PART} times`,
    "a.vue",
    many("<script>function aN() {}\n</script><p>{{ aN }}</p>", 10_000 / PART),
    10_000 / PART + 1,
  ],
  ["texts of another language", "a.sh", many("aN() {\ncat <<EOF\n$(b) function c() { }\nEOF\n}", 200), 200],
  ["texts of another language", "a.kt", many('fun aN() = """{ ( ${b("}")} """', 10_000), 10_000],
]

const givenUp =
  /^(?:not parsed within|too much work|the parser broke down: |not all of it was|too dense to outline|syntax errors)/

const words =
  "class def fn func end if { } ( ) < > [ ] ; : , . = => ' \" ` # // /* */ \n x public ${ <<A %w( <?php @ | &&"

withSymbols("hostile source", (it) => {
  it.effect.each(paths)(
    "of nothing but brackets costs little: %s",
    (path) =>
      Effect.gen(function* () {
        for (const bracket of some(brackets, paths.indexOf(path), brackets.length))
          yield* survived(path, bracket.repeat(LENGTH / bracket.length))
      }),
    240_000,
  )

  it.effect.each(paths)(
    "of blocks without an end costs little: %s",
    (path) =>
      Effect.gen(function* () {
        for (const opener of some(openers, paths.indexOf(path), 15)) yield* survived(path, opener.repeat(BLOCKS))
      }),
    240_000,
  )

  it.effect.each(some(found, 3))(
    "that asks for %s costs little, and is given up with the reason or not at all: %s",
    ([, path, text]) =>
      Effect.map(survived(path, isThorough ? text : text.slice(0, text.length / 8)), ({ note, symbols }) => {
        if (symbols.length === 0) assert.match(note ?? "", givenUp)
      }),
    240_000,
  )

  it.effect.each(some(large, 4, 8))(
    "with %s is outlined whole: %s",
    ([, path, text, count]) =>
      Effect.map(outlined(path, text), ({ note, symbols }) => {
        assert.deepStrictEqual([symbols.length, note], [count, undefined])
      }),
    240_000,
  )

  it.effect(
    "of any characters, bytes or words breaks nothing",
    () =>
      Effect.gen(function* () {
        const { outline } = yield* Symbols
        const text = FastCheck.oneof(
          anyText({ maxLength: 500 }),
          FastCheck.uint8Array({ minLength: 1, maxLength: 2_000 }).map((bytes) => new TextDecoder().decode(bytes)),
          FastCheck.array(FastCheck.constantFrom(...words.split(" ")), { maxLength: 200 }).map((all) => all.join(" ")),
          FastCheck.array(FastCheck.constantFrom(...words.split(" ")), { maxLength: 200 }).map((all) => all.join("")),
        )
        yield* Effect.promise(() =>
          FastCheck.assert(
            FastCheck.asyncProperty(FastCheck.constantFrom(...paths), text, async (path, text) => {
              const { note, symbols } = await Effect.runPromise(outline(path, text))
              assert.notInclude(note ?? "", "the parser broke down")
              for (const { end, name, signature, start } of symbols) {
                assert.isTrue(0 <= start && start <= end && end <= text.length && name !== "")
                assert.isAtMost(signature.length, 200)
              }
            }),
            { numRuns: cases(1_500) },
          ),
        )
        for (const path of paths) yield* survived(path, "")
      }),
    240_000,
  )
})
