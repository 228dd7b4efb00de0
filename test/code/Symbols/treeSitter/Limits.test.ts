import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Limits from "../../../../src/code/Symbols/internal/treeSitter/Limits.ts"
import * as TreeSitter from "../../../../src/code/Symbols/TreeSitter.ts"
import { isThorough } from "../../../thoroughness.ts"

const outlined = (path: string, text: string, limits: Partial<Limits.Limits>) =>
  Effect.flatMap(
    TreeSitter.makeWith((length) => ({ ...Limits.ofLength(length), ...limits })),
    ({ outline }) => outline(path, text),
  )

const unlimited = { steps: Number.POSITIVE_INFINITY, reads: Number.POSITIVE_INFINITY, time: Number.POSITIVE_INFINITY }

/** Loads each grammar once for all texts. */
const withinQuarter = await Effect.runPromise(
  TreeSitter.makeWith((length) => {
    const { reads, steps } = Limits.ofLength(length)
    return { ...unlimited, steps: steps / 4, reads: reads / 4 }
  }),
)

/** One function in each language, which is repeated. */
const sound: ReadonlyArray<readonly [path: string, text: string]> = [
  ["a.ts", "function plant<A>(seed: Array<A>): A | undefined {\n  return seed[0] ?? undefined\n}\n"],
  ["a.tsx", "const Plant = ({ seed }: Props) => <p title={`a ${seed}`}>{seed.map((one) => <b>{one}</b>)}</p>\n"],
  ["a.js", "function plant(a, { b = 1, ...c }) {\n  return a ? b / 2 : c.map((d) => ({ ...d, e: /f+/g }))\n}\n"],
  ["a.py", "def plant(seed: list[int] = [], *rest, **named) -> int:\n    return f'{seed[0]} {rest}' if seed else 0\n"],
  ["a.go", 'package a\nfunc plant(seed map[string][]int) (int, error) {\n\treturn seed["a"][0], nil\n}\n'],
  ["a.rs", "pub fn plant<'a, T: Seed>(seed: &'a [T]) -> Option<&'a T> { seed.iter().find(|s| s.is(1u8)) }\n"],
  [
    "a.java",
    "class A {\n  <T> List<T> plant(Map<String, ? extends T> seed) { return (List<T>) seed.get(1 << 2); }\n}\n",
  ],
  [
    "a.cpp",
    "template <typename T> auto plant(const std::vector<T>& seed) -> T { return seed[0] < 1 ? a<T>(b) : c; }\n",
  ],
  ["a.cs", 'class A { public T Plant<T>(List<T> seed) where T : new() => seed.Select(s => $"{s}").First(); }\n'],
  ["a.rb", 'def plant(seed, *rest, of: 1)\n  seed.map { |one| "a#{one}" } unless rest.empty?\nend\n'],
  ["a.php", "<?php\nfunction plant(?array $seed, int ...$rest): ?int { return $seed['a'] ?? \"b {$rest[0]}\"; }\n?>\n"],
  ["a.sh", 'plant() {\n  for seed in "$@"; do echo "${seed%.*}" | grep -c a; done\n}\n'],
  ["a.css", ".plant > a:hover, #seed[title='a'] { color: rgb(1 2 3 / 50%); margin: calc(1px + 2em) }\n"],
]

describe("Limits", () => {
  it.effect.each(sound)("of work are four times what a sound file takes: %s", ([path, line]) =>
    Effect.gen(function* () {
      for (const length of [1_000, isThorough ? 100_000 : 10_000]) {
        const text = line.repeat(length / line.length)
        const { cut, note } = yield* withinQuarter.outline(path, text)
        assert.deepStrictEqual([cut, note], [undefined, undefined])
      }
    }),
  )

  it.effect.each([
    ["steps", "a.java", "<!--".repeat(isThorough ? 2_000 : 700)],
    ["steps", "a.cs", "<!--".repeat(isThorough ? 2_000 : 700)],
    ["reads", "a.sh", ")".repeat(isThorough ? 200_000 : 50_000)],
    ["reads", "a.rb", `${"%(".repeat(7_000)}\n`.repeat(isThorough ? 70 : 15)],
  ] as const)("stop hostile source by counting its %s, without a look at the time: %s", ([, path, text]) =>
    Effect.gen(function* () {
      // Steps are counted up to a quarter of the limits as they are up to the limits themselves.
      const { cut, note, symbols } = yield* isThorough
        ? outlined(path, text, { time: Number.POSITIVE_INFINITY })
        : withinQuarter.outline(path, text)
      assert.deepStrictEqual([cut, note, symbols], ["work", "too much work to parse", []])
    }),
  )

  it.effect("of time say that another attempt may find more", () =>
    Effect.gen(function* () {
      const { cut, note } = yield* outlined("a.py", "def plant():\n  pass\n".repeat(1_000), { ...unlimited, time: 0 })
      assert.deepStrictEqual([cut, note], ["time", "not parsed within 0.0 s"])
    }),
  )
})
