import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { outlined, rows, withSymbols } from "../../Symbols/outlined.ts"

withSymbols("Elixir", (it) => {
  it.effect("takes no words in sigils, here documents and characters for blocks and declarations", () =>
    Effect.gen(function* () {
      const text = `defmodule A do
  @words ~w(
    do
    end
  )a
  def one(text) do
    [?", ?', ?#, ?(, ?\\", text <> ~s{do #{text} "} <> ~S|end #{|]
  end
  def two?(text), do: ~r<do"> =~ text
  def three(text) do
    """
    do #{"#"}{if text do 1 end} def none, do: 1
    """
  end
  def four, do: ~H"<p>do</p>"
end
`
      assert.deepStrictEqual(rows(yield* outlined("a.ex", text)), [
        "+ module A 1-16",
        "+ function A.one 6-8",
        "+ function A.two? 9-9",
        "+ function A.three 10-14",
        "+ function A.four 15-15",
      ])
    }),
  )
})
