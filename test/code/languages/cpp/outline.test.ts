import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { docs, outlined, rows, signatures, withSymbols } from "../../Symbols/outlined.ts"

const source = `#include <vector>
#include "store/store.h"
#define LIMIT 10
using namespace std;
namespace store::inner {
int count;
void help(int x = 1);
}
namespace {
int hidden;
void secret() {}
}
/// A store.
/// For things.
template <typename T>
class [[nodiscard]] Store : public Base<T> {
  int size_;
  void check();
public:
  explicit Store(int x) : size_(x), Base<T>{1} {}
  ~Store();
  virtual int find(int a) const override = 0;
  static const int LIMIT = 1;
  int x, *y;
  Store &operator+=(const Store &other);
  operator bool() const;
  enum State { ON };
  struct Nested { int z; };
  using Value = T;
  friend class Other;
  template <class U> void each(U use) {}
protected:
  int kept;
};
int Store::find(int a) const { int local = 1; struct L { int q; }; return a; }
store::inner::Thing::~Thing() {}
static int only_here(void) { return 0; }
extern "C" { void c_function(int); }
const int CONSTANT = 3;
static const char *names[] = {
  "a",
};
auto twice = [](int x) { int z; return x; };
using Names = std::vector<std::string>;
template <> struct hash<Store> { size_t operator()(const Store &s) const; };
enum class Color : int { RED };
int announced(int);
int announced(int a) { return a; }
`

const c = `/* License */

#include <stdio.h>

/* A list. */
typedef struct list {
    struct list *next; /* may be null */
    int (*compare)(int, int);
    unsigned bits : 3, arr[2];
} list_t;
typedef struct { int x; } point;
typedef struct node node;
struct node { int value; };
typedef int (*callback)(int, void *);
typedef enum { A, B } letter;
struct forward;
static int internal(int a);
/**
 * Counts.
 */
size_t count(const list_t *list, int (*f)(int)) {
    int local;
    return 0;
}
static int internal(int a) { return a; }
static unsigned long total = 0;
#ifdef DEBUG
void debug(void) {}
#endif
EXPORTED char *named(void);
int restrict_it(char * restrict class) { return 0; }
int after(void) { return 1; }
`

withSymbols("the outline of C++", (it) => {
  it.effect("has namespaces, types with their members, and members defined apart", () =>
    Effect.gen(function* () {
      const outline = yield* outlined("store.cpp", source)
      assert.deepStrictEqual(rows(outline), [
        "+ module store.inner 5-8",
        "+ variable store.inner.count 6-6",
        "+ function store.inner.help 7-7",
        "- variable hidden 10-10",
        "- function secret 11-11",
        "+ class Store 15-34",
        "- field Store.size_ 17-17",
        "- method Store.check 18-18",
        "+ method Store.Store 20-20",
        "+ method Store.~Store 21-21",
        "+ method Store.find 22-22",
        "+ constant Store.LIMIT 23-23",
        "+ field Store.x 24-24",
        "+ field Store.y 24-24",
        "+ method Store.operator+= 25-25",
        "+ method Store.operator bool 26-26",
        "+ enum Store.State 27-27",
        "+ class Store.Nested 28-28",
        "+ field Store.Nested.z 28-28",
        "+ type Store.Value 29-29",
        "+ method Store.each 31-31",
        "- field Store.kept 33-33",
        "+ method Store.find 35-35",
        "+ method store.inner.Thing.~Thing 36-36",
        "- function only_here 37-37",
        "+ function c_function 38-38",
        "+ constant CONSTANT 39-39",
        "- constant names 40-42",
        "+ variable twice 43-43",
        "+ type Names 44-44",
        "+ class hash 45-45",
        "+ method hash.operator() 45-45",
        "+ enum Color 46-46",
        "+ function announced 48-48",
      ])
      assert.deepStrictEqual(outline.imports, ["vector", "store/store.h"])
    }),
  )

  it.effect("has docs and signatures without attributes and initialisers", () =>
    Effect.gen(function* () {
      const outline = yield* outlined("store.cpp", source)
      assert.deepStrictEqual(docs(outline), { Store: "A store.\nFor things." })
      assert.deepStrictEqual(signatures(outline), {
        "store.inner": "namespace store::inner",
        "store.inner.count": "int count",
        "store.inner.help": "void help(int x = 1)",
        hidden: "int hidden",
        secret: "void secret()",
        Store: "template <typename T> class Store : public Base<T>",
        "Store.size_": "int size_",
        "Store.check": "void check()",
        "Store.Store": "explicit Store(int x)",
        "Store.~Store": "~Store()",
        "Store.find": "int Store::find(int a) const",
        "Store.LIMIT": "static const int LIMIT = 1",
        "Store.x": "int x, *y",
        "Store.y": "int x, *y",
        "Store.operator+=": "Store &operator+=(const Store &other)",
        "Store.operator bool": "operator bool() const",
        "Store.State": "enum State",
        "Store.Nested": "struct Nested",
        "Store.Nested.z": "int z",
        "Store.Value": "using Value = T",
        "Store.each": "template <class U> void each(U use)",
        "Store.kept": "int kept",
        "store.inner.Thing.~Thing": "store::inner::Thing::~Thing()",
        only_here: "static int only_here(void)",
        c_function: "void c_function(int)",
        CONSTANT: "const int CONSTANT = 3",
        names: "static const char *names[]",
        twice: "auto twice = [](int x) { int z; return x; }",
        Names: "using Names = std::vector<std::string>",
        hash: "template <> struct hash<Store>",
        "hash.operator()": "size_t operator()(const Store &s) const",
        Color: "enum class Color : int",
        announced: "int announced(int a)",
      })
    }),
  )

  it.effect("reads C, around what C++ cannot be", () =>
    Effect.gen(function* () {
      const outline = yield* outlined("list.c", c)
      assert.deepStrictEqual(rows(outline), [
        "+ class list_t 6-10",
        "+ class list 6-10",
        "+ field list_t.next 7-7",
        "+ field list_t.compare 8-8",
        "+ field list_t.bits 9-9",
        "+ field list_t.arr 9-9",
        "+ class point 11-11",
        "+ field point.x 11-11",
        "+ class node 13-13",
        "+ field node.value 13-13",
        "+ type callback 14-14",
        "+ enum letter 15-15",
        "+ function count 21-24",
        "- function internal 25-25",
        "- variable total 26-26",
        "+ function debug 28-28",
        "+ function named 30-30",
        "+ function restrict_it 31-31",
        "+ function after 32-32",
      ])
      assert.deepStrictEqual(docs(outline), { list_t: "A list.", list: "A list.", count: "Counts." })
    }),
  )

  it.effect("has all that a header has exported", () =>
    Effect.gen(function* () {
      const header = "static inline int twice(int a) { return a * 2; }\nint thrice(int a);\n"
      assert.deepStrictEqual(rows(yield* outlined("a.h", header)), ["+ function twice 1-1", "+ function thrice 2-2"])
    }),
  )
})
