import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { docs, outlined, rows, signatures, withSymbols } from "../../Symbols/outlined.ts"

const source = `//! About the crate.
use std::{io::{self, Read}, fmt as f};
pub use crate::a::*;
extern crate alloc;
mod elsewhere;

/// A store.
///
/// With details.
#[derive(Debug)]
pub struct Store<T>
where
    T: Read,
{
    /// The size.
    pub size: usize,
    inner: T, // private
}
pub struct Pair(pub u8, String);
enum State { On(u8), Off { since: u64 } }
union Bits { a: u8 }
pub trait Keep: Sized {
    type Item;
    const LIMIT: usize;
    fn keep(&self) -> Self::Item;
    fn twice(&self) { self.keep(); }
}
impl<T> Store<T> {
    pub const EMPTY: usize = 0;
    pub fn new(inner: T) -> Self {
        fn nested() {}
        let local = 1;
    }
    fn check(&self) {}
}
impl<T> fmt::Display for crate::Store<T> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result { Ok(()) }
}
impl Keep for &State {
    fn keep(&self) {}
}
pub(crate) mod util {
    //! Helpers.
    //! Small ones.
    pub fn help() {}
}
const LIMIT: i32 = 1;
const _: () = ();
static mut COUNT: i32 = 2;
type Result<T> = std::result::Result<T, Error>;
#[macro_export]
macro_rules! shout {
    () => {};
}
/** Runs. */
#[inline]
pub async unsafe fn run() {}
extern "C" {
    fn c_function(a: i32);
}
`

withSymbols("the outline of Rust", (it) => {
  it.effect("has items, and methods under the type they implement", () =>
    Effect.gen(function* () {
      const outline = yield* outlined("a.rs", source)
      assert.deepStrictEqual(rows(outline), [
        "- module elsewhere 5-5",
        "+ class Store 11-18",
        "+ field Store.size 16-16",
        "- field Store.inner 17-17",
        "+ class Pair 19-19",
        "- enum State 20-20",
        "- class Bits 21-21",
        "- field Bits.a 21-21",
        "+ interface Keep 22-27",
        "+ type Keep.Item 23-23",
        "+ constant Keep.LIMIT 24-24",
        "+ method Keep.keep 25-25",
        "+ method Keep.twice 26-26",
        "+ constant Store.EMPTY 29-29",
        "+ method Store.new 30-33",
        "- method Store.check 34-34",
        "+ method Store.fmt 37-37",
        "- method State.keep 40-40",
        "+ module util 42-46",
        "+ function util.help 45-45",
        "- constant LIMIT 47-47",
        "- variable COUNT 49-49",
        "- type Result 50-50",
        "+ function shout 52-54",
        "+ function run 57-57",
        "- function c_function 59-59",
      ])
      assert.deepStrictEqual(outline.imports, ["std::{io::{self, Read}, fmt as f}", "crate::a::*", "alloc"])
    }),
  )

  it.effect("has docs, inner ones of modules included, and signatures without attributes", () =>
    Effect.gen(function* () {
      const outline = yield* outlined("a.rs", source)
      assert.deepStrictEqual(docs(outline), {
        Store: "A store.\n\nWith details.",
        "Store.size": "The size.",
        util: "Helpers.\nSmall ones.",
        run: "Runs.",
      })
      assert.deepStrictEqual(signatures(outline), {
        elsewhere: "mod elsewhere",
        Store: "pub struct Store<T> where T: Read",
        "Store.size": "pub size: usize",
        "Store.inner": "inner: T",
        Pair: "pub struct Pair(pub u8, String)",
        State: "enum State",
        Bits: "union Bits",
        "Bits.a": "a: u8",
        Keep: "pub trait Keep: Sized",
        "Keep.Item": "type Item",
        "Keep.LIMIT": "const LIMIT: usize",
        "Keep.keep": "fn keep(&self) -> Self::Item",
        "Keep.twice": "fn twice(&self)",
        "Store.EMPTY": "pub const EMPTY: usize = 0",
        "Store.new": "pub fn new(inner: T) -> Self",
        "Store.check": "fn check(&self)",
        "Store.fmt": "impl Display: fn fmt(&self, f: &mut Formatter) -> fmt::Result",
        "State.keep": "impl Keep: fn keep(&self)",
        util: "pub(crate) mod util",
        "util.help": "pub fn help()",
        LIMIT: "const LIMIT: i32 = 1",
        COUNT: "static mut COUNT: i32 = 2",
        Result: "type Result<T> = std::result::Result<T, Error>",
        shout: "macro_rules! shout",
        run: "pub async unsafe fn run()",
        c_function: "fn c_function(a: i32)",
      })
    }),
  )

  it.effect("does not take the crate's own doc for that of its first item", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(docs(yield* outlined("lib.rs", "//! About the crate.\npub fn first() {}\n")), {})
    }),
  )
})
