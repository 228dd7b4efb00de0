import { assert, describe, it } from "@effect/vitest"
import * as ProjectDocuments from "../../src/message/ProjectDocuments.ts"

describe("readManifest", () => {
  it.each<readonly [path: string, text: string, name: string | undefined, description: string | undefined]>([
    [
      "package.json",
      '{\n  "name": "greeter",\n  "description": "Says \\"hello\\".",\n  "depend',
      "greeter",
      'Says "hello".',
    ],
    ["pyproject.toml", '[project]\nname = "greeter"\ndescription = "Says hello."\n', "greeter", "Says hello."],
    ["setup.cfg", "[metadata]\nname = greeter\n", "greeter", undefined],
    ["setup.py", 'setup(\n    name="greeter",\n    description=about["d"],\n)', "greeter", undefined],
    ["go.mod", "module example.org/greeter\n\ngo 1.22\n", "example.org/greeter", undefined],
    [
      "pom.xml",
      "<project><parent><artifactId>all</artifactId></parent><artifactId>greeter</artifactId></project>",
      "greeter",
      undefined,
    ],
    ["Gemfile", "source 'https://a.example'\n", undefined, undefined],
  ])("of %s with %j is %j, %j", (path, text, name, description) =>
    assert.deepStrictEqual(ProjectDocuments.readManifest(path, text), { name, description }),
  )
})
