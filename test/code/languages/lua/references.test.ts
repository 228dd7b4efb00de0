import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Project, referencesIn } from "../../../index/IndexStore/references/References.fixture.ts"

const util = {
  "lua/app/util.lua":
    "local M = {}\nlocal function hidden() end\nfunction M.trim(text)\n  return hidden(text)\nend\nfunction M:go()\n  self.trim(1)\n  M.trim(2)\nend\nM.run = function(...) return M.trim(...) end\nreturn M\n",
}

const cases: ReadonlyArray<readonly [name: string, files: Project, from: string, expected: ReadonlyArray<string>]> = [
  [
    "resolves functions of a table in its module, by its name and by self",
    util,
    "lua/app/util.lua",
    ["- -> M: 11", "M.go -> M.trim: 7 8", "M.run -> M.trim: 10", "M.trim -> hidden: 4"],
  ],
  [
    "follows modules that are required, at once, in a call, by pcall, and when they are used first",
    {
      ...util,
      "lua/app/init.lua":
        'local Util = require("app.util")\nlocal Lazy = Util.lazy_require("app.util")\nlocal ok, Safe = pcall(require, "app.util")\nlocal trim = require("app.util").trim\nlocal function start()\n  Util.trim("")\n  Util:go()\n  Lazy.run()\n  Safe.trim()\n  require("app.util").run()\n  require "app.util".go()\nend\nstart()\n',
      "lua/other/util.lua": "local M = {}\nfunction M.trim() end\nreturn M\n",
    },
    "lua/app/init.lua",
    ["- -> start: 13", "- -> M.trim: 4", "start -> M.go: 7 11", "start -> M.run: 8 10", "start -> M.trim: 6 9"],
  ],
  [
    "does not take local names, parameters, keys of tables and what a module does not return for its functions",
    {
      ...util,
      "lua/app/use.lua":
        'local Util = require("app.util")\nlocal function a(Util)\n  Util.trim()\nend\nlocal function b()\n  local Util = given()\n  Util.trim()\n  for _, Util in pairs({}) do\n    Util.trim()\n  end\nend\nlocal function c()\n  Util.hidden()\n  local t = { Util = 1, trim = 2 }\n  t.trim()\n  -- Util.trim()\n  return "Util.trim()"\nend\n',
    },
    "lua/app/use.lua",
    [],
  ],
  [
    "resolves what a module returns in a table, another module, and instances of a class",
    {
      "task.lua":
        "local Task = {}\nTask.__index = Task\nfunction Task.new(name)\n  return setmetatable({ name = name }, Task)\nend\nfunction Task:start() end\nreturn Task\n",
      "shapes/init.lua": 'local function area() end\nreturn { area = area, Task = require("task") }\n',
      "main.lua":
        'local shapes = require("shapes")\nlocal function main()\n  shapes.area()\n  local one = shapes.Task.new("a")\n  one:start()\nend\n',
    },
    "main.lua",
    ["main -> area: 3", "main -> Task.new: 4", "main -> Task.start: 5"],
  ],
  [
    "resolves members of an object that a function makes in a variable, fills and returns",
    {
      "runner.lua":
        "local Runner = {}\nfunction Runner.new(opts)\n  local self = setmetatable({}, { __index = Runner })\n  self._opts = opts\n  self:reset()\n  return self\nend\nfunction Runner:extend(o)\n  local o = setmetatable(o or {}, self)\n  if o.bad then\n    return nil\n  end\n  return o\nend\nfunction Runner:reset() end\nfunction Runner:start() end\nreturn Runner\n",
      "main.lua":
        'local Runner = require("runner")\nlocal function main()\n  local runner = Runner.new({})\n  runner:start()\n  local other = Runner:extend()\n  other:start()\nend\n',
    },
    "main.lua",
    ["main -> Runner.extend: 5", "main -> Runner.new: 3", "main -> Runner.start: 4 6"],
  ],
  [
    "takes no object for one of a class whose metatable computes, and no table of a file for its base",
    {
      "runner.lua": "local Runner = {}\nfunction Runner:start() end\nreturn Runner\n",
      "other.lua":
        'local Runner = require("runner")\nlocal Own = setmetatable({}, { __index = Runner })\nlocal function make()\n  local object = setmetatable({}, { __index = function() end })\n  object:start()\n  return object\nend\nlocal function take()\n  make():start()\n  Own:start()\n  object:start()\nend\n',
    },
    "other.lua",
    ["take -> make: 9"],
  ],
]

describe("references of Lua", () => {
  for (const [name, files, from, expected] of cases) {
    it.effect(name, () =>
      Effect.map(referencesIn(files), (lines) => {
        const own = lines.filter((line) => line.startsWith(`${from} `))
        assert.deepStrictEqual(
          own.map((line) => line.slice(from.length + 1).replace(/-> \S+/, "->")),
          expected,
        )
      }),
    )
  }
})
