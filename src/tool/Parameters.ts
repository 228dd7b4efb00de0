/** The parameters of a tool: a JSON Schema for the model, and a decoder for the tool. */
import * as Effect from "effect/Effect"
import * as JSONSchema from "effect/JSONSchema"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import type { JsonObject } from "../base/Json.ts"
import * as SchemaIssues from "../base/SchemaIssues.ts"
import { withoutGeneratedTexts } from "./internal/generatedTexts.ts"
import { InvalidArguments } from "./ToolError.ts"

export type JsonSchema = JsonObject

export interface Parameters<A> {
  /** The complete schema, with `$schema`. The adapter of a provider removes keywords that the provider refuses. */
  readonly jsonSchema: JsonSchema
  /** Decodes the object that a model sent. Fails with a line for each issue. */
  readonly decode: (input: unknown) => Effect.Effect<A, InvalidArguments>
}

/** A [Standard Schema](https://standardschema.dev) that also has a JSON Schema, as in zod 4. */
export interface Standard<A> {
  readonly "~standard": {
    readonly validate: (value: unknown) => StandardResult<A> | Promise<StandardResult<A>>
    readonly jsonSchema: { readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown> }
    readonly types?: { readonly output: A } | undefined
  }
}

type StandardResult<A> =
  | { readonly value: A; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<StandardIssue> }

interface StandardIssue {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

/**
 * Makes parameters from an Effect Schema. Unknown keys are issues, so that a misspelt option is not ignored. Throws if
 * the schema is not that of an object, or has no JSON Schema.
 */
export const fromSchema = <A, I>(schema: Schema.Schema<A, I>): Parameters<A> => {
  const decode = Schema.decodeUnknown(schema, { errors: "all", onExcessProperty: "error" })
  return {
    jsonSchema: objectSchema(withoutGeneratedTexts(toJson(toJsonSchema(schema.ast)))),
    decode: (input) => Effect.mapError(decode(input), (error) => invalid(SchemaIssues.fromParseError(error))),
  }
}

/** Makes parameters from any Standard Schema with JSON Schema. Throws as `fromSchema` does. */
export const fromStandard = <A>(schema: Standard<A>): Parameters<A> => ({
  jsonSchema: objectSchema(toJson(schema["~standard"].jsonSchema.input({ target: "draft-2020-12" }))),
  decode: (input) =>
    Effect.flatMap(
      Effect.promise(async () => schema["~standard"].validate(input)),
      (result) =>
        result.issues === undefined
          ? Effect.succeed(result.value)
          : Effect.fail(
              invalid(
                result.issues.map(({ message, path = [] }) =>
                  SchemaIssues.line(
                    path.map((step) => (typeof step === "object" ? step.key : step)),
                    message,
                  ),
                ),
              ),
            ),
    ),
})

/**
 * Makes parameters from raw JSON Schema, draft 2020-12 unless its `$schema` names another. Valid input is passed on
 * unchanged.
 */
export const fromJsonSchema = (jsonSchema: JsonSchema): Parameters<unknown> => ({
  jsonSchema,
  decode: (input) =>
    Effect.flatMap(validator, ({ runWithin, Validator }) => {
      const checked = runWithin(MAX_CHECK_MILLIS, () =>
        new Validator(jsonSchema, draftOf(jsonSchema), false).validate(input),
      )
      if (Option.isNone(checked)) return Effect.fail(uncheckable)
      const { errors, valid } = checked.value
      const leaves = errors.filter(({ keyword }) => !parentKeywords.has(keyword))
      return valid
        ? Effect.succeed(input)
        : Effect.fail(
            invalid(
              leaves.map(({ error, instanceLocation, keyword }) =>
                SchemaIssues.line(segmentsOf(instanceLocation), keyword === "false" ? "is unexpected" : error),
              ),
            ),
          )
    }),
})

/** Splits a JSON pointer in a URI fragment, such as `#/a~1b/0`, into its segments. */
const segmentsOf = (pointer: string): ReadonlyArray<string> =>
  pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"))

/** Keywords whose errors only say that a part is invalid; the part has an error of its own. */
const parentKeywords = new Set([
  "$ref",
  "allOf",
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "prefixItems",
  "items",
  "additionalItems",
])

/** The validator and its limit are loaded when the first raw schema decodes: most runs have none. */
const validator = Effect.promise(async () => {
  const [{ Validator }, { runWithin }] = await Promise.all([
    import("@cfworker/json-schema"),
    import("./internal/timeLimit.ts"),
  ])
  return { Validator, runWithin }
})

/**
 * The limit of one check. A tool server may send a schema whose pattern, or whose references to each other, take years
 * to check; a sound one takes a millisecond.
 */
const MAX_CHECK_MILLIS = 1000

const uncheckable = new InvalidArguments({
  issues: [`they could not be checked within ${MAX_CHECK_MILLIS / 1000} s by the schema of the tool: nothing was run`],
})

const draftOf = (schema: JsonSchema) => {
  const named = typeof schema.$schema === "string" ? schema.$schema : ""
  return named.includes("draft-07")
    ? "7"
    : named.includes("draft-04")
      ? "4"
      : named.includes("2019-09")
        ? "2019-09"
        : "2020-12"
}

const invalid = (issues: ReadonlyArray<string>): InvalidArguments => {
  const [first = "they are not what the schema asks for", ...rest] = issues
    .slice(0, MAX_ISSUES)
    .map((issue) => SchemaIssues.cut(issue, MAX_ISSUE_CHARS))
  const more = issues.length > MAX_ISSUES ? [`and ${issues.length - MAX_ISSUES} more`] : []
  return new InvalidArguments({ issues: [first, ...rest, ...more] })
}

/** The most issues that a model reads of one call: a list may have a hundred thousand invalid items. */
const MAX_ISSUES = 20

/** The most characters of an issue. It quotes the value, which may be a whole file, and lists what is allowed. */
const MAX_ISSUE_CHARS = 1000

/**
 * Makes a JSON Schema of draft 2020-12, with named schemas inlined: a refined `Schema.Int` would otherwise be a `$ref`
 * with keywords beside it, which Gemini refuses. Only recursive schemas stay references.
 */
const toJsonSchema = (ast: SchemaAST.AST): object => {
  const definitions: Record<string, JSONSchema.JsonSchema7> = {}
  const schema = JSONSchema.fromAST(ast, {
    definitions,
    target: "jsonSchema2020-12",
    topLevelReferenceStrategy: "skip",
  })
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
    ...(isEmptyStruct(ast) ? emptyObject : schema),
  }
}

/** The schema of a tool without arguments. To Effect, `{}` is any value but null and undefined. */
const emptyObject = { type: "object", properties: {} }

const isEmptyStruct = (ast: SchemaAST.AST): boolean =>
  ast._tag === "TypeLiteral" && ast.propertySignatures.length === 0 && ast.indexSignatures.length === 0

/**
 * Throws unless the schema is that of an object: models send an object, and providers refuse tools with other
 * parameters.
 */
const objectSchema = (schema: JsonSchema): JsonSchema => {
  if (schema.type !== "object") throw new Error("they are not an object")
  return schema
}

/**
 * Makes plain data without prototypes and `undefined`, and without the `$id` that Effect gives to every
 * `Schema.Unknown`: the same `$id` twice makes a schema invalid.
 */
const toJson = (schema: object): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === "$id" && typeof value === "string" && value.startsWith("/schemas/") ? undefined : value,
    ),
  )
