import { assert, describe, it } from "@effect/vitest"
import * as ProjectDocuments from "../../src/base/ProjectDocuments.ts"
import { isThorough } from "../thoroughness.ts"
import { limitProcessorTime } from "../utils/linearTime.ts"

describe("readManifest", () => {
  it.each<readonly [path: string, text: string, name: string | undefined, description: string | undefined]>([
    [
      "package.json",
      '{\n  "name": "greeter",\n  "description": "Says \\"hello\\".",\n  "depend',
      "greeter",
      'Says "hello".',
    ],
    ["pyproject.toml", '[project]\nname = "greeter"\ndescription = "Says hello."\n', "greeter", "Says hello."],
    [
      "Cargo.toml",
      'name = "greeter"\ndescription = "A simple, fast \\"hello\\"."\n',
      "greeter",
      'A simple, fast "hello".',
    ],
    [
      "Cargo.toml",
      "name = 'greeter'\ndescription = 'It says \"hello\", twice.'\n",
      "greeter",
      'It says "hello", twice.',
    ],
    ["pyproject.toml", 'description = "It\'s simple, and fast" # as ever\n', undefined, "It's simple, and fast"],
    [
      "pyproject.toml",
      'description = """\nSays hello,\n  then goodbye.\n"""\n',
      undefined,
      "Says hello, then goodbye.",
    ],
    ["pyproject.toml", 'description = ""\nname = "greeter"\n', "greeter", undefined],
    ["setup.cfg", "[metadata]\nname = greeter\n", "greeter", undefined],
    ["setup.cfg", "name = greeter\ndescription = A simple, fast 'hello'\n", "greeter", "A simple, fast 'hello'"],
    ["setup.py", "setup(\n    name='greeter',\n    description='Simple, fast',\n)", "greeter", "Simple, fast"],
    ["build.gradle", "description = 'Simple, fast'\n", undefined, "Simple, fast"],
    ["build.gradle.kts", 'createSourceSet(\n  name = "appleMain",\n)\n', undefined, undefined],
    [
      "build.gradle.kts",
      'maven {\n  name = "internal"\n}\npom {\n  name.set("Greeter")\n  description = "Of the pom"\n}\n',
      "Greeter",
      undefined,
    ],
    ["build.gradle", "description 'Simple, fast'\npom { name = project.name }\n", undefined, "Simple, fast"],
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

describe("titleOf", () => {
  it.each<readonly [readme: string, title: string | undefined]>([
    ["# Greeter\n\nSays hello.", "Greeter"],
    ["<div align=center><h1>The <b>Greeter</b></h1></div>", "The Greeter"],
    ["Greeter\n=======\n", "Greeter"],
    ["---\norphan: true\n---\n\n# Greeter\n", "Greeter"],
    ["= Greeter Specification\n\n== Words\n", "Greeter Specification"],
    ["========\nGreeter\n========\n", "Greeter"],
    ["# Greeter: hello for all\n", "Greeter"],
    ["# [Greeter](https://greeter.example) [![build](a.svg)](b)\n", "Greeter"],
    ["# ![Greeter](logo.png)\n", "Greeter"],
    ["![logo](logo.png)\n\nFeatures\n--------\n", undefined],
    ['# <img alt="greeter" src="logo.svg" width="220" />\n\n| a | of the last row |\n-----------\n', "greeter"],
    ["<h1><img src=logo.svg alt='The Greeter'></h1>\n", "The Greeter"],
    ["| name | words of a cell |\n---------\n", undefined],
    ["- an item of a list\n---\n\n> a quote\n---\n", undefined],
    ["Just words.\n\n# Help and documentation\n", undefined],
    ["# Support Greeter\n", "Support Greeter"],
    ["Just words.\n", undefined],
    ["```sh\n# Run tests:\nmake\n```\n", undefined],
  ])("of %j is %j", (readme, title) => assert.strictEqual(ProjectDocuments.titleOf(readme), title))
})

describe("firstSentence", () => {
  it.each<readonly [readme: string, sentence: string | undefined]>([
    ["## News\n\nWe're excited to announce Greeter 2!\n\nGreeter is a library.\n", "Greeter is a library."],
    ["Install · Configure · Docs\n\nSays hello to all.\n", "Says hello to all."],
    ["Documentation: https://greeter.example/docs\n\nSays hello to all.\n", "Says hello to all."],
    ["Note: This is the core of it.\n\nSays hello to all.\n", "Says hello to all."],
    ["Note about the structure:\n\n- a hall\n\nSays hello to all.\n", "Says hello to all."],
    ["Says hello to all.\n\n`Greeter` is a tiny library.\n", "`Greeter` is a tiny library."],
    ["Says hello to all.\n\n## Install\n\nGreeter is a gem.\n", "Says hello to all."],
    ["Says hello to all.\n\nThis is a gem.\n", "Says hello to all."],
    [".. code-block:: python\n\n  import greeter as one\n\nSays hello to all.\n", "Says hello to all."],
    ["Greeter is a platform for guests offering:\n\n- words\n- tea\n", "Greeter is a platform for guests."],
    ["Greeter is a library of words, which provides:\n\n- words\n", "Greeter is a library of words."],
    ["Greeter is a library with these words:\n\n- hello\n", "Greeter is a library with these words."],
    ["Greeter supports:\n\n- words\n\nIt greets all guests.\n", "It greets all guests."],
    ["Greeter\n---\n\n<img src='logo.svg'\n  alt='a hand that waves'>\n\nSays hello to all.\n", "Says hello to all."],
    [
      "<div><b>Others, a sponsor of words</b></div>\n<div align=center>\n\nA kind greeter for all guests\n<br/>\n\n</div>\n\n## Why\n\nIf you have guests, they want to be greeted.\n",
      "A kind greeter for all guests",
    ],
    [
      "<h2>\n An open house of guests. </br>\n With tea. </br>\n</h2>\n\nSays hello to all.\n",
      "An open house of guests.",
    ],
    ["<p>A kind greeter for guests</p>\n\n`Greeter` is a tiny library.\n", "`Greeter` is a tiny library."],
    ["Says hello to all.\n\n## Why\n\n<p>A kind greeter for guests</p>\n", "Says hello to all."],
    ["<div><a href='a'>A house for all your guests</a></div>\n\nSays hello to all.\n", "Says hello to all."],
    ["Says hello to all.\n\nA guest is a person who came.\n", "Says hello to all."],
    // The row of pictures is cut, but not within a picture.
    [`${'<a href="a"><img src="b" width="60px" /></a>'.repeat(500)}\n\nSays hello to all.\n`, "Says hello to all."],
    [`${'<a href="a"><img src="b" width="60px" /></a>\n'.repeat(500)}\nSays hello to all.\n`, "Says hello to all."],
    ["Coming from others ?\n\n## Usage\n\nAn example of the server.\n", undefined],
    ["axum/README.md", undefined],
    ["# Greeter\n\nSays hello to guests. And more.", "Says hello to guests."],
    ["[![a](b)](c) [![d](e)](f)\n\n> A *kind* greeter\n> for all guests.\n", "A kind greeter for all guests."],
    [
      "<!-- a note of several words\n-->\n<p>\n  <img src='x'>\n</p>\n\nA [greeter](https://a.example) for [guests].",
      "A greeter for guests.",
    ],
    ["---\ntitle: A page of words\n---\nSays hello to guests.", "Says hello to guests."],
    [
      ".. image:: logo.png\n   :alt: a long text here\n\nGreeter\n=======\n\nGreets by :func:`hello`, e.g. in `the docs <https://a.example>`_.\n",
      "Greets by hello, e.g. in the docs.",
    ],
    [
      "- an item of a list\n- another item of it\n\n    npm install the greeter\n\nSays hello to guests:\n",
      "Says hello to guests.",
    ],
    ["```sh\nnpm install the greeter now\n```\n\nSays hello to guests.", "Says hello to guests."],
    [
      "<h4><a href='a'>Install</a>\n ·\n<a href='b'>Configure</a>\n ·\n<a href='c'>Docs</a></h4>\n\nGreets all guests.",
      "Greets all guests.",
    ],
    ["[Install](a) | [Read the docs](b) | Chat\n\nGreets all guests.", "Greets all guests."],
    ["[![a](b)](c) · ![d](e) · Greets all guests by name. · [![f](g)](h)\n", "Greets all guests by name."],
    [
      "Greets guests · friends of guests · and people who came by chance.",
      "Greets guests · friends of guests · and people who came by chance.",
    ],
    [
      "<div><div></div><p>\nOur work is supported by the community.<br>Special thanks to:\n</p></div>\n\n> Greets all guests.",
      "Greets all guests.",
    ],
    [
      "<div>\n<div>Words in a box.</div>\n<b>Words in the box around it.</b>\n</div>\n\n> Greets all guests.",
      "Greets all guests.",
    ],
    ["<div>\nA box that never ends greets guests.", "A box that never ends greets guests."],
    ["Greets all guests<br>by name.", "Greets all guests by name."],
    ["Install\n\n1. npm ci", undefined],
    ["", undefined],
    ["<kbd>\n  Show your love for it with a mug!\n</kbd>\n\nIt finds what you type.", "It finds what you type."],
    ["Greeter _**says hello**_ to *all* guests of my_own_house.", "Greeter says hello to all guests of my_own_house."],
    ["> [!WARNING]\n> The old version goes away in March.\n\nIt finds what you type.", "It finds what you type."],
    ["Greets the `guests of the house`_ by name.", "Greets the guests of the house by name."],
    ["<div>\nIt finds what you type.\n</div>\n", "It finds what you type."],
    [
      '<h3 align="center">Every guest is met</h3>\n<p align="center">Greeter is a host of guests.</p>\n<p><a href="d">Docs</a></p>\n',
      "Greeter is a host of guests.",
    ],
    ["<h1>The <b>house</b> of all\nguests</h1> Greets all guests.", "Greets all guests."],
    ["<p>Greets all guests.</p><p>Knows their names.</p>", "Greets all guests."],
  ])("of %j is %j", (readme, sentence) => assert.strictEqual(ProjectDocuments.firstSentence(readme), sentence))
})

describe("nameOf", () => {
  it.each<readonly [readme: string | undefined, manifests: ReadonlyArray<string>, name: string | undefined]>([
    ["# Greeter\n\nSays hello.", ["greeter-lib"], "Greeter"],
    ["Says hello.", ["@people/greeter"], "@people/greeter"],
    [undefined, ["example.org/people/greeter/v2"], "greeter"],
    [undefined, ["example.org/greeter"], "greeter"],
    ["<h4><a>Docs</a></h4>\n\n**greeter.nvim** is a modern greeter for guests.", [], "greeter.nvim"],
    ["`greeter` is a library of words.", [], "greeter"],
    ["**Note** that it is old.", [], undefined],
    ["It is a library of words.", [], undefined],
    ["**Greeter** is a library of words.\n\n# Help", ["root"], "Greeter"],
    ["It is a library of words.", ["@people/greeter-monorepo"], "@people/greeter"],
    [undefined, ["root"], "root"],
    [undefined, ["taproot"], "taproot"],
    [undefined, [], undefined],
  ])("of %j and %j is %j", (readme, manifests, name) =>
    assert.strictEqual(ProjectDocuments.nameOf(readme, manifests), name),
  )
})

const LENGTH = isThorough ? 1_000_000 : 100_000

describe(`a README of ${LENGTH} characters`, () => {
  limitProcessorTime(isThorough ? 20 : 1)

  it.each([
    "```a\n",
    "<!-- ",
    ".. a::\n  x\n",
    "<div>",
    "<div ",
    "<p>",
    "<h1>a",
    "<h1 ",
    "# <img ",
    "# <img alt",
    "[a](",
    "![",
    "**a",
    "`a <",
    ":a:",
    "> [!x] a\n",
    "a · ",
    "A a a a\n\n",
    "A a a a ",
    "<p>\n",
  ])("that repeats %j costs little", (words) => {
    const readme = words.repeat(Math.ceil(LENGTH / words.length))
    // It looks for the title, too.
    ProjectDocuments.nameOf(readme, [])
    ProjectDocuments.firstSentence(readme)
  })
})
