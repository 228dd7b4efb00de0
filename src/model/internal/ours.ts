/**
 * What we know of models ourselves, for what models.dev does not say: since when one is on its way out and what takes
 * its place, and names that it lacks. Kept by hand, with where each came from; apart from the large table, since every
 * model that is opened is looked up here.
 */
import type { Deprecation, ModelEntry } from "../ModelEntry.ts"

/** Google's own page: for 3 Pro a copy of it, seen 2026-11-21; for 2.5 as first noted here, and not seen again since. */
const google = "https://ai.google.dev/gemini-api/docs/deprecations"

/** Not Google's word but that of a library's documentation, seen 2026-11-21; the successor is our choice. */
const embabel = "https://docs.embabel.com"

/** Not Anthropic's page but a record of it made on 2026-06-17, seen 2026-11-21. */
const providerWatch = "https://github.com/ottto-ai/ai-provider-watch"

const leaving = (successor: string, from: string, source: string): { readonly deprecation: Deprecation } => ({
  deprecation: { successor, from, source },
})

/** Newer than the table: as pydantic/genai-prices 0.1.8 (2026-09-23) has it, which names no longest answer. */
const newer = (context: number, input: number, output: number, cached: number): ModelEntry => ({
  context,
  price: { input, output, cached },
})

export const ours: Readonly<Record<string, ModelEntry>> = {
  "anthropic/claude-fable-5-1": newer(1_000_000, 10, 50, 0.25),
  "anthropic/claude-opus-4-20250514": leaving("claude-opus-4-8", "2026-06-15", providerWatch),
  "anthropic/claude-opus-5": newer(1_000_000, 5, 25, 0.5),
  "anthropic/claude-opus-5-5": newer(1_000_000, 4, 20, 0.2),
  "anthropic/claude-sonnet-4-20250514": leaving("claude-sonnet-4-6", "2026-06-15", providerWatch),
  "google/gemini-2.0-flash": leaving("gemini-flash-latest", "2026-06-01", embabel),
  "google/gemini-2.5-flash": leaving("gemini-flash-latest", "2026-10-16", google),
  "google/gemini-2.5-flash-lite": leaving("gemini-flash-lite-latest", "2026-10-16", google),
  "google/gemini-2.5-pro": leaving("gemini-pro-latest", "2026-10-16", google),
  "google/gemini-3-pro-preview": leaving("gemini-3.1-pro-preview", "2026-03-09", google),
  "google/gemini-3.5-flash-lite": newer(1_000_000, 0.3, 2.5, 0.03),
  // Until 2026-12-31; twice as much from then on.
  "google/gemini-3.6-flash": newer(1_000_000, 0.75, 3.75, 0.075),
  "google/gemini-3.7-flash": newer(1_000_000, 0.75, 3.75, 0.075),
  "google/gemini-3.8-flash": newer(1_000_000, 0.75, 3.75, 0.075),
  // Stands for whichever is newest; the limits are those that all of them have had since 2.5 (models.dev, 2026-07-02).
  "google/gemini-pro-latest": { context: 1_048_576, output: 65_536 },
}
