/**
 * Scores what no model has explained. Most indexes have purposes for only a part of the symbols. The words of a purpose
 * raise a score, so that a symbol would come before better answers just for being explained. Therefore an unexplained
 * symbol gets what a purpose would add to its score on average: as much, in proportion, as the purposes of the other
 * good matches add to theirs. If no symbol has a purpose, or every one has, that is nothing. Pure.
 */

/** The scores of a symbol or of a file, for one question. */
export interface Scored {
  /** Its score without purposes. */
  readonly own: number
  /** The score that the purpose adds; for a file, the purposes of its symbols. */
  readonly ofPurpose: number
  /** The share of it that is explained; for a symbol 0 or 1. */
  readonly explained: number
}

/**
 * The most that an average purpose may add. For the questions of the retrieval benchmark it adds less, mostly .05 to
 * .15. The limit is for small indexes, in which the only explained match may be one by its purpose alone.
 */
const MAX_GAIN = 0.25

/**
 * Returns what purposes add to the explained ones among the best matches, as a share of their own scores; 0 if none is
 * explained.
 */
export const averageGain = (best: ReadonlyArray<Scored>): number => {
  let [own, ofPurposes] = [0, 0]
  for (const each of best) {
    if (each.explained === 0) continue
    own += each.own
    ofPurposes += each.ofPurpose
  }
  return own > 0 ? Math.min(MAX_GAIN, ofPurposes / own) : 0
}

/**
 * Returns the score with purposes, or with what they would add. A file that is explained in part has at least the score
 * of its other part.
 */
export const score = ({ explained, ofPurpose, own }: Scored, gain: number): number =>
  own + Math.max(ofPurpose, (1 - explained) * gain * own)

/**
 * Returns the share of a file that is explained. If half of its symbols are, the file counts as explained: fields,
 * constants and symbols inside functions mostly have no purpose.
 */
export const shareOfFile = (explained: number, symbols: number): number => Math.min(1, (2 * explained) / symbols)
