/** The failures that a page receives for the errors of a request. */
import { assert, describe, it } from "@effect/vitest"
import { FileError, Unreadable as UnreadableFile } from "../../src/code/FileError.ts"
import { SessionError, SessionNotStarted } from "../../src/conversation/engines/SessionError.ts"
import * as Disk from "../../src/disk/DiskError.ts"
import * as Forest from "../../src/forest/ForestError.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as Failures from "../../src/server/Failures.ts"

const id = NodeId.make("n-1")
const cause = new Error("no")

const forest = (reason: Forest.ForestError["reason"]) => new Forest.ForestError({ reason })

describe("Failures.toFailure", () => {
  it.each([
    ["Refused", new SessionError({ reason: new SessionNotStarted() })],
    ["NotKept", new FileError({ path: "a.ts", reason: new UnreadableFile({ cause }) })],
    ["NotKept", new Disk.DiskError({ path: "a.db", reason: new Disk.Unwritable({ cause }) })],
    ["NotFound", forest(new Forest.NotFound({ id }))],
    ["NotKept", forest(new Forest.Unreadable({ cause }))],
    ["NotKept", forest(new Forest.Unwritable({ cause }))],
    ["NotKept", forest(new Forest.Full({ cause }))],
    ["NotKept", forest(new Forest.Removed({ path: "a.db", cause }))],
    ["NotKept", forest(new Forest.TooNew({ version: 99 }))],
    ["Refused", forest(new Forest.BlankText())],
    ["Refused", forest(new Forest.NoBookmark({ title: "good" }))],
  ] as const)("is %s for %s, with its message as a sentence", (tag, error) => {
    const failure = Failures.toFailure(error)
    assert.strictEqual(failure._tag, tag)
    assert.strictEqual(failure.message, Failures.sentence(error.message))
  })
})

describe("Failures.sentence", () => {
  it.each([
    ["it is gone", "It is gone."],
    ["it is gone.", "It is gone."],
    ["is it gone?", "Is it gone?"],
    ["Gone!", "Gone!"],
    ["e.g. this", "E.g. this."],
    ["", "."],
  ])("makes '%s' '%s'", (message, sentence) => {
    assert.strictEqual(Failures.sentence(message), sentence)
  })
})
