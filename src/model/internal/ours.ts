/**
 * Entries that models.dev lacks: dates and successors of deprecated models, and newer models. They are maintained by
 * hand, with the source of each. They have a file of their own, since this file is loaded for every model, and the
 * large table is not.
 */
import type { Deprecation, ModelEntry } from "../ModelEntry.ts"

/**
 * Google's own page. For 3 Pro it is a copy of that page, as of 2026-11-21. The entries for 2.5 were not verified since
 * they were made.
 */
const google = "https://ai.google.dev/gemini-api/docs/deprecations"

/** The documentation of a library, not Google's, as of 2026-11-21. The successor is our choice. */
const embabel = "https://docs.embabel.com"

/** A record of Anthropic's page of 2026-06-17, as of 2026-11-21; not the page itself. */
const providerWatch = "https://github.com/ottto-ai/ai-provider-watch"

const toDeprecation = (successor: string, from: string, source: string): { readonly deprecation: Deprecation } => ({
  deprecation: { successor, from, source },
})

/**
 * Makes an entry for a model that is newer than the table, from pydantic/genai-prices 0.1.8 (2026-09-23), which has no
 * output limits.
 */
const newer = (context: number, input: number, output: number, cached: number): ModelEntry => ({
  context,
  price: { input, output, cached },
})

export const ours: Readonly<Record<string, ModelEntry>> = {
  "anthropic/claude-fable-5-1": newer(1_000_000, 10, 50, 0.25),
  "anthropic/claude-opus-4-20250514": toDeprecation("claude-opus-4-8", "2026-06-15", providerWatch),
  "anthropic/claude-opus-5": newer(1_000_000, 5, 25, 0.5),
  "anthropic/claude-opus-5-5": newer(1_000_000, 4, 20, 0.2),
  "anthropic/claude-sonnet-4-20250514": toDeprecation("claude-sonnet-4-6", "2026-06-15", providerWatch),
  "google/gemini-2.0-flash": toDeprecation("gemini-flash-latest", "2026-06-01", embabel),
  "google/gemini-2.5-flash": toDeprecation("gemini-flash-latest", "2026-10-16", google),
  "google/gemini-2.5-flash-lite": toDeprecation("gemini-flash-lite-latest", "2026-10-16", google),
  "google/gemini-2.5-pro": toDeprecation("gemini-pro-latest", "2026-10-16", google),
  "google/gemini-3-pro-preview": toDeprecation("gemini-3.1-pro-preview", "2026-03-09", google),
  "google/gemini-3.5-flash-lite": newer(1_000_000, 0.3, 2.5, 0.03),
  // These prices hold until 2026-12-31; afterwards they are twice as high.
  "google/gemini-3.6-flash": newer(1_000_000, 0.75, 3.75, 0.075),
  "google/gemini-3.7-flash": newer(1_000_000, 0.75, 3.75, 0.075),
  "google/gemini-3.8-flash": newer(1_000_000, 0.75, 3.75, 0.075),
  // This is an alias of the newest Pro model. These limits hold for all Pro models since 2.5 (models.dev, 2026-07-02).
  "google/gemini-pro-latest": { context: 1_048_576, output: 65_536 },
}
