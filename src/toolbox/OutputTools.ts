/** `file_write`, `write_jtbd` and `write_spec`: the tools that write files in the output folder of an interview. */
import { posix } from "node:path"
import * as Schema from "effect/Schema"
import type { Output } from "../code/Output.ts"
import * as WrittenFile from "../conversation/WrittenFile.ts"
import * as Tool from "../tool/Tool.ts"

/** The content must not be blank: a model that writes an empty file has forgotten the content. */
const Content = Schema.String.pipe(
  Schema.filter((text) => text.trim() !== "", { message: () => "is empty", jsonSchema: { minLength: 1 } }),
  Schema.annotations({ description: "The whole text of the file" }),
)

const slugRule = "must be lower-case letters and digits in words joined by single hyphens, such as sign-in"

/**
 * The name of a folder or file. An invalid name is refused, not corrected: the path stays the one that the model gave.
 */
const Slug = Schema.String.pipe(
  Schema.maxLength(80),
  Schema.pattern(/^[a-z0-9]+(-[a-z0-9]+)*$/, { message: () => slugRule }),
)

/** Any text file. */
export const fileWrite = (output: Output): Tool.Tool =>
  Tool.make({
    name: "file_write",
    description: `Writes a text file${within(output)} and makes the folders that it needs. A file that is there is replaced: the result shows what changed.`,
    parameters: Schema.Struct({
      path: Schema.NonEmptyString.annotations({ description: `Where${within(output)}, as other tools name files` }),
      content: Content,
    }),
    run: ({ content, path }) => WrittenFile.write(output, path, content),
  })

const within = ({ folder }: Output): string => (folder === "" ? "" : ` under ${folder}/`)

/** The document of a job to be done, `<slug>/jtbd.md`. */
export const writeJtbd = (output: Output): Tool.Tool =>
  Tool.make({
    name: "write_jtbd",
    description: `Writes the document of a job to be done to ${posix.join(output.folder, "<slug>/jtbd.md")}. One that is there is replaced: the result shows what changed.`,
    parameters: Schema.Struct({
      slug: Slug.annotations({ description: "The name of the job: words in lower case, joined by hyphens" }),
      content: Content,
    }),
    run: ({ content, slug }) => WrittenFile.write(output, posix.join(output.folder, slug, "jtbd.md"), content),
  })

/** The specification of one part of a job, `<job>/specs/<spec>.md`. */
export const writeSpec = (output: Output): Tool.Tool =>
  Tool.make({
    name: "write_spec",
    description: `Writes the specification of one part of a job to ${posix.join(output.folder, "<job>/specs/<spec>.md")}. One that is there is replaced: the result shows what changed.`,
    parameters: Schema.Struct({
      job: Slug.annotations({ description: "The slug of the job, as it was given to write_jtbd" }),
      spec: Slug.annotations({ description: "The name of the part: words in lower case, joined by hyphens" }),
      content: Content,
    }),
    run: ({ content, job, spec }) =>
      WrittenFile.write(output, posix.join(output.folder, job, "specs", `${spec}.md`), content),
  })
