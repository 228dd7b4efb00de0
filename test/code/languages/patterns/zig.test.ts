import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { docs, outlined, rows, withSymbols } from "../../Symbols/outlined.ts"

const text = `const std = @import("std");
/// A list.
pub fn ArrayList(comptime T: type) type {
    return struct {
        const Self = @This();
        items: []T,
        pub fn append(self: *Self, item: T) !void { _ = item; }
        fn grow(self: *Self) void {}
    };
}
pub fn Packed(comptime T: type) type {
    const n = 1;
    return extern union { a: T,
        pub fn get(self: @This()) T { return self.a; } };
}
pub extern "c" fn write(fd: c_int) isize;
extern fn plain() void;
pub fn typed(comptime T: type) T { return 1; }
pub fn after() void {}
`

withSymbols("Zig", (it) => {
  it.effect("has the members of containers that functions return, and external functions", () =>
    Effect.gen(function* () {
      const outline = yield* outlined("a.zig", text)
      assert.deepStrictEqual(rows(outline), [
        "+ class ArrayList 3-10",
        "- field ArrayList.Self 5-5",
        "+ method ArrayList.append 7-7",
        "- method ArrayList.grow 8-8",
        "+ class Packed 11-15",
        "- field Packed.n 12-12",
        "+ method Packed.get 14-14",
        "+ function write 16-16",
        "- function plain 17-17",
        "+ function typed 18-18",
        "+ function after 19-19",
      ])
      assert.deepStrictEqual(docs(outline), { ArrayList: "A list." })
    }),
  )
})
