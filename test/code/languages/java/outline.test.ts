import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { docs, outlined, rows, signatures, withSymbols } from "../../Symbols/outlined.ts"

const source = `/* License */
package com.example.store;

import java.util.List;
import static java.lang.Math.*;

/**
 * Keeps things.
 * @see Other
 */
@Entity(name = "x") @Deprecated
public abstract class Store<T> extends Base implements Keep, Other {
  public static final int LIMIT = 1, MOST = 2;
  private String name;
  static { int hidden = 1; }
  /** Makes one. */
  public Store(int size) { super(); }
  @Override
  public <Q> List<Q> all(@NotNull int a, String... rest) throws Failure {
    int local;
    class Local {}
    Runnable task = new Runnable() { public void run() {} };
    return null;
  }
  abstract void missing();
  private static final Runnable TASK = new Runnable() {
    public void run() {}
  };
  public enum State {
    ON, OFF(1) { void special() {} };
    int code;
    public void go() {}
  }
  public interface Visitor { int MAX = 1; void visit(); }
  public @interface Marker { int value() default 1; }
  public record Pair(int a, String b) {
    public Pair { }
  }
}
class Hidden {
  public void shown() {}
}
`

withSymbols("the outline of Java", (it) => {
  it.effect("has types of every sort with their members", () =>
    Effect.gen(function* () {
      const outline = yield* outlined("Store.java", source)
      assert.deepStrictEqual(rows(outline), [
        "+ module com.example.store 2-2",
        "+ class Store 11-39",
        "+ constant Store.LIMIT 13-13",
        "+ constant Store.MOST 13-13",
        "- field Store.name 14-14",
        "+ method Store.Store 17-17",
        "+ method Store.all 18-24",
        "- method Store.missing 25-25",
        "- constant Store.TASK 26-28",
        "+ enum Store.State 29-33",
        "- field Store.State.code 31-31",
        "+ method Store.State.go 32-32",
        "+ interface Store.Visitor 34-34",
        "+ constant Store.Visitor.MAX 34-34",
        "+ method Store.Visitor.visit 34-34",
        "+ interface Store.Marker 35-35",
        "+ method Store.Marker.value 35-35",
        "+ class Store.Pair 36-38",
        "+ field Store.Pair.a 36-36",
        "+ field Store.Pair.b 36-36",
        "+ method Store.Pair.Pair 37-37",
        "- class Hidden 40-42",
        "- method Hidden.shown 41-41",
      ])
      assert.deepStrictEqual(outline.imports, ["java.util.List", "java.lang.Math.*"])
    }),
  )

  it.effect("has docs above annotations, and signatures without these", () =>
    Effect.gen(function* () {
      const outline = yield* outlined("Store.java", source)
      assert.deepStrictEqual(docs(outline), {
        Store: "Keeps things.\n@see Other",
        "Store.Store": "Makes one.",
      })
      assert.deepStrictEqual(signatures(outline), {
        "com.example.store": "package com.example.store",
        Store: "public abstract class Store<T> extends Base implements Keep, Other",
        "Store.LIMIT": "public static final int LIMIT = 1, MOST = 2",
        "Store.MOST": "public static final int LIMIT = 1, MOST = 2",
        "Store.name": "private String name",
        "Store.Store": "public Store(int size)",
        "Store.all": "public <Q> List<Q> all(int a, String... rest) throws Failure",
        "Store.missing": "abstract void missing()",
        "Store.TASK": "private static final Runnable TASK",
        "Store.State": "public enum State",
        "Store.State.code": "int code",
        "Store.State.go": "public void go()",
        "Store.Visitor": "public interface Visitor",
        "Store.Visitor.MAX": "int MAX = 1",
        "Store.Visitor.visit": "void visit()",
        "Store.Marker": "public @interface Marker",
        "Store.Marker.value": "int value() default 1",
        "Store.Pair": "public record Pair(int a, String b)",
        "Store.Pair.a": "int a",
        "Store.Pair.b": "String b",
        "Store.Pair.Pair": "public Pair",
        Hidden: "class Hidden",
        "Hidden.shown": "public void shown()",
      })
    }),
  )

  it.effect("has the components of records, and the fields of a file without a class", () =>
    Effect.gen(function* () {
      const source = `/** Says hello. */
void main() { int hidden = 1; IO.println(greeting); }
String greeting = "hello";
static final int LIMIT = 1;
record Pair<A>(@Pure A first, int... rest) { Pair { int local = 2; } }
`
      assert.deepStrictEqual(rows(yield* outlined("Main.java", source)), [
        "- method main 2-2",
        "- field greeting 3-3",
        "- constant LIMIT 4-4",
        "- class Pair 5-5",
        "- field Pair.first 5-5",
        "- field Pair.rest 5-5",
        "- method Pair.Pair 5-5",
      ])
    }),
  )
})
