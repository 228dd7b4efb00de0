/** What is not code on this machine, by the services of @effect/platform: settings, scripts, transcripts. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as Layer from "effect/Layer"

export const layer = Layer.merge(NodeFileSystem.layer, NodePath.layer)
