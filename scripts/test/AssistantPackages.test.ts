/** What assistants are told of the command before it runs: the manifest of its bundle, and the registry's entry. */
import { v0_3 } from "@anthropic-ai/mcpb"
import { Ajv } from "ajv"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { type CommandManifest, desktopManifest, registryEntry } from "../AssistantPackages.ts"

const command: CommandManifest = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../packages/freehold/package.json"), "utf8")
)

const text = (maxLength: number) => ({ type: "string", minLength: 1, maxLength })

/** What the registry's schema of 2025-12-11 and its rules for publishing demand of such an entry. */
const entrySchema = {
  type: "object",
  additionalProperties: false,
  required: ["$schema", "name", "description", "version"],
  properties: {
    $schema: { const: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json" },
    name: { type: "string", minLength: 3, maxLength: 200, pattern: "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$" },
    title: text(100),
    description: text(100),
    version: { type: "string", maxLength: 255, pattern: "^\\d+\\.\\d+\\.\\d+" },
    repository: {
      type: "object",
      required: ["url", "source"],
      properties: {
        url: { type: "string", pattern: "^https://github.com/" },
        source: { const: "github" },
        subfolder: { type: "string" }
      }
    },
    packages: {
      type: "array",
      items: {
        type: "object",
        required: ["registryType", "identifier", "transport"],
        properties: {
          transport: { type: "object", properties: { type: { enum: ["stdio", "streamable-http", "sse"] } } },
          packageArguments: {
            type: "array",
            items: {
              type: "object",
              required: ["type"],
              oneOf: [
                {
                  properties: { type: { const: "positional" } },
                  anyOf: [{ required: ["valueHint"] }, { required: ["value"] }]
                },
                { properties: { type: { const: "named" } }, required: ["name"] }
              ]
            }
          },
          environmentVariables: { type: "array", items: { type: "object", required: ["name"] } }
        },
        oneOf: [
          {
            properties: { registryType: { const: "npm" }, registryBaseUrl: { const: "https://registry.npmjs.org" } },
            required: ["version"]
          },
          {
            properties: {
              registryType: { const: "mcpb" },
              identifier: { type: "string", pattern: "^https://github.com/.+/releases/download/.+[.]mcpb$" },
              fileSha256: { type: "string", pattern: "^[a-f0-9]{64}$" }
            },
            required: ["fileSha256"]
          }
        ]
      }
    }
  }
}

describe("the bundle's manifest", () => {
  it("is one of version 0.3, which asks for the server and for a key that is kept secret", () => {
    const manifest = desktopManifest(command)
    assert.isUndefined(v0_3.McpbManifestSchema.safeParse(manifest).error)
    assert.strictEqual(manifest.version, command.version)
    assert.isTrue(manifest.user_config.api_key.sensitive)
    assert.notInclude(manifest.server.mcp_config.args.join(" "), "api_key")
  })
})

describe("the registry's entry", () => {
  it("fits its schema, and names the packages by the version and the name that they have", () => {
    const entry = registryEntry(command, "0".repeat(64))
    const validate = new Ajv({ strict: false }).compile(entrySchema)
    assert.isTrue(validate(entry), JSON.stringify(validate.errors))
    assert.strictEqual(entry.name, command.mcpName)
    assert.deepStrictEqual(entry.packages.map(({ registryType }) => registryType), ["npm", "mcpb"])
    assert.strictEqual(entry.packages[0]?.version, command.version)
  })
})
