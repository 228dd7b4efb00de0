import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Project, referencesIn } from "../../../index/IndexStore/references/References.fixture.ts"

const helper =
  "<?php\nnamespace App\\Util;\nclass Helper extends Base {\n  public function go(): Helper { return $this; }\n  public static function make(): self { return new self(); }\n}\n"

const base = "<?php\nnamespace App\\Util;\nabstract class Base {\n  public function stop() {}\n}\n"

const other = "<?php\nnamespace Other;\nclass Helper {\n  public function go() {}\n}\n"

const core = { "src/Util/Helper.php": helper, "src/Util/Base.php": base, "other/Helper.php": other }

const tools = {
  "lib/fn.php":
    "<?php\nnamespace A\\Tools;\nfunction trimAll() {}\nfunction other() {}\nclass Kit { public static function open() {} }\n",
}

const cases: ReadonlyArray<readonly [name: string, files: Project, from: string, expected: ReadonlyArray<string>]> = [
  [
    "resolves types by use, alias, namespace and qualified name",
    {
      ...core,
      "src/A.php":
        "<?php\nnamespace App;\nuse App\\Util\\{Helper as H, Base};\nuse Other;\nfunction run() {\n  new H();\n  new \\Other\\Helper();\n  new Other\\Helper();\n  new Util\\Helper();\n  new Helper();\n  Base::class;\n}\n",
    },
    "src/A.php",
    [
      "App.run -> other/Helper.php Other.Helper: 7 8",
      "App.run -> src/Util/Base.php App\\Util.Base: 11",
      "App.run -> src/Util/Helper.php App\\Util.Helper: 6 9",
    ],
  ],
  [
    "resolves members by $this, self, properties, parameters and what is constructed",
    {
      ...core,
      "src/B.php":
        "<?php\nnamespace App;\nuse App\\Util\\Helper;\nclass B {\n  private ?Helper $one;\n  private $two;\n  public function __construct(private Helper $three, Helper $given) {\n    $this->two = $given;\n  }\n  public function run($free) {\n    $this->one->go()->stop();\n    $this->two->go();\n    $this->three->go();\n    $made = new Helper();\n    $made?->stop();\n    Helper::make()->go();\n    self::help();\n    $free->go();\n  }\n  private static function help() {}\n}\n",
    },
    "src/B.php",
    [
      "App.B.__construct -> src/B.php App.B.two: 8",
      "App.B.__construct -> src/Util/Helper.php App\\Util.Helper: 7",
      "App.B.one -> src/Util/Helper.php App\\Util.Helper: 5",
      "App.B.run -> src/B.php App.B.help: 17",
      "App.B.run -> src/B.php App.B.one: 11",
      "App.B.run -> src/B.php App.B.three: 13",
      "App.B.run -> src/B.php App.B.two: 12",
      "App.B.run -> src/Util/Base.php App\\Util.Base.stop: 11 15",
      "App.B.run -> src/Util/Helper.php App\\Util.Helper.go: 11 12 13 16",
      "App.B.run -> src/Util/Helper.php App\\Util.Helper.make: 16",
      "App.B.run -> src/Util/Helper.php App\\Util.Helper: 14 16",
      "App.B.three -> src/Util/Helper.php App\\Util.Helper: 7",
    ],
  ],
  [
    "resolves functions by use, group, alias, qualified name, namespace and without one",
    {
      ...tools,
      "plain.php": "<?php\nfunction price() {}\n",
      "src/Use.php":
        "<?php\nnamespace A\\App;\nuse function A\\Tools\\trimAll;\nuse function A\\Tools\\{other as another};\nuse A\\Tools as T;\nuse A\\Tools\\{Kit, function other};\nfunction own() {}\nfunction go() {\n  trimAll();\n  another();\n  \\A\\Tools\\trimAll();\n  T\\trimAll();\n  other();\n  price();\n  own();\n  Kit::open();\n  strlen('');\n}\n",
      "src/Near.php": "<?php\nnamespace A\\App;\nown();\n",
    },
    "src/Use.php",
    [
      "A\\App.go -> lib/fn.php A\\Tools.Kit.open: 16",
      "A\\App.go -> lib/fn.php A\\Tools.Kit: 16",
      "A\\App.go -> lib/fn.php A\\Tools.other: 10 13",
      "A\\App.go -> lib/fn.php A\\Tools.trimAll: 9 11 12",
      "A\\App.go -> plain.php price: 14",
      "A\\App.go -> src/Use.php A\\App.own: 15",
    ],
  ],
  [
    "leaves a function open that several programs declare, unless one is beside it",
    {
      "a/f.php": "<?php\nfunction start() {}\n",
      "b/f.php": "<?php\nfunction start() {}\n",
      "c/index.php": "<?php\nfunction go() { start(); }\n",
      "a/index.php": "<?php\nfunction run() { start(); }\n",
    },
    "c/index.php",
    [],
  ],
]

describe("references of PHP", () => {
  for (const [name, files, from, expected] of cases) {
    it.effect(name, () =>
      Effect.map(referencesIn(files), (lines) => {
        const own = lines.filter((line) => line.startsWith(`${from} `))
        assert.deepStrictEqual(
          own.map((line) => line.slice(from.length + 1)),
          expected,
        )
      }),
    )
  }
})
