/** The engine of workflows for one worker: `@effect/workflow` on `@effect/cluster`, with only the shared database. */
import * as ClusterWorkflowEngine from "@effect/cluster/ClusterWorkflowEngine"
import * as RunnerAddress from "@effect/cluster/RunnerAddress"
import * as RunnerHealth from "@effect/cluster/RunnerHealth"
import * as Runners from "@effect/cluster/Runners"
import * as Sharding from "@effect/cluster/Sharding"
import * as ShardingConfig from "@effect/cluster/ShardingConfig"
import * as SqlMessageStorage from "@effect/cluster/SqlMessageStorage"
import * as SqlRunnerStorage from "@effect/cluster/SqlRunnerStorage"
import * as Duration from "effect/Duration"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

/** The prefix of the engine's own tables. */
const prefix = "vibe_engine"

/**
 * Makes the engine. Workers do not connect to each other. Messages are written to the database and read from it once a
 * second, so a worker needs no port, and may be behind a firewall. Shards are held by rows that expire. A database
 * would keep locks of a connection for hours after a machine is lost.
 */
export const layer = (worker: string) =>
  ClusterWorkflowEngine.layer.pipe(
    Layer.provide(Sharding.layer),
    Layer.provide(Runners.layerNoop),
    Layer.provide(RunnerHealth.layerNoop),
    Layer.provide(SqlMessageStorage.layerWith({ prefix })),
    Layer.provide(Layer.orDie(SqlRunnerStorage.layerWith({ prefix }))),
    Layer.provide(
      ShardingConfig.layer({
        // No port is open, so the address is only a name.
        runnerAddress: Option.some(RunnerAddress.make(worker, 0)),
        // This must be the same in every worker, and never change. It is more than the workers of the largest simulated
        // run.
        shardsPerGroup: 512,
        shardLockDisableAdvisory: true,
        shardLockRefreshInterval: Duration.seconds(3),
        shardLockExpiration: Duration.seconds(12),
        refreshAssignmentsInterval: Duration.seconds(2),
        entityMessagePollInterval: Duration.seconds(1),
        entityTerminationTimeout: Duration.seconds(10),
      }),
    ),
  )
