import { assert, describe, it } from "@effect/vitest"
import * as Documents from "../../../src/provider/offline/documents.ts"

describe("titleOf", () => {
  it.each<readonly [readme: string, title: string | undefined]>([
    ["# Greeter\n\nSays hello.", "Greeter"],
    ["<div align=center><h1>The <b>Greeter</b></h1></div>", "The Greeter"],
    ["Greeter\n=======\n", "Greeter"],
    ["# Greeter: hello for all\n", "Greeter"],
    ["# [Greeter](https://greeter.example) [![build](a.svg)](b)\n", "Greeter"],
    ["# ![Greeter](logo.png)\n", "Greeter"],
    ["![logo](logo.png)\n\nFeatures\n--------\n", undefined],
    ["Just words.\n", undefined],
  ])("of %j is %j", (readme, title) => assert.strictEqual(Documents.titleOf(readme), title))
})

describe("firstSentence", () => {
  it.each<readonly [readme: string, sentence: string | undefined]>([
    ["# Greeter\n\nSays hello to guests. And more.", "Says hello to guests."],
    ["[![a](b)](c) [![d](e)](f)\n\n> A *kind* greeter\n> for all guests.\n", "A *kind* greeter for all guests."],
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
    ["Install\n\n1. npm ci", undefined],
    ["", undefined],
    ["<kbd>\n  Show your love for it with a mug!\n</kbd>\n\nIt finds what you type.", "It finds what you type."],
    ["<div>\nIt finds what you type.\n</div>\n", "It finds what you type."],
  ])("of %j is %j", (readme, sentence) => assert.strictEqual(Documents.firstSentence(readme), sentence))
})

describe("topComment", () => {
  it.each<readonly [source: string, sentence: string | undefined]>([
    ['"""Reads settings from files.\n\nMore."""\nimport os\n', "Reads settings from files."],
    ["#!/bin/sh\n# Starts all of the servers.\nset -e\n", "Starts all of the servers."],
    ["//! Reads settings from files.\n\nuse std;", "Reads settings from files."],
    ["'use strict';\n\n/**\n * Reads settings from files.\n * @module settings\n */", "Reads settings from files."],
    ["// Copyright 2019 of some people who wrote this\n", undefined],
    ["#include <all the things here>\n", undefined],
    ["import x from 'y'\n// Reads settings from files.\n", undefined],
  ])("of %j is %j", (source, sentence) => assert.strictEqual(Documents.topComment(source), sentence))
})

describe("mainFiles", () => {
  it("are those that speak for their folder, the best first", () => {
    const files = ["src/log/log.go", "src/log/format.go", "src/log/index.ts", "src/log/doc.go"]
    assert.deepStrictEqual(Documents.mainFiles(files, "src/log/"), [
      "src/log/index.ts",
      "src/log/doc.go",
      "src/log/log.go",
    ])
  })
})
