import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Directives from "../../../../src/code/languages/csharp/Directives.ts"
import { outlined, rows, withSymbols } from "../../Symbols/outlined.ts"

const blanked = (text: string) => Directives.blank(text)?.replace(/\s+/g, " ").trim()

describe("a text of C# without what the grammar cannot read", () => {
  it.each([
    ["#if A\ninternal\n#else\npublic\n#endif\nclass B {}", "public class B {}"],
    ["#if A\npublic static\n#elif C\ninternal\n#else\n#endif\nclass B {}", "public static class B {}"],
    ["class B\n#if A\n  : C\n#endif\n{}", "class B : C {}"],
    ["#if A\nclass B {\n#if D\nint a;\n#endif\n#else\nclass C {\n#endif\n}", "class B { #if D int a; #endif }"],
    ["ref partial struct A\n#pragma warning restore B\n{}", "partial struct A {}"],
  ])("has %j as %j", (text, expected) => {
    assert.strictEqual(blanked(text), expected)
    assert.deepStrictEqual(
      Array.from(Directives.blank(text)?.matchAll(/\n/g) ?? [], ({ index }) => index),
      Array.from(text.matchAll(/\n/g), ({ index }) => index),
    )
  })

  it.each([
    "#if A\nint a;\n#else\nint b;\n#endif\n",
    "// #if A\nint a;\n",
    'string a = "ref partial struct";',
    "#if A\n#endif\n#endif\n#else\n",
    "#if A\nclass B {",
  ])("leaves %j", (text) => {
    assert.strictEqual(Directives.blank(text), undefined)
  })
})

withSymbols("C# with directives in its declarations", (it) => {
  it.effect("is outlined like source without them", () =>
    Effect.gen(function* () {
      const text = `namespace N
{
#if INTERNAL
    internal
#else
    public
#endif
    ref partial struct Reader
    {
#if NET
        public int Size() { return 1; }
#else
        public int Size() { return 2; }
#endif
    }
}
`
      assert.deepStrictEqual(rows(yield* outlined("a.cs", text)), [
        "+ module N 1-16",
        "+ class N.Reader 6-15",
        "+ method N.Reader.Size 11-11",
        "+ method N.Reader.Size 13-13",
      ])
    }),
  )
})
