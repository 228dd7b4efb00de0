import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { inLinearTime, size } from "../../../utils/linearTime.ts"
import { routesIn } from "../../internal/routes.ts"

const express = 'const express = require("express")'

describe("routes of TypeScript and JavaScript", () => {
  it("reads calls with a method of Express, and the name of the handler", () => {
    assert.deepStrictEqual(
      routesIn(
        "app.js",
        express,
        "const app = express()",
        "app.get('/owners', owners.list)",
        "app.post('/owners/:id', check, wrap(owners.save))",
        "app.delete(`/owners/:id`, (req, res) => {",
        "  res.end()",
        "})",
        "app.all('*', (req, res) => res.end())",
      ),
      ["3 GET /owners -> owners.list", "4 POST /owners/:id -> owners.save", "5-7 DELETE /owners/:id", "8 ANY /*"],
    )
  })

  it("joins the prefix of a router that the same file mounts", () => {
    assert.deepStrictEqual(
      routesIn(
        "app.ts",
        'import express, { Router } from "express"',
        "const app = express()",
        "const pets: Router = Router()",
        "pets.get('/:id', show)",
        "pets.route('/').get(list).post(create)",
        "app.use('/pets', pets)",
      ),
      ["4 GET /pets/:id -> show", "5 GET /pets -> list", "5 POST /pets -> create"],
    )
  })

  it("reads Hono with a base path, chained calls and lists of methods", () => {
    assert.deepStrictEqual(
      routesIn(
        "app.ts",
        'import { Hono } from "hono"',
        "const app = new Hono<Env>().get('/a', (c) => c.text('a')).post('/b', save)",
        "const api = app.basePath('/api')",
        "api.get('/c', (c) => c.text('c'))",
        "app.on(['PUT', 'DELETE'], '/d', change)",
      ),
      ["2 GET /a", "2 POST /b -> save", "4 GET /api/c", "5 PUT /d -> change", "5 DELETE /d -> change"],
    )
  })

  it("reads Fastify's route objects and the parameter of a plugin", () => {
    assert.deepStrictEqual(
      routesIn(
        "plugin.js",
        "module.exports = async function (fastify, options) {",
        "  fastify.get('/a', options, async (request) => 1)",
        "  fastify.route({ method: ['GET', 'HEAD'], url: '/b', handler: show })",
        "  fastify.route({ method: 'POST', url: '/c', async handler (request) { return 1 } })",
        "}",
      ),
      ["2 GET /a", "3 GET /b -> show", "3 HEAD /b -> show", "4 POST /c"],
    )
  })

  it("reads the decorators of NestJS with the prefix of their controller", () => {
    assert.deepStrictEqual(
      routesIn(
        "cats.ts",
        'import { Controller, Get, Post } from "@nestjs/common"',
        "@Controller('cats')",
        "export class Cats {",
        "  @Get(':id')",
        "  @Header('a', 'b')",
        "  async find(@Param('id') id: string) {}",
        "  @Post()",
        "  create() {}",
        "}",
      ),
      ["4 GET /cats/:id -> find", "7 POST /cats -> create"],
    )
  })

  it("leaves out caches, clients, settings, requests of tests, comments and strings", () => {
    assert.deepStrictEqual(
      routesIn(
        "other.js",
        express,
        "const app = express()",
        "const map = new Map()",
        "map.get('/x', fallback)",
        "cache.get('/a/b', (error, value) => value)",
        "axios.get('/url', { params })",
        "api.get('/url', options)",
        "http.get('/url', (response) => response)",
        "app.get('view engine')",
        "request(app).get('/x').expect(200, done)",
        "request(app)",
        "  .get('/x', done)",
        "// app.get('/commented', show)",
        "const text = \"app.get('/quoted', show)\"",
        "router.get(path, show)",
        "router.get(`/${version}/x`, show)",
        "this.app.settings.get('/x', 1)",
      ),
      [],
    )
  })

  it("reads the routes before and behind a syntax error", () => {
    assert.deepStrictEqual(
      routesIn(
        "app.js",
        express,
        "const app = express()",
        "app.get('/a', (req, res) => { res.end() })",
        "const broken = (req => {",
        "app.get('/b', show)",
        "app.get('/c', ",
      ),
      ["3 GET /a", "5 GET /b -> show"],
    )
  })

  it.effect("takes a time that is linear in the length of a hostile text", () =>
    inLinearTime(
      Effect.sync(() => {
        const times = size(20_000)
        const hostile = `${express}\nconst app = express()\n${"app.get('/a', (".repeat(times)}`
        assert.isAtMost(routesIn("app.js", hostile).length, 2_000)
        const nested = `${express}\nconst app = express()\n${"app.get('/a', ".repeat(times)}x${")".repeat(times)}`
        assert.isAtMost(routesIn("app.js", nested).length, 2_000)
      }),
    ),
  )
})
