/** Which symbols a model is asked for, by language, and which of them name and signature say everything of. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Boilerplate from "../../src/index/Boilerplate.ts"
import { qualify } from "../../src/index/IndexEntry.ts"
import { majorIn } from "../../src/index/MajorSymbols.ts"
import { outlined, withSymbols } from "../code/Symbols/outlined.ts"

/** A file, and the qualified names of all symbols that are worth a sentence; all others are not. */
interface Example {
  readonly path: string
  readonly source: string
  readonly asked: ReadonlyArray<string>
}

/**
 * Each source has an alias, a copy, a comparison, a text form, a getter, a constant, a setter or initialiser, something
 * empty, a forwarding, a failure, what is deprecated with an error, and a family, as far as the language has them; and
 * functions that look like these and are worth a sentence.
 */
const examples: ReadonlyArray<Example> = [
  {
    path: "body.rs",
    source: `
pub struct Body { inner: Inner, size: usize }
pub type Boxed = Box<dyn Send>;
pub type Callback = fn(&Body) -> Result<(), Error>;
impl Body {
    pub fn size(&self) -> usize { self.size }
    pub fn inner_mut(&mut self) -> &mut Inner {
        &mut self.inner
    }
    pub fn kind(&self) -> &'static str { "body" }
    pub fn new(inner: Inner, size: usize) -> Self {
        Self { inner, size }
    }
    pub fn sized(size: usize) -> Self {
        Self { inner: Inner::default(), size }
    }
    pub fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.inner.get_mut().poll_ready(cx)
    }
    pub fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.inner.poll_next(cx).map(|_| ())
    }
    pub fn nothing(&self, x: u8) {}
    pub fn never(&self, x: u8) -> u8 { unimplemented!("not for {x}") }
    pub fn route(self, path: &str) -> Self {
        self.with(|this| this.route(path, self.size))
    }
}
impl From<Inner> for Body {
    fn from(inner: Inner) -> Self {
        Body { inner, size: 0 }
    }
}
impl TryFrom<u8> for Body {
    fn try_from(size: u8) -> Result<Self, Error> {
        Self::checked(size)
    }
}
impl HttpBody for Body {
    type Data = Bytes;
    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }
}
impl Clone for Body { fn clone(&self) -> Self { todo!() } }
impl fmt::Display for Body { fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "x") } }
impl PartialEq for Body { fn eq(&self, other: &Self) -> bool { self.size == other.size } }
pub fn connect(host: &str) -> Conn { net::connect(host) }
pub fn dial(host: &str) -> Conn { net::connect(host) }
#[test]
fn works() { assert!(true) }
#[tokio::test(flavor = "multi_thread")]
#[ignore]
async fn waits() { assert!(true) }
`,
    asked: ["Body", "Callback", "Body.sized", "Body.poll_next", "Body.route", "Body.try_from", "dial"],
  },
  {
    path: "Point.swift",
    source: `
public typealias Points = Array<Point>
public struct Point: Equatable, Hashable {
    public typealias Value = Int
    public init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }
    public init(polar: Double) {
        self.x = cos(polar)
    }
    public init() { }
    public static func == (lhs: Point, rhs: Point) -> Bool { lhs.x == rhs.x }
    public func hash(into hasher: inout Hasher) { hasher.combine(x) }
    public func getX() -> Int { return self.x }
    @available(*, unavailable, message: "use move(by:)")
    public func shift(by: Int) -> Point { move(by: by + 1) }
    @available(*, deprecated, message: "use move(by:)")
    public func slide(by: Int) -> Point { move(by: by + 1) }
    public func encode(_ value: Int, to body: inout Buffer) throws {
        try self.inner.encode(value, to: &body)
    }
    public func write(_ value: Int, to body: inout Buffer) throws {
        try self.write(value, to: &body, options: [:])
    }
    public func write(_ value: Int, to body: inout Buffer, options: [String: Int]) throws {
        body.append(value, options["width"])
    }
    public func required(_ value: Int) -> Int { fatalError("not here") }
    public func stop(_ value: Int) -> Int { log(value); return value }
}
`,
    asked: ["Point", "Point.init 1", "Point.slide", "Point.write 1", "Point.stop"],
  },
  {
    path: "Point.kt",
    source: `
package a
typealias Points = List<Point>
class Point(val x: Int) {
    fun getX(): Int = x
    fun size(): Int = 2
    override fun equals(other: Any?): Boolean = other is Point && other.x == x
    override fun toString(): String = "Point($x)"
    operator fun compareTo(other: Point): Int = x.compareTo(other.x)
    override fun commit(force: Boolean) = connection.commit(force)
    override fun rollback(savepoint: Savepoint) {
        connection.rollback(savepoint)
    }
    override fun close() {}
    @Deprecated(
        message = "Use eq() (top level)",
        replaceWith = ReplaceWith("eq(x)", "a.eq"),
        level = DeprecationLevel.ERROR
    )
    @JvmName("eqOther")
    infix fun eqOld(t: Int): Boolean = t > x
    @Deprecated("DeprecationLevel.ERROR comes later", ReplaceWith("x"))
    fun soft(t: Int): Boolean = t > 0
    override fun metadata(name: String): String = error("not here")
    override fun supports(name: String): Boolean = name == "x"
}
abstract class Shapes {
    abstract fun circle(value: Int): Shape
    abstract fun square(value: Int): Shape
    abstract fun triangle(value: Int): Shape
    abstract fun line(value: Int): Shape
}
fun shortLiteral(value: Short): LiteralOp<Short> = LiteralOp(ShortColumnType(), value)
fun intLiteral(value: Int): LiteralOp<Int> = LiteralOp(IntColumnType(), value)
fun longLiteral(value: Long): LiteralOp<Long> = LiteralOp(LongColumnType(), value)
fun byteLiteral(value: Byte): LiteralOp<Byte> = LiteralOp(ByteColumnType(), value)
fun jsonLiteral(value: Json): LiteralOp<Json> = LiteralOp(JsonColumnType(), value.text)
`,
    asked: [
      "Point",
      "Point.soft",
      "Point.supports",
      "Shapes",
      "Shapes.circle",
      "Shapes.square",
      "Shapes.triangle",
      "Shapes.line",
      "shortLiteral",
      "jsonLiteral",
    ],
  },
  {
    path: "Point.cs",
    source: `
public class Point : ICloneable {
    public Point(int x) { this.x = x; }
    public Point(string text) { this.x = Parse(text); }
    public int X => x;
    public int GetX() { return x; }
    public override bool Equals(object other) => other is Point p && p.x == x;
    public override string ToString() => $"({x})";
    public object Clone() { return new Point(x); }
    public static bool operator ==(Point a, Point b) => a.Equals(b);
    public int CompareTo(Point other) => x.CompareTo(other.x);
    public async Task FlushAsync(CancellationToken token) => await inner.FlushAsync(token);
    [Obsolete("Use Move(int)", true)]
    public void Shift(int by) { Move(by + 1); }
    [Obsolete("Use Move(int), which is true")]
    public void Slide(int by) { Move(by + 1); }
    public void Nothing(int x) { }
    public void Write(byte[] bytes) { throw new NotSupportedException("read only"); }
    public void Put(byte[] bytes) { inner.Put(bytes, 0); }
    public void Dispose() { inner.Dispose(); }
}
`,
    asked: ["Point", "Point.Point 1", "Point.Slide", "Point.Put"],
  },
  {
    path: "Point.java",
    source: `
package a;
public class Point implements Cloneable, Comparable<Point> {
    public Point(int x) { this.x = x; }
    public int getX() { return x; }
    public void setX(int x) { this.x = x; }
    public Point withX(int x) { return new Point(x, y); }
    @Override public boolean equals(Object other) { return other instanceof Point; }
    @Override public int hashCode() { return x; }
    @Override public String toString() { return "p"; }
    @Override public Object clone() { return new Point(x); }
    @Override public int compareTo(Point other) { return Integer.compare(x, other.x); }
    @Override
    public void write(byte[] buffer, int offset, int length) throws IOException {
        out.write(buffer, offset, length);
    }
    public void write(byte[] buffer) throws IOException { out.write(buffer, 0, buffer.length); }
    public void shift(int by) { throw new UnsupportedOperationException("use move"); }
    public void nothing(int x) { }
}
`,
    asked: ["Point", "Point.withX", "Point.write 1"],
  },
  {
    path: "point.go",
    source: `
package a

type Point struct{ x int; inner Writer }
type Points = []Point

func (p *Point) X() int { return p.x }
func (p Point) String() string { return "p" }
func (p Point) Equal(other Point) bool { return p.x == other.x }
func (p *Point) Clone() *Point { c := *p; return &c }
func (p *Point) Write(b []byte) (int, error) { return p.inner.Write(b) }
func (p *Point) WriteHeader(code int) {
	p.inner.WriteHeader(code)
}
func (p *Point) WriteString(s string) (int, error) { return p.inner.Write([]byte(s)) }
func NewPoint(x int) *Point {
	return &Point{x: x}
}
func NewOrigin(x int) *Point {
	return &Point{x: 0}
}
func (p *Point) Nothing(x int) {}
func (p *Point) Shift(by int) { panic("use Move") }
func (s byName) Len() int { return len(s) }
func (s byName) Less(i, j int) bool { return s[i].name < s[j].name }
func (s byName) Swap(i, j int) { s[i], s[j] = s[j], s[i] }
`,
    asked: ["Point", "Point.WriteString", "NewOrigin"],
  },
  {
    path: "point.ts",
    source: `
export class Point {
  constructor(private readonly x: number) {}
  getX(): number { return this.x }
  equals(other: Point): boolean { return this.x === other.x }
  toString(): string { return \`p\` }
  clone(): Point { return new Point(this.x) }
  write(chunk: string, encoding: string): void {
    this.inner.write(chunk, encoding)
  }
  async flush(now: boolean): Promise<void> { return await this.inner.flush(now) }
  async drain(now: boolean): Promise<void> { return await this.inner.flush(!now) }
  shift(by: number): never { throw new Error("use move") }
  check(by: number): void { if (by < 0) throw new Error("below 0") }
  nothing(x: number) {}
}
export type Points = ReadonlyArray<Point>
export type Shape = Point | Line
export const other = (a: number) => inner.other(a)
export const twice = (a: number) => inner.other(a + a)
export function open(a: number) { return inner.open(a) }
export const get = (url: string) => request("GET", url)
export const put = (url: string) => request("PUT", url)
export const patch = (url: string) => request("PATCH", url)
export const del = (url: string) => request("DELETE", url)
export const head = (url: string) => request("HEAD", url).then(headersOf)
`,
    asked: ["Point", "Point.drain", "Point.check", "Shape", "twice", "get", "head"],
  },
  {
    path: "point.py",
    source: `
class Point:
    def __init__(self, x):
        self.x = x
    def get_x(self):
        return self.x
    def __eq__(self, other):
        return self.x == other.x
    def __repr__(self):
        return "p"
    def __copy__(self):
        return Point(self.x)
    def write(self, chunk, encoding=None, **options):
        return self.inner.write(chunk, encoding=encoding, **options)
    def write_line(self, line: str) -> int:
        return self.inner.write(line + "\\n")
    def shift(self, by):
        raise NotImplementedError("use move")
    def check(self, by):
        if by < 0:
            raise ValueError("below 0")
    def nothing(self, x):
        pass
def connect(host, port):
    return socket.connect(host, port)
def listen(host, port=80):
    return socket.listen(host, port, backlog=5)
`,
    asked: ["Point", "Point.write_line", "Point.check", "listen"],
  },
  {
    path: "point.lua",
    source: `
local M = {}
function M:get_x() return self.x end
M.__eq = function(a, b) return a.x == b.x end
function M.__tostring(self) return "p" end
function M:write(chunk) return self.inner:write(chunk) end
function M:writeln(chunk) return self.inner:write(chunk .. "\\n") end
function M.shift(by) error("use move") end
function M.nothing(x) end
function M.red(text) return M.color(text, 31) end
function M.green(text) return M.color(text, 32) end
function M.blue(text) return M.color(text, 34) end
function M.black(text) return M.color(text, 30) end
function M.plain(text) return M.strip(text, 30) end
function M.open(path, mode) return io.open(path, mode) end
return M
`,
    asked: ["M.writeln", "M.red", "M.plain"],
  },
]

/** The symbols that are major, or become so by a use; overloads by their position, from 1. */
const askedOf = (path: string, source: string) =>
  Effect.map(outlined(path, source), ({ symbols }) => {
    const when = majorIn(path, symbols, source)
    const seen = new Map<string, number>()
    return symbols.flatMap((symbol) => {
      const name = qualify(symbol.name, symbol.container)
      const before = seen.get(name) ?? 0
      seen.set(name, before + 1)
      return when(symbol) === "never" ? [] : [`${name}${before === 0 ? "" : ` ${before}`}`]
    })
  })

withSymbols("symbols that are worth a sentence", (it) => {
  for (const { asked, path, source } of examples) {
    it.effect(`are those of ${path}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(Array.from(yield* askedOf(path, source)).sort(), Array.from(asked).sort())
      }),
    )
  }

  it.effect("are tests of Rust in a file of tests, and not beside the code", () =>
    Effect.gen(function* () {
      const source = "#[test]\n#[should_panic]\nfn refuses() {\n    open(1);\n}\nfn open(x: u8) -> u8 {\n    x + 1\n}\n"
      assert.deepStrictEqual(yield* askedOf("tests/open.rs", source), ["refuses", "open"])
      assert.deepStrictEqual(yield* askedOf("src/open.rs", source), ["open"])
    }),
  )

  it.effect("are functions of Python with overloads once: what implements them, or the first declaration", () =>
    Effect.gen(function* () {
      const stub = (type: string) => `    @t.overload
    @typing_extensions.deprecated("no")
    def main(self, alone: ${type}) -> int: ...
`
      const body = `    def main(self, alone):
        run(alone)
        check(alone)
        return 1
`
      const implemented = `class A:\n${stub("True")}${stub("False")}${body}`
      assert.deepStrictEqual(yield* askedOf("a.py", implemented), ["A", "A.main 2"])
      const stubs =
        '@overload\ndef one(a: int):\n    """Takes a number."""\n@overload\ndef one(a: str):\n    """Takes a text."""\n'
      assert.deepStrictEqual(yield* askedOf("a.pyi", stubs), ["one"])
    }),
  )

  it.effect("are functions that look forwarding and pass on something else", () =>
    Effect.gen(function* () {
      const source = [
        "export class A {",
        "  read(key: string) { return this.inner.read(`a:${key}`) }",
        "  load(key: string) { return this.inner.load(other) }",
        "  save(key: string) { return this.save(key) }",
        "  send(key: string) { this.count++; this.inner.send(key) }",
        "  list(key: string) { return this.inner.list(key) ?? [] }",
        "}",
      ].join("\n")
      assert.deepStrictEqual(yield* askedOf("a.ts", source), ["A", "A.read", "A.load", "A.save", "A.send", "A.list"])
    }),
  )

  it.effect("are functions of more than twelve lines, whatever they are called", () =>
    Effect.gen(function* () {
      const source = (lines: number) =>
        `export class A {\n  write(${Array.from({ length: lines - 3 }, (_, i) => `a${i}: string`).join(",\n    ")}\n  ) {\n    this.inner.write(a0)\n  }\n}`
      assert.deepStrictEqual(yield* askedOf("a.ts", source(12)), ["A"])
      assert.deepStrictEqual(yield* askedOf("a.ts", source(13)), ["A", "A.write"])
    }),
  )
})

describe("Boilerplate.find", () => {
  it("ends for symbols without a name, and for long sources of odd form", () => {
    const text = `f(${"(".repeat(500)}${"f(".repeat(100)}`
    const symbol = { kind: "method", signature: "", exported: true, startLine: 1, endLine: 2, start: 0 } as const
    const symbols = ["", "f", "("].map((name) => ({ ...symbol, name, end: text.length }))
    assert.strictEqual(Boilerplate.find(symbols, text, { isTest: false }).size, 0)
  })
})

describe("Boilerplate.familiesOf", () => {
  withSymbols("families", (it) => {
    it.effect("have four names or more, and the first with the others", () =>
      Effect.gen(function* () {
        const colours = (...names: ReadonlyArray<string>) =>
          names.map((name, at) => `export const ${name} = (text: string) => paint(text, ${at})`).join("\n")
        const families = (source: string) =>
          Effect.map(outlined("a.ts", source), ({ symbols }) =>
            Array.from(Boilerplate.familiesOf(symbols, source), ([first, others]) =>
              [first, ...others].map(({ name }) => name).join(" "),
            ),
          )
        assert.deepStrictEqual(yield* families(colours("red", "green", "blue")), [])
        assert.deepStrictEqual(yield* families(colours("red", "green", "blue", "black")), ["red green blue black"])
        assert.deepStrictEqual(yield* families(colours("red", "red", "red", "red", "blue", "black")), [])
        // A literal may be the name.
        const named = (name: string) => `export const ${name} = (text: string) => paint(text, "${name}")`
        assert.deepStrictEqual(yield* families(["red", "green", "blue", "black"].map(named).join("\n")), [
          "red green blue black",
        ])
        // These are stubs, which say nothing of themselves.
        const stub = (name: string) => `export const ${name} = (text: string) => text`
        assert.deepStrictEqual(yield* families(["a", "b", "c", "d"].map(stub).join("\n")), [])
        const long = (name: string) => `export const ${name} = (text: string) => paint(text, "${"x".repeat(200)}")`
        assert.deepStrictEqual(yield* families(["a", "b", "c", "d"].map(long).join("\n")), [])
      }),
    )
  })
})
