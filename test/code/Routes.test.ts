/** Routes in hostile texts. What each framework registers is in the tests of its language. */
import { assert, describe, it } from "@effect/vitest"
import { isThorough, some } from "../thoroughness.ts"
import { limitProcessorTime } from "../utils/linearTime.ts"
import { read } from "./internal/routes.ts"

/** Beginnings with evidence of a framework, so that the rest is read. */
const heads: ReadonlyArray<readonly [path: string, text: string]> = [
  ["a.ts", 'import express from "express"\nimport "@nestjs/common"\nconst app = express()\napp.get("/x", h)\n'],
  ["a.py", 'from django.urls import path\n@app.get("/x")\ndef a(): pass\nurlpatterns = [\n'],
  ["a.go", 'import "github.com/gin-gonic/gin"\n'],
  ["A.java", 'import org.springframework.web.bind.annotation.*;\n@GetMapping("/x") void a() {}\n'],
  ["a.php", "<?php\nRoute::get('/x', function () {});\n#[Route('/x')]\n"],
  ["a.rb", "require 'sinatra'\nget '/x' do\nend\n"],
  ["routes.rb", "Rails.application.routes.draw do\n"],
  ["a.rs", 'use axum::Router;\nfn a() { r.route("/x", get(a)) }\n'],
  ["A.cs", 'using Microsoft.AspNetCore.Mvc;\n[HttpGet("x")] void a() {}\n'],
]

/** Pieces that such a text repeats, each with the one that closes it. */
const shapes: ReadonlyArray<readonly [open: string, close: string]> = [
  ['app.get("/x", ', ")"],
  ['[HttpGet("x")] ', ""],
  ['class A { [HttpGet("x")] void a() {} ', "}"],
  ["@Controller('x') class A { @Get('x') a() {} ", "}"],
  ['@RequestMapping("/x") class A { ', "}"],
  ["#[Route('/x')] class A { ", "}"],
  ["Route::get('/x', [", "])"],
  ["Route::resource('a', A::class) ", ""],
  ["Route::prefix('x')->group(function () { Route::get('/x', A::class); ", "});"],
  ["get '/x' do\n", "end\n"],
  ["resources :a do\n", "end\n"],
  ["namespace :a do\n", "end\n"],
  ['.route("/x", get(', "))"],
  ['.nest("/x", Router::new().route("/x", get(a))', ")"],
  ['web::scope("/x"(', ""],
  ['r.Route("/x", func(r chi.Router) { r.Get("/x", h)\n', "})"],
  ["path('x', ", ")"],
  ["@app.route('/x')\n", ""],
  ["a.b.c.", ""],
  ["router", ""],
  ["a = ", ""],
  ["x,\n", ""],
  ["\n", ""],
  [" ", ""],
  ["(", ""],
  ["[{", ""],
  ['"', ""],
  ["`${", ""],
]

const LENGTH = isThorough ? 300_000 : 40_000

describe("Routes.read", () => {
  // The texts take far less in linear time; the shortest of them took 16 s in the square of their length.
  limitProcessorTime(isThorough ? 60 : 1.5)

  for (const [at, [path, head]] of heads.entries()) {
    it(`reads hostile texts of ${path} in linear time`, () => {
      for (const [open, close] of some(shapes, at)) {
        const count = Math.floor((LENGTH - head.length) / (open.length + close.length))
        const routes = read(path, head + open.repeat(count) + close.repeat(count))
        assert.isAtMost(routes.length, 2_000)
        for (const route of routes) assert.isAtMost(route.path.length, 500)
      }
    })
  }

  it("reads nothing of a text that is too long, of no language with routes, or without a framework", () => {
    const text = 'app.get("/x", show)\n'
    assert.deepStrictEqual(read("a.ts", `const app = express()\n${text.repeat(60_000)}`), [])
    assert.deepStrictEqual(read("a.md", text), [])
    assert.deepStrictEqual(read("a.ts", 'cache.get("/x", 1)\n'), [])
  })
})
