import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { docs, outlined, rows, signatures, withSymbols } from "../../Symbols/outlined.ts"

const source = `<?php
namespace Example\\Stores;
use Foo\\Bar as Baz;
use Foo\\{Q, R as S};
use function Foo\\helper;
require_once __DIR__ . '/boot.php';
include 'other.php';
/**
 * A store.
 */
#[Attribute(1)]
abstract class Store extends Base implements Keep {
  use Logs;
  public const LIMIT = 1, MOST = 2;
  private const SECRET = 3;
  public static ?int $count = 1, $other;
  private readonly string $name;
  public function __construct(private int $size, int $b = 1) { $local = 1; }
  #[Pure] protected static function find(int ...$a): ?string { return null; }
  abstract function missing();
}
interface Keep extends Other { const MAX = 1; public function keep(); }
trait Logs { public $level; function log() {} }
enum Suit: string { case Hearts = 'h'; public function label() {} }
// Adds.
function add(int $a): int { return $a; }
const TOP = 1;
$setting = 3;
$twice = function ($x) { return $x; };
$object = new class { public function hidden() {} };
foreach ([] as $each) { $inLoop = 1; }
if (!function_exists('late')) { function late() {} }
`

withSymbols("the outline of PHP", (it) => {
  it.effect("has classes, traits, functions and constants in their namespace", () =>
    Effect.gen(function* () {
      const outline = yield* outlined("a.php", source)
      assert.deepStrictEqual(rows(outline), [
        "+ module Example\\Stores 2-2",
        "+ class Example\\Stores.Store 11-21",
        "+ constant Example\\Stores.Store.LIMIT 14-14",
        "+ constant Example\\Stores.Store.MOST 14-14",
        "- constant Example\\Stores.Store.SECRET 15-15",
        "+ field Example\\Stores.Store.count 16-16",
        "+ field Example\\Stores.Store.other 16-16",
        "- field Example\\Stores.Store.name 17-17",
        "+ method Example\\Stores.Store.__construct 18-18",
        "- field Example\\Stores.Store.size 18-18",
        "- method Example\\Stores.Store.find 19-19",
        "+ method Example\\Stores.Store.missing 20-20",
        "+ interface Example\\Stores.Keep 22-22",
        "+ constant Example\\Stores.Keep.MAX 22-22",
        "+ method Example\\Stores.Keep.keep 22-22",
        "+ class Example\\Stores.Logs 23-23",
        "+ field Example\\Stores.Logs.level 23-23",
        "+ method Example\\Stores.Logs.log 23-23",
        "+ enum Example\\Stores.Suit 24-24",
        "+ method Example\\Stores.Suit.label 24-24",
        "+ function Example\\Stores.add 26-26",
        "+ constant Example\\Stores.TOP 27-27",
        "+ variable Example\\Stores.setting 28-28",
        "+ function Example\\Stores.twice 29-29",
        "+ variable Example\\Stores.object 30-30",
        "+ function Example\\Stores.late 32-32",
      ])
      assert.deepStrictEqual(outline.imports, ["Foo\\Bar", "Foo\\Q", "Foo\\R", "Foo\\helper", "/boot.php", "other.php"])
    }),
  )

  it.effect("has docs and signatures without attributes", () =>
    Effect.gen(function* () {
      const outline = yield* outlined("a.php", source)
      assert.deepStrictEqual(docs(outline), { "Example\\Stores.Store": "A store.", "Example\\Stores.add": "Adds." })
      assert.deepStrictEqual(signatures(outline), {
        "Example\\Stores": "namespace Example\\Stores",
        "Example\\Stores.Store": "abstract class Store extends Base implements Keep",
        "Example\\Stores.Store.LIMIT": "public const LIMIT = 1, MOST = 2",
        "Example\\Stores.Store.MOST": "public const LIMIT = 1, MOST = 2",
        "Example\\Stores.Store.SECRET": "private const SECRET = 3",
        "Example\\Stores.Store.count": "public static ?int $count = 1, $other",
        "Example\\Stores.Store.other": "public static ?int $count = 1, $other",
        "Example\\Stores.Store.name": "private readonly string $name",
        "Example\\Stores.Store.__construct": "public function __construct(private int $size, int $b = 1)",
        "Example\\Stores.Store.size": "private int $size",
        "Example\\Stores.Store.find": "protected static function find(int ...$a): ?string",
        "Example\\Stores.Store.missing": "abstract function missing()",
        "Example\\Stores.Keep": "interface Keep extends Other",
        "Example\\Stores.Keep.MAX": "const MAX = 1",
        "Example\\Stores.Keep.keep": "public function keep()",
        "Example\\Stores.Logs": "trait Logs",
        "Example\\Stores.Logs.level": "public $level",
        "Example\\Stores.Logs.log": "function log()",
        "Example\\Stores.Suit": "enum Suit: string",
        "Example\\Stores.Suit.label": "public function label()",
        "Example\\Stores.add": "function add(int $a): int",
        "Example\\Stores.TOP": "const TOP = 1",
        "Example\\Stores.setting": "$setting = 3",
        "Example\\Stores.twice": "$twice = function ($x)",
        "Example\\Stores.object": "$object = new class { public function hidden() {} }",
        "Example\\Stores.late": "function late()",
      })
    }),
  )

  it.effect("keeps namespaces of one file apart, with and without bodies", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        rows(yield* outlined("a.php", "<?php\nnamespace A;\nclass X {}\nnamespace B;\nclass Y {}")),
        ["+ module A 2-2", "+ class A.X 3-3", "+ module B 4-4", "+ class B.Y 5-5"],
      )
      assert.deepStrictEqual(
        rows(yield* outlined("a.php", "<?php\nnamespace A { class X {} }\nnamespace { class Y {} }")),
        ["+ module A 2-2", "+ class A.X 2-2", "+ class Y 3-3"],
      )
    }),
  )

  it.effect("takes a constructor's promoted parameters for properties, and ignores who may write them", () =>
    Effect.gen(function* () {
      const outline = yield* outlined(
        "User.php",
        `<?php
class User {
  public private(set) string $name { get => ucfirst($this->name); }
  protected(set) int $age = 0;
  public function __construct(

    private readonly ?Repo $repo = null,
    #[Pure] public private(set) int $id = 0,
    int $plain = 1,
  ) {}
  public function other(int $a) {}
}
`,
      )
      assert.deepStrictEqual(rows(outline), [
        "+ class User 2-12",
        "+ field User.name 3-3",
        "+ field User.age 4-4",
        "+ method User.__construct 5-10",
        "- field User.repo 7-7",
        "+ field User.id 8-8",
        "+ method User.other 11-11",
      ])
      assert.deepInclude(signatures(outline), {
        "User.name": "public private(set) string $name",
        "User.id": "public private(set) int $id = 0",
      })
    }),
  )
})
