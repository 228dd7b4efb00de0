import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { plain } from "../../src/base/Style.ts"
import { IndexEntry } from "../../src/index/IndexEntry.ts"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import * as AnswerText from "../../src/lookup/AnswerText.ts"
import * as FileAnswers from "../../src/lookup/FileAnswers.ts"
import * as Query from "../../src/lookup/Query.ts"
import { keepRelevant } from "../../src/lookup/Query.ts"
import { withIndex, workspace } from "../index/IndexStore.fixture.ts"
import * as SharedSymbols from "../utils/SharedSymbols.ts"

const layer = Layer.provide(Sqlite.layerMemory, SharedSymbols.layer)

/** Asks questions about a project: the places of the first answers to each, and its first files. */
const askAll = (files: Record<string, string>, questions: ReadonlyArray<string>, limit = 5) =>
  withIndex("/p", files, (index) =>
    Effect.gen(function* () {
      const project = { index, workspace: yield* workspace("/p", files), displayPath: (path: string) => path }
      return yield* Effect.forEach(questions, (question) =>
        Effect.gen(function* () {
          const answers = yield* Query.answer(project, question, { limit })
          const found = yield* FileAnswers.find(project, question, { limit })
          return { paths: answers.map(({ hit }) => hit.entry.path), files: found.map(({ path }) => path) }
        }),
      )
    }),
  ).pipe(Effect.provide(layer))

const ask = (files: Record<string, string>, question: string, limit?: number) =>
  Effect.map(askAll(files, [question], limit), ([answer = assert.fail()]) => answer)

/** Asks which place comes first for each question. */
const firstOf = (files: Record<string, string>, questions: ReadonlyArray<string>) =>
  Effect.map(askAll(files, questions), (answers) =>
    Object.fromEntries(questions.map((question, at) => [question, answers[at]?.paths[0]])),
  )

const parts = ["auth", "billing", "cart", "mail", "report", "search", "theme", "upload"]

describe("Query.answer, of projects with unusual names", () => {
  it.effect("tells files of one name apart by their folder and what they say", () =>
    Effect.gen(function* () {
      const scripts = Object.fromEntries(
        parts.map((part) => [
          `src/${part}/index.js`,
          `/** Handles the ${part}. */\nexport function handle(r) {\n  return r.${part}\n}\n`,
        ]),
      )
      const modules = Object.fromEntries(
        parts.map((part) => [`src/${part}/mod.rs`, `pub fn run(x: u32) -> u32 {\n    ${part}_of(x)\n}\n`]),
      )
      const { files, paths } = yield* ask(scripts, "where is the mail handled")
      assert.deepStrictEqual([paths[0], files[0]], ["src/mail/index.js", "src/mail/index.js"])
      assert.strictEqual((yield* ask(modules, "run the mail")).paths[0], "src/mail/mod.rs")
    }),
  )

  it.effect("finds what is in files that are named by numbers", () =>
    Effect.gen(function* () {
      const files = Object.fromEntries(
        Array.from({ length: 60 }, (_, n) => [
          `${String(n).padStart(4, "0")}.py`,
          `def task():\n    """Works on the ${parts[n % 8]} of step ${n}."""\n    return ${n}\n`,
        ]),
      )
      assert.strictEqual((yield* ask(files, "step 42 of the cart")).paths[0], "0042.py")
    }),
  )

  it.effect("has as many answers as the limit says of a name that very many files have, each file once", () =>
    Effect.gen(function* () {
      const files = Object.fromEntries(
        Array.from({ length: 150 }, (_, n) => [`d${n % 7}/f${n}.js`, "export function handler(e) {\n  return e\n}\n"]),
      )
      const { files: found, paths } = yield* ask(files, "handler", 20)
      assert.deepStrictEqual([new Set(paths).size, new Set(found).size], [20, 20])
    }),
  )

  it.effect("answers questions in other scripts by names and comments", () =>
    Effect.gen(function* () {
      const files = {
        "a.py": 'def 登录(用户):\n    """检查用户的密码"""\n    return 用户.密码\n',
        "b.py": "def вход(пользователь):\n    return пользователь.пароль\n",
        "c.py": "def prüfe_passwort(passwort):\n    return passwort\n",
        "d.py": "def open_session(name):\n    return name\n",
        "e.py": "def فتح_الجلسة(اسم):\n    return اسم\n",
      }
      const expected = {
        登录: "a.py",
        пароль: "b.py",
        "prüfe passwort": "c.py",
        "pru\u0308fe": "c.py",
        ｏｐｅｎ＿ｓｅｓｓｉｏｎ: "d.py",
        ｓｅｓｓｉｏｎ: "d.py",
        "🔑 session": "d.py",
        '"open session" --limit': "d.py",
        الجلسة: "e.py",
      }
      assert.deepStrictEqual(yield* firstOf(files, Object.keys(expected)), expected)
    }),
  )
})

describe("Query.answer, of files that declare nothing", () => {
  const files = {
    "src/index.ts": 'export { openLedger } from "./ledger.ts"\nexport { printInvoice } from "./invoice.ts"\n',
    "src/ledger.ts": "export const openLedger = (name: string) => name\n",
    "src/invoice.ts": "export const printInvoice = (n: number) => n\n",
    "lang/en/auth.php": "<?php\n/* Messages of the login. */\nreturn ['throttle' => 'Too many attempts'];\n",
    "aliases/kube.bash": "# Short names for kubectl\nsource kubectl-completion\n",
    "notes/throttle.md": "Too many attempts to log in.\n",
  }

  it.effect("finds them by their names, their words and their comments, and shows their lines", () =>
    withIndex("/p", files, (index) =>
      Effect.gen(function* () {
        const project = { index, workspace: yield* workspace("/p", files), displayPath: (path: string) => path }
        const [throttle] = yield* Query.answer(project, "message for too many attempts")
        assert.strictEqual(throttle?.hit.entry.path, "lang/en/auth.php")
        const text = AnswerText.format(throttle === undefined ? [] : [throttle], {
          style: plain,
          displayPath: (path) => path,
        })
        assert.include(text, "lang/en/auth.php:1-3  file auth.php\n  # Messages of the login.")
        assert.include(text, "3 │ return ['throttle' => 'Too many attempts'];")
        const [kube] = yield* Query.answer(project, "short names for kubectl")
        assert.strictEqual(kube?.hit.entry.qualifiedName, "kube.bash")
        const found = yield* FileAnswers.find(project, "throttle attempts", {})
        assert.strictEqual(
          FileAnswers.format(found.slice(0, 1), { displayPath: (path) => path }),
          "lang/en/auth.php  auth.php 1-3",
        )
      }),
    ).pipe(Effect.provide(layer)),
  )

  it.effect("puts the symbol before the file that only exports it, and counts no such file as a symbol", () =>
    withIndex("/p", files, (index) =>
      Effect.gen(function* () {
        const project = { index, workspace: yield* workspace("/p", files), displayPath: (path: string) => path }
        for (const question of ["openLedger", "open the ledger", "print an invoice"]) {
          const [first] = yield* Query.answer(project, question)
          assert.notStrictEqual(first?.hit.entry.kind, "file", question)
        }
        const { files: count, symbols } = yield* index.refresh
        assert.deepStrictEqual([count, symbols], [6, 2])
        assert.deepStrictEqual(yield* index.symbolsIn("src/index.ts"), [])
        assert.deepStrictEqual(yield* index.find("index.ts"), [])
      }),
    ).pipe(Effect.provide(layer)),
  )
})

describe("Query.answer, of files that mostly re-export", () => {
  // Each of them declares one thing, and re-exports more, of which a part is of another package.
  const sources = [
    [
      "src/mail/mod.rs",
      "//! Letters with signatures of the sender.\n\nmod queue;\n\npub use self::queue::Outbox;\npub use postal::{Envelope, Stamp};\n\nfn is_open() -> bool {\n    true\n}\n",
    ],
    [
      "src/mail/index.ts",
      '/** Letters with signatures of the sender. */\n\nexport { Outbox } from "./queue.ts"\nexport { Envelope, Stamp } from "postal"\n\nconst isOpen = () => true\n',
    ],
    [
      "src/mail/index.js",
      '/** Letters with signatures of the sender. */\n\nexport { Outbox } from "./queue.js"\nexport { Envelope, Stamp } from "postal"\n\nfunction isOpen() {}\n',
    ],
    [
      "mail/__init__.py",
      '"""Letters with signatures of the sender."""\n\nfrom .queue import Outbox\nfrom .native import Envelope, Stamp\n\n\ndef is_open():\n    return True\n',
    ],
  ] as const

  it.effect.each(sources)("finds %s by its comment, and by a name that no file declares", ([path, text]) =>
    Effect.gen(function* () {
      const folder = path.slice(0, path.lastIndexOf("/"))
      const extension = path.slice(path.lastIndexOf(".") + 1)
      const others = Object.fromEntries(
        parts.map((part) => [`${folder}/${part}.${extension}`, `# ${part} puts the Envelope into a letter\n`]),
      )
      const declares =
        { rs: "pub struct Outbox;\n", py: "class Outbox:\n    pass\n" }[extension] ?? "export class Outbox {}\n"
      const files = { [path]: text, ...others, [`${folder}/queue.${extension}`]: declares }
      const expected = {
        "letters with signatures of a sender": path,
        Envelope: path,
        Outbox: `${folder}/queue.${extension}`,
        "how does an Envelope get its Stamp": path,
      }
      assert.deepStrictEqual(yield* firstOf(files, Object.keys(expected)), expected)
    }),
  )
})

const entry = new IndexEntry({
  path: "a.ts",
  name: "a",
  kind: "function",
  startLine: 1,
  endLine: 1,
  signature: "a()",
  exported: true,
  usedBy: 0,
  isMajor: true,
  hash: "h",
})

const kept = (...scores: ReadonlyArray<number>) =>
  keepRelevant(scores.map((score) => ({ entry, score }))).map(({ score }) => score)

describe("keepRelevant", () => {
  it("leaves out what is far behind the first", () => {
    assert.deepStrictEqual(kept(10, 7, 6.1, 5.9, 1), [10, 7, 6.1])
    assert.deepStrictEqual(kept(41, 10, 10), [41], "a name alone")
  })

  it("keeps a second one where the first is before all others because the question names it", () => {
    assert.deepStrictEqual(kept(21, 10, 9), [21, 10])
  })

  it("keeps all of those that are about as good, at most five", () => {
    assert.deepStrictEqual(kept(3, 3, 3, 3, 3, 3), [3, 3, 3, 3, 3])
    assert.deepStrictEqual(kept(), [])
  })
})
