/**
 * `vibe-index/cluster`: an exploration on many machines around one Postgres. Needs `@effect/cluster`, `@effect/workflow`,
 * `@effect/sql`, `@effect/sql-pg` and what they need: optional peers of this package.
 */
export * as ClusterExplorer from "./ClusterExplorer.ts"
export * as Database from "./Database.ts"
export * as Run from "./Run.ts"
export * as PostgresRunStore from "./RunStore/Postgres.ts"
export * as RunStore from "./RunStore.ts"
export * as Worker from "./Worker.ts"
