import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Files from "../../src/code/Files.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as PurposeCheck from "../../src/explore/PurposeCheck.ts"
import { IndexEntry } from "../../src/index/IndexEntry.ts"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import * as SharedSymbols from "../utils/SharedSymbols.ts"
import { providing } from "../utils/shared.ts"

const session = [
  "export class Session {",
  "  cookies: Map<string, string> = new Map()",
  "  send(request: Request): Response {",
  "    const adapter = this.getAdapter(request.url)",
  "    const response = adapter.send(request)",
  "    // A redirect to another host must not carry the password.",
  "    if (response.isRedirect) this.rebuildAuth(request, response)",
  "    return response",
  "  }",
  "  close(): void {",
  "    for (const adapter of this.adapters) adapter.close()",
  "  }",
  "}",
].join("\n")

const licence = "// Under the licence of the project.\n".repeat(30)

const repository = {
  "/repo/session.ts": session,
  "/repo/paths.ts": "export function joinPaths(...paths: string[]): string {\n  return paths.join()\n}\n",
  "/repo/st08.py": "class Rule_ST08:\n    def unwrap(self, crawler):\n        return crawler\n",
  // Outside of all symbols.
  "/repo/names.ts": 'console.log("kept_alive", "max_age")\nexport const one = 1\n',
  "/repo/grammar.ts": Array.from(
    { length: 60 },
    (_, n) => `export function segment${n}(sql: Sql): Grammar {\n  return parse(sql)\n}\n`,
  ).join(""),
  "/repo/poem.ts": `${licence}export function sail() {\n  // Leaves the harbour, well prepared.\n  return 1\n}\n`,
  "/repo/tide.ts": `${licence}export function update() {\n  // Leaves the harbour, well prepared.\n  return 1\n}\n`,
  "/repo/gedicht.ts": `${licence}export function segeln() {\n  // Verlässt den Hafen.\n  return 1\n}\n`,
  // A word that many symbols have distinguishes none of them.
  "/repo/cookies.ts": Array.from({ length: 60 }, (_, n) => `export function cookie${n}(jar: Jar): void {}\n`).join(""),
}

/** No check changes the index. */
const indexed = providing(
  Layer.provideMerge(Sqlite.layerMemory, Layer.mergeAll(Files.layerMemory(repository), SharedSymbols.layer)),
)

/** Checks purposes of symbols, by their qualified names, as one call. */
const check = (...purposes: ReadonlyArray<readonly [symbol: string, text: string]>) =>
  Effect.gen(function* () {
    const workspace = yield* Workspace.open("/repo")
    const index = yield* (yield* IndexStore.IndexStore).open(workspace)
    yield* index.refresh
    const candidates = yield* Effect.forEach(purposes, ([symbol, purpose]) =>
      Effect.gen(function* () {
        const [entry = assert.fail(symbol)] = yield* index.find(symbol)
        const { text } = yield* workspace.read(entry.path)
        const source = text.split("\n").slice(entry.startLine - 1, entry.endLine)
        return { entry, text: PurposeCheck.toStored(purpose), source, file: text }
      }),
    )
    const results = yield* PurposeCheck.check(index, candidates)
    return { results, repetition: PurposeCheck.findRepetition(candidates) }
  }).pipe(Effect.scoped, indexed)

const weak = (symbol: string, text: string) => Effect.map(check([symbol, text]), ({ results }) => results[0]?.weak)

describe("PurposeCheck.check", () => {
  it.effect("passes what tells a symbol from others, in words of its source or not", () =>
    Effect.gen(function* () {
      assert.isUndefined(
        yield* weak(
          "Session.send",
          "Delivers a message through the transport for its address, without leaking passwords",
        ),
      )
      assert.isUndefined(yield* weak("Session.close", "Releases pooled connections."))
    }),
  )

  it.effect("fails what says no more than name and signature, in other inflections and synonyms too", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* weak("Session.send", "Sends the request of the session and returns the response."),
        "says no more than its name",
      )
      assert.strictEqual(
        yield* weak("joinPaths", "Joins several paths together into one path."),
        "says no more than its name",
      )
      assert.strictEqual(yield* weak("joinPaths", "Concatenates paths."), "says no more than its name")
      assert.isUndefined(yield* weak("joinPaths", "Joins paths with one slash between two, whatever they end with."))
    }),
  )

  it.effect("fails what has only general words, or one other that its source does not bear out", () =>
    Effect.gen(function* () {
      for (const text of [
        "Handles the data of the object.",
        "Utility function used by the module.",
        "Performs the main operation of the class.",
        "Helper method used by the rule.",
        "Makes sure that everything is valid before going on.",
        "Defines the default behaviour, which subclasses can override.",
      ]) {
        assert.strictEqual(yield* weak("Session.close", text), "only general words, which fit any symbol", text)
      }
      assert.strictEqual(
        yield* weak("Rule_ST08.unwrap", "Helper method used by the rule."),
        "only general words, which fit any symbol",
      )
      const one = "only general words, but for one that is not in its source"
      assert.strictEqual(yield* weak("Session.close", "A useful function with interesting telephones."), one)
      assert.isUndefined(yield* weak("Session.close", "A useful function with interesting adapters."))
      assert.isUndefined(yield* weak("Session.close", "Attributes of gauges."))
    }),
  )

  it.effect("fails a vague sentence with a vague question, and passes one of which either tells", () =>
    Effect.gen(function* () {
      const vague = "Handles everything that is needed for the class to work properly."
      const general = "only general words, which fit any symbol"
      assert.strictEqual(yield* weak("Session.close", `${vague} How does the system deal with things?`), general)
      assert.isUndefined(yield* weak("Session.close", `${vague} Who hangs up telephones at midnight?`))
      assert.isUndefined(yield* weak("Session.close", "Releases pooled connections. How does it work?"))
      assert.strictEqual(
        yield* weak("Session.close", "Closes the session. How is the session closed?"),
        "says no more than its name",
      )
    }),
  )

  it.effect("fails common words where none of them is of the name", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* weak("Session.close", "Takes a cookie jar."), "fits other symbols as well")
      assert.strictEqual(
        yield* weak("Session.close", "Represents a part of the SQL grammar for parsing."),
        "fits other symbols as well",
      )
      assert.isUndefined(yield* weak("Session.close", "Takes a cookie jar away from children."))
      assert.isUndefined(yield* weak("Session.close", "Closes a cookie jar."))
    }),
  )

  it.effect("fails a name that is nowhere, and takes names of the source, of other files and of literals", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* weak("Session.send", "Delivers by `CookieManager` and fetch_all(), with retries."),
        "there is no CookieManager, fetch_all",
      )
      assert.strictEqual(
        yield* weak("Session.send", "Delivers as Session.deliver and fetch_many do, with retries."),
        "there is no fetch_many, deliver",
      )
      assert.isUndefined(
        yield* weak("Session.send", "Delivers through getAdapter(), and calls rebuildAuth for JavaScript."),
      )
      assert.isUndefined(yield* weak("Session.close", "Reads `pyproject.toml`, and gives `None` for `GET` on GitHub."))
      assert.isUndefined(yield* weak("Session.close", "Undoes Session.send, and what cookie7 has opened."))
      assert.isUndefined(yield* weak("Session.close", "Understands `kept_alive` and max_age of literals."))
    }),
  )

  it.effect("takes names of the world outside", () =>
    Effect.gen(function* () {
      for (const text of [
        "Finds a visitor's IP address in CloudFront's edge event.",
        "Pushes live updates as server-sent events to browsers listening with EventSource.",
        "Writes a camelCase property such as strokeWidth with a hyphen.",
        "Formats numbers as Intl.format and Node.js do.",
        "MySQL durations such as INTERVAL 1 DAY, including compound units like DAY_HOUR.",
      ]) {
        assert.isUndefined(yield* weak("Session.close", text), text)
      }
    }),
  )

  it.effect("takes names of the source of another symbol of the call", () =>
    Effect.gen(function* () {
      const { results } = yield* check(
        ["Session.close", "Undoes what `rebuildAuth` has left behind in telephones."],
        ["Session.send", "Delivers a message through the transport for its address."],
      )
      assert.deepStrictEqual(
        results.map(({ weak }) => weak),
        [undefined, undefined],
      )
    }),
  )

  it.effect("fails another language, and is sure of another script only", () =>
    Effect.gen(function* () {
      const notEnglish = "seems not to be English; write in English"
      for (const text of [
        "Schickt eine vorbereitete Anfrage über den passenden Adapter ab und merkt sich dabei alle Kekse",
        "Envoie une requête préparée par un adaptateur et garde les cookies dans la session",
        "Envía una petición preparada por el adaptador y guarda las galletas para la sesión",
      ]) {
        assert.strictEqual(yield* weak("Session.send", text), notEnglish, text)
      }
      assert.strictEqual(
        yield* weak("Session.send", "Отправляет подготовленный запрос через адаптер"),
        "write in English",
      )
    }),
  )

  it.effect("fails all texts of a call in another language, which may be too short to be judged alone", () =>
    Effect.gen(function* () {
      const texts = [
        "Guarda current y position entre peticiones. ¿Cómo sigue urllib conectado?",
        "Cierra todas las conexiones abiertas. ¿Cuándo se liberan los recursos?",
        "Lee el proxy desde el entorno. ¿Dónde configuro un proxy?",
        "Une parámetros a la dirección. ¿Cómo paso filtros?",
        "Marca una respuesta como consumida. ¿Puedo leerla dos veces?",
        "Sigue redirecciones hasta el límite permitido. ¿Cuántos saltos acepta?",
        "Lanza un error cuando falla el servidor. ¿Cómo detecto un fallo?",
        "Convierte un diccionario en pares ordenados. ¿Cómo se conserva el orden?",
      ]
      assert.isUndefined(yield* weak("cookie1", texts[0] ?? ""))
      const called = texts.map((text, n) => [`cookie${n + 1}`, text] as const)
      const { results } = yield* check(...called, ["cookie9", "CloudFront"])
      assert.deepStrictEqual(
        results.slice(0, texts.length).map(({ weak }) => weak),
        texts.map(() => "seems not to be English; write in English"),
      )
      assert.notInclude(results.at(-1)?.weak ?? "", "English")
    }),
  )

  it.effect("fails what has no word of its file, unless it finds its symbol by other words", () =>
    Effect.gen(function* () {
      const untied =
        /^its sentence says nothing of its code: its other words are general, and .*"gardens", .* do not occur in poem\.ts; one word of the source is enough, and the question may have none$/
      assert.match(
        (yield* weak("sail", "Tracks gardens beside glaciers so that barrels survive. Where do violins go?")) ?? "",
        untied,
      )
      assert.match(
        (yield* weak("sail", "Tracks gardens beside glaciers so that barrels survive.")) ?? "",
        /^says nothing of its code: .*"gardens", .* do not occur in poem\.ts$/,
      )
      assert.isUndefined(yield* weak("sail", "Tracks gardens beside harbours so that barrels survive."))
      // The question is asked for in words that the code does not have.
      assert.isUndefined(yield* weak("sail", "Tracks gardens beside harbours. Where do violins go?"))
      // "Prepares" is no telling word, but here nothing else has it.
      assert.isUndefined(yield* weak("sail", "Prepares for glaciers."))
    }),
  )

  it.effect("does not find a symbol by its own name in a sentence", () =>
    Effect.gen(function* () {
      assert.match(
        (yield* weak("update", "Updates gardens beside glaciers so that barrels survive.")) ?? "",
        /^says nothing of its code: /,
      )
    }),
  )

  it.effect("gives reasons that are literally true of the purpose and its file", () =>
    Effect.gen(function* () {
      for (const [symbol, path, text] of [
        ["sail", "/repo/poem.ts", "Tracks gardens beside glaciers so that barrels survive. Where do violins go?"],
        ["sail", "/repo/poem.ts", "Tracks gardens beside an arbor. Where do violins go?"],
        ["sail", "/repo/poem.ts", "Prefers an arbor. Where is the pare?"],
        ["Session.close", "/repo/session.ts", "Handles everything. Who needs telephones that are useful?"],
        ["joinPaths", "/repo/paths.ts", "Makes a string of the paths. How does it work?"],
        ["Rule_ST08.unwrap", "/repo/st08.py", "Handles the crawler of the class."],
        ["Session.send", "/repo/session.ts", "Makes response objects. How does it work?"],
      ] as const) {
        const reason = (yield* weak(symbol, text)) ?? ""
        const file = repository[path].toLowerCase()
        const [, absent = ""] = /and ([^:]*) do(?:es)? not occur/.exec(reason) ?? []
        for (const [, word = ""] of absent.matchAll(/"(.*?)"/g)) {
          assert.notInclude(file, word, reason)
          assert.include(text.toLowerCase(), word)
        }
        const [, inside = ""] = /and ([^:]*) occurs? only inside/.exec(reason) ?? []
        for (const [, word = ""] of inside.matchAll(/"([^"]*)"/g)) {
          if (absent.includes(`"${word}"`)) continue
          assert.include(file, word, reason)
          assert.notMatch(file, new RegExp(`\\b${word}\\b`), reason)
        }
        if (reason === "only general words, which fit any symbol") {
          assert.notMatch(text, /crawler|response|string|telephones|paths/, reason)
        }
      }
      assert.strictEqual(
        yield* weak("Session.send", "Makes responses. How does it work?"),
        "its sentence: says no more than its signature and path; its question: only general words, which fit any symbol",
      )
      assert.strictEqual(
        yield* weak("sail", "Prefers an arbor. Where is the pare?"),
        'its sentence says nothing of its code: its other words are general, and "prefers", "arbor" do not occur in poem.ts; one word of the source is enough, and the question may have none',
      )
      assert.strictEqual(
        yield* weak("sail", "Prefers an arbor, the pare."),
        'says nothing of its code: its other words are general, and "prefers", "arbor" do not occur, and "pare" occurs only inside of other words in poem.ts',
      )
    }),
  )

  it.effect("takes a question that names something of its file outside of its symbol", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* weak("one", "Makes each name a value. Where do names like kept_alive come from?"))
      assert.isUndefined(yield* weak("one", "Makes each name a value. What is max_age the name of?"))
    }),
  )

  it.effect("takes a general sentence with an identifier of its file, but not with its own name alone", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* weak("Session.close", "Does what is_redirect does not, see `isRedirect`."))
      assert.isUndefined(yield* weak("Session.send", "Makes the value that getAdapter returns."))
      assert.isString(yield* weak("joinPaths", "Makes the value of joinPaths."))
    }),
  )

  it.effect("fails words of the file in one frame, and says how many share it", () =>
    Effect.gen(function* () {
      const salads = Array.from({ length: 12 }, (_, n) => {
        const word = (place: number) => `cookie${(n * 7 + place * 11) % 60}`
        return [
          `cookie${n}`,
          `Lets callers ${word(1)} ${word(2)} together with ${word(3)} ${word(4)}. When does ${word(2)} matter?`,
        ] as const
      })
      const { results } = yield* check(...salads)
      for (const { weak } of results) {
        assert.match(weak ?? "", /^words of its file in a sentence that goes as those of \d+ other symbols do$/)
      }
    }),
  )

  it.effect("asks no code for English words that is in another language", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* weak("segeln", "Tracks gardens beside glaciers so that barrels survive."))
    }),
  )

  it.effect("takes English lists, names and capitals without a word that sentences are held together with", () =>
    Effect.gen(function* () {
      for (const text of [
        "Dispatches prepared messages, remembering redirects",
        "Selects routes worth saving as files: GET handlers, leaving middleware out.",
        "MySQL durations such as INTERVAL 1 DAY, including compound units like DAY_HOUR.",
        "One change within Postgres ALTER TABLE: columns, constraints, triggers, storage, inheritance, ownership.",
        "One change within Vertica ALTER TABLE: columns, constraints, owner, schema, partitions.",
        "Renders a template given as text as a stream.",
        "Reads a dotted address as a number, also inside mapped IPv6, refusing leading zeros.",
      ]) {
        assert.isUndefined(yield* weak("Session.close", text), text)
      }
    }),
  )

  it.effect("names the lines that bear a purpose out, at most three, in their order", () =>
    Effect.gen(function* () {
      const { results } = yield* check([
        "Session.send",
        "Picks the adapter for the address, and keeps the password from another host on a redirect.",
      ])
      assert.deepStrictEqual(results, [{ weak: undefined, lines: [1, 3] }])
      const none = yield* check(["Session.close", "Hangs up telephones."])
      assert.deepStrictEqual(none.results, [{ weak: undefined, lines: [] }])
    }),
  )

  it.effect("fails a sentence that stands for three symbols of a call, and reports a call that is mostly of one", () =>
    Effect.gen(function* () {
      const same = ["cookie1", "cookie2", "cookie3"].map((name) => [name, "Bakes biscuits."] as const)
      const others = ["cookie4", "cookie5", "cookie6", "cookie7"].map((name) => [name, `Eats ${name} at tea.`] as const)
      const mixed = yield* check(...same, ...others)
      assert.deepStrictEqual(
        mixed.results.map(({ weak }) => weak),
        [...same.map(() => "the same sentence as for other symbols"), ...others.map(() => undefined)],
      )
      assert.isUndefined(mixed.repetition)
      const { repetition } = yield* check(...same, ...others.slice(1))
      assert.match(repetition ?? "", /^one sentence for 3 symbols \("Bakes biscuits\."\); nothing was recorded/)
    }),
  )
})

describe("PurposeCheck.findShifted", () => {
  const words = (
    "apple banana cherry damson elder fig grape hazel iris juniper kiwi lemon mango nectar olive peach quince radish " +
    "squash turnip"
  ).split(" ")

  /** The purposes of twenty functions, of which each names a fruit of its own. */
  const shifted = (textOf: (n: number) => string, positions = words.map((_, n) => n)) =>
    Effect.gen(function* () {
      const workspace = yield* Workspace.open("/repo")
      const index = yield* (yield* IndexStore.IndexStore).open(workspace)
      yield* index.refresh
      const symbols = words.map((word) => {
        const source = [`function f(${word}) {`, `  return ${word}`, "}"]
        return { entry: entryOf(word), source }
      })
      const purposes = positions.map((position) => ({ position, text: textOf(position) }))
      return Array.from(yield* PurposeCheck.findShifted(index, purposes, symbols))
    }).pipe(Effect.scoped, indexed)

  const entryOf = (word: string) =>
    new IndexEntry({
      path: "/repo/fruits.ts",
      name: "f",
      kind: "function",
      signature: `f(${word})`,
      startLine: 1,
      endLine: 3,
      hash: word,
      exported: true,
      isMajor: true,
      usedBy: 0,
    })

  it.effect("finds nothing if each stands beside its own number, or there are fewer than sixteen", () =>
    Effect.gen(function* () {
      const all = words.map((_, n) => n)
      assert.deepStrictEqual(yield* shifted((n) => `Peels one ${words[n]}.`), [])
      assert.deepStrictEqual(yield* shifted((n) => `Peels one ${words[n + 1]}.`, all.slice(0, 15)), [])
      assert.lengthOf(yield* shifted((n) => `Peels one ${words[n + 1]}.`, all.slice(0, 16)), 16)
    }),
  )

  it.effect("finds those that stand one too low or too high from some symbol on, and no right ones before them", () =>
    Effect.gen(function* () {
      const from = (start: number, by: -1 | 1) =>
        shifted((n) => `Peels one ${words[n < start ? n : n + by] ?? "pear"}.`)
      const all = words.map((_, n) => n)
      assert.deepStrictEqual(
        yield* from(0, 1),
        all.slice(0, 19).map((n) => [n, 1]),
      )
      assert.deepStrictEqual(
        (yield* from(3, 1)).map(([n]) => n),
        all.slice(3, 19),
      )
      assert.deepStrictEqual(
        (yield* from(1, -1)).map(([n, by]) => [n, by]),
        all.slice(1).map((n) => [n, -1]),
      )
      // The order in which they are given makes no difference.
      const reversed = yield* shifted((n) => `Peels one ${words[n + 1] ?? "pear"}.`, all.toReversed())
      assert.deepStrictEqual(reversed, yield* from(0, 1))
    }),
  )
})

describe("PurposeCheck.toStored", () => {
  it("is one line without escape sequences, control and invisible characters", () => {
    assert.strictEqual(
      PurposeCheck.toStored("\u001b]0;title\u0007Opens\0 \u001b[31mthe\u001b[0m\r\n\tdoor\u202e, \ud83d once.\u200b "),
      "Opens the door, \ufffd once.",
    )
    assert.strictEqual(PurposeCheck.toStored("\0 \u202e\n"), "")
  })

  it("has no sign in place of a question behind its sentence", () => {
    for (const sign of ["-", "–", "—", "--"])
      assert.strictEqual(PurposeCheck.toStored(`Opens the door. ${sign}`), "Opens the door.")
    for (const text of ["-", "—", "Opens - or closes.", "Takes the name of a -", "Parts items by `-`."])
      assert.strictEqual(PurposeCheck.toStored(text), text)
  })

  it("is cut at the end of a sentence, or else at sixty words", () => {
    const sentence = `Opens the door. ${"word ".repeat(80)}`
    assert.strictEqual(PurposeCheck.toStored(sentence), "Opens the door.")
    const words = PurposeCheck.toStored("word ".repeat(80))
    assert.lengthOf(words.split(" "), PurposeCheck.MAX_WORDS)
    assert.isTrue(words.endsWith("word…"))
    assert.isAtMost(PurposeCheck.toStored("x".repeat(100_000)).length, 600)
  })
})
