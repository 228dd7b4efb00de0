import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Project, referencesIn } from "../../../index/IndexStore/references/References.fixture.ts"
import { some } from "../../../thoroughness.ts"
import { inLinearTime, size } from "../../../utils/linearTime.ts"

const shop = {
  "lib/shop/cart.ex": `defmodule Shop.Cart do
  defstruct [:items]
  @type t :: %__MODULE__{items: list}
  @type pair(a) :: {a, a}
  def new, do: %__MODULE__{}
  def add(cart, item, count \\\\ 1)
  def add(cart, item, count), do: put(cart, {item, count})
  defp put(cart, entry), do: entry
  defmacro each(cart, do: block), do: block
  defguard is_empty(cart) when cart == nil
end
`,
}

const cases: ReadonlyArray<readonly [name: string, files: Project, from: string, expected: ReadonlyArray<string>]> = [
  [
    "resolves functions by whole names, aliases, aliases of several, and other names",
    {
      ...shop,
      "lib/shop/order.ex": `defmodule Shop.Order do
  def go, do: :ok
end
`,
      "lib/use.ex": `defmodule Use do
  alias Shop.{Cart, Order}
  alias Shop.Cart, as: Basket
  alias Shop
  def whole(x), do: Shop.Cart.new()
  def short(x), do: Cart.add(x, 1)
  def other(x), do: Basket.add(x, 1, 2)
  def second, do: Order.go
  def below, do: Shop.Order.go()
  def captured, do: {&Cart.add/2, &Cart.new/0}
  def piped(x) do
    x
    |> Cart.add(1)
    |> Cart.new
    Cart.each x do
      :ok
    end
  end
  def not_so(x), do: {Cart.add(x), Cart.put(x, 1), Cart.new(1), Other.Cart.new(), Cart.none()}
end
`,
    },
    "lib/use.ex",
    [
      "Use.below -> Shop.Order.go: 9",
      "Use.below -> Shop.Order: 9",
      "Use.captured -> Shop.Cart.add: 10",
      "Use.captured -> Shop.Cart.new: 10",
      "Use.captured -> Shop.Cart: 10",
      "Use.not_so -> Shop.Cart: 19",
      "Use.other -> Shop.Cart.add: 7",
      "Use.other -> Shop.Cart: 7",
      "Use.piped -> Shop.Cart.add: 13",
      "Use.piped -> Shop.Cart.each: 15",
      "Use.piped -> Shop.Cart: 13 14 15",
      "Use.second -> Shop.Order.go: 8",
      "Use.second -> Shop.Order: 8",
      "Use.short -> Shop.Cart.add: 6",
      "Use.short -> Shop.Cart: 6",
      "Use.whole -> Shop.Cart.new: 5",
      "Use.whole -> Shop.Cart: 5",
    ],
  ],
  [
    "resolves calls in a module by the number of their arguments, with and without brackets",
    {
      "lib/a.ex": `defmodule A do
  def one(a), do: a
  def other, do: one(2)
  def one(a, b), do: {a, b}
  defmacro wrap(name, do: block), do: block
  def calls(x, y) do
    one(x)
    one x, y
    x |> one()
    x |> one
    x |> one(fn a, b -> {a, b} end)
    one([a, b], %{c: 1, d: 2})
    one(c: 1, d: 2)
    one x, c: 1, d: 2
    one(1, 2, 3)
    wrap "a" do
      one(<<1, 2>>)
    end
    wrap("b", do: "#{one(x)} and #{~s(#{one(y, "}")})}")
    &one/1
    &one(&1, 2)
    __MODULE__.one(1)
  end
end
`,
    },
    "lib/a.ex",
    [
      "A.calls -> A.one: 7 9 10 13 17 19 20 22",
      "A.calls -> A.one: 8 11 12 14 19 21",
      "A.calls -> A.wrap: 16 19",
      "A.other -> A.one: 3",
    ],
  ],
  [
    "takes no variables, atoms, keys, attributes, fields and text for functions",
    {
      ...shop,
      "lib/a.ex": `defmodule A do
  @name :name
  def name, do: 1
  def item(name), do: name
  def calls(map, name) do
    name = map.name
    fun = map.item(1)
    {:item, name: 1, item: 2, "item": 3}
    %{item: item} = map
    @name
    name.(1)
    # item(1)
    ~H"""
    <.item name={item(1)} />
    """
    ~S(#{item(1)})
    "item(1)"
    ?"
    :erlang.item(1)
    for item <- map, do: item
    Cart.new()
  end
end
`,
    },
    "lib/a.ex",
    [],
  ],
  [
    "resolves structs, modules as values, behaviours, and types of both kinds",
    {
      ...shop,
      "lib/a.ex": `defmodule A do
  @behaviour Shop.Cart
  alias Shop.Cart
  @type own :: Cart.t() | Cart.pair(integer)
  @spec add(Cart.t(), own) ::
          own()
  def add(%Cart{items: _} = cart, _), do: raise(Cart)
  @callback t(t :: own) :: {Cart, map}
  def child(x), do: {Cart, name: x}
end
`,
    },
    "lib/a.ex",
    [
      "A -> Shop.Cart: 2",
      "A.add -> A.own: 5 6",
      "A.add -> Shop.Cart.t: 5",
      "A.add -> Shop.Cart: 5 7",
      "A.child -> Shop.Cart: 9",
      "A.own -> Shop.Cart.pair: 4",
      "A.own -> Shop.Cart.t: 4",
      "A.own -> Shop.Cart: 4",
      "A.t -> A.own: 8",
      "A.t -> Shop.Cart: 8",
    ],
  ],
  [
    "resolves imported functions if exactly one import has them and the module itself has none",
    {
      "lib/one.ex":
        "defmodule One do\n  def go(a), do: a\n  def both(a), do: a\n  def left(a), do: a\n  defp hidden(a), do: a\nend\n",
      "lib/two.ex":
        "defmodule Two do\n  def both(a), do: a\n  def some(a), do: a\n  def rest(a), do: a\n  def own(a), do: a\nend\n",
      "lib/a.ex": `defmodule A do
  import One, except: [left: 1]
  import Two
  def calls(x), do: {go(x), both(x), left(x), hidden(x), some(x), own(x), go(x, x)}
  def own(x), do: x
end
defmodule B do
  import Two, only: [some: 1]
  def calls(x), do: {some(x), rest(x)}
  defmodule C do
    def calls(x), do: some(x)
  end
end
`,
    },
    "lib/a.ex",
    [
      "A -> One: 2",
      "A -> Two: 3",
      "A.calls -> A.own: 4",
      "A.calls -> One.go: 4",
      "A.calls -> Two.some: 4",
      "B -> Two: 8",
      "B.C.calls -> Two.some: 11",
      "B.calls -> Two.some: 9",
    ],
  ],
  [
    "follows what the macro of a used module imports, and the function that is chosen for its quote",
    {
      "lib/web.ex": `defmodule Web do
  def view do
    quote do
      import Web.Helpers
      import Web.Numbers, only: [double: 1]
    end
  end
  defmacro __using__(which), do: apply(__MODULE__, which, [])
end
defmodule Web.Helpers do
  def link(a), do: a
end
defmodule Web.Numbers do
  def double(a), do: a
  def half(a), do: a
end
defmodule Case do
  use Template
  using do
    quote do
      use Web, :view
      import unquote(__MODULE__)
    end
  end
  def setup_all(a), do: a
end
`,
      "lib/page.ex": `defmodule Page do
  use Web, :view
  def show(x), do: {link(x), double(x), half(x)}
end
defmodule PageTest do
  use Case
  def test(x), do: {link(x), setup_all(x)}
end
`,
    },
    "lib/page.ex",
    [
      "Page -> Web.__using__: 2",
      "Page -> Web: 2",
      "Page.show -> Web.Helpers.link: 3",
      "Page.show -> Web.Numbers.double: 3",
      "PageTest -> Case: 6",
      "PageTest.test -> Case.setup_all: 7",
      "PageTest.test -> Web.Helpers.link: 7",
    ],
  ],
  [
    "reads a quote for its modules alone, but what it unquotes as code of the module",
    {
      ...shop,
      "lib/a.ex": `defmodule A do
  def go(x), do: x
  defmacro make(x) do
    quote do
      go(1)
      Shop.Cart.new()
      unquote(go(x))
      __MODULE__.go(1)
    end
  end
  defmacro short(x), do: quote(do: {go(1), unquote(go(x))})
end
`,
    },
    "lib/a.ex",
    ["A.make -> A.go: 7", "A.make -> Shop.Cart.new: 6", "A.make -> Shop.Cart: 6", "A.short -> A.go: 11"],
  ],
  [
    "resolves nested modules by the module around, and the functions of protocols by the protocol",
    {
      "lib/size.ex": `defprotocol Size do
  @spec of(t) :: integer
  def of(value)
end
defimpl Size, for: List do
  def of(list), do: count(list)
  defp count(list), do: length(list)
end
`,
      "lib/outer.ex": `defmodule Outer do
  defmodule Inner do
    alias __MODULE__.Deep
    def go, do: Deep.go()
    defmodule Deep do
      def go, do: Outer.own()
    end
    defimpl Size do
      def of(_), do: Size.of([])
    end
  end
  def own, do: Inner.go()
  defdelegate of(value), to: Size
  defdelegate size(value), as: :of, to: Size
end
`,
    },
    "lib/outer.ex",
    [
      "Outer.Inner -> Size: 8",
      "Outer.Inner.Deep.go -> Outer.own: 6",
      "Outer.Inner.Deep.go -> Outer: 6",
      "Outer.Inner.Size.of -> Size.of: 9",
      "Outer.Inner.Size.of -> Size: 9",
      "Outer.Inner.go -> Outer.Inner.Deep.go: 4",
      "Outer.Inner.go -> Outer.Inner.Deep: 4",
      "Outer.of -> Size.of: 13",
      "Outer.of -> Size: 13",
      "Outer.own -> Outer.Inner.go: 12",
      "Outer.own -> Outer.Inner: 12",
      "Outer.size -> Size.of: 14",
      "Outer.size -> Size: 14",
    ],
  ],
]

/** Each would take seconds if a part of it were read again for each of the others. */
const hostile: ReadonlyArray<readonly [name: string, text: string]> = [
  ["names in a row", "a ".repeat(size(50_000))],
  ["calls in calls", "a(".repeat(size(30_000))],
  ["quotes in quotes", "quote do\n".repeat(size(10_000))],
  ["parts of a name", `A.${"B.".repeat(size(50_000))}C`],
  ["modules in modules", "defmodule A do import B\n".repeat(size(5_000))],
  ["interpolations", '"#{'.repeat(size(20_000))],
  ["aliases", "alias A.{".repeat(size(10_000))],
  ["imports of names", `import A, only: [${"a: 1, ".repeat(size(20_000))}]\n`.repeat(2)],
  ["heads with defaults", `def a(${"b \\\\ 1, ".repeat(size(20_000))}), do: 1`],
  ["ends without blocks", "a(end ".repeat(size(20_000))],
  ["types", "@spec a(A.t(\n".repeat(size(5_000))],
]

describe("references of Elixir", () => {
  for (const [name, text] of some(hostile, 0)) {
    it.effect(`are read in linear time of ${name}`, () => inLinearTime(referencesIn({ "lib/a.ex": text })))
  }

  for (const [name, files, from, expected] of cases) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const all = yield* referencesIn(files)
        assert.deepStrictEqual(
          all
            .filter((line) => line.startsWith(`${from} `))
            .map((line) => line.slice(from.length + 1).replace(/-> \S+/, "->")),
          expected,
        )
      }),
    )
  }
})
