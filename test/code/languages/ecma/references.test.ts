import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Project, referencesIn } from "../../../index/IndexStore/references/References.fixture.ts"

const base = "export class Base {\n  stop() {}\n}\n"

const cases: ReadonlyArray<readonly [name: string, files: Project, expected: ReadonlyArray<string>]> = [
  [
    "follows imports by name, renamed, by default and as a namespace",
    {
      "a.ts": "export function one() {}\nexport const two = 2\nexport default function three() {}\n",
      "b.ts":
        'import three, { one as first } from "./a.js"\nimport * as A from "./a"\nfunction go() {\n  first(three())\n  A.two\n}\n',
    },
    ["b.ts go -> a.ts one: 4", "b.ts go -> a.ts three: 4", "b.ts go -> a.ts two: 5"],
  ],
  [
    "follows re-exports, also where they are circular",
    {
      "a.ts": "export function one() {}\n",
      "b.ts": 'export * from "./c"\nexport { one as uno } from "./a"\n',
      "c.ts": 'export * from "./b"\nexport * from "./a"\nexport * as all from "./a"\n',
      "d.ts":
        'import { all, one, uno, none } from "./b"\nfunction go() {\n  one()\n  uno()\n  all.one()\n  none()\n}\n',
    },
    ["d.ts go -> a.ts one: 3 4 5"],
  ],
  [
    "resolves members of this, of super and of what is inherited from another file",
    {
      "base.ts": base,
      "a.ts":
        'import { Base } from "./base"\nexport class A extends Base {\n  go() {\n    this.stop()\n    this.run()\n    super.stop()\n  }\n  run() {}\n  static make() {\n    return this.make()\n  }\n}\n',
    },
    [
      "a.ts A -> base.ts Base: 2",
      "a.ts A.go -> a.ts A.run: 5",
      "a.ts A.go -> base.ts Base.stop: 4 6",
      "a.ts A.make -> a.ts A.make: 10",
    ],
  ],
  [
    "resolves members by types that are declared, returned or constructed",
    {
      "base.ts": base,
      "a.ts":
        'import { Base } from "./base"\nconst make = async (): Promise<Base> => new Base()\nclass A {\n  constructor(private readonly base: Base, private all: ReadonlyArray<Base>) {}\n  async go(given?: Base | null) {\n    this.base.stop()\n    given?.stop()\n    const made = new Base()\n    made.stop()\n    ;(await make()).stop()\n    for (const each of this.all) each.stop()\n    this.all.map((each) => each.stop())\n  }\n}\n',
    },
    [
      "a.ts A.all -> base.ts Base: 4",
      "a.ts A.base -> base.ts Base: 4",
      "a.ts A.go -> a.ts A.all: 11 12",
      "a.ts A.go -> a.ts A.base: 6",
      "a.ts A.go -> a.ts make: 10",
      "a.ts A.go -> base.ts Base.stop: 6 7 9 10 11 12",
      "a.ts A.go -> base.ts Base: 5 8",
      "a.ts make -> base.ts Base: 2",
    ],
  ],
  [
    "does not take local names for imported ones",
    {
      "a.ts": "export function one() {}\nexport const two = 2\n",
      "b.ts":
        'import { one, two } from "./a"\nfunction go(one: () => void, { two }: { two: number }) {\n  one()\n  return two\n}\nfunction stay() {\n  const one = () => {}\n  one()\n  return { two: 1 }.two\n}\nconst keys = { one: 1, two: 2 }\n',
    },
    [],
  ],
  [
    "resolves CommonJS: required modules, their members, and objects that other modules extend",
    {
      "user/index.js":
        "'use strict';\nconst User = module.exports;\nUser.get = function (id) { return id; };\nrequire('./bans')(User);\n",
      "user/bans.js":
        "module.exports = function (User) {\n  User.ban = async function (id) {\n    await User.get(id);\n  };\n};\n",
      "helpers.js": "function sum() {}\nmodule.exports = { sum, add: sum };\n",
      "plugins/index.js": "const Plugins = module.exports;\nPlugins.hooks = require('./hooks');\n",
      "plugins/hooks.js": "const Hooks = module.exports;\nHooks.fire = function () {};\n",
      "app.js":
        "const user = require('./user');\nconst { add } = require('./helpers');\nconst plugins = require('./plugins');\nfunction go() {\n  user.ban(1);\n  add();\n  plugins.hooks.fire();\n}\n",
    },
    [
      "app.js go -> helpers.js sum: 6",
      "app.js go -> plugins/hooks.js Hooks.fire: 7",
      "app.js go -> user/bans.js User.ban: 5",
      "helpers.js - -> helpers.js sum: 2",
      "user/bans.js User.ban -> user/index.js User.get: 3",
    ],
  ],
  [
    "resolves members of constructor functions, by `new` and by `this`",
    {
      "animal.js":
        "function Animal() {\n  this.name = new Name();\n  this.speak();\n}\nAnimal.prototype.speak = function () {\n  this.walk();\n  this.name.of();\n};\nAnimal.prototype.walk = function () {};\nconst Name = function () {\n  this.of();\n};\nName.prototype = {\n  of: function () {\n    this.so();\n  },\n  so() {\n    this.of();\n  },\n};\nmodule.exports = Animal;\n",
      "app.js": "const Animal = require('./animal');\nfunction go() {\n  new Animal().speak();\n}\n",
      "plain.js":
        "function make() {\n  return {};\n}\nmake.all = function () {};\nmake().all();\nfunction go() {\n  this.all();\n}\n",
    },
    [
      "animal.js - -> animal.js Animal: 21",
      "animal.js - -> animal.js Name: 13",
      "animal.js Animal -> animal.js Animal.speak: 3",
      "animal.js Animal -> animal.js Name: 2",
      "animal.js Animal.speak -> animal.js Animal.walk: 6",
      "animal.js Animal.speak -> animal.js Animal: 5",
      "animal.js Animal.speak -> animal.js Name.of: 7",
      "animal.js Animal.walk -> animal.js Animal: 9",
      "animal.js Name -> animal.js Name.of: 11",
      "animal.js Name.of -> animal.js Name.so: 15",
      "animal.js Name.so -> animal.js Name.of: 18",
      "app.js go -> animal.js Animal.speak: 3",
      "app.js go -> animal.js Animal: 3",
      "plain.js - -> plain.js make: 5",
      "plain.js make.all -> plain.js make: 4",
    ],
  ],
  [
    "takes what CommonJS passes on for no use of it",
    {
      "m.js": "exports.one = function () {}\nexports.two = function () {}\n",
      "index.js":
        'exports.one = require("./m").one\nmodule.exports.two = require("./m").two\nexports.three = require("./m").two()\n',
      "app.js": 'const { one } = require("./index")\nfunction go() {\n  one()\n}\n',
    },
    ["app.js go -> m.js one: 3", "index.js three -> m.js two: 3"],
  ],
  [
    "resolves path aliases, base URLs, packages of a workspace and imports of a package",
    {
      "tsconfig.json":
        '{\n  // aliases\n  "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"], "out/*": ["../../out/*"], }, },\n}\n',
      "src/a.ts": "export function one() {}\n",
      "packages/core/package.json":
        '{ "name": "@p/core", "exports": { ".": { "types": "./dist/index.d.ts" }, "./*": "./dist/*.js" }, "imports": { "#deep": "./src/deep.ts" } }',
      "packages/core/src/index.ts": 'export { deep } from "#deep"\n',
      "packages/core/src/deep.ts": "export function deep() {}\n",
      "b.ts":
        'import { one } from "@/a"\nimport { one as same } from "src/a"\nimport { deep } from "@p/core"\nimport { deep as again } from "@p/core/deep"\nimport { lost } from "out/lost"\nfunction go() {\n  one(same())\n  deep(again())\n  lost()\n}\n',
    },
    ["b.ts go -> packages/core/src/deep.ts deep: 8", "b.ts go -> src/a.ts one: 7"],
  ],
  [
    "takes a slash at the end of a path for a folder",
    {
      "parts/index.ts": "export function core() {}\n",
      "parts.ts": "export function core() {}\n",
      "parts/a.ts": 'import { core } from "./"\nexport function a() {\n  core()\n}\n',
      "parts/in/b.ts": 'import { core } from "../"\nexport function b() {\n  core()\n}\n',
      "c.js": 'const { core } = require("./parts/")\nfunction c() {\n  core()\n}\n',
      "d.ts": 'import { core } from "./parts"\nexport function d() {\n  core()\n}\n',
    },
    [
      "c.js c -> parts/index.ts core: 3",
      "d.ts d -> parts.ts core: 3",
      "parts/a.ts a -> parts/index.ts core: 3",
      "parts/in/b.ts b -> parts/index.ts core: 3",
    ],
  ],
  [
    "knows the name of a function expression in that function alone",
    {
      "res.js":
        "var send = require('./send')\nvar res = {}\nres.send = function send(body) {\n  if (body) send(1)\n}\nres.sendFile = function sendFile(path) {\n  send(path)\n}\nmodule.exports = res\n",
      "send.js": "module.exports = send\nfunction send(path) {}\n",
    },
    [
      "res.js - -> res.js res: 9",
      "res.js res.send -> res.js res.send: 4",
      "res.js res.send -> res.js res: 3",
      "res.js res.sendFile -> res.js res: 6",
      "res.js res.sendFile -> send.js send: 7",
      "send.js - -> send.js send: 1",
    ],
  ],
]

describe("references of TypeScript and JavaScript", () => {
  for (const [name, files, expected] of cases) {
    it.effect(name, () => Effect.map(referencesIn(files), (lines) => assert.deepStrictEqual(lines, expected)))
  }
})
