import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Macros from "../../../../src/code/languages/cpp/Macros.ts"
import { docs, outlined, rows, signatures, withSymbols } from "../../Symbols/outlined.ts"

const blanked = (text: string) => Macros.blank(text).text.replace(/ {2,}/g, " ").trim()

describe("a text without macros", () => {
  it.each([
    ["class LIB_API Vec final {", "class Vec final {"],
    ["enum class LIB_API(1) Kind {", "enum class Kind {"],
    ["class VERSION final {", "class VERSION final {"],
    ["LIB_BEGIN\nint a;", "int a;"],
    ["Q_PROPERTY(int a READ a\n NOTIFY b)\nint c;", "int c;"],
    ["LIB_BEGIN namespace a {", "namespace a {"],
    ["LIB_API int f(int a);", "int f(int a);"],
    ["LIB_API static int f(int a);", "static int f(int a);"],
    ["static LIB_INLINE int f(int a);", "static int f(int a);"],
    ["MY_API(int) f(int a);", "int f(int a);"],
    ["int WINAPI f(int a);", "int f(int a);"],
    ["static int __init f(void) {", "static int f(void) {"],
    ["struct a * __must_check f(void);", "struct a * f(void);"],
    ["int __count;", "int __count;"],
    ["int f(int a) const LIB_NOEXCEPT(true) {", "int f(int a) const {"],
    ["FILE *f(void);", "FILE *f(void);"],
    ["HANDLE handle;", "HANDLE handle;"],
    ["static UINT count = 1;", "static UINT count = 1;"],
    ["#define LIB_API \\\n LIB_EXPORT\nint a;", "#define LIB_API \\\n LIB_EXPORT\nint a;"],
    ["// LIB_BEGIN\nint a;", "// LIB_BEGIN\nint a;"],
    ['char *a = "\\\nLIB_BEGIN\n";', 'char *a = "\\\nLIB_BEGIN\n";'],
  ])("has %j as %j", (text, expected) => {
    assert.strictEqual(blanked(text), expected)
  })

  it("has the length and the lines of the text, and says which names are gone", () => {
    const text = "LIB_BEGIN\nclass LIB_API A : LIB_BASE {\n  Q_OBJECT\n};\nLIB_END(A)\n"
    const { names, text: without } = Macros.blank(text)
    assert.strictEqual(without.length, text.length)
    assert.deepStrictEqual(
      Array.from(without.matchAll(/\n/g), ({ index }) => index),
      Array.from(text.matchAll(/\n/g), ({ index }) => index),
    )
    assert.deepStrictEqual([...names].sort(), ["A", "LIB_API", "LIB_BEGIN", "LIB_END", "Q_OBJECT"])
  })
})

withSymbols("C and C++ with macros", (it) => {
  it.effect("are outlined like source without them", () =>
    Effect.gen(function* () {
      const text = `#pragma once
/** Squares. */
#define SQUARE(x) ((x) * (x))
#define LONG(a, b) do { \\
  f(a); \\
} while (0)
#define PLAIN 1
LIB_BEGIN
namespace a {
/// Keeps numbers.
class LIB_API Vec : public Base {
  Q_OBJECT
  Q_PROPERTY(int size READ size
             NOTIFY changed)
public:
  int size() const LIB_NOEXCEPT { return 1; }
  Q_INVOKABLE void go(int a) Q_DECL_OVERRIDE;
};
struct LIB_API Plain { int x; };
enum class LIB_API Kind { A, B };
LIB_API int f(int a);
MY_API(int) g(int a);
int WINAPI win(int a) { return a; }
FILE *open_it(void);
}
LIB_END
`
      const outline = yield* outlined("a.hpp", text)
      assert.isUndefined(outline.note)
      assert.deepStrictEqual(rows(outline), [
        "+ function SQUARE 3-3",
        "+ function LONG 4-6",
        "+ module a 9-25",
        "+ class a.Vec 11-18",
        "+ method a.Vec.size 16-16",
        "+ method a.Vec.go 17-17",
        "+ class a.Plain 19-19",
        "+ field a.Plain.x 19-19",
        "+ enum a.Kind 20-20",
        "+ function a.f 21-21",
        "+ function a.g 22-22",
        "+ function a.win 23-23",
        "+ function a.open_it 24-24",
      ])
      assert.deepInclude(signatures(outline), {
        SQUARE: "#define SQUARE(x)",
        "a.Vec": "class Vec : public Base",
        "a.g": "int g(int a)",
      })
      assert.deepStrictEqual(docs(outline), { SQUARE: "Squares.", "a.Vec": "Keeps numbers." })
      assert.strictEqual(outline.identifiers.get("LIB_API"), 4)
    }),
  )

  it.effect("keep macros that begin a definition, and a file in which the macros hide nothing", () =>
    Effect.gen(function* () {
      const text = "#define LOCAL(a) a\nint one(void) { return LOCAL(1); }\nstatic int two(void) { RUN_IT return 2; }\n"
      assert.deepStrictEqual(rows(yield* outlined("a.c", text)), [
        "- function LOCAL 1-1",
        "+ function one 2-2",
        "- function two 3-3",
      ])
    }),
  )

  it.effect("have functions in the older style without their parameters", () =>
    Effect.gen(function* () {
      const text = "int old(a, b)\n  int a;\n  char *b;\n{\n  return a;\n}\nint next(void) { return 1; }\n"
      assert.deepStrictEqual(rows(yield* outlined("a.c", text)), ["+ function old 1-6", "+ function next 7-7"])
    }),
  )

  it.effect("are read in an included file, if its text is C", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(rows(yield* outlined("a.inc", "#ifdef A\nint one(void) { return 1; }\n#endif\n")), [
        "+ function one 2-2",
      ])
      assert.deepStrictEqual(rows(yield* outlined("a.inc", "<?php\nfunction two() {}\n")), ["+ function two 2-2"])
      assert.deepStrictEqual((yield* outlined("a.inc", "%define a 1\nmov eax, 1\n")).symbols, [])
    }),
  )
})

withSymbols("functions of C with a macro before their names", (it) => {
  it.effect("are owned by no macro, whatever other errors the file has", () =>
    Effect.gen(function* () {
      const text = `static int __init start(void) { return 0; }
static void __exit stop(void) { }
int WINAPI win(int a) { return a; }
int broken( { ;
`
      assert.deepStrictEqual(rows(yield* outlined("a.c", text)).slice(0, 3), [
        "- function start 1-1",
        "- function stop 2-2",
        "+ function win 3-3",
      ])
    }),
  )
})
