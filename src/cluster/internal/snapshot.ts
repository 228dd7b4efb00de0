/** A run as a statement of `RunStore` returns it. */
import type * as Run from "../Run.ts"

export interface SnapshotRow {
  readonly id: string
  readonly repository: string
  readonly commit: string
  readonly version: string
  readonly models: ReadonlyArray<string>
  readonly state: Run.State
  readonly reason: string | null
  readonly max_cost: number | null
  readonly spent: number
  readonly lost: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly repeated: number
  readonly created_at: Date
  readonly ended_at: Date | null
  readonly waiting: number
  readonly sent: number
  readonly running: number
  readonly answered: number
  readonly refused: number
  readonly idle: number | null
  readonly workers: number
}

export const toSnapshot = (row: SnapshotRow): Run.Snapshot => ({
  id: row.id,
  repository: row.repository,
  commit: row.commit,
  version: row.version,
  models: row.models,
  state: row.state,
  reason: row.reason ?? undefined,
  maxCost: row.max_cost ?? undefined,
  spent: row.spent,
  lost: row.lost,
  inputTokens: row.input_tokens,
  outputTokens: row.output_tokens,
  repeated: row.repeated,
  batches: {
    waiting: row.waiting,
    sent: row.sent,
    running: row.running,
    answered: row.answered,
    refused: row.refused,
  },
  workers: row.workers,
  idle: row.idle ?? 0,
  createdAt: row.created_at,
  endedAt: row.ended_at ?? undefined,
})
