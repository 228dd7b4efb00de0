import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as References from "../../../../src/code/References.ts"
import { docs, outlined, rows, signatures, withSymbols } from "../../Symbols/outlined.ts"

withSymbols("the outline of a component", (it) => {
  it.effect("has the component, and the symbols of its scripts at their lines", () =>
    Effect.gen(function* () {
      const source = `<!-- Shows a list. -->
<script lang="ts">
export interface Item { id: string }
</script>
<script setup lang="ts" generic="T extends Record<string, 'a'>">
import AppHeader from "./AppHeader.vue"
const props = defineProps<{ items: Item[] }>()
/** Saves one. */
async function save(id: string) {}
</script>
<script type="application/ld+json">{ "const": 1 }</script>
<template>
  <app-header v-if="props.items" @click="save('a')">{{ props.items }}</app-header>
</template>
<style>.const { color: red }</style>
`
      const outline = yield* outlined("src/ItemList.vue", source)
      assert.deepStrictEqual(rows(outline), [
        "+ class ItemList 1-15",
        "+ interface Item 3-3",
        "+ field Item.id 3-3",
        "- constant props 7-7",
        "- function save 9-9",
      ])
      assert.deepStrictEqual(docs(outline), { ItemList: "Shows a list.", save: "Saves one." })
      assert.strictEqual(signatures(outline).save, "async function save(id: string)")
      assert.deepStrictEqual(outline.imports, ["./AppHeader.vue"])
      assert.strictEqual(outline.identifiers.get("save"), 2)
      assert.strictEqual(outline.identifiers.get("AppHeader"), 2)
      for (const { end, name, start } of outline.symbols.slice(1)) assert.include(source.slice(start, end), name)
    }),
  )

  it.effect("refers to what its scripts and its markup use, and is the default export of its file", () =>
    Effect.gen(function* () {
      const source = `<script setup lang="ts">
import AppHeader from "./AppHeader.vue"
import { load as fetchAll } from "./load"
function save() { return fetchAll() }
function close() { save() }
</script>
<template>
  <app-header @click="save()"/>
  <AppHeader/>
</template>
`
      const { references } = yield* outlined("List.vue", source)
      assert.deepStrictEqual(References.decodeSurface(References.surfaceOf(references)).exports, [
        { name: "default", expression: "#0" },
      ])
      const uses = [...References.decodeUses(References.usesOf(references))]
      assert.sameDeepMembers(uses, [
        { expression: '"./load".load', places: [{ symbol: 1, lines: [4] }] },
        {
          expression: "#1",
          places: [
            { symbol: 2, lines: [5] },
            { symbol: 0, lines: [8] },
          ],
        },
        { expression: '"./AppHeader.vue".default', places: [{ symbol: 0, lines: [8, 9] }] },
      ])
    }),
  )

  it.effect("takes the functions in the options of a component of Vue for its methods", () =>
    Effect.gen(function* () {
      const options = `{
  name: "Cart",
  data() { return { open: false } },
  computed: {
    /** The sum. */
    total() { return 1 },
  },
  methods: {
    save: async function () { const inner = { no() {} } },
  },
  extra: { hidden() {} },
}`
      const expected = ["+ method Cart.data 4-4", "+ method Cart.total 7-7", "+ method Cart.save 10-10"]
      const plain = yield* outlined("Cart.vue", `<script>\nexport default ${options}\n</script>\n`)
      assert.deepStrictEqual(rows(plain).slice(1), expected)
      assert.deepStrictEqual(docs(plain), { "Cart.total": "The sum." })
      const typed = `<script lang="ts">\nexport default defineComponent(${options})\n</script>\n`
      assert.deepStrictEqual(rows(yield* outlined("Cart.vue", typed)).slice(1), expected)
      assert.deepStrictEqual(rows(yield* outlined("cart.js", `\nexport default ${options}\n`)), [
        "+ function data 4-4",
        "+ method computed.total 7-7",
        "+ method methods.save 10-10",
        "+ method extra.hidden 12-12",
      ])
    }),
  )

  it.effect("reads the scripts of Svelte, that of the module among them", () =>
    Effect.gen(function* () {
      const source = `<script context="module">
  export function load() {}
</script>
<script>
  import Item from "./Item.svelte"
  export let items = []
  $: count = items.length
  const pick = (item) => item
</script>
<!--
@component
Shows items.
-->
{#each items as item}<Item on:click={() => pick(item)} />{/each}
`
      const outline = yield* outlined("a/Items.svelte", source)
      assert.deepStrictEqual(rows(outline), [
        "+ class Items 1-14",
        "+ function load 2-2",
        "+ variable items 6-6",
        "- function pick 8-8",
      ])
      assert.deepStrictEqual(docs(outline), { Items: "Shows items." })
      assert.isAtLeast(outline.identifiers.get("pick") ?? 0, 2)
    }),
  )

  it.effect("reads the front matter and the scripts of Astro", () =>
    Effect.gen(function* () {
      const source = `---
import Card from "./Card.astro"
interface Props { title: string }
const { title } = Astro.props as Props
---
<Card>{title}</Card>
<script>
  function track(id: string) {}
</script>
<script is:inline src="./local.js"></script>
`
      const outline = yield* outlined("pages/index.astro", source)
      assert.deepStrictEqual(rows(outline), [
        "+ class index 1-10",
        "- interface Props 3-3",
        "- field Props.title 3-3",
        "- constant title 4-4",
        "- function track 8-8",
      ])
      assert.deepStrictEqual(outline.imports, ["./local.js", "./Card.astro"])
    }),
  )

  it.effect("is there without a script, and with one that does not end", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(rows(yield* outlined("A.vue", "\n<template><p/></template>\n")), ["+ class A 2-2"])
      assert.deepStrictEqual(rows(yield* outlined("A.vue", "<script>\nfunction b() {}\n")), [
        "+ class A 1-2",
        "- function b 2-2",
      ])
      assert.deepStrictEqual(rows(yield* outlined("A.astro", "---\nconst b = 1\n")), [
        "+ class A 1-2",
        "- constant b 2-2",
      ])
    }),
  )
})
