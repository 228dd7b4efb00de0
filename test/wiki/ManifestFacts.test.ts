import { assert, describe, it } from "@effect/vitest"
import * as ManifestFacts from "../../src/wiki/ManifestFacts.ts"

const cases: ReadonlyArray<readonly [path: string, text: string, sentences: ReadonlyArray<string>]> = [
  [
    "pyproject.toml",
    '[project]\nname = "a"\nrequires-python = ">=3.10"\n[project.scripts]\na = "a.cli:main"\n[project.optional-dependencies]\nfull = ["b"]\n[project.entry-points."a.plugins"]\nx = "a:x"\n[dependency-groups]\ntests = ["pytest"]\n',
    [
      "Needs Python `>=3.10`.",
      "Extras: `full`.",
      "The command `a` calls `a.cli:main`.",
      "Entry points for plugins: `a.plugins`.",
      "Groups of dependencies for its developers: `tests`.",
    ],
  ],
  [
    "pyproject.toml",
    '[tool.poetry.dependencies]\npython = "^3.9"\n[tool.poetry.scripts]\nb = "b:run"\n',
    ["Needs Python `^3.9`.", "The command `b` calls `b:run`."],
  ],
  ["setup.py", "setup(\n    python_requires='>=3.8',\n)\n", ["Needs Python `>=3.8`."]],
  [
    "setup.cfg",
    "[options]\npython_requires = >=3.7\n\n[options.entry_points]\nconsole_scripts =\n    tool = tool.cli:main\n",
    ["Needs Python `>=3.7`.", "Commands that it installs: `tool`."],
  ],
  [
    "package.json",
    '{"name":"@a/b","engines":{"node":">=20"},"packageManager":"pnpm@9.1.0+sha512.abc","bin":"cli.js","exports":{".":"./a.js","./x":"./x.js"},"workspaces":["packages/*"],"peerDependencies":{"react":"*"}}',
    [
      "Needs Node.js `>=20` and the package manager `pnpm@9.1.0`.",
      "Commands that it installs: `b`.",
      "Entry points of the package: `./x`.",
      "Packages of the workspace: `packages/*`.",
      "Beside it users install: `react`.",
    ],
  ],
  [
    "Cargo.toml",
    '[package]\nname = "a"\nrust-version = "1.74"\nedition = "2021"\n[features]\ndefault = []\nserde = ["dep:serde"]\n[[bin]]\nname = "tool"\n',
    [
      "Needs Rust `1.74` and the edition `2021`.",
      "Features: `default` and `serde`.",
      "Commands that it installs: `tool`.",
    ],
  ],
  [
    "Cargo.toml",
    '[workspace]\nmembers = ["a", "b"]\n[workspace.package]\nrust-version = "1.80"\n',
    ["Needs Rust `1.80`.", "Packages of the workspace: `a` and `b`."],
  ],
  ["go.mod", "module example.com/a\n\ngo 1.23\n", ["Needs Go `1.23`."]],
  [
    "composer.json",
    '{"require":{"php":"^8.1","ext-json":"*","psr/log":"^3"},"suggest":{"ext-curl":"faster"},"bin":["bin/a"]}',
    [
      "Needs PHP `^8.1` and `ext-json`.",
      "Commands that it installs: `bin/a`.",
      "Works with, if installed: `ext-curl`.",
    ],
  ],
  [
    "pom.xml",
    "<project><properties><maven.compiler.release>17</maven.compiler.release></properties><modules><module>core</module></modules></project>",
    ["Needs Java `17`.", "Modules: `core`."],
  ],
  ["build.gradle.kts", "kotlin {\n  jvmToolchain(21)\n}\n", ["Needs Java `21`."]],
  ["build.gradle", "sourceCompatibility = JavaVersion.VERSION_1_8\n", ["Needs Java `1.8`."]],
  [
    "App.csproj",
    "<Project><PropertyGroup><TargetFrameworks>net8.0;net9.0</TargetFrameworks></PropertyGroup></Project>",
    ["Needs the framework `net8.0` and the framework `net9.0`."],
  ],
  [
    "a.gemspec",
    "Gem::Specification.new do |s|\n  s.required_ruby_version = '>= 2.7.3'\n  s.executables = ['rackup']\nend\n",
    ["Needs Ruby `>= 2.7.3`.", "Commands that it installs: `rackup`."],
  ],
  [
    "CMakeLists.txt",
    'cmake_minimum_required(VERSION 3.16)\nset(CMAKE_CXX_STANDARD 20)\noption(FMT_DOC "Generate docs" OFF)\n',
    ["Needs CMake `3.16` and C++ `20`.", "Options of the build: `FMT_DOC`."],
  ],
]

describe("ManifestFacts.read", () => {
  it.each(cases)("reads what a project needs and offers from %s", (path, text, sentences) => {
    assert.deepStrictEqual(ManifestFacts.sentencesOf(ManifestFacts.read(path, text)), sentences)
  })

  it.each(cases.map(([path]) => path))("says nothing of a %s that is empty, or no such file", (path) => {
    for (const text of ["", "{", "[[[", "<a", "just words\n"]) {
      assert.deepStrictEqual(ManifestFacts.sentencesOf(ManifestFacts.read(path, text)), [])
    }
  })

  it("lists a dozen names, and leaves out what is no name", () => {
    const features = Array.from({ length: 15 }, (_, at) => `f${at} = []`).join("\n")
    const [sentence = ""] = ManifestFacts.sentencesOf(ManifestFacts.read("Cargo.toml", `[features]\n${features}\n`))
    assert.match(sentence, /`f11` and 3 more\.$/)
    const long = `[project]\nrequires-python = "${"x".repeat(100)}"\n`
    assert.deepStrictEqual(ManifestFacts.sentencesOf(ManifestFacts.read("pyproject.toml", long)), [])
  })
})
