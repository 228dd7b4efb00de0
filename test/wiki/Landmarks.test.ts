import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck as fc } from "effect"
import * as Landmarks from "../../src/wiki/Landmarks.ts"
import { inLinearTime, size } from "../utils/linearTime.ts"

const order = (names: ReadonlyArray<string>, readme: string, project = "demo") =>
  Landmarks.order(
    names.map((qualifiedName) => ({ qualifiedName })),
    readme,
    project,
  ).map(({ qualifiedName }) => qualifiedName)

const central = ["Engine", "parse", "Helper", "res.send", "echo"]

describe("Landmarks.order", () => {
  it("keeps the order of what is most central if the README shows no code of it", () => {
    for (const readme of ["", "The echo of an Engine, parsed.", "```sh\nnpm install demo\n```"]) {
      assert.deepStrictEqual(order(central, readme), central)
    }
  })

  it("puts what the code of the README names in turn with what is most central", () => {
    const first = ["Engine", "res.send", "parse", "echo", "Helper"]
    assert.deepStrictEqual(order(central, "```js\nres.send(1)\ndemo.echo()\n```"), first)
    assert.deepStrictEqual(order(central, "Call `res.send` and `echo`."), first)
    assert.deepStrictEqual(order(central, "Use it:\n\n    res.send(echo)\n"), first)
    assert.deepStrictEqual(order(central, "~~~ruby\nDemo::echo\nres->send('x')\n~~~"), first)
  })

  it("does not take a member of something else for it", () => {
    assert.deepStrictEqual(order(central, "`console.echo()` and `app.send()`"), central)
    assert.deepStrictEqual(order(["Engine", "run", "Router"], "`Router.new`"), ["Engine", "Router", "run"])
  })

  it("names what is declared and implemented once, and nothing by the name default", () => {
    assert.deepStrictEqual(order(["Engine", "default", "Engine", "echo"], ""), ["Engine", "echo"])
  })

  it.prop(
    "loses nothing and adds nothing, whatever the README",
    [fc.uniqueArray(fc.stringMatching(/^[a-z]{3,5}$/), { maxLength: 12 }), fc.string({ unit: "grapheme" })],
    ([names, readme]) => {
      const given = names.filter((name) => name !== "default")
      const code = `\`${given.slice(3).join(" ")}\` ${readme}`
      assert.deepStrictEqual(order(given, code).sort(), given.toSorted())
    },
  )

  it.effect.each(["`", "```", "~~~\n", "a.", "    x", "a::b#", "\\"])(
    "takes time in proportion to the README, whatever it is: %j",
    (piece) => {
      const readme = piece.repeat(size(200_000))
      return inLinearTime(Effect.sync(() => assert.deepStrictEqual(order(central, readme), central)))
    },
  )
})

describe("Landmarks.calledIn", () => {
  const called = (readme: string) => Array.from(Landmarks.calledIn(readme, new Set(["php", "javascript"])))

  it("finds what code in a language of the project calls, by the last names", () => {
    assert.deepStrictEqual(called("```php\n$client = new Client();\n$client->request('GET')->then(fn () => 1);\n```"), [
      "request",
      "then",
    ])
    assert.deepStrictEqual(called("```js\nfunction handle(a) {}\napp.listen(3000)\n```"), ["listen"])
  })

  it("leaves out other languages, and takes all code if no block names its language", () => {
    assert.deepStrictEqual(called("```just\nwhich('x')\n```\n\n```js\nlisten()\n```"), ["listen"])
    assert.deepStrictEqual(called("```sh\nnpm(install)\n```\nCall `listen()`."), [])
    assert.deepStrictEqual(called("::\n\n    listen(1)\n"), ["listen"])
  })
})
