import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { rules as ecmaScript } from "../../../../../src/code/languages/ecma/outline.ts"
import * as EcmaScanner from "../../../../../src/code/languages/ecma/scanner/EcmaScanner.ts"
import * as Lexer from "../../../../../src/code/languages/ecma/scanner/Lexer.ts"
import * as Walk from "../../../../../src/code/Symbols/internal/outline/Walk.ts"
import * as TreeSitter from "../../../../../src/code/Symbols/TreeSitter.ts"
import type { Outline } from "../../../../../src/code/Symbols.ts"
import { cases, some } from "../../../../thoroughness.ts"
import { rows, signatures } from "../../../Symbols/outlined.ts"

const scan = (text: string, hasElements: boolean) => {
  const tokens = Lexer.lex(text, hasElements)
  return tokens && EcmaScanner.parse(tokens)
}

const scanned = (text: string, path = "a.ts"): Outline | undefined => {
  const tree = scan(text, path !== "a.ts")
  return tree && Walk.outline(tree, { path, text }, ecmaScript, () => false)
}

const sure = (text: string, path?: string): Outline => scanned(text, path) ?? assert.fail(`not sure of ${text}`)

/** The parts of an outline that the scanner and tree-sitter must agree on. */
const compared = ({ imports, symbols }: Outline) => ({ imports, symbols })

const treeSitter = Effect.map(
  TreeSitter.make,
  ({ outline }) =>
    (text: string, path = "a.ts") =>
      Effect.map(outline(path, text), compared),
)

/** Fails where the scanner and tree-sitter disagree on a piece, or on any sequence of pieces. */
const assertAgreement = Effect.fnUntraced(function* (
  path: string,
  pieces: ReadonlyArray<string>,
  separators: ReadonlyArray<string> = ["\n"],
) {
  const parsed = yield* treeSitter
  for (const piece of pieces) {
    assert.deepStrictEqual(compared(sure(piece, path)), yield* parsed(piece, path), piece)
  }
  const texts = FastCheck.array(
    FastCheck.tuple(FastCheck.constantFrom(...pieces), FastCheck.constantFrom(...separators)),
  )
  yield* Effect.promise(() =>
    FastCheck.assert(
      FastCheck.asyncProperty(texts, async (chosen) => {
        const text = chosen.flat().join("")
        assert.deepStrictEqual(compared(sure(text, path)), await Effect.runPromise(parsed(text, path)))
      }),
      { numRuns: cases(200) },
    ),
  )
})

const sources = ["src", "test", "bench"].flatMap((folder) =>
  fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => path.join(folder, file)),
)

describe("EcmaScanner", () => {
  it.live(
    "agrees with tree-sitter on the sources of this checkout, and is unsure of less than 2 % of them",
    () =>
      Effect.gen(function* () {
        const parsed = yield* treeSitter
        for (const file of some(sources, 0, 60)) {
          const text = fs.readFileSync(file, "utf8")
          const outline = scanned(text)
          if (outline !== undefined) assert.deepStrictEqual(compared(outline), yield* parsed(text), file)
        }
        // An eighth is hundreds of files, of which less than 1 % are unsure: two files more or less do not decide.
        const many = some(sources, 1, 8)
        const unsure = many.filter((file) => scan(fs.readFileSync(file, "utf8"), false) === undefined)
        assert.isBelow(unsure.length / many.length, 0.02)
      }),
    240_000,
  )

  const pieces = [
    "const a = b < c, d = e > (f)",
    "export const g = new Map<string, Array<number>>(), h = i<j>(k)",
    "const l = (m: string): ((n: number) => void) => {\n  m\n}",
    "const o = async <P extends Q = R>(q: P): Promise<P> => q",
    "const p = async q => q, r = async function* () {}",
    "let rs = s ? (t) : u => v",
    "const w = x as Map<string, () => void>, y = z!",
    "const aa = /[/'\"]/g, bb = cc / dd / ee",
    "const ff = `${gg(`${hh}`)} }` + ii",
    "jj\n  .kk(() => ({ ll: 1 }))\n  .mm`nn`",
    "const oo = pp\nconst qq = [1]\nconst rr = (ss)",
    "type Tt<Uu> = Uu extends Array<infer Vv> ? Vv : never\ntype Ww = new () => Xx",
    "type Yy =\n  | 'a'\n  | { b: string }[]",
    'export type { Zz } from "./zz.ts"\nexport { ab, type ac as ad }',
    "export abstract class Ae<Af extends Ag = Ah> extends ai(aj)<ak> implements Al, Am<an> {\n  private static async *ao() {}\n  get get() { return 1 }\n  static = 1\n  readonly ap?: string\n  #aq = /x/\n  constructor(@ar() private asked: string) { super() }\n  static { at() }\n  [key: string]: unknown\n}",
    "interface Au extends Av<{ aw: 1 }> {\n  ax?(ay: string): void\n  new (): Au\n  (az: string): void\n  [ba: string]: unknown\n  get: string\n}",
    'declare module "bb" {\n  const bc: string\n  export function bd(): void\n}',
    "export namespace Be.Bf {\n  export const bg = 1\n  function bh() {}\n}",
    "declare global {\n  interface Bi {}\n}",
    "export default class extends bj {\n  bk = () => {}\n}",
    "if (bl) bm()\nelse { const bn = 1 }\nfor (const bo of bp) { var bq }\nwhile (br) bs++\ntry { bt() } catch { bu }",
    "Da.db = dc => dc, Da.dd = function () {}\nDa.de = Da.df = function () {}, dg()",
    "Bv.bw = function () {}\nBv.prototype.bx = (by) => {}",
    "const { bz, ca: [cb, ...cc], cd = 1, ...ce } = cf",
    'import cg, { type ch } from "ci" with { type: "json" }\nimport cj = require("ck")\nconst cl = () => import("./cm.ts")',
    "class Ex { constructor(private readonly ey: Map<Ez, Fa>, @Fb({ fc: 1 }) public fd?: (fe: Ff) => void, protected fg = fh(1, 2), override fi: Fj, { fk }: Fl, readonly: string, ...fm: Fn[]) { super() } }",
    "export const dh = { di<Dj>(dk: Dj) {}, dl: async () => {}, get dm() { return 1 }, dn: { do: { dp() {} } }, 'dq': 1, ...dr, [ds]: () => {}, async *[Symbol.asyncIterator]() {} } as const satisfies Dt",
    "const du = Object.freeze({ dv: function () {}, dw, dx: class { dy() {} } }) as Dz, ea = { eb: [() => 1], ec: (() => 2) as Ed }",
    "let ee: Ef = { eg: { eh: 1 }, ei: ej(() => {}) }\nvar ek = { el() {} }.el, em = { en: 1 } || { eo() {} }",
    "export default { ep: 'a', eq: { er() {}, es: 1 }, async et(eu: Ev) {} } satisfies Ew",
    "const enum Cn { Co, Cp = 1 }\nenum Cq {}",
    "/** Doc. */\nexport function cr(cs: string): asserts cs is 'ct'\nexport function cr(cs: unknown): unknown {}",
  ]

  it.live("finds the same in any order of statements of all kinds", () =>
    assertAgreement("a.ts", pieces, ["\n", ";\n", "\r\n\n"]),
  )

  it("counts identifiers, and no keywords", () => {
    const { identifiers } = sure(
      "type type = string\nconst from: number = async(of)\nlet get = async () => { await set }\n" +
        "export { default } from 'a'\nx = { default: 1, number, as: y as string, async: undefined }.delete",
    )
    assert.deepStrictEqual(Object.fromEntries(identifiers), {
      type: 1,
      from: 1,
      async: 2,
      of: 1,
      get: 1,
      set: 1,
      x: 1,
      default: 1,
      as: 1,
      y: 1,
      delete: 1,
    })
  })

  it("reads what the grammar of tree-sitter misreads", () => {
    assert.deepStrictEqual(
      signatures(
        sure(
          "type A<B> = import('./b.ts').C<B>\nexport const d = <in out E>(e: E): void => {}\ninterface F { abstract: boolean }",
        ),
      ),
      {
        A: "type A<B> = import('./b.ts').C<B>",
        d: "export const d = <in out E>(e: E): void",
        F: "interface F",
        "F.abstract": "abstract: boolean",
      },
    )
  })

  it("is unsure of syntax errors, exports in a function, functions around a module, and deep nesting", () => {
    const doubtful = [
      "const a = (() => { const b = 1 })()",
      "const a = ;",
      "function (",
      "a)",
      "'open",
      "`open ${a}",
      "/* open",
      "const a = 1 2",
      "class A { b() { return ) } }",
      "{}/a/",
      "const a = () => (<b c={d}>it's e</b>)",
      "const a = () => (<b>e</b>)",
      "function a() { exports.b = c }",
      "{ exports.a = b }",
      "module.exports = function (a) { a.b = function () {} }",
      "module.exports = { get a: () => 1 }",
      `${"exports.a = ".repeat(100)}b`,
      "(function () { const a = 1 })()",
      "!function () {}()",
      "define(['a'], function (a) {})",
      "require(['a'], function (a) {})",
      "$(function () {})",
      "$(document).ready(() => {})",
      "const a = (function () {})()",
      "module.exports = function (a) { a.b.c = function () {} }",
      "module.exports = function () { function a() {} }",
      "Object.assign(A.prototype, { b() {} })",
      "switch (a) { case 1: var b }",
      "if (a) ".repeat(1_000),
      `${"namespace A { ".repeat(100)}${"}".repeat(100)}`,
      `const a = ${"class { b = ".repeat(100)}1${"}".repeat(100)}`,
      `type A = ${"B<".repeat(100)}C${">".repeat(100)}`,
      `const { ${"a: { ".repeat(100)}b${"}".repeat(100)} } = c`,
    ]
    assert.deepStrictEqual(
      doubtful.filter((text) => scanned(text) !== undefined),
      [],
    )
  })

  const elements = [
    "const A = () => <p>{1}</p>",
    "export default function B({ c }: D) {\n  return (\n    <E.F {...c} g=\"h\ni\" j='k' l={m} data-n o:p={<q/>} r=<s /> t>\n      it's {/* u */} {v && <w x={() => { const y = 1 }}>z</w>} &amp; a/b // c\n    </E.F>\n  )\n}",
    "const aa = <></>, bb = <><cc/>{dd.map(ee => <ff key={ee}>{`${<gg/>}`}</ff>)}</>",
    "const hh = <ii<string, Array<{ jj: kk }>> ll={mm as nn<oo>} />",
    "const pp = <qq,>(rr: qq) => rr, ss = <tt extends uu>(vv: tt): tt => vv",
    "const ww = xx < yy, zz = ab<ac>(ad), ae = af ? <ag/> : <ah></ah>",
    "class Ai extends Aj<Ak> {\n  al = <am/>\n  an() {\n    return <ao // ap\n      aq /* ar */ />\n  }\n}",
    "const as = {\n  at: <au>{}</au>,\n  av() {}\n}",
  ]

  it.live("agrees with tree-sitter on JSX, in any order of statements", () =>
    assertAgreement("a.tsx", [...elements, ...pieces.slice(0, 3)]),
  )

  it.live("reads them in JavaScript", () =>
    assertAgreement(
      "a.jsx",
      elements.filter((piece) => !/[\w,]>\(|: D|<Ak>|<string/.test(piece)),
    ),
  )

  const commonJs = [
    "exports.a = 1, exports.b = function c() {}\nexports.d = e",
    "module.exports = { f, g: h, i() {}, get j() { return 1 }, k: () => {}, l: class { m() {} }, ...n, 'o-p': async function q() {}, [r]: s, t: { u() {} }, async *v() {} }",
    "exports = module.exports = e\nexports.w = exports.x = y => y",
    "const z = module.exports = { f }\nz.aa = function () {}\nconst ab = module.exports",
    "module.exports = class Ac extends Ad {\n  ae() {}\n}",
    "module.exports = async function* ag(ah) {\n  this.ai = ah\n}",
    "module.exports.af = async () => {}\nmodule.exports.af.ag = h",
    "if (aj) exports.ak = e",
    "al(module.exports, exports.am)\nObject.defineProperty(exports, 'an', {})",
    "exports.ao = { f, aq: h, bb() {}, bc: { bd: () => {} } }",
    "export default be.bf({ bg: 1, bh: { bi() {} }, bj() {} })",
    "exports = class {}, module.exports = undefined",
    "Ar.prototype = { as() {}, at: function () {}, au: 1, av: { aw() {} } }\nAr.prototype.ax = Ar.prototype.ay = () => 1",
    "module.exports = exports = function az(ba) {}",
    "function e() {}\nconst f = 1, h = () => {}",
  ]

  it.live("reads what CommonJS exports, in any order", () => assertAgreement("a.js", commonJs))

  it("counts the names in tags, and no words of the text between them", () => {
    const { identifiers } = sure('const a = <b.c class="d" for={e}>f g {h}</b.c>', "a.tsx")
    assert.deepStrictEqual(Object.fromEntries(identifiers), { a: 1, b: 2, c: 2, class: 1, for: 1, e: 1, h: 1 })
  })

  it("is unsure of elements without a closing tag of the same name", () => {
    const doubtful = [
      "const a = <b>",
      "const a = <b></c>",
      "const a = <b.c></b>",
      "const a = <b></b.c>",
      "const a = <></b>",
      "const a = <b></>",
      "const a = <b>{</b>",
      "const a = <b>}</b>",
      "const a = <b> > </b>",
      "const a = <b c=d/>",
      "const a = <b c='/>",
      "const a = <b 1/>",
      "const a = <b<c/>",
      "const a = <b<c)>/>",
      "const a = <b>(c: b) => c",
      "{}\n<b/>",
      "<b>".repeat(1_000),
    ]
    assert.deepStrictEqual(
      doubtful.filter((text) => scanned(text, "a.tsx") !== undefined),
      [],
    )
  })

  it("throws on no text", () => {
    const scraps = FastCheck.constantFrom(
      ...["exports", "module.exports", ".b = "],
      ..."(){}[]<>,;:?.=!+-*/&|@#`'\"$\\ \n".split(""),
      ...[
        "=>",
        "${",
        "?.",
        "...",
        "//",
        "/*",
        "*/",
        "<a",
        "</",
        "/>",
        "</a>",
        "<a>",
        "a",
        "1",
        "é",
        "class",
        "function",
        "const",
        "export",
        "import",
      ],
      ...[
        "type",
        "interface",
        "namespace",
        "declare",
        "async",
        "extends",
        "default",
        "from",
        "if",
        "for",
        "static",
        "get",
      ],
    )
    FastCheck.assert(
      FastCheck.property(FastCheck.array(scraps, { maxLength: 60 }), (words) => {
        for (const text of [words.join(" "), words.join("")]) {
          for (const { end, start } of [scanned(text), scanned(text, "a.tsx")].flatMap(
            (outline) => outline?.symbols ?? [],
          ))
            assert.isTrue(0 <= start && start < end && end <= text.length)
        }
      }),
      { numRuns: cases(5_000) },
    )
  })

  it("gives the lines of symbols", () => {
    assert.deepStrictEqual(rows(sure("\n\nclass A {\n  b() {\n  }\n}\n")), ["- class A 3-6", "- method A.b 4-5"])
  })
})
