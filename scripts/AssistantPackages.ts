/**
 * How an assistant gets at the command without a person who types it: a bundle that a desktop assistant installs (`.mcpb`), and
 * the entry of the public registry of MCP servers (`server.json`). Both start `freehold mcp --url`, over a server that runs
 * already.
 *
 * Manifest 0.3 of https://github.com/modelcontextprotocol/mcpb, checked by its own tool; server.json as in
 * https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json.
 */
import { packExtension } from "@anthropic-ai/mcpb"
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { tools } from "../packages/mcp-host/src/Tools.ts"

/** The package of the command, as far as both tell it. */
export interface CommandManifest {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly mcpName: string
  readonly engines: { readonly node: string }
  readonly repository: { readonly url: string; readonly directory: string }
}

const description = "Search commercial property, unlock who is behind it, and qualify leads on your company's Freehold."

const asked = {
  apiRoot: "The API root of your company's server, as in https://api.example.com/v1",
  key: "A key of your organization that has the scope mcp"
}

const webOf = ({ repository: { url } }: CommandManifest): string => url.replace(/^git\+|\.git$/g, "")

/** The manifest of the bundle, whose program lies in `server`. */
export const desktopManifest = (command: CommandManifest) => ({
  manifest_version: "0.3",
  name: command.name,
  display_name: "Freehold",
  version: command.version,
  description,
  author: { name: "Freehold" },
  repository: { type: "git", url: command.repository.url.replace(/^git\+/, "") },
  documentation: `${webOf(command)}/blob/main/docs/assistants.md`,
  license: command.license,
  keywords: ["commercial property", "leads", "contacts"],
  server: {
    type: "node",
    entry_point: "server/bin/freehold.cjs",
    mcp_config: {
      command: "node",
      args: ["${__dirname}/server/bin/freehold.cjs", "mcp", "--url", "${user_config.api_root}"],
      env: { FREEHOLD_API_KEY: "${user_config.api_key}" }
    }
  },
  tools: tools.map(({ published: { description, name } }) => ({ name, description })),
  // A key is offered the tools that are its own.
  tools_generated: true,
  prompts_generated: true,
  compatibility: { platforms: ["darwin", "win32", "linux"], runtimes: { node: command.engines.node } },
  user_config: {
    api_root: { type: "string", title: "API root", description: asked.apiRoot, required: true },
    api_key: { type: "string", title: "Key", description: asked.key, required: true, sensitive: true }
  }
})

/** The registry's entry. `sha256` is that of the bundle. */
export const registryEntry = (command: CommandManifest, sha256: string) => ({
  $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  name: command.mcpName,
  title: "Freehold",
  description,
  repository: { url: webOf(command), source: "github", subfolder: command.repository.directory },
  version: command.version,
  packages: [
    {
      registryType: "npm",
      registryBaseUrl: "https://registry.npmjs.org",
      identifier: command.name,
      version: command.version,
      runtimeHint: "npx",
      transport: { type: "stdio" },
      packageArguments: [
        { type: "positional", value: "mcp" },
        { type: "named", name: "--url", description: asked.apiRoot, isRequired: true }
      ],
      environmentVariables: [{ name: "FREEHOLD_API_KEY", description: asked.key, isRequired: true, isSecret: true }]
    },
    {
      registryType: "mcpb",
      identifier: `${webOf(command)}/releases/download/v${command.version}/${bundleName(command)}`,
      fileSha256: sha256,
      transport: { type: "stdio" }
    }
  ]
})

const bundleName = ({ name, version }: CommandManifest) => `${name}-${version}.mcpb`

/** Leaves both in the folder, made of the command's tarball there; answers the bundle's path. */
export const packForAssistants = async (tarball: string, to: string): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "freehold-bundle-"))
  try {
    execFileSync("tar", ["-xzf", tarball, "-C", folder], { stdio: ["ignore", "ignore", 2] })
    const source = join(folder, "package")
    const command: CommandManifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8"))
    const extensionPath = join(folder, "bundle")
    mkdirSync(join(extensionPath, "server"), { recursive: true })
    // Neither the app nor the reference page, which a process over stdio never serves.
    for (const name of ["bin", "dist", "package.json", "LICENSE"]) {
      cpSync(join(source, name), join(extensionPath, "server", name), { recursive: true })
    }
    writeFileSync(join(extensionPath, "manifest.json"), JSON.stringify(desktopManifest(command), null, 2))
    const outputPath = join(to, bundleName(command))
    if (!await packExtension({ extensionPath, outputPath, silent: true })) throw new Error("the bundle is not valid")
    const sha256 = createHash("sha256").update(readFileSync(outputPath)).digest("hex")
    writeFileSync(join(to, "server.json"), `${JSON.stringify(registryEntry(command, sha256), null, 2)}\n`)
    return outputPath
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
