import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Project, referencesIn } from "../../../index/IndexStore/references/References.fixture.ts"

const store = {
  "include/store.h":
    "#ifndef STORE_H\n#define STORE_H\n#include <stddef.h>\n#define EACH(s) step(s, limit())\nstruct entry { int size; struct entry *next; };\ntypedef struct store { struct entry *first; int (*order)(int); } store_t;\nint put(store_t *s, int value);\nstatic inline int limit(void) { return 8; }\n#endif\n",
  "src/store.c":
    '#include "store.h"\nstatic int step(store_t *s, int most);\nint total = 0;\nint put(store_t *s, int value) {\n  s->first->size = value;\n  return step(s, limit());\n}\nstatic int step(store_t *s, int most) { return EACH(s); }\n',
}

const cases: ReadonlyArray<readonly [name: string, files: Project, from: string, expected: ReadonlyArray<string>]> = [
  [
    "C: resolves functions, macros, types and fields in the file and in the headers that it sees",
    store,
    "src/store.c",
    [
      "put -> entry.size: 5",
      "put -> limit: 6",
      "put -> step: 6",
      "put -> store_t.first: 5",
      "put -> store_t: 4",
      "step -> EACH: 8",
      "step -> store_t: 8",
      "- -> store_t: 2",
    ],
  ],
  [
    "C: a call means the prototype in a header and the definition elsewhere",
    { ...store, "app/main.c": '#include "store.h"\nint main(void) { store_t s; return put(&s, 1); }\n' },
    "app/main.c",
    ["main -> put: 2", "main -> put: 2", "main -> store_t: 2"],
  ],
  [
    "C: names of variables, parameters and fields hide functions",
    {
      "a.h": "int size(void);\nint first(void);\nstruct list { int first; };\n",
      "a.c":
        '#include "a.h"\nint go(int size, struct list *l) {\n  int (*first)(void) = 0;\n  return size + l->first + first();\n}\n',
    },
    "a.c",
    ["go -> list.first: 4", "go -> list: 2"],
  ],
  [
    "C: a static function is one of its file, and what no header declares is none of another",
    {
      "a.c": "static int same(void) { return 1; }\nint hidden(void) { return same(); }\n",
      "b.c": "static int same(void) { return 2; }\nint go(void) { return same() + hidden(); }\n",
    },
    "b.c",
    ["go -> same: 2"],
  ],
  [
    "C: functions in tables, and those that the body of a macro calls, are uses",
    {
      "a.c":
        'static int get(void) { return 0; }\nstatic int put(int a) { return a; }\nstruct command { const char *name; int (*run)(void); };\n#define PUT(a) put(a) + "get()"\nstruct command table[] = { { "get", get }, { .run = get } };\n',
    },
    "a.c",
    ["PUT -> put: 4", "table -> command: 5", "table -> get: 5"],
  ],
  [
    "C: a prototype in the file itself means the only definition that is not static",
    {
      "a.c": "int far(void);\nint go(void) { return far(); }\n",
      "b.c": "int far(void) { return 1; }\n",
      "c.c": "static int far(void) { return 2; }\n",
    },
    "a.c",
    ["go -> far: 2", "go -> far: 2"],
  ],
  [
    "C: two headers of the same name mean the closer one",
    {
      "one/config.h": "int setup(void);\n",
      "two/config.h": "int setup(void);\n",
      "one/src/a.c": '#include "config.h"\nint go(void) { return setup(); }\n',
    },
    "one/src/a.c",
    ["go -> setup: 2"],
  ],
  [
    "C: an opaque struct leads to its definition in one file",
    {
      "a.h": "typedef struct box box_t;\nint open(box_t *b);\n",
      "a.c": '#include "a.h"\nstruct box { int lid; };\nint open(box_t *b) { return b->lid; }\n',
    },
    "a.c",
    ["open -> box.lid: 3", "open -> box_t: 3"],
  ],
  [
    "C++: resolves names by namespaces, using and alias",
    {
      "a.h":
        "namespace one { namespace two {\nstruct Box { int lid; };\nvoid make(const Box& b);\n} }\nnamespace other { void make(int a); }\n",
      "a.cc":
        '#include "a.h"\nnamespace short_ = one::two;\nusing other::make;\nnamespace one {\nvoid go() {\n  two::Box b;\n  short_::make(b);\n  make(1);\n  std::make(b);\n}\n}\nvoid all() { using namespace one::two; Box b; }\n',
    },
    "a.cc",
    ["all -> one.two.Box: 12", "one.go -> one.two.Box: 6", "one.go -> one.two.make: 7", "one.go -> other.make: 8"],
  ],
  [
    "C++: resolves members where a declaration tells the type",
    {
      "a.h":
        "class Part {\n public:\n  void turn();\n  static Part* make();\n};\nclass Engine {\n public:\n  Part* part();\n  void run(Part& given);\n private:\n  Part own_;\n  std::unique_ptr<Part> held_;\n  std::vector<Part> all_;\n};\n",
      "a.cc":
        '#include "a.h"\nvoid Engine::run(Part& given) {\n  given.turn();\n  own_.turn();\n  held_->turn();\n  held_.get();\n  for (auto& each : all_) each.turn();\n  this->part()->turn();\n  auto made = Part::make();\n  made->turn();\n  auto* fresh = new Part();\n  fresh->turn();\n  unknown().turn();\n}\n',
    },
    "a.cc",
    [
      "Engine.run -> Engine.all_: 7",
      "Engine.run -> Engine.held_: 5 6",
      "Engine.run -> Engine.own_: 4",
      "Engine.run -> Engine.part: 8",
      "Engine.run -> Part.make: 9",
      "Engine.run -> Part.turn: 3 4 5 7 8 10 12",
      "Engine.run -> Part: 2 9 11",
    ],
  ],
  [
    "C++: finds inherited members, and base classes",
    {
      "base.h": "class Base {\n public:\n  virtual void go(int a);\n  void stop();\n};\n",
      "a.cc":
        '#include "base.h"\nclass Sub : public Base {\n public:\n  void go(int a) override { stop(); }\n  void all() { go(1); Base::go(2); }\n};\n',
    },
    "a.cc",
    ["Sub -> Base: 2", "Sub.all -> Base.go: 5", "Sub.all -> Base: 5", "Sub.all -> Sub.go: 5", "Sub.go -> Base.stop: 4"],
  ],
  [
    "C++: tells overloads apart by the number of arguments, and chooses none if several take as many",
    {
      "a.h":
        "void put(int a);\nvoid put(int a, int b, int c = 3);\nvoid say(int a);\nvoid say(char a);\nclass A {\n public:\n  void put(int a);\n  void put(int a, int b);\n  void say(int a);\n  void say(char a);\n};\n",
      "a.cc":
        '#include "a.h"\nvoid put(int a) {}\nvoid go(A& a) {\n  put(1);\n  put(1, 2);\n  say(1);\n  a.put(1, 2);\n  a.say(1);\n}\n',
    },
    "a.cc",
    ["go -> A.put: 7", "go -> A: 3", "go -> put: 4", "go -> put: 4", "go -> put: 5"],
  ],
  [
    "C++: a class that a header only declares is the one of that name in the namespace",
    {
      "part.h": "namespace a { class Part { public: void turn(); }; }\n",
      "user.h": "namespace a { class Part; class User { Part* part_; void go(); }; }\n",
      "user.cc": '#include "user.h"\nnamespace a { void User::go() { part_->turn(); } }\n',
    },
    "user.cc",
    ["a.User.go -> a.Part.turn: 2", "a.User.go -> a.User.part_: 2"],
  ],
  [
    "C++: parameters of templates are no types of the project",
    {
      "a.h": "struct T { void go(); };\n",
      "a.cc":
        '#include "a.h"\ntemplate <typename T> void run(T& t) { t.go(); T::go(); }\ntemplate <class T> struct Box { T held; };\n',
    },
    "a.cc",
    [],
  ],
]

describe("references of C and C++", () => {
  it.effect.each(cases)("%s", ([, files, from, expected]) =>
    Effect.gen(function* () {
      const lines = yield* referencesIn(files)
      const own = lines.filter((line) => line.startsWith(`${from} `))
      assert.deepStrictEqual(
        own.map((line) => line.slice(from.length + 1).replace(/-> \S+ /, "-> ")).sort(),
        [...expected].sort(),
      )
    }),
  )
})
