import { assert, describe, it } from "@effect/vitest"
import { mainFiles, topComment } from "../../../src/provider/offline/route.ts"

describe("topComment", () => {
  it.each<readonly [source: string, sentence: string | undefined]>([
    ['"""Reads settings from files.\n\nMore."""\nimport os\n', "Reads settings from files."],
    ["#!/bin/sh\n# Starts all of the servers.\nset -e\n", "Starts all of the servers."],
    ["//! Reads settings from files.\n\nuse std;", "Reads settings from files."],
    ["'use strict';\n\n/**\n * Reads settings from files.\n * @module settings\n */", "Reads settings from files."],
    ["// Copyright 2019 of some people who wrote this\n", undefined],
    ["#include <all the things here>\n", undefined],
    ["import x from 'y'\n// Reads settings from files.\n", undefined],
  ])("of %j is %j", (source, sentence) => assert.strictEqual(topComment(source), sentence))
})

describe("mainFiles", () => {
  it("are those that speak for their folder, the best first", () => {
    const files = ["src/log/log.go", "src/log/format.go", "src/log/index.ts", "src/log/doc.go"]
    assert.deepStrictEqual(mainFiles(files, "src/log/"), ["src/log/index.ts", "src/log/doc.go", "src/log/log.go"])
  })
})
