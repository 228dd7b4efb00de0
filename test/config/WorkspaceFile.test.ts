import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as WorkspaceFile from "../../src/config/WorkspaceFile.ts"

/** `LINE: MESSAGE` of a wrong file. */
const problemOf = (text: string) =>
  Either.match(WorkspaceFile.read(text), {
    onLeft: ({ line, message }) => `${line}: ${message}`,
    onRight: (repositories) => `none: ${JSON.stringify(repositories)}`,
  })

describe("a workspace file", () => {
  it("names folders, and what they are called", () => {
    const text = '# mine\n[[repo]]\npath = "../api"\nname = "api"\n\n[[ repo ]]\npath = "/srv/web"\n'
    assert.deepStrictEqual(
      WorkspaceFile.read(text),
      Either.right([
        { path: "../api", name: "api", line: 2 },
        { path: "/srv/web", name: undefined, line: 6 },
      ]),
    )
  })

  it("is refused with the line that is wrong", () => {
    for (const [text, expected] of [
      ["", /^undefined: it has no repository: write \[\[repo\]\]/],
      ["repo = 1\n", /^undefined: repo: /],
      ['[[repo]]\npath = "a"\n[[repo]]\nname = "b"\n', /^3: path: is missing/],
      ['[[repo]]\npath = "a"\n[[repo]]\n\npath = 1\n', /^5: path: /],
      ['[[repo]]\npath = ""\n', /^2: path: /],
      ['[[repo]]\npath = "a"\nfolder = "b"\n', /^3: folder: is unexpected/],
      ['[repos]\npath = "a"\n', /repos?: /],
      ['[[repo]]\npath = "a\n', /^2: /],
      ['[[repo]]\npath = "a"\nname = "x"\n[[repo]]\npath = "b"\nname = "x"\n', /^6: two repositories are named 'x'/],
      ['[[repo]]\npath = "a"\nname = "a/b"\n', /^3: 'a\/b' is no name: it takes letters/],
      ['[[repo]]\npath = "a"\nname = ".."\n', /^3: '\.\.' is no name/],
      ['[[repo]]\npath = "a"\n'.repeat(51), /^101: it names 51 repositories; there may be 50/],
    ] as const) {
      assert.match(problemOf(text), expected, text)
    }
  })
})
