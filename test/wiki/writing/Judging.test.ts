import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import type { Page } from "../../../src/wiki/Page.ts"
import * as Asking from "../../../src/wiki/writing/Asking.ts"
import * as Judging from "../../../src/wiki/writing/Judging.ts"
import * as MaterialLimits from "../../../src/wiki/writing/MaterialLimits.ts"
import * as Wiki from "./Wiki.fixture.ts"

const texts = ["A mail is sent later.", "A mail is sent twice.", "A mail is sent.", "A mail goes to a person."]

const page: Page = {
  name: "mail",
  kind: "part",
  title: "Mail",
  sections: [
    {
