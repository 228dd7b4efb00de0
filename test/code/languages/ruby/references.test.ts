import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Project, referencesIn } from "../../../index/IndexStore/references/References.fixture.ts"
import { isThorough, some } from "../../../thoroughness.ts"
import { inLinearTime, size } from "../../../utils/linearTime.ts"

const lines = (...all: ReadonlyArray<string>): string => `${all.join("\n")}\n`

const cases: ReadonlyArray<readonly [name: string, files: Project, from: string, expected: ReadonlyArray<string>]> = [
  [
    "resolves constants by the modules around, innermost first, and by full names",
    {
      "lib/app.rb": lines("module App", "  VERSION = 1", "end"),
      "lib/app/user.rb": lines("module App", "  class User", "    LIMIT = 3", "  end", "end"),
      "lib/user.rb": lines("class User", "end"),
      "lib/app/web/page.rb": lines(
        "module App::Web",
        "  class Page",
        "    def a; User; end",
        "    def b; ::User; end",
        "    def c; App::User::LIMIT; end",
        "    def d; App::VERSION + VERSION; end",
        "  end",
        "end",
        "module App",
        "  class Other",
        "    def e; User; VERSION; Missing; String; end",
        "  end",
        "end",
      ),
    },
    "lib/app/web/page.rb",
    [
      "App.Other.e -> lib/app.rb App.VERSION: 11",
      "App.Other.e -> lib/app/user.rb App.User: 11",
      "App.Web -> lib/app.rb App: 1",
      "App.Web.Page.a -> lib/user.rb User: 3",
      "App.Web.Page.b -> lib/user.rb User: 4",
      "App.Web.Page.c -> lib/app.rb App: 5",
      "App.Web.Page.c -> lib/app/user.rb App.User.LIMIT: 5",
      "App.Web.Page.c -> lib/app/user.rb App.User: 5",
      "App.Web.Page.d -> lib/app.rb App.VERSION: 6",
      "App.Web.Page.d -> lib/app.rb App: 6",
    ],
  ],
  [
    "resolves methods of self by the class, its parts in other files, its modules and its superclass",
    {
      "lib/base.rb": lines("class Base", "  def save; end", "  def self.find; end", "  def run; end", "end"),
      "lib/loud.rb": lines("module Loud", "  def shout; whisper; end", "  def self.loudest; end", "end"),
      "lib/finder.rb": lines("module Finder", "  def lookup; end", "end"),
      "lib/user.rb": lines("class User", "  def extra; end", "end"),
      "lib/more.rb": lines("class User", "  def reopened; end", "end"),
      "lib/use.rb": lines(
        "class User < Base",
        "  include Loud",
        "  extend Finder",
        "  def run",
        "    super",
        "    shout",
        "    self.save",
        "    reopened",
        "    find",
        "    self.class.find",
        "    loudest",
        "  end",
        "  def self.make",
        "    find",
        "    lookup",
        "    save",
        "  end",
        "  find",
        "end",
      ),
    },
    "lib/use.rb",
    [
      "User -> lib/base.rb Base.find: 18",
      "User -> lib/base.rb Base: 1",
      "User -> lib/finder.rb Finder: 3",
      "User -> lib/loud.rb Loud: 2",
      "User.make -> lib/base.rb Base.find: 14",
      "User.make -> lib/finder.rb Finder.lookup: 15",
      "User.run -> lib/base.rb Base.find: 10",
      "User.run -> lib/base.rb Base.run: 5",
      "User.run -> lib/base.rb Base.save: 7",
      "User.run -> lib/loud.rb Loud.shout: 6",
      "User.run -> lib/more.rb User.reopened: 8",
    ],
  ],
  [
    "leads from new to initialize, and knows what it has made in variables that are assigned nothing else",
    {
      "lib/engine.rb": lines(
        "class Engine",
        "  attr_reader :parts",
        "  def initialize; end",
        "  def go; end",
        "  def wheel; Wheel.new; end",
        "  def self.build; new; end",
        "end",
        "class Wheel",
        "  def turn; end",
        "end",
      ),
      "lib/car.rb": lines(
        "class Car",
        "  attr_reader :engine",
        "  def initialize(given)",
        "    @engine = Engine.new",
        "    @given = given",
        "    @both = Engine.new",
        "  end",
        "  def change; @both = Other.new; end",
        "  def memo; @memo ||= Engine.new; end",
        "  def run(free)",
        "    @engine.go",
        "    engine.parts",
        "    memo.wheel.turn",
        "    @given.go",
        "    @both.go",
        "    free.go",
        "    one = Engine.new",
        "    one.go",
        "    two = Engine.new",
        "    two = free",
        "    two.go",
        "    go = 1",
        "    go",
        "    list.each { |one| one.go }",
        "    Engine.build",
        "  end",
        "end",
      ),
    },
    "lib/car.rb",
    [
      "Car.initialize -> lib/engine.rb Engine.initialize: 4 6",
      "Car.initialize -> lib/engine.rb Engine: 4 6",
      "Car.memo -> lib/engine.rb Engine.initialize: 9",
      "Car.memo -> lib/engine.rb Engine: 9",
      "Car.run -> lib/car.rb Car.engine: 12",
      "Car.run -> lib/car.rb Car.memo: 13",
      "Car.run -> lib/engine.rb Engine.build: 25",
      "Car.run -> lib/engine.rb Engine.go: 11 18",
      "Car.run -> lib/engine.rb Engine.initialize: 17 19",
      "Car.run -> lib/engine.rb Engine.parts: 12",
      "Car.run -> lib/engine.rb Engine.wheel: 13",
      "Car.run -> lib/engine.rb Engine: 17 19 25",
      "Car.run -> lib/engine.rb Wheel.turn: 13",
    ],
  ],
  [
    "resolves functions of the file and of the block around, and none of a block that runs as something else",
    {
      "test/a_test.rb": lines(
        "def top; end",
        "describe 'one' do",
        "  def helper; top; end",
        "  it { helper }",
        "end",
        "describe 'two' do",
        "  it { helper }",
        "  it { other.instance_eval { top } }",
        "end",
        "class A",
        "  def top; end",
        "  def go; top; end",
        "  def stop; bottom { top }; end",
        "end",
        "class B",
        "  def go; top; end",
        "end",
      ),
    },
    "test/a_test.rb",
    [
      "- -> test/a_test.rb helper: 4",
      "- -> test/a_test.rb top: 8",
      "A.go -> test/a_test.rb A.top: 12",
      "A.stop -> test/a_test.rb A.top: 13",
      "B.go -> test/a_test.rb top: 16",
      "helper -> test/a_test.rb top: 3",
    ],
  ],
]

/** Texts that would take minutes if anything in the reader took time in the square of their length. */
const hostile: Readonly<Record<string, string>> = {
  "modules in modules": `${"module Abcdefgh\n".repeat(size(3_000))}X\n`.repeat(2),
  "parts of one class": "class A\n def a; b; end\nend\n".repeat(isThorough ? 15_000 : 500),
  "assignments to one variable": `def a\n${"x = X.new\nx.y\n".repeat(size(15_000))}end\n`,
  "calls of calls": `X${".new.a".repeat(size(50_000))}\n`,
  "blocks in blocks": `${"a do |b|\n".repeat(size(20_000))}b\n`,
  "returns in one method": `def a\n${"return X.new if b\n".repeat(size(15_000))}end\n`,
}

describe("references of Ruby", () => {
  for (const [name, text] of some(Object.entries(hostile), 2)) {
    it.effect(`are read in linear time of ${name}`, () => inLinearTime(referencesIn({ "a.rb": text })))
  }

  for (const [name, files, from, expected] of cases) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const all = yield* referencesIn(files)
        assert.deepStrictEqual(
          all.filter((line) => line.startsWith(`${from} `)).map((line) => line.slice(from.length + 1)),
          expected,
        )
      }),
    )
  }
})
