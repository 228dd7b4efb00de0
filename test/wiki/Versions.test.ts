import { assert, describe, it } from "@effect/vitest"
import * as Versions from "../../src/wiki/Versions.ts"

const dynamic = (...lines: ReadonlyArray<string>) =>
  ['[project]\nname = "a-b"\ndynamic = ["version"]', ...lines].join("\n")

describe("Versions.read", () => {
  it.each<readonly [path: string, text: string, version: Versions.Version]>([
    ["package.json", '{"version":"1.2.0"}', { in: "manifest", key: "version" }],
    ["pyproject.toml", '[project]\nversion = "8.5.0.dev"\n', { in: "manifest", key: "project.version" }],
    ["pyproject.toml", '[tool.poetry]\nversion = "1.0"\n', { in: "manifest", key: "tool.poetry.version" }],
    ["pyproject.toml", dynamic("[tool.setuptools_scm]"), { in: "tags", by: "setuptools-scm" }],
    [
      "pyproject.toml",
      dynamic('[build-system]\nrequires = ["setuptools", "setuptools-scm>=8"]'),
      { in: "tags", by: "setuptools-scm" },
    ],
    ["pyproject.toml", dynamic('[tool.hatch.version]\nsource = "vcs"'), { in: "tags", by: "hatch-vcs" }],
    [
      "pyproject.toml",
      dynamic('[tool.hatch.version]\npath = "src/a/__about__.py"'),
      { in: "file", paths: ["src/a/__about__.py"], variable: undefined },
    ],
    ["setup.py", "setup(name='a', use_scm_version=True)", { in: "tags", by: "setuptools-scm" }],
    ["setup.py", "setup(\n  name='a',\n  version='1.0',\n)", { in: "manifest", key: "version" }],
    ["setup.cfg", "[metadata]\nversion = 1.2\n", { in: "manifest", key: "metadata.version" }],
    ["setup.cfg", "[metadata]\nversion = file: VERSION\n", { in: "file", paths: ["VERSION"], variable: undefined }],
    ["Cargo.toml", '[package]\nversion = "1.0.0"\n', { in: "manifest", key: "package.version" }],
    [
      "Cargo.toml",
      '[package]\nversion.workspace = true\n[workspace.package]\nversion = "1.0.0"\n',
      { in: "manifest", key: "workspace.package.version" },
    ],
    [
      "pom.xml",
      "<project><parent><version>9</version></parent><version>1.0-SNAPSHOT</version><dependencies/></project>",
      { in: "manifest", key: "version" },
    ],
    [
      "a.gemspec",
      'require_relative "lib/a/version"\nGem::Specification.new do |s|\n  s.version = A::VERSION\nend\n',
      { in: "file", paths: ["lib/a/version.rb"], variable: "VERSION" },
    ],
  ])("reads %s: %s", (path, text, version) => {
    assert.deepStrictEqual(Versions.read(path, text), version)
  })

  it.each<readonly [string, string]>([
    ["setup.cfg", "[metadata]\nversion = attr: a_b.__version__\n"],
    ["pyproject.toml", dynamic('[tool.setuptools.dynamic]\nversion = { attr = "a_b.__version__" }')],
    ["pyproject.toml", dynamic('[build-system]\nbuild-backend = "flit_core.buildapi"')],
  ])("reads the module that has the version of %s: %s", (path, text) => {
    const version = Versions.read(path, text)
    assert.deepInclude(version, { in: "file", variable: "__version__" })
    if (version?.in === "file") assert.includeMembers([...version.paths], ["a_b/__init__.py", "src/a_b/__init__.py"])
  })

  it.each<readonly [string, string]>([
    ["package.json", '{"version":"0.0.0-development"}'],
    ["package.json", '{"version":"1.0.0","private":true,"workspaces":["a"]}'],
    ["package.json", '{"name":"a"}'],
    ["pyproject.toml", "[tool.black]\n"],
    ["setup.py", "setup(version=read_version())"],
    ["Cargo.toml", '[workspace]\nmembers = ["a"]\n'],
    ["pom.xml", "<project><version>${revision}</version></project>"],
    ["pom.xml", "<project><dependencies><version>1</version></dependencies></project>"],
    ["README.md", "version = 1"],
  ])("says nothing of %s: %s", (path, text) => {
    assert.isUndefined(Versions.read(path, text))
  })
})

describe("Versions.builderOf", () => {
  it("names the tool, or else the backend", () => {
    const builder = (backend: string) =>
      Versions.builderOf("pyproject.toml", `[build-system]\nbuild-backend = "${backend}"\n`)
    assert.strictEqual(builder("flit_core.buildapi"), "Flit builds the package (`flit_core.buildapi`).")
    assert.strictEqual(builder("own_backend"), "`own_backend` builds the package (`build-backend`).")
    assert.strictEqual(
      Versions.builderOf("setup.py", "from setuptools import setup\n"),
      "setuptools builds the package (`setup.py`).",
    )
    assert.isUndefined(Versions.builderOf("pyproject.toml", "[tool.black]\n"))
    assert.isUndefined(Versions.builderOf("setup.py", "from distutils.core import setup\n"))
  })
})
