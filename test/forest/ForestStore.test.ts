import * as ForestStore from "../../src/forest/ForestStore.ts"
import { contract } from "./ForestStore.contract.ts"

contract("memory", ForestStore.layerMemory)
