import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { docs, outlined, rows, signatures, withSymbols } from "../../Symbols/outlined.ts"

withSymbols("items of Rust in calls of macros", (it) => {
  it.effect("are found, also in nested calls, in brackets of all kinds, and in modules", () =>
    Effect.gen(function* () {
      const text = `pub fn plain() {}
cfg_rt! {
    /// Spawns a task.
    pub fn spawn<T>(f: T) -> i32 where T: Send { inner(f) }
    pub struct Handle { pub a: u8 }
    impl Handle { pub fn go(&self) {} }
    cfg_net! { pub fn nested() {} }
}
mod inner {
    crate::cfg_io!( pub(crate) fn read() {} );
}
define_it! { struct Word { x: i32 } }
lazy_static! { static ref FOO: i32 = 1; }
pub fn after() { println!("{}", 1); helper! { fn no() {} } }
`
      const outline = yield* outlined("a.rs", text)
      assert.deepStrictEqual(rows(outline), [
        "+ function plain 1-1",
        "+ function spawn 4-4",
        "+ class Handle 5-5",
        "+ field Handle.a 5-5",
        "+ method Handle.go 6-6",
        "+ function nested 7-7",
        "- module inner 9-11",
        "- function inner.read 10-10",
        "- class Word 12-12",
        "- field Word.x 12-12",
        "- variable FOO 13-13",
        "+ function after 14-14",
      ])
      assert.strictEqual(outline.identifiers.get("cfg_rt"), 1)
      assert.strictEqual(docs(outline).spawn, "Spawns a task.")
    }),
  )

  it.effect("are left where they are no items, and the others are found beside them", () =>
    Effect.gen(function* () {
      const text = `make! { fn $name() => { struct } fn 1 }
routes! { get "/" => fn home }
cfg_rt! { pub fn spawn() {} }
pub fn after() {}
`
      const names = (yield* outlined("a.rs", text)).symbols.map(({ name }) => name)
      assert.includeMembers(names, ["spawn", "after"])
      const none = "routes! { get => home }\nvec![1, 2];\npub fn after() {}\n"
      assert.deepStrictEqual(rows(yield* outlined("a.rs", none)), ["+ function after 3-3"])
    }),
  )

  it.effect("names the trait in the signatures of the members of its implementation", () =>
    Effect.gen(function* () {
      const text = `struct T;
impl std::fmt::Display for T { fn fmt(&self) -> u8 { 1 } }
impl<A> Serialize<A> for Vec<A> { const N: u8 = 1; fn serialize(&self) {} }
impl T { fn own(&self) {} }
`
      assert.deepStrictEqual(signatures(yield* outlined("a.rs", text)), {
        T: "struct T",
        "T.fmt": "impl Display: fn fmt(&self) -> u8",
        "Vec.N": "impl Serialize: const N: u8 = 1",
        "Vec.serialize": "impl Serialize: fn serialize(&self)",
        "T.own": "fn own(&self)",
      })
    }),
  )
})
