import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Project, referencesIn } from "../../../index/IndexStore/references/References.fixture.ts"

const crate = { "Cargo.toml": '[package]\nname = "my-app"\nversion = "0.1.0"\n' }

const cases: ReadonlyArray<readonly [name: string, files: Project, expected: ReadonlyArray<string>]> = [
  [
    "follows modules, uses, re-exports and the crates of the repository",
    {
      ...crate,
      "src/lib.rs": "mod util;\npub mod engine;\npub use util::helper as help;\n",
      "src/util.rs": "pub mod deep;\npub fn helper() {}\n",
      "src/util/deep.rs": "use super::helper;\npub fn go() { helper(); crate::util::helper(); super::helper(); }\n",
      "src/engine/mod.rs":
        "use crate::util::{self, deep::go, helper as h};\npub fn run() { go(); h(); util::helper(); crate::help(); }\n",
      "tests/all.rs": "use my_app::engine::run;\n#[test]\nfn test() { run(); my_app::help(); other::run(); }\n",
    },
    [
      "src/engine/mod.rs run -> src/lib.rs util: 2",
      "src/engine/mod.rs run -> src/util.rs helper: 2",
      "src/engine/mod.rs run -> src/util/deep.rs go: 2",
      "src/util/deep.rs go -> src/lib.rs util: 2",
      "src/util/deep.rs go -> src/util.rs helper: 2",
      "tests/all.rs test -> src/engine/mod.rs run: 3",
      "tests/all.rs test -> src/util.rs helper: 3",
    ],
  ],
  [
    "reads the name of a crate below lists, and not that of another section",
    {
      "one/Cargo.toml":
        '[package]\ncategories = ["a", "b"]\nkeywords = [\n  "c",\n]\nname = "one-core"\n\n[lib]\nname = "other"\n',
      "one/src/lib.rs": "pub struct Body;\n",
      "two/Cargo.toml": '[package]\nversion = "1.0.0"\n\n[lib]\nname = "two"\n',
      "two/src/lib.rs": "pub struct Tail;\n",
      "three/Cargo.toml": '[package]\nname = "three"\n',
      "three/src/lib.rs": "use one_core::Body;\nuse two::Tail;\nfn run(body: Body, tail: Tail) {}\n",
    },
    ["three/src/lib.rs run -> one/src/lib.rs Body: 3"],
  ],
  [
    "resolves methods by self, by types that are declared, constructed and returned",
    {
      ...crate,
      "src/lib.rs": "mod part;\nmod engine;\n",
      "src/part.rs":
        "pub struct Part { pub n: u32 }\nimpl Part {\n  pub fn new() -> Self { Part { n: 1 } }\n  pub fn turn(&self) {}\n}\n",
      "src/engine.rs":
        'use crate::part::Part;\npub struct Engine { part: Box<Part>, all: Vec<Part> }\nimpl Engine {\n  fn run(&mut self, given: &Part, maybe: Option<Part>) {\n    self.part.turn();\n    self.stop();\n    given.turn();\n    let made = Part::new();\n    made.turn();\n    for each in self.all.iter() { each.turn(); }\n    if let Some(found) = maybe { found.turn(); }\n    println!("{}", self.all[0].turn());\n    let made = 1;\n    made.turn();\n  }\n  fn stop(&self) { Self::rest(); }\n  fn rest() {}\n}\n',
    },
    [
      "src/engine.rs - -> src/engine.rs Engine: 3",
      "src/engine.rs Engine.all -> src/part.rs Part: 2",
      "src/engine.rs Engine.part -> src/part.rs Part: 2",
      "src/engine.rs Engine.run -> src/engine.rs Engine.all: 10 12",
      "src/engine.rs Engine.run -> src/engine.rs Engine.part: 5",
      "src/engine.rs Engine.run -> src/engine.rs Engine.stop: 6",
      "src/engine.rs Engine.run -> src/part.rs Part.new: 8",
      "src/engine.rs Engine.run -> src/part.rs Part.turn: 5 7 9 10 11 12",
      "src/engine.rs Engine.run -> src/part.rs Part: 4 8",
      "src/engine.rs Engine.stop -> src/engine.rs Engine.rest: 16",
      "src/part.rs - -> src/part.rs Part: 2",
      "src/part.rs Part.new -> src/part.rs Part.n: 3",
      "src/part.rs Part.new -> src/part.rs Part: 3",
    ],
  ],
  [
    "resolves default methods of traits, and names in modules of the same file",
    {
      ...crate,
      "src/lib.rs":
        "pub trait Walk {\n  fn legs(&self) -> u32;\n  fn walk(&self) { self.legs(); }\n}\npub struct Cat;\nimpl Walk for Cat {\n  fn legs(&self) -> u32 { 4 }\n}\nfn meet(cat: Cat, other: &dyn Walk) { cat.walk(); cat.legs(); other.walk(); }\nmod tests {\n  use super::*;\n  fn test() { meet(Cat, &Cat); }\n}\n",
    },
    [
      "src/lib.rs - -> src/lib.rs Cat: 6",
      "src/lib.rs - -> src/lib.rs Walk: 6",
      "src/lib.rs Walk.walk -> src/lib.rs Walk.legs: 3",
      "src/lib.rs meet -> src/lib.rs Cat.legs: 9",
      "src/lib.rs meet -> src/lib.rs Cat: 9",
      "src/lib.rs meet -> src/lib.rs Walk.walk: 9",
      "src/lib.rs meet -> src/lib.rs Walk: 9",
      "src/lib.rs tests.test -> src/lib.rs Cat: 12",
      "src/lib.rs tests.test -> src/lib.rs meet: 12",
    ],
  ],
  [
    "resolves paths that begin with a module of the same file, in a file of its own or not",
    {
      ...crate,
      "src/main.rs":
        "mod parser;\nmod a {\n  pub fn f() {}\n}\nfn main() {\n  parser::free();\n  let t = parser::Thing::new();\n  t.act();\n  a::f();\n}\nmod tests {\n  use super::*;\n  fn test() { parser::free(); }\n}\nmod apart {\n  fn go() { parser::free(); }\n}\n",
      "src/parser.rs":
        "pub fn free() {}\npub struct Thing;\nimpl Thing {\n  pub fn new() -> Self { Thing }\n  pub fn act(&self) {}\n}\n",
    },
    [
      "src/main.rs main -> src/main.rs a.f: 9",
      "src/main.rs main -> src/main.rs a: 9",
      "src/main.rs main -> src/main.rs parser: 6 7",
      "src/main.rs main -> src/parser.rs Thing.act: 8",
      "src/main.rs main -> src/parser.rs Thing.new: 7",
      "src/main.rs main -> src/parser.rs Thing: 7",
      "src/main.rs main -> src/parser.rs free: 6",
      "src/main.rs tests.test -> src/main.rs parser: 13",
      "src/main.rs tests.test -> src/parser.rs free: 13",
      "src/parser.rs - -> src/parser.rs Thing: 3",
      "src/parser.rs Thing.new -> src/parser.rs Thing: 4",
    ],
  ],
  [
    "takes the import of a function for its name where a module has it, too",
    {
      ...crate,
      "src/lib.rs": "mod parse;\npub use parse::parse;\npub fn go() { parse(); }\n",
      "src/parse.rs": "pub fn parse() {}\n",
    },
    ["src/lib.rs go -> src/parse.rs parse: 3"],
  ],
  [
    "follows imports of all names: of the module above, of the crate, of a prelude in braces, and of an enum",
    {
      ...crate,
      "src/lib.rs":
        "mod user;\nmod widget;\npub(crate) use { widget::{Widget, turn}, user::User };\nuse widget::Own;\npub mod prelude {\n  pub use crate::widget::*;\n}\n",
      "src/widget.rs":
        "pub struct Widget;\npub struct Own;\nimpl Widget { pub fn new() -> Self { Widget } pub fn go(&self) {} }\npub fn turn() {}\n",
      "src/user.rs":
        "use super::*;\npub struct User { own: Own }\nfn use_it(given: &Widget) {\n  let w = Widget::new();\n  w.go();\n  given.go();\n  turn();\n}\n",
      "src/deep/mod.rs":
        "use crate::prelude::*;\nmod tests {\n  use super::*;\n  fn test() { turn(); Widget::new(); }\n}\n",
    },
    [
      "src/deep/mod.rs tests.test -> src/widget.rs Widget.new: 4",
      "src/deep/mod.rs tests.test -> src/widget.rs Widget: 4",
      "src/deep/mod.rs tests.test -> src/widget.rs turn: 4",
      "src/user.rs User.own -> src/widget.rs Own: 2",
      "src/user.rs use_it -> src/widget.rs Widget.go: 5 6",
      "src/user.rs use_it -> src/widget.rs Widget.new: 4",
      "src/user.rs use_it -> src/widget.rs Widget: 3 4",
      "src/user.rs use_it -> src/widget.rs turn: 7",
      "src/widget.rs - -> src/widget.rs Widget: 3",
      "src/widget.rs Widget.new -> src/widget.rs Widget: 3",
    ],
  ],
  [
    "leaves a name open that two imports of all names bring in, and does not see what another module imports for itself",
    {
      ...crate,
      "src/lib.rs": "mod one;\nmod two;\nmod three;\nmod user;\n",
      "src/one.rs": "pub fn same() {}\npub fn only() {}\n",
      "src/two.rs": "pub fn same() {}\n",
      "src/three.rs": "use crate::one::only;\npub fn third() { only(); }\n",
      "src/user.rs":
        "use crate::two::*;\nuse crate::one::*;\nfn go() { same(); only(); }\nmod inner {\n  use crate::three::*;\n  fn go() { only(); third(); }\n}\n",
    },
    [
      "src/three.rs third -> src/one.rs only: 2",
      "src/user.rs go -> src/one.rs only: 3",
      "src/user.rs inner.go -> src/three.rs third: 6",
    ],
  ],
  [
    "finds modules in a folder of a module in braces, at a path that is given, and two levels above",
    {
      ...crate,
      "src/lib.rs":
        'pub mod outer {\n  pub mod file;\n}\n#[path = "elsewhere/named.rs"]\nmod other;\nfn go() { outer::file::one(); other::two(); }\n',
      "src/outer/file.rs": "pub fn one() {}\n",
      "src/elsewhere/named.rs": "pub fn two() {}\n",
      "src/a/mod.rs": "pub fn up() {}\n",
      "src/a/b/mod.rs": "",
      "src/a/b/c.rs": "use super::super::*;\nfn go() { up(); }\n",
    },
    [
      "src/a/b/c.rs go -> src/a/mod.rs up: 2",
      "src/lib.rs go -> src/elsewhere/named.rs two: 6",
      "src/lib.rs go -> src/lib.rs other: 6",
      "src/lib.rs go -> src/lib.rs outer.file: 6",
      "src/lib.rs go -> src/lib.rs outer: 6",
      "src/lib.rs go -> src/outer/file.rs one: 6",
    ],
  ],
]

describe("references of Rust", () => {
  for (const [name, files, expected] of cases) {
    it.effect(name, () => Effect.map(referencesIn(files), (lines) => assert.deepStrictEqual(lines, expected)))
  }
})
