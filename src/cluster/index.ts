/**
 * `vibe-index/cluster`: explores on many machines around one Postgres. It needs `@effect/cluster`, `@effect/workflow`,
 * `@effect/sql`, `@effect/sql-pg` and their dependencies, which are optional peers of this package.
 */
export * as ClusterExplorer from "./ClusterExplorer.ts"
export * as Database from "./Database.ts"
export * as Run from "./Run.ts"
export * as PostgresRunStore from "./RunStore/Postgres.ts"
export * as RunStore from "./RunStore.ts"
export * as Worker from "./Worker.ts"
