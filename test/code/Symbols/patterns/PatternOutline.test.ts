import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { docs, outlined, rows, signatures, withSymbols } from "../outlined.ts"

/** A piece of source in each language, and what is found in it. */
const sources: ReadonlyArray<readonly [path: string, text: string, rows: ReadonlyArray<string>]> = [
  [
    "Store.kt",
    `package a.b
import kotlin.math.max

private const val LIMIT = 10
/** Keeps orders. */
@Singleton
data class Store(val size: Int) : Base(), Closeable {
    companion object {
        fun of(size: Int) = Store(size)
    }
    lateinit var name: String
        private set
    override suspend fun put(order: Order): Boolean {
        fun hidden() {}
        val text = "} \${if (a) "}" else "{"}"
        return true
    }
    private fun drop() =
        orders.clear()
}
class Wide
@Inject
constructor(private val a: Int) : Base() {
    fun wide() {}
}
fun <T> List<T>.second(): T = this[1]
enum class Colour(val code: Int) { RED(1), BLUE(2); fun mix() = 1 }
sealed interface Shape
`,
    [
      "- constant LIMIT 4-4",
      "+ class Store 6-20",
      "+ field Store.size 7-7",
      "+ method Store.of 9-9",
      "+ field Store.name 11-12",
      "+ method Store.put 13-17",
      "- method Store.drop 18-19",
      "+ class Wide 21-25",
      "- field Wide.a 23-23",
      "+ method Wide.wide 24-24",
      "+ method List.second 26-26",
      "+ enum Colour 27-27",
      "+ field Colour.code 27-27",
      "+ method Colour.mix 27-27",
      "+ interface Shape 28-28",
    ],
  ],
  [
    "Store.swift",
    `import Foundation
/// Keeps orders.
@MainActor public final class Store: Base {
    private let size = #"{"#
    var count: Int { size.count }
    init(_ size: Int) throws { }
    class func shared() -> Store { Store("\\(a("{"))") }
}
extension Store: Closeable {
    func close() async {}
}
protocol Closeable { associatedtype Item; func close() async }
func == (a: Store, b: Store) -> Bool { true }
`,
    [
      "+ class Store 3-8",
      "- field Store.size 4-4",
      "+ field Store.count 5-5",
      "+ method Store.init 6-6",
      "+ method Store.shared 7-7",
      "+ method Store.close 10-10",
      "+ interface Closeable 12-12",
      "+ type Closeable.Item 12-12",
      "+ method Closeable.close 12-12",
      "+ function == 13-13",
    ],
  ],
  [
    "a.scala",
    `package a
trait Store[F[_]] {
  def put(a: Int): F[Unit]
  private lazy val size = 1
}
object Store:
  def of(a: Int): Store =
    new Store {
      def put(a: Int) = ()
    }
  class Inner:
    val x = 1

  def last = 2
case class Order(id: Int)
`,
    [
      "+ interface Store 2-5",
      "+ method Store.put 3-3",
      "- field Store.size 4-4",
      "+ class Store 6-14",
      "+ method Store.of 7-10",
      "+ class Store.Inner 11-12",
      "+ field Store.Inner.x 12-12",
      "+ method Store.last 14-14",
      "+ class Order 15-15",
    ],
  ],
  [
    "a.lua",
    `local M = {}
local json = require("json")
--- Puts an order.
-- Into the store.
function M.put(order)
  if order then
    for i = 1, 2 do local function hidden() end end
  end
end
function M:drop() return "end" end
local function helper(a) end
M.late = function() end
return M
`,
    [
      "+ variable M 1-1",
      "+ method M.put 5-9",
      "+ method M.drop 10-10",
      "- function helper 11-11",
      "+ method M.late 12-12",
    ],
  ],
  [
    "a.dart",
    `import 'package:a/b.dart';
/// Keeps orders.
abstract class Store<T> extends Base {
  final Map<String, List<T>> _orders = {};
  Store(this.size) : super(1);
  const factory Store.empty() = Empty;
  int get length => _orders.length;
  @override
  Future<void> put(T order, {bool force = false}) async {
    if (force) { hidden(); }
  }
  bool operator ==(Object other) => true;
}
enum Colour { red, blue }
typedef Handler = void Function(int);
extension on String { String twice() => this; }
void main(List<String> args) => run('\${args["}"]}');
final limit = 10;
`,
    [
      "+ class Store 3-13",
      "- field Store._orders 4-4",
      "+ method Store.Store 5-5",
      "+ method Store.empty 6-6",
      "+ method Store.length 7-7",
      "+ method Store.put 8-11",
      "+ method Store.== 12-12",
      "+ enum Colour 14-14",
      "+ type Handler 15-15",
      "+ method String.twice 16-16",
      "+ function main 17-17",
      "+ constant limit 18-18",
    ],
  ],
  [
    "a.sql",
    `-- Orders of customers.
CREATE TABLE IF NOT EXISTS public."order" (id int, note text default ';');
create or replace function total(a int) returns int as $$
begin
  create table hidden (a int);
end;
$$ language plpgsql;
CREATE PROCEDURE dbo.[Drop Old] AS BEGIN IF 1 = 1 BEGIN DELETE a; END; SELECT 1; END;
begin;
create materialized view v as select case a when 1 then 2 end from b;
commit;
`,
    ["+ class order 2-2", "+ function total 3-7", "+ function Drop Old 8-8", "+ class v 10-10"],
  ],
  [
    "Store.m",
    `#import "Store.h"
static NSString *const kName = @"}";
@interface Store ()
@property (nonatomic, strong) NSArray<Order *> *orders;
@end
@implementation Store
/// Puts an order.
- (instancetype)initWithOrders:(NSArray *)orders size:(int)size {
  if (self) { }
}
+ (Store *)shared { return nil; }
@end
static int helper(int a) { return a; }
`,
    [
      "- constant kName 2-2",
      "+ field Store.orders 4-4",
      "+ class Store 6-12",
      "+ method Store.initWithOrders:size: 8-10",
      "+ method Store.shared 11-11",
      "- function helper 13-13",
    ],
  ],
  [
    "a.ex",
    `defmodule A.Store do
  @moduledoc "Keeps orders."
  alias A.Order
  @doc """
  Puts an order: do, end.
  """
  @spec put(Order.t()) :: :ok
  def put(%Order{} = order) do
    Enum.map(order, fn x -> x end)
  end
  def put(nil), do: nil
  defp drop(a), do: a
end
`,
    ["+ module A.Store 1-13", "+ function A.Store.put 7-11", "- function A.Store.drop 12-12"],
  ],
  [
    "a.hs",
    `module A where
import qualified Data.Map as M
-- | Keeps orders.
data Store = Store { size :: Int }
  deriving (Show)
-- | Puts an order.
put :: Int -> Store
  -> Store
put 0 s = s
put n s = go n
  where go x = s
class Keeps a where
  keep :: a -> a
type Id = Int
`,
    [
      "+ class Store 4-5",
      "+ field Store.size 4-4",
      "+ function put 7-11",
      "+ interface Keeps 12-13",
      "+ method Keeps.keep 13-13",
      "+ type Id 14-14",
    ],
  ],
  [
    "a.zig",
    `const std = @import("std");
/// Keeps orders.
pub const Store = struct {
    size: usize = 0,
    pub fn put(self: *Store, a: u8) error{Full}!void {
        const hidden = '{';
    }
    fn drop() void {}
};
pub const Colour = enum { red, blue };
test "put" {}
`,
    ["+ class Store 3-9", "+ method Store.put 5-7", "- method Store.drop 8-8", "+ enum Colour 10-10"],
  ],
  [
    "A/Store.pm",
    `package A::Store;
use strict;
use constant LIMIT => 10;
# Puts an order.
sub put {
  my ($self) = @_;
  $self->{a} =~ s/}/{/g;
}
sub _drop { return 'sub no {' }
1;
__END__
sub not_code {}
`,
    [
      "+ module A::Store 1-1",
      "+ constant A::Store.LIMIT 3-3",
      "+ function A::Store.put 5-8",
      "- function A::Store._drop 9-9",
    ],
  ],
  [
    "a.jl",
    `module Stores
using Base.Iterators
"""
    put(a)

Puts an order.
"""
function put(a::Int)
    b = [x for x in a if x > 1]
    return a[end]
end
twice(x) where T = 2x
abstract type Shape end
mutable struct Store <: Shape
    size::Int
end
const LIMIT = 10
end
`,
    [
      "+ module Stores 1-18",
      "+ function Stores.put 8-11",
      "+ function Stores.twice 12-12",
      "+ interface Stores.Shape 13-13",
      "+ class Stores.Store 14-16",
      "+ constant Stores.LIMIT 17-17",
    ],
  ],
  [
    "a.groovy",
    `import a.b.C
class Store extends Base {
    private static final int LIMIT = 10
    Store(int size) { }
    def put(order) {
        def hidden = { it }
    }
}
def call(Map args) { sh "\${args.a}" }
`,
    [
      "+ class Store 2-8",
      "- field Store.LIMIT 3-3",
      "+ method Store.Store 4-4",
      "+ method Store.put 5-7",
      "+ function call 9-9",
    ],
  ],
  [
    "a.R",
    `library(dplyr)
#' Puts an order.
put <- function(order, ...) {
  hidden <- function(x) x
}
.drop = \\(x) x
Store <- R6Class("Store", list(a = 1))
`,
    ["+ function put 3-5", "- function .drop 6-6", "+ class Store 7-7"],
  ],
  [
    "a.proto",
    `syntax = "proto3";
import "b.proto";
// An order.
message Order {
  repeated string note = 1;
  oneof state { int32 open = 2; }
  message Line { int32 count = 1; }
}
service Orders { rpc Put (Order) returns (Order) {} }
`,
    [
      "+ class Order 4-8",
      "+ field Order.note 5-5",
      "+ field Order.open 6-6",
      "+ class Order.Line 7-7",
      "+ field Order.Line.count 7-7",
      "+ interface Orders 9-9",
      "+ method Orders.Put 9-9",
    ],
  ],
  [
    "a.graphql",
    `"""
An order.
"""
type Order implements Node @key(fields: "id") {
  id: ID!
  lines(first: Int): [Line!]!
}
extend type Query { order: Order }
union Any = Order | Line
query Get($id: ID!) { order(id: $id) { id } }
`,
    [
      "+ class Order 4-7",
      "+ field Order.id 5-5",
      "+ method Order.lines 6-6",
      "+ field Query.order 8-8",
      "+ type Any 9-9",
      "+ function Get 10-10",
    ],
  ],
  [
    "a.tf",
    `# The network.
resource "aws_vpc" "main" {
  cidr = "\${var.cidr}"
}
variable "cidr" {}
module "a" {
  source = "./a"
}
locals {
  b = 1
}
`,
    ["+ class aws_vpc.main 2-4", "+ variable cidr 5-5", "+ module a 6-8", "+ field locals.b 10-10"],
  ],
  [
    "a.ps1",
    `<#
.SYNOPSIS
Puts an order.
#>
function Put-Order {
    [CmdletBinding()]
    param([string] $Id)
    "{"
}
class Store { [int] $Size; [void] Drop([int] $a) { } }
`,
    ["+ function Put-Order 5-9", "+ class Store 10-10", "+ field Store.Size 10-10", "+ method Store.Drop 10-10"],
  ],
  [
    "a.sol",
    `import {A} from "./A.sol";
/// @notice Keeps orders.
contract Store is A, B(1) {
    mapping(address => uint256) private _sizes;
    event Put(address a);
    constructor(uint a) A(a) {}
    function put(uint a) external override returns (uint) { return a; }
}
`,
    [
      "+ class Store 3-8",
      "- field Store._sizes 4-4",
      "+ type Store.Put 5-5",
      "+ method Store.constructor 6-6",
      "+ method Store.put 7-7",
    ],
  ],
]

withSymbols("the outline by patterns", (it) => {
  it.effect.each(sources)("finds the declarations of %s, and none within functions", ([path, text, expected]) =>
    Effect.gen(function* () {
      const outline = yield* outlined(path, text)
      assert.deepStrictEqual(rows(outline), expected)
      assert.isUndefined(outline.note)
      // Windows' line breaks make no difference.
      assert.deepStrictEqual(rows(yield* outlined(path, text.replaceAll("\n", "\r\n"))), expected)
      for (const { end, name, start } of outline.symbols) {
        assert.include(text.slice(start, end), name.split(/[:.]/)[0] ?? name)
      }
    }),
  )

  it.effect("takes comments above declarations, and strings that document, for their docs", () =>
    Effect.gen(function* () {
      const docsOf = (file: string) => {
        const [path = "", text = ""] = sources.find(([path]) => path === file) ?? []
        return Effect.map(outlined(path, text), docs)
      }
      assert.deepStrictEqual(yield* docsOf("Store.kt"), { Store: "Keeps orders." })
      assert.deepStrictEqual(yield* docsOf("a.lua"), { "M.put": "Puts an order.\nInto the store." })
      assert.deepStrictEqual(yield* docsOf("a.sql"), { order: "Orders of customers." })
      assert.deepStrictEqual(yield* docsOf("a.ex"), {
        "A.Store": "Keeps orders.",
        "A.Store.put": "Puts an order: do, end.",
      })
      assert.deepStrictEqual(yield* docsOf("a.hs"), { Store: "Keeps orders.", put: "Puts an order." })
      assert.deepStrictEqual(yield* docsOf("a.jl"), { "Stores.put": "    put(a)\n\nPuts an order." })
      assert.deepStrictEqual(yield* docsOf("a.graphql"), { Order: "An order." })
      assert.deepStrictEqual(yield* docsOf("a.R"), { put: "Puts an order." })
      assert.deepStrictEqual(yield* docsOf("a.ps1"), { "Put-Order": ".SYNOPSIS\nPuts an order." })
    }),
  )

  it.effect.each<[what: string, path: string, text: string, expected: Record<string, string>]>([
    [
      "below what a module uses and a note",
      "a.ex",
      `defmodule A do
  # Loaded by the application.
  use B, only: [a: 1]
  @behaviour C
  @moduledoc ~S"""
  Keeps orders.

  As they come.
  """
  def a, do: 1
end
`,
      { A: "Keeps orders.\n\nAs they come." },
    ],
    [
      "of an inner module alone, and not of the function below it",
      "a.ex",
      `defmodule A do
  defmodule B do
    @moduledoc "Counts."
    def b, do: 1
  end
  @moduledoc false
  def a, do: "@moduledoc no"
end
`,
      { "A.B": "Counts." },
    ],
    [
      "below attributes, functions and inner modules",
      "a.ex",
      `defmodule A do
  import B
  @states [
    :open,
    :closed
  ]

  @type view :: atom()

  defmodule Error do
    @moduledoc "Is raised."
    def exception(text) do
      text
    end
  end

  @moduledoc "Routes."
  def a, do: 1
end

defmodule Bare do
  def b, do: 1
end

defmodule C do
  def c, do: 1

  @doc """
  Shows a use.

  @moduledoc "of none"
  """
  def d, do: 1
end

defmodule D do
  @moduledoc "Comes last."
end
`,
      { A: "Routes.", "A.Error": "Is raised.", D: "Comes last.", "C.d": 'Shows a use.\n\n@moduledoc "of none"' },
    ],
    [
      "of a protocol",
      "a.ex",
      `defprotocol P do
  @moduledoc """
  Prints.
  """
  def print(a)
end
`,
      { P: "Prints." },
    ],
    [
      "at the beginning of a function",
      "a.ps1",
      `function Get-A {
    <#
    .SYNOPSIS
        Gets an order.
    #>
    param([string] $Id)
    <# not this #>
    $Id
}

# Removes an order.
function Remove-A {
    $a = 1
    <# nor this #>
}
`,
      { "Get-A": ".SYNOPSIS\n    Gets an order.", "Remove-A": "Removes an order." },
    ],
  ])("reads documentation within a block: %s", ([, path, text, expected]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(docs(yield* outlined(path, text)), expected)
    }),
  )

  it.effect("gives signatures without annotations and bodies, imports, and names without keywords", () =>
    Effect.gen(function* () {
      const [path, text] = sources[0] ?? assert.fail()
      const outline = yield* outlined(path, text)
      assert.deepInclude(signatures(outline), {
        Store: "data class Store(val size: Int) : Base(), Closeable",
        "Store.put": "override suspend fun put(order: Order): Boolean",
        "List.second": "fun <T> List<T>.second(): T = this[1]",
      })
      assert.deepStrictEqual(outline.imports, ["kotlin.math.max"])
      assert.strictEqual(outline.identifiers.get("Store"), 2)
      assert.isFalse(outline.identifiers.has("fun"))
      assert.deepStrictEqual((yield* outlined("a.lua", "local a = require 'b.c'\n")).imports, ["b.c"])
      assert.deepStrictEqual((yield* outlined("a.dart", "import 'b.dart';\n")).imports, ["b.dart"])
    }),
  )

  it.effect("reads headers of Objective-C, which have the name of those of C", () =>
    Effect.gen(function* () {
      const header = "#import <A/A.h>\n@interface Store : NSObject\n- (void)put:(int)a;\n@end\n"
      assert.deepStrictEqual(rows(yield* outlined("Store.h", header)), ["+ class Store 2-4", "+ method Store.put: 3-3"])
      assert.deepStrictEqual(rows(yield* outlined("store.h", "int put(int a) { return a; }\n")), ["+ function put 1-1"])
    }),
  )

  it.effect("goes by indentation where brackets do not match", () =>
    Effect.gen(function* () {
      const source = "class A {\n    fun b() {\n        val s = c(\n    }\n    fun d() {}\n}\nclass E\n"
      assert.deepStrictEqual(rows(yield* outlined("a.kt", source)), [
        "+ class A 1-6",
        "+ method A.b 2-4",
        "+ method A.d 5-5",
        "+ class E 7-7",
      ])
    }),
  )
})
