import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import { findRoutes } from "../../src/lookup/findRoutes.ts"
import { findSymbols } from "../../src/lookup/findSymbols.ts"
import * as Query from "../../src/lookup/Query.ts"
import * as Show from "../../src/lookup/Show.ts"
import { withIndex, workspace } from "../index/IndexStore.fixture.ts"
import * as SharedSymbols from "../utils/SharedSymbols.ts"

const files = {
  "src/app.js": [
    'const express = require("express")',
    'const owners = require("./owners")',
    "const app = express()",
    'app.get("/owners/new", owners.create)',
    'app.get("/owners/:id", owners.show)',
    'app.post("/owners", (req, res) => {',
    "  res.end()",
    "})",
  ].join("\n"),
  "src/owners.js": "exports.create = (req, res) => {\n  res.end()\n}\nexports.show = (req, res) => {\n  res.end()\n}\n",
  "src/pets.js": "exports.create = (req, res) => {\n  res.end()\n}\n",
  "src/items.py": 'router = APIRouter(prefix="/items")\n\n@router.get("/{id}")\ndef read(id: int):\n    return id\n',
}

const layer = Layer.provide(Sqlite.layerMemory, SharedSymbols.layer)

const withProject = <A, E>(run: (project: Parameters<typeof Query.answer>[0]) => Effect.Effect<A, E>) =>
  withIndex("/p", files, (index) =>
    Effect.gen(function* () {
      return yield* run({ index, workspace: yield* workspace("/p", files), displayPath: (path: string) => path })
    }),
  ).pipe(Effect.provide(layer))

const place = ({ path, qualifiedName, startLine }: { path: string; qualifiedName: string; startLine: number }) =>
  `${path}:${startLine} ${qualifiedName}`

describe("findRoutes", () => {
  it.effect("finds the handler that the registration refers to, and not one of the same name", () =>
    withProject(({ index }) =>
      Effect.gen(function* () {
        const found = yield* findRoutes(index, "GET /owners/new")
        assert.deepStrictEqual(
          found.map(({ entry, handlers }) => [place(entry), ...handlers.map(place)]),
          [["src/app.js:4 GET /owners/new", "src/owners.js:1 create"]],
        )
        const [decorated] = yield* findRoutes(index, "GET /api/items/7")
        assert.deepStrictEqual(decorated?.handlers.map(place), ["src/items.py:3 read"])
        const [inline] = yield* findRoutes(index, "POST /owners")
        assert.deepStrictEqual([inline?.entry.startLine, inline?.entry.endLine, inline?.handlers], [6, 8, []])
      }),
    ),
  )

  it.effect("is what a query and vibe show answer for a route", () =>
    withProject((project) =>
      Effect.gen(function* () {
        const answers = yield* Query.answer(project, "GET /owners/7")
        assert.deepStrictEqual(
          answers.map(({ hit }) => place(hit.entry)),
          ["src/app.js:5 GET /owners/:id", "src/owners.js:4 show"],
        )
        const { named } = yield* findSymbols(project, "GET /owners/{ownerId}")
        assert.deepStrictEqual(named.map(place), ["src/app.js:5 GET /owners/:id", "src/owners.js:4 show"])
        const within = yield* Query.answer(project, "GET /owners/7", { path: "src/items.py" })
        assert.notInclude(
          within.map(({ hit }) => hit.entry.kind),
          "route",
        )
        const error = yield* Effect.flip(findSymbols(project, "GET /nowhere"))
        assert.strictEqual(error.message, "no route GET /nowhere in the index")
      }),
    ),
  )

  it.effect("is shown to a model with the source of the handler, or of the registration", () =>
    withProject((project) =>
      Effect.gen(function* () {
        const handled = yield* Show.describe(project, "GET /owners/7", 1_000)
        assert.include(handled, "src/app.js:5-5  route GET /owners/:id")
        assert.include(handled, "exports.show = (req, res) => {")
        const inline = yield* Show.describe(project, "POST /owners", 1_000)
        assert.include(inline, "src/app.js:6-8  route POST /owners")
        assert.include(inline, "res.end()")
      }),
    ),
  )

  it.effect("adds no symbol to the index", () =>
    withProject(({ index }) =>
      Effect.gen(function* () {
        const symbols = (yield* index.symbolsIn("src/app.js")).map(({ kind }) => kind)
        assert.notInclude(symbols, "route")
        assert.strictEqual(
          (yield* index.search("owners new", { limit: 20 })).filter(({ entry }) => entry.kind === "route").length,
          0,
        )
      }),
    ),
  )
})
