/** Which lines of comments are code, markup or too long to be a purpose. */
import { assert, describe, it } from "@effect/vitest"
import * as CommentPurpose from "../../src/index/CommentPurpose.ts"

const fromComment = (doc: string, qualifiedName = "go") =>
  CommentPurpose.fromComment(doc, { qualifiedName, path: "", signature: "" })

describe("fromComment", () => {
  it.each([
    "harbour gates;",
    "harbour gates {",
    "gates of harbour }",
    "gates of harbour =>",
    "gates, harbour, boats",
    "gates(open), harbour(shut), boats(all)",
    "gates = harbour",
    "gates=harbour",
    "const gates = harbour",
    "my gates = harbour",
    "auto gates = harbour",
    "gates += harbour",
    "gates := harbour",
    "gates ??= harbour",
    "gates ||= harbour",
    "gates['a'] = harbour + boats",
    "gates.open = harbour(all boats)",
    "gates = harbour ? boats : all",
    "gates = harbour, boats",
    "harbour.gates()",
    "harbour(boats, all)",
    "harbour(boats(all), rest)",
    "await harbour(boats)",
    "return harbour(boats)",
    "new Harbour(boats)",
    "raise Harbour(boats)",
    "throw Harbour(boats)",
    "yield harbour(boats)",
    "@harbour(boats)",
    "harbour(boats).open(gates).shut()",
    "harbour(boats):",
    "harbour(boats) -> Gates",
    "harbour(boats)  -> Gates",
    "const { boats } = harbour of gates",
    "let [boats] = harbour of gates",
    "var boats (a) = harbour of gates",
    "const boats{} = harbour of gates",
    "import harbour and boats",
    "from harbour.gates import all boats",
    "def harbour(boats, gates, all of them",
    "class Harbour(boats of all",
    "class Harbour: all boats",
    "if (harbour is open",
    "for (harbour of gates",
    "while (harbour is open",
    "else: harbour of gates",
    "try: harbour of gates",
    "except Harbour as gates:",
    "except:\n  harbour of gates",
    "if harbour is open:",
    "for boats in the harbour:",
  ])("takes %j for code", (line) => assert.isUndefined(fromComment(line)))

  it.each([
    "Harbour gates; boats",
    "Harbour {} gates",
    "Harbour => gates of boats",
    "Gates, harbour",
    "All gates, harbour, boats",
    "Gates, harbour, boats of all",
    "Gates (open), harbour, boats",
    "Gates of boats = harbour",
    "Gates = harbour of boats",
    "The const gates = harbour",
    "Gates == harbour boats",
    "Of harbour(boats)",
    "The await harbour(boats)",
    "harbour(boats) and gates",
    "harbour (boats)",
    "harbour(boats",
    "The harbour(boats).open",
    "Const boats = harbour of gates",
    "const boats harbour of gates",
    "An import harbour of boats",
    "from harbour to gates import boats",
    "from harbour of gates",
    "The def harbour(boats",
    "def harbour gates",
    "class Harbour of boats",
    "The class Harbour(boats",
    "if harbour (gates",
    "for harbour (gates",
    "while harbour (gates",
    "Or else: harbour of gates",
    "Last try: harbour of gates",
    "exceptions of the harbour: boats",
    "except boats of the harbour",
    "if harbour is open: boats",
    "for boats of the harbour",
  ])("takes %j for prose", (line) => assert.isString(fromComment(line)))

  it("takes a comment for code if half of its lines are, the first among them", () => {
    assert.isUndefined(fromComment("harbour(boats)\ngates of boats"))
    assert.isUndefined(fromComment("harbour(boats)\ngates()\nof all the boats"))
    assert.isString(fromComment("harbour(boats)\ngates of boats\nof all"))
    assert.isString(fromComment("Gates of boats\nharbour(boats)\ngates()"))
  })

  it.each<readonly [comment: string, purpose: string]>([
    ["@summary: Opens harbours.", "Opens harbours."],
    ["@detail Opens harbours.", "Opens harbours."],
    ["\\short  Opens harbours.", "Opens harbours."],
    ["Opens {@link} harbours.", "Opens harbours."],
    ["Opens {@link Harbour} gates.", "Opens Harbour gates."],
    ["Opens harbours @return nothing at all", "Opens harbours"],
    ["Opens harbours @returns nothing at all", "Opens harbours"],
    ["Opens harbours\nby @type and more", "Opens harbours by"],
    ["Opens mail@type of harbours.", "Opens mail@type of harbours."],
    ['Opens <see   cref="Harbour">gates', "Opens Harbourgates"],
    ['Opens <seealso cref="T:Harbour"/> gates', "Opens Harbour gates"],
    ['Opens <b class="a">harbours</b> and <code>gates</code>.', "Opens harbours and gates."],
    ["Opens harbours<br/>and<p>gates</p>.", "Opens harbours and gates ."],
    ["Opens :py:func:`harbour <gates>` wide.", "Opens harbour wide."],
    ["Opens :func:`harbour  <gates of all>` wide.", "Opens harbour wide."],
    ["Opens :func:`!harbour<gates>` wide.", "Opens harbour wide."],
    ["Opens ``harbour`` [gates](a/b) wide.", "Opens `harbour` gates wide."],
    ["Opens\tthe  harbour\u00a0gates.", "Opens the harbour gates."],
    ["Opens harbours\0 at dawn.", "Opens harbours at dawn."],
    [":\n:  Opens harbours.\n:\n: More.", "Opens harbours."],
    [":Opens harbours.", ":Opens harbours."],
    ["Harbour\n---\nOpens gates of boats.", "Opens gates of boats."],
    ["Opens harbours\nat dawn\n---\nMore of it.", "Opens harbours at dawn"],
    ["- Opens harbours.\n- Shuts gates.", "Opens harbours."],
    ["1. Opens harbours.", "Opens harbours."],
    ["Opens harbours - at dawn.", "Opens harbours - at dawn."],
    [".. note::\n   Of no use here.\n\nOpens harbours.", "Opens harbours."],
    ["# Harbour\nOpens gates of boats.", "Opens gates of boats."],
    ["# Ends with ..\nOpens gates of boats.", "Opens gates of boats."],
    ["eslint-disable gates\nOpens harbours.", "Opens harbours."],
    ["Opens harbours.\nnoqa\nMore of it.", "Opens harbours."],
    ["Opens harbours:\n- one\nmore of one\n\nMore of it.", "Opens harbours"],
    ["Opens harbours::\n\n    a()", "Opens harbours"],
  ])("%j says %j", (comment, purpose) => assert.strictEqual(fromComment(comment), purpose))

  it("keeps sentences up to 300 characters, and cuts a longer one between words", () => {
    const harbour = (length: number) => `Harbour ${"x".repeat(length - "Harbour .".length)}.`
    assert.strictEqual(fromComment(harbour(300)), harbour(300))
    assert.strictEqual(fromComment(harbour(301)), `${harbour(301).slice(0, 299)}…`)
    assert.strictEqual(fromComment(`${harbour(200)} ${harbour(99)}`), `${harbour(200)} ${harbour(99)}`)
    assert.strictEqual(fromComment(`${harbour(200)} ${harbour(100)}`), harbour(200))
    const words = (first: number) => `Harbour ${"x".repeat(first - "Harbour ".length)} ${"y".repeat(400)}.`
    assert.strictEqual(fromComment(words(151)), `${words(151).slice(0, 151)}…`)
    assert.strictEqual(fromComment(words(150)), `${words(150).slice(0, 299)}…`)
    assert.strictEqual(fromComment("Opens harbours. Gates are these: boats"), "Opens harbours. Gates are these: boats")
    assert.strictEqual(fromComment("Opens harbours. TODO: more. Shuts them."), "Opens harbours.")
  })

  it.each<readonly [name: string, comment: string, says: boolean]>([
    ["openHarbour", "Opens the harbours.", false],
    ["openHarbour", "Opens a harb.", false],
    ["config", "The configuration.", false],
    ["Io", "The io.", false],
    ["study", "The ud.", true],
    ["go", "The going.", true],
    ["x", "The b7 c.", false],
    ["x", "Gets `::` here.", true],
    ["x", "Gets `:` here.", false],
    ["x", "Harbour.", true],
  ])("of %s, %j says more than its name: %s", (name, comment, says) => {
    assert.strictEqual(fromComment(comment, name) !== undefined, says)
  })
})
