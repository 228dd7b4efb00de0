import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { docs, outlined, rows, signatures, withSymbols } from "../../Symbols/outlined.ts"

const source = `# frozen_string_literal: true
require "json"
require_relative 'near/by'
YAML.load("not an import")

# Stores things.
# In memory.
module Stores
  VERSION = "1"
  # A store.
  class Store < Base::Thing
    attr_accessor :a
    LIMITS = {
      a: 1,
    }
    @@count = 1
    def initialize(path, size = 1, *rest, &block)
      @path = path
      def inner; end
    end
    def self.build(x) = new(x)
    def empty
    end
    def size?; true; end
    def ==(other); end
    def name=(value); end
    private
    # About hidden.
    def hidden; end
    public def shown; end
    class << self
      def meta; end
      private
      def secret; end
    end
    protected def kept(x)
      1
    end
    private :size?
    private_class_method :build
    private_constant :LIMITS
  end
  class Outer::Inner; def run; end; end
  Point = Struct.new(:x) do
    def norm; end
  end
  A, B = 1, 2
end
def top(a)
  yield
end
$global = 1
local = 2
=begin
A block.
=end
def after; end
`

withSymbols("the outline of Ruby", (it) => {
  it.effect("has modules, classes, methods and constants, and whether they are private", () =>
    Effect.gen(function* () {
      const outline = yield* outlined("a.rb", source)
      assert.deepStrictEqual(rows(outline), [
        "+ module Stores 8-48",
        "+ constant Stores.VERSION 9-9",
        "+ class Stores.Store 11-42",
        "+ field Stores.Store.a 12-12",
        "- constant Stores.Store.LIMITS 13-15",
        "+ field Stores.Store.@@count 16-16",
        "+ method Stores.Store.initialize 17-20",
        "- method Stores.Store.build 21-21",
        "+ method Stores.Store.empty 22-23",
        "- method Stores.Store.size? 24-24",
        "+ method Stores.Store.== 25-25",
        "+ method Stores.Store.name= 26-26",
        "- method Stores.Store.hidden 29-29",
        "+ method Stores.Store.shown 30-30",
        "+ method Stores.Store.meta 32-32",
        "- method Stores.Store.secret 34-34",
        "- method Stores.Store.kept 36-38",
        "+ class Stores.Outer.Inner 43-43",
        "+ method Stores.Outer.Inner.run 43-43",
        "+ class Stores.Point 44-46",
        "+ method Stores.Point.norm 45-45",
        "+ constant Stores.A 47-47",
        "+ constant Stores.B 47-47",
        "+ function top 49-51",
        "+ variable $global 52-52",
        "+ function after 57-57",
      ])
      assert.deepStrictEqual(outline.imports, ["json", "near/by"])
    }),
  )

  it.effect("has docs and signatures", () =>
    Effect.gen(function* () {
      const outline = yield* outlined("a.rb", source)
      assert.deepStrictEqual(docs(outline), {
        Stores: "Stores things.\nIn memory.",
        "Stores.Store": "A store.",
        "Stores.Store.hidden": "About hidden.",
        after: "A block.",
      })
      assert.deepStrictEqual(signatures(outline), {
        Stores: "module Stores",
        "Stores.VERSION": 'VERSION = "1"',
        "Stores.Store": "class Store < Base::Thing",
        "Stores.Store.LIMITS": "LIMITS",
        "Stores.Store.@@count": "@@count = 1",
        "Stores.Store.initialize": "def initialize(path, size = 1, *rest, &block)",
        "Stores.Store.a": "attr_accessor :a",
        "Stores.Store.build": "def self.build(x)",
        "Stores.Store.empty": "def empty",
        "Stores.Store.size?": "def size?",
        "Stores.Store.==": "def ==(other)",
        "Stores.Store.name=": "def name=(value)",
        "Stores.Store.hidden": "def hidden",
        "Stores.Store.shown": "def shown",
        "Stores.Store.meta": "def meta",
        "Stores.Store.secret": "def secret",
        "Stores.Store.kept": "def kept(x)",
        "Stores.Outer.Inner": "class Outer::Inner",
        "Stores.Outer.Inner.run": "def run",
        "Stores.Point": "Point = Struct.new(:x)",
        "Stores.Point.norm": "def norm",
        "Stores.A": "A, B = 1, 2",
        "Stores.B": "A, B = 1, 2",
        top: "def top(a)",
        $global: "$global = 1",
        after: "def after",
      })
    }),
  )

  it.effect("gives a method of another object to its owner", () =>
    Effect.gen(function* () {
      const text = `module A
  class B
    def B.own; end
  end
end
def object.of_value; end
def A.open; end
def ::A.absolute; end
def self.main; end
`
      assert.deepStrictEqual(
        rows(yield* outlined("a.rb", text)).map((row) => row.replace(/ \d+-\d+$/, "")),
        [
          "+ module A",
          "+ class A.B",
          "+ method A.B.own",
          "+ function of_value",
          "+ method A.open",
          "+ method A.absolute",
          "+ function main",
        ],
      )
    }),
  )

  it.effect("has methods that calls and aliases define", () =>
    Effect.gen(function* () {
      const text = `class A
  define_method(:made) { |x| x }
  define_method :other do
    1
  end
  define_method(name) { 2 }
  alias_method :again, :made
  alias new_name made
  alias :symbol :made
  alias == made
end
define_method(:outside) { 1 }
`
      assert.deepStrictEqual(rows(yield* outlined("a.rb", text)), [
        "+ class A 1-11",
        "+ method A.made 2-2",
        "+ method A.other 3-5",
        "+ method A.again 7-7",
        "+ method A.new_name 8-8",
        "+ method A.symbol 9-9",
        "+ method A.== 10-10",
      ])
    }),
  )
})
