/** `write_jtbd`: what a job is to get done, the document that opens its folder. */
import { posix } from "node:path"
import * as Schema from "effect/Schema"
import type { Output } from "../code/Output.ts"
import * as Tool from "../tool/Tool.ts"
import * as Content from "./internal/Content.ts"
import * as Slug from "./internal/Slug.ts"
import * as WrittenFile from "./WrittenFile.ts"

/** Into `<slug>/jtbd.md` of the output folder. */
export const make = (output: Output): Tool.Tool =>
  Tool.make({
    name: "write_jtbd",
    description: `Writes the document of a job to be done to ${posix.join(output.folder, "<slug>/jtbd.md")}. One that is there is replaced: the result shows what changed.`,
    parameters: Schema.Struct({
      slug: Slug.schema.annotations({ description: "The name of the job: words in lower case, joined by hyphens" }),
      content: Content.schema,
    }),
    run: ({ content, slug }) => WrittenFile.write(output, posix.join(output.folder, slug, "jtbd.md"), content),
  })
