/** `write_spec`: a specification of one part of a job. */
import { posix } from "node:path"
import * as Schema from "effect/Schema"
import type { Output } from "../code/Output.ts"
import * as Tool from "../tool/Tool.ts"
import * as Content from "./internal/Content.ts"
import * as Slug from "./internal/Slug.ts"
import * as WrittenFile from "./WrittenFile.ts"

/** Into `<job>/specs/<spec>.md` of the output folder. */
export const make = (output: Output): Tool.Tool =>
  Tool.make({
    name: "write_spec",
    description: `Writes the specification of one part of a job to ${posix.join(output.folder, "<job>/specs/<spec>.md")}. One that is there is replaced: the result shows what changed.`,
    parameters: Schema.Struct({
      job: Slug.schema.annotations({ description: "The slug of the job, as it was given to write_jtbd" }),
      spec: Slug.schema.annotations({ description: "The name of the part: words in lower case, joined by hyphens" }),
      content: Content.schema,
    }),
    run: ({ content, job, spec }) =>
      WrittenFile.write(output, posix.join(output.folder, job, "specs", `${spec}.md`), content),
  })
