import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { pathsOf } from "../../src/lookup/findPath.ts"
import { splitLines, splitMember } from "../../src/lookup/findSymbols.ts"
import { displayPath } from "../../src/lookup/Project.ts"

const segment = FastCheck.oneof(
  FastCheck.constantFrom(
    "src",
    "a.ts",
    "..x",
    "...",
    ".x",
    "a b",
    "é",
    "C",
    "con",
    "x.y.z",
    "-",
    "%TEMP%",
    "a'b",
    "[1]",
    "~",
  ),
  FastCheck.stringMatching(/^[A-Za-z0-9 _.@#%&()[\]{}'^~+-]{0,6}[A-Za-z0-9]$/),
)

/** As in the index: relative to the root, with `/`. */
const file = FastCheck.array(segment, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"))

const systems = [
  {
    platform: "win32",
    roots: ["C:\\repo", "C:\\", "D:\\My Projects\\repo", "\\\\server\\share\\repo", "\\\\server\\share"],
    elsewhere: ["E:\\", "c:\\REPO\\src", "\\\\other\\share\\x", "C:\\repository", "C:\\..repo\\x"],
  },
  { platform: "linux", roots: ["/repo", "/", "/a b/repo"], elsewhere: ["/home", "/REPO", "/repository", "/..repo"] },
] as const

describe.each(systems)("paths of the index, on $platform", ({ elsewhere, platform, roots }) => {
  const system = platform === "win32" ? path.win32 : path.posix
  const folder = FastCheck.oneof(
    FastCheck.tuple(FastCheck.constantFrom(...roots), FastCheck.array(segment, { maxLength: 3 })).map(([root, names]) =>
      system.join(root, ...names),
    ),
    FastCheck.constantFrom(...elsewhere),
  )

  it.prop(
    "are shown so that they lead there from the current folder, and mean the same when they are typed",
    [FastCheck.constantFrom(...roots), folder, file],
    ([root, current, file]) => {
      const shown = displayPath(root, current, platform)(file)
      assert.strictEqual(system.resolve(current, shown).toLowerCase(), system.join(root, file).toLowerCase())
      if (platform === "win32") assert.notInclude(shown.replace(/^\/\/\w+/, ""), "\\")
      const [first = ""] = pathsOf({ root }, shown, current, platform)
      assert.strictEqual(first.toLowerCase(), file.toLowerCase())
    },
  )

  it.prop(
    "are found as they are typed, relative to the root or absolute, with the separators of the system",
    [FastCheck.constantFrom(...roots), folder, file],
    ([root, current, file]) => {
      const typed = file.replaceAll("/", system.sep)
      assert.include(pathsOf({ root }, typed, current, platform), file)
      assert.include(pathsOf({ root }, system.join(root, typed), current, platform), file)
    },
  )

  it.prop(
    "have lines and names after a colon",
    [folder, file, FastCheck.nat(), FastCheck.nat()],
    ([root, file, first, last]) => {
      const place = system.join(root, file)
      assert.deepStrictEqual(splitLines(`${place}:${first}`), { file: place, first, last: undefined })
      assert.deepStrictEqual(splitLines(`${place}:${first}:7`), { file: place, first, last: undefined })
      assert.deepStrictEqual(splitLines(`${place}:${first}-${last}`), { file: place, first, last })
      assert.isUndefined(splitLines(`${place}:name`).file)
      assert.deepStrictEqual(splitMember(`${place}:Forest.append`), { parent: place, member: "Forest.append" })
      assert.deepStrictEqual(splitMember(place), {})
    },
  )
})

describe("a colon", () => {
  it("may be that of a drive, or part a file from a name", () => {
    assert.deepStrictEqual(splitMember("C:\\src\\a.ts"), {})
    assert.deepStrictEqual(splitMember("c:/src/a.ts"), {})
    assert.deepStrictEqual(splitMember("a.rb:/"), { parent: "a.rb", member: "/" })
    assert.deepStrictEqual(splitMember("C:member"), { parent: "C", member: "member" })
  })
})
