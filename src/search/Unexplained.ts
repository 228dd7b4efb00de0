/**
 * The score of what no model has explained. Most indexes have purposes for a part of the symbols only. The words of a
 * purpose raise a score, so that symbols would come before better answers for being explained alone. Therefore an
 * unexplained symbol gets what a purpose would add to its score on average: as much, in proportion, as the purposes of the
 * other good matches add to theirs. With no purposes at all, and with all of them, that is nothing. Pure.
 */

/** What is known of a symbol or of a file, for one question. */
export interface Scored {
  /** Its score without purposes. */
  readonly own: number
  /** What the purpose adds; of a file, what those of its symbols add. */
  readonly ofPurpose: number
  /** Which share of it is explained: of a symbol 0 or 1. */
  readonly explained: number
}

/**
 * More than purposes add on average to any question of the retrieval benchmark, mostly .05 to .15. It is for small indexes,
 * where the only explained match may be one by its purpose alone.
 */
const MAX_GAIN = 0.25

/** What purposes add to the explained ones among the best matches, as a share of their own scores; 0 where none is. */
export const averageGain = (best: ReadonlyArray<Scored>): number => {
  let [own, ofPurposes] = [0, 0]
  for (const each of best) {
    if (each.explained === 0) continue
    own += each.own
    ofPurposes += each.ofPurpose
  }
  return own > 0 ? Math.min(MAX_GAIN, ofPurposes / own) : 0
}

/** The score with purposes, or with what they would add. A file in part explained has at least that of its other part. */
export const score = ({ explained, ofPurpose, own }: Scored, gain: number): number =>
  own + Math.max(ofPurpose, (1 - explained) * gain * own)

/**
 * The share of a file that is explained. Half of its symbols are enough: fields, constants and what stands inside functions
 * mostly have no purpose.
 */
export const shareOfFile = (explained: number, symbols: number): number => Math.min(1, (2 * explained) / symbols)
