/** Writes findings as SARIF 2.1.0, which forges and editors show beside the code. Pure. */
import * as Text from "../base/Text.ts"
import { type Finding, type RuleId, rules } from "./Findings.ts"

/**
 * Returns the log as a value for JSON. Locations are relative to the top of the repository. `folder`: the folder of the
 * index, relative to the top, with `/`; empty if they are the same. `vibe`: the version of the program.
 */
export const toSarif = (findings: ReadonlyArray<Finding>, folder: string, vibe: string): object => ({
  $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
  version: "2.1.0",
  runs: [
    {
      tool: {
        driver: {
          name: "vibe",
          version: vibe,
          informationUri: "https://github.com/vibe-index/vibe-index",
          rules: ids.map((id) => ({
            id,
            shortDescription: { text: rules[id].title },
            help: { text: rules[id].help },
            defaultConfiguration: { level: rules[id].level },
          })),
        },
      },
      columnKind: "utf16CodeUnits",
      results: findings.map((finding) => toResult(finding, folder)),
    },
  ],
})

// The keys of a constant object.
const ids = Object.keys(rules) as ReadonlyArray<RuleId>

const toResult = ({ level, line, message, path, rule, symbol }: Finding, folder: string) => {
  const uri = [...(folder === "" ? [] : folder.split("/")), ...path.split("/")].map(encode).join("/")
  return {
    ruleId: rule,
    ruleIndex: ids.indexOf(rule),
    level,
    message: { text: message },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri, uriBaseId: "%SRCROOT%" }, region: { startLine: line } },
        ...(symbol !== undefined && {
          logicalLocations: [{ name: symbol.name, fullyQualifiedName: symbol.qualifiedName }],
        }),
      },
    ],
    // The fingerprint stays the same for as long as the finding stands, wherever its lines move.
    partialFingerprints: {
      "vibeFinding/v1": Text.sha256([rule, uri, symbol?.qualifiedName ?? ""].join("\0")).slice(0, 32),
    },
  }
}

const encode = (name: string): string => encodeURIComponent(name.toWellFormed())
