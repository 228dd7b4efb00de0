import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { outlined, rows, signatures, withSymbols } from "../../Symbols/outlined.ts"

withSymbols("Lua", (it) => {
  it.effect("finds the members of a table that the file declares, and none of other tables", () =>
    Effect.gen(function* () {
      const text = `local M = {}
local json = require("json")
json.lax = true
vim.opt.number = true
M.defaults = {
  root = "a",
  git = { log = { "-8" } },
}
M.version = "1.2" -- released
M.options.late = 3
M.new = M.init
if M.version == 2 then return end
return M
`
      const outline = yield* outlined("a.lua", text)
      assert.deepStrictEqual(rows(outline), [
        "+ variable M 1-1",
        "+ field M.defaults 5-8",
        "+ field M.version 9-9",
        "+ field M.options.late 10-10",
        "+ field M.new 11-11",
      ])
      assert.strictEqual(signatures(outline)["M.version"], 'M.version = "1.2"')
    }),
  )

  it.effect("finds the functions in a table, on one line and over many, however deep they are", () =>
    Effect.gen(function* () {
      const text = `local M = {}
M.clone = { name = "clone", run = function(self, opts) end, skip = function() return {} end }
M.tasks = {
  plain = { 1, 2 },
  deep = {
    ["a.b"] = { call = function(x) return x end },
  },
}
local handlers = {
  open = function() end,
}
Global = { close = function() end }
return { setup = function(opts) end, M = M }
`
      const outline = yield* outlined("a.lua", text)
      assert.deepStrictEqual(rows(outline), [
        "+ variable M 1-1",
        "+ class M.clone 2-2",
        "+ method M.clone.run 2-2",
        "+ method M.clone.skip 2-2",
        "+ class M.tasks 3-8",
        "+ class M.tasks.deep 5-7",
        "+ method M.tasks.deep.call 6-6",
        "- class handlers 9-11",
        "- method handlers.open 10-10",
        "+ class Global 12-12",
        "+ method Global.close 12-12",
        "+ function setup 13-13",
      ])
      assert.strictEqual(signatures(outline)["M.clone.run"], "run = function(self, opts)")
    }),
  )

  it.effect("finds the fields and functions that methods assign to self, once, and none of plain functions", () =>
    Effect.gen(function* () {
      const text = `local A = {}
function A:init(size)
  self.size = size
  if size == 1 then
    self.small = self.size == 1
  end
  self.close = function(force) self.size = 0 end
end
function A.new()
  local self = setmetatable({}, A)
  self.size = 2
  local b = { self.size }
  return self
end
A.task = { run = function(self) self.done = true end }
local function plain(self) self.other = 1 end
return A
`
      assert.deepStrictEqual(rows(yield* outlined("a.lua", text)), [
        "+ variable A 1-1",
        "+ method A.init 2-8",
        "+ field A.size 3-3",
        "+ field A.small 5-5",
        "+ method A.close 7-7",
        "+ method A.new 9-14",
        "+ class A.task 15-15",
        "+ method A.task.run 15-15",
        "+ field A.task.done 15-15",
        "- function plain 16-16",
      ])
    }),
  )
})
