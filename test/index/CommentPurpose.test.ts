import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as CommentPurpose from "../../src/index/CommentPurpose.ts"
import { anyText } from "../utils/anyText.ts"

/** The purpose of a symbol by its comment; only its name is known, unless `place` has more. */
const fromComment = (doc: string, qualifiedName: string, { path = "", signature = "" } = {}) =>
  CommentPurpose.fromComment(doc, { qualifiedName, path, signature })

describe("fromComment", () => {
  it.each<readonly [name: string, comment: string, purpose: string]>([
    ["Cart.total", "Adds up the prices of all items.", "Adds up the prices of all items."],
    ["retry", "Sends a request again\n  while the server is busy.", "Sends a request again while the server is busy."],
    ["load", "Reads the ledger.\n\nFiles of the user come first.", "Reads the ledger."],
    ["send", "Says hello. @param name of the guest", "Says hello."],
    ["plan", "@brief Orders tasks by their deadline.\n@param tasks", "Orders tasks by their deadline."],
    ["plan", "\\brief Orders tasks by their deadline.\n\\param tasks", "Orders tasks by their deadline."],
    ["Pool", '<summary>\nKeeps <see cref="T:Db.Connection"/>s open.\n</summary>', "Keeps Db.Connections open."],
    ["Pool", 'Keeps <see cref="Connection" /> and <paramref name="rest"  /> open.', "Keeps Connection and rest open."],
    ["Pool", "Keeps {@link Connection} objects <b>open</b>.", "Keeps Connection objects open."],
    ["view", "Renders :class:`~web.views.Page` with ``g.user``.", "Renders Page with `g.user`."],
    [
      "view",
      ": The page that :meth:`show` renders\n: by default.\n:\n: .. versionadded:: 2",
      "The page that show renders by default.",
    ],
    ["Open", "Open connects to a [server](https://example.org/a) or fails.", "Open connects to a server or fails."],
    ["parse", "parse(text, strict=False) -> Node\n\nReads one expression.", "Reads one expression."],
    ["walk", "Visits each node in this order:\n- the left child\n- the right one", "Visits each node in this order"],
    ["count", "Counts words.\nArgs:\n    text: what to read", "Counts words."],
    ["fit", "Fits a line to points.\n\nParameters\n----------\nx : array", "Fits a line to points."],
    ["Board", "Board\n=====\n\nA grid of tiles.", "A grid of tiles."],
    ["Get-A", ".SYNOPSIS\n    Reads one order.\n.DESCRIPTION\n    Of any age.", "Reads one order."],
    ["Get-A", "\n.DESCRIPTION\nReads one order.\n.PARAMETER Id\nIts number.", "Reads one order."],
    [
      "Tiles",
      "Module      : Game.Tiles\nCopyright   : (c) Somebody\nLicense     : BSD\n\nMaintainer  : a@b.example\n\nA grid of tiles.",
      "A grid of tiles.",
    ],
    [
      "Tiles",
      "Module      : Game.Tiles\nDescription : A grid of squares\nLicense     : BSD\n\nIt is large.",
      "A grid of squares",
    ],
    ["format_hint", "Format a hint.\n\nLine breaks are escaped.", "Format a hint. Line breaks are escaped."],
    ["close", "Handles the end. TODO: flush before", "Handles the end."],
    ["close", "TODO: flush before\n\nReleases the socket.", "Releases the socket."],
    [
      "merge",
      "See RFC 7396.\n\nApplies a patch, e.g. of a client, to a document.",
      "Applies a patch, e.g. of a client, to a document.",
    ],
    ["seen", "See whether a message was read.", "See whether a message was read."],
    [
      "plugins",
      "CAUTION: this may change. Finds what is installed beside the program.",
      "Finds what is installed beside the program.",
    ],
    ["notes", "Notes of readers, newest first.", "Notes of readers, newest first."],
    ["old", "Deprecated: call `fresh` instead.", "Deprecated: call `fresh` instead."],
    ["copyright", "Returns the notice at the end of a page.", "Returns the notice at the end of a page."],
    ["summe", "Addiert die Preise aller Artikel.", "Addiert die Preise aller Artikel."],
    ["sum", "計算所有商品的總價。", "計算所有商品的總價。"],
    ["rule", "ESLint rule against loops in views.", "ESLint rule against loops in views."],
    ["print", "Prettier output of a tree.", "Prettier output of a tree."],
    ["Pool", "@class Pool\n@classdesc Keeps connections open.", "Pool Keeps connections open."],
    ["copy", "Copies {@param file} into the {@code downloads} folder.", "Copies file into the downloads folder."],
    ["area", "Region of a page.", "Region of a page."],
    ["state", "Global settings, by name.", "Global settings, by name."],
    ["limit", "Of requests in one minute (10).", "Of requests in one minute (10)."],
  ])("%s: %j says %j", (name, comment, purpose) => assert.strictEqual(fromComment(comment, name), purpose))

  it.each<readonly [name: string, comment: string]>([
    ["main", "Main function."],
    ["foo", "The foo."],
    ["Stack.push", "Pushes on the stack"],
    ["AppContext.pop", "Pops the app context."],
    ["initApp", "Initializes the application."],
    ["getUserName", "Get user name"],
    ["UserService", "User service class."],
    ["test_non_hashable_values", "Test non-hashable values (#904)."],
    ["NodeFactory", "@constructor"],
    ["appendToFile", "https://stackoverflow.com/a/31205878/583363"],
    ["timeout", "see https://example.org/how-to-add-timeout"],
    ["copyFile", "Adapted from http://example.org/answers/14387791"],
    ["srp", "see srp.c"],
    ["Testdir.makefile", "See :meth:`Pytester.makefile`."],
    ["transaction", "TODO"],
    ["plugins", "WARNING: The interface is still in progress and will change."],
    ["plugins", "Note: the order of the fields counts."],
    ["random", "FIXME(ann): should be made in the app"],
    ["normalize", "todo: deprecate, callers do this"],
    ["Zone.name", "@type {string}"],
    ["read", ":param path: the file\n:rtype: str"],
    ["read", ":returns: the text"],
    ["Group.free", "\\param group to be freed"],
    ["value", "@inheritDoc"],
    ["Value", "<inheritdoc/>"],
    ["Hidden", ":nodoc:"],
    ["configure", "Args:\n  path: the file"],
    ["answer", ">>> answer()\n42"],
    ["logger", "-- Logger --"],
    ["helpers", "---- Shared by all views"],
    ["helpers", "--- Shared by all views"],
    ["Page.draw", "overridden"],
    ["a", "=========="],
    ["chartColors", "from chartjs.org"],
    ["orderPinnedTopics", "terrible name, should be topics.moveTopicPosts"],
    ["setupApiRoute", "router, verb, name, middlewares(optional), controller"],
    ["lastLog", "process.nextTick(() => {\n  test(notes.assert, [1])\n});"],
    ["provider", 'const URL = "http://localhost:9000/features.json"'],
    ["get", "const { body } = await request.get('a?b=1')"],
    ["handler", "self.handlers.append(handler)"],
    ["start", "Copyright 2019 Ann and others. All rights reserved."],
    ["start", "SPDX-License-Identifier: MIT"],
    ["start", "Licensed under the Apache License, Version 2.0"],
    ["start", "This program is free software: you can redistribute it."],
    ["rule", "eslint-disable-next-line no-console"],
    ["rule", "eslint no-undef: 0"],
    ["rule", "global window, document"],
    ["rule", "prettier-ignore"],
    ["black", "stylua: ignore start"],
    ["services", "MARK: - Services"],
    ["etag", "frozen_string_literal: true"],
    ["models", "encoding: utf-8"],
    ["install", "shellcheck disable=SC2034"],
    ["button", "@jsxImportSource preact"],
    ["rule", "pylint: disable=too-many-lines"],
    ["rule", "type: (int) -> str"],
    // An identifier of general words says as little as these, whole or in parts.
    ["load", "The newObject."],
    ["load", "The theValue."],
    ["issue", "#351"],
    ["blank", "  \n\t\n"],
  ])("%s: %j says nothing", (name, comment) => assert.isUndefined(fromComment(comment, name)))

  it.each<readonly [name: string, signature: string, path: string, comment: string]>([
    ["cors", "cors = (options?: CORSOptions)", "src/middleware/cors/index.ts", "CORS Middleware for Hono."],
    [
      "basicAuth",
      "basicAuth = (options: BasicAuthOptions): MiddlewareHandler",
      "src/middleware/basic-auth/index.ts",
      "Basic Auth Middleware for Hono.",
    ],
    ["Params", "type Params = Record<string, string>", "src/router.ts", "Type representing a map of parameters."],
    ["path.isfile", "def isfile(self) -> bool", "sphinx/testing/path.py", "Returns `True` if the path is a file."],
    ["raises", "def raises(expected_exception)", "src/pytest/raises.py", "pytest.raises helper"],
    ["IndexEntry.descr", "descr: str", "sphinx/domains/_index.py", "Description for the entry."],
  ])("%s %s in %s: %j says no more than is seen of it", (name, signature, path, comment) => {
    assert.isUndefined(fromComment(comment, name, { path, signature }))
    const more = `${comment.replace(/(?<![.])$/, ".")}\n\nRefuses foreign visitors at night.`
    assert.include(fromComment(more, name, { path, signature }), "Refuses foreign visitors at night.")
  })

  it.each<readonly [name: string, signature: string, path: string, comment: string]>([
    ["cors", "cors = (options?: CORSOptions)", "src/middleware/cors/index.ts", "CORS headers for browsers."],
    ["ShorthandCastSegment", "class ShorthandCastSegment", "src/ansi.py", "A casting operation using '::'."],
    ["parse", "parse(text: string): Node", "src/parse.ts", "Parser for Python and JSON."],
  ])("%s %s in %s: %j says more", (name, signature, path, comment) =>
    assert.strictEqual(fromComment(comment, name, { path, signature }), comment),
  )

  const sentence = FastCheck.array(FastCheck.constantFrom("keeps", "every", "order", "until", "it", "is", "paid"), {
    minLength: 3,
    maxLength: 60,
  }).map((words) => `Surely ${words.join(" ")}.`)
  const prose = FastCheck.array(sentence, { minLength: 1, maxLength: 8 })

  it.prop("is the beginning of a prose comment, at most 300 characters on one line", [prose], ([sentences]) => {
    const purpose = fromComment(sentences.join("\n"), "f") ?? ""
    assert.isTrue(sentences.join(" ").startsWith(purpose.replace(/…$/, "")))
    assert.isAtMost(purpose.length, 300)
    assert.isAbove(purpose.length, 0)
  })

  it.prop("ends with a whole sentence where the first one fits", [prose], ([sentences]) => {
    const purpose = fromComment(sentences.join(" "), "f") ?? ""
    assert.strictEqual(purpose.endsWith("."), (sentences[0] ?? "").length <= 300)
  })

  it.prop("reads a purpose as itself", [prose], ([sentences]) => {
    const purpose = fromComment(sentences.join(" "), "f")
    assert.strictEqual(fromComment(purpose ?? "", "f"), purpose)
  })

  it.prop("is one line without control characters, or none", [anyText()], ([comment]) => {
    const purpose = fromComment(comment, "f") ?? "x"
    assert.notMatch(purpose, /[\0\r\n\t]|^\s*$/)
    assert.isTrue(purpose.isWellFormed())
  })

  it("does not read on in a comment of a megabyte", () => {
    assert.isUndefined(fromComment(`${"=".repeat(1_000_000)}\n\nKeeps orders.`, "f"))
    assert.strictEqual(fromComment(`Keeps orders.\n\n${"<b>".repeat(400_000)}`, "f"), "Keeps orders.")
    for (const unit of ["<p ", "@a ", "f(", "``", "{@link ", ":a:`", "a.", "[", "x= "]) {
      fromComment(unit.repeat(1_000_000 / unit.length), "f")
    }
  })
})
