/**
 * Removes the titles and descriptions that Effect's filters generate ("maxLength(1000)", "a string at most 1000
 * character(s) long") from a JSON Schema. They repeat its keywords, and cost a model tokens. Titles and descriptions of
 * the schema's author stay.
 */
import type { JsonObject } from "../../base/Json.ts"

export const withoutGeneratedTexts = (schema: JsonObject): JsonObject =>
  // Plain JSON without a few texts is still plain JSON.
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => {
      // A property of that name has an object for its value.
      const isGenerated =
        typeof value === "string" &&
        ((key === "title" && generatedTitle.test(value)) || (key === "description" && generatedDescription.test(value)))
      return isGenerated ? undefined : value
    }),
  )

/** Makes a pattern that matches one of these texts as a whole. */
const anyOf = (...texts: ReadonlyArray<RegExp>): RegExp =>
  new RegExp(`^(?:${texts.map(({ source }) => source).join("|")})$`, "s")

/** The titles of `Schema.maxLength` and other filters of strings, numbers and arrays. */
const generatedTitle = anyOf(
  /(?:(?:max|min)(?:Length|Items)|length|itemsCount|startsWith|endsWith|includes|multipleOf|between)\(.*\)/,
  /(?:greater|less)Than(?:OrEqualTo)?\(.*\)/,
  /trimmed|(?:lower|upper)cased|(?:un)?capitalized|nonEmptyString/,
  /finite|int|nonNaN|positive|negative|nonPositive|nonNegative/,
)

/** The descriptions that these filters generate. */
const generatedDescription = anyOf(
  /a string at (?:least|most) \d+ character\(s\)(?: and at most \d+ character\(s\))? long/,
  /a (?:single character|non empty string|string \d+ character\(s\) long)/,
  /a string matching the pattern .*/,
  /a string (?:starting with|ending with|including) ".*"/,
  /a string with no leading or trailing whitespace/,
  /an? (?:lowercase|uppercase|capitalized|uncapitalized) string/,
  /an integer|a finite number|a number excluding NaN/,
  /a (?:positive|negative|non-positive|non-negative) number/,
  /a number (?:(?:less|greater) than(?: or equal to)?|divisible by|between) [-\d].*/,
  /an array of (?:at least|at most|exactly) \d+ item\(s\)/,
)
