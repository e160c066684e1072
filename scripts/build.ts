/**
 * Leaves the tarballs of every published package in `dist`, with the bundle for desktop assistants and the registry's entry,
 * then proves that a stranger can use what they hold: every public module loads in Node and has types, nothing else is
 * reachable, the command answers, and the bundle's program speaks with an assistant.
 *
 * *Gotchas*: `testing/` modules need a test runner, so they are checked by their types only. The command is a package of
 * its own making (`CommandPackage.ts`) and gives out no module.
 */
import { unpackExtension } from "@anthropic-ai/mcpb"
import { execFileSync } from "node:child_process"
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type desktopManifest, packForAssistants } from "./AssistantPackages.ts"
import { packCommand } from "./CommandPackage.ts"

interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly devDependencies?: Record<string, string>
  readonly publishConfig?: {
    /** Null takes back what another entry gives out. */
    readonly exports?: Record<string, object | string | null>
  }
}

const root = join(import.meta.dirname, "..")

/** Runs a command; what it says goes to standard error. */
const run = (cwd: string, command: string, ...args: ReadonlyArray<string>): void => {
  execFileSync(command, args, { cwd, stdio: ["ignore", 2, 2] })
}

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

const libraries = globSync("packages/*/package.json", { cwd: root }).toSorted().map((file) => {
  const folder = join(root, file, "..")
  return { folder, ...manifestOf(folder) }
}).filter((each) => each.private !== true && each.publishConfig?.exports !== undefined)

const dist = join(root, "dist")

/** The import specifiers of a package's modules: those that `exports` gives out, and the others. */
const modulesOf = ({ folder, name, publishConfig }: (typeof libraries)[number]) => {
  const entries = Object.entries(publishConfig?.exports ?? {})
  const isPublic = (module: string): boolean => {
    const given = entries.filter(([pattern]) => {
      const [start = "", end] = pattern.split("*")
      return end === undefined ? module === pattern : module.startsWith(start) && module.endsWith(end)
    })
    return given.length > 0 && given.every(([, target]) => target !== null)
  }
  const modules = globSync("**/*.js", { cwd: join(folder, "dist") }).map((file) => `./${file.slice(0, -".js".length)}`)
  const { hidden = [], open = [] } = Object.groupBy(
    modules.toSorted(),
    (module) => isPublic(module) ? "open" : "hidden"
  )
  const specifier = (module: string) => `${name}${module.slice(1)}`
  return { hidden: hidden.map(specifier), open: open.map(specifier) }
}

const emit = () => {
  for (const { folder } of libraries) rmSync(join(folder, "dist"), { recursive: true, force: true })
  run(root, join(root, "node_modules/.bin/tsc"), "-b", ...libraries.map(({ folder }) => folder))
  for (const { folder } of libraries) {
    // What is not TypeScript is read beside the module that needs it, so it goes along.
    cpSync(join(folder, "src"), join(folder, "dist"), {
      recursive: true,
      filter: (source) => statSync(source).isDirectory() || !/\.[cm]?ts$/.test(source)
    })
  }
}

/** Answers the tarball of each library, and that of the command. */
const pack = async () => {
  for (const old of globSync("*.{tgz,mcpb}", { cwd: dist })) rmSync(join(dist, old))
  mkdirSync(dist, { recursive: true })
  const tarballs = libraries.map(({ folder, name, version }) => {
    const tarball = join(dist, `${name.slice(1).replace("/", "-")}-${version}.tgz`)
    run(folder, "pnpm", "pack", "--out", tarball)
    return [name, `file:${tarball}`] as const
  })
  const command = await packCommand(dist)
  const bundle = await packForAssistants(command, dist)
  return { tarballs, bundle, command: ["freehold", `file:${command}`] as const }
}

/** Starts the bundle's program as its manifest says, and asks it for its tools; no server is there, and it stays. */
const verifyBundle = async (bundle: string, folder: string) => {
  if (!await unpackExtension({ mcpbPath: bundle, outputDir: folder, silent: true })) {
    throw new Error("cannot be unpacked")
  }
  const { server: { mcp_config: { args } } }: ReturnType<typeof desktopManifest> = JSON.parse(
    readFileSync(join(folder, "manifest.json"), "utf8")
  )
  const given = args.map((arg) =>
    arg.replace("${__dirname}", folder).replace("${user_config.api_root}", "http://127.0.0.1:9/v1")
  )
  const request = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`
  const clientInfo = { name: "build", version: "1.0.0" }
  const answers = execFileSync(process.execPath, given, {
    input: request(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }) +
      request(2, "tools/list", {}),
    env: { ...process.env, FREEHOLD_API_KEY: `fhk_${"A".repeat(43)}` },
    encoding: "utf8",
    stdio: ["pipe", "pipe", 2]
  }).trim().split("\n").map((line) => JSON.parse(line))
  if (!(answers.find(({ id }) => id === 2)?.result.tools.length > 0)) throw new Error("the bundle lists no tools")
}

/** An empty project that has only the packed packages installed, by plain npm. */
const install = (consumer: string, { command, tarballs }: Awaited<ReturnType<typeof pack>>) => {
  const tools = manifestOf(root).devDependencies ?? {}
  const runners = ["@effect/vitest", "@types/node", "effect", "fast-check", "vitest"].map((name) =>
    [name, tools[name]] as const
  )
  const dependencies = Object.fromEntries([...tarballs, command, ...runners])
  writeFileSync(join(consumer, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }))
  run(consumer, "npm", "install", "--prefer-offline", "--no-audit", "--no-fund", "--omit=optional")
}

const verify = (consumer: string) => {
  const modules = libraries.flatMap((each) => modulesOf(each).open)
  const loadable = modules.filter((name) => !/\/testing\//.test(name))
  writeFileSync(join(consumer, "load.js"), loadable.map((name) => `await import(${JSON.stringify(name)})\n`).join(""))
  run(consumer, process.execPath, "load.js")

  writeFileSync(
    join(consumer, "types.ts"),
    modules.map((name, i) => `export type * as Module${i} from ${JSON.stringify(name)}\n`).join("")
  )
  writeFileSync(
    join(consumer, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        target: "ES2024",
        module: "NodeNext",
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        types: ["node"]
      },
      files: ["types.ts"]
    })
  )
  run(consumer, join(root, "node_modules/.bin/tsc"), "-p", ".")

  // Refused as not exported; anything else, even success, is a leak.
  const hidden = libraries.flatMap((each) => [...modulesOf(each).hidden, `${each.name}/internal/anything`])
  writeFileSync(
    join(consumer, "hidden.js"),
    hidden.map((name) =>
      `if (await import(${
        JSON.stringify(name)
      }).then(() => "", (error) => error.code) !== "ERR_PACKAGE_PATH_NOT_EXPORTED")
  throw new Error(${JSON.stringify(`${name} can be imported`)})\n`
    ).join("")
  )
  run(consumer, process.execPath, "hidden.js")
  run(consumer, join(consumer, "node_modules/.bin/freehold"), "--help")
  return modules.length
}

emit()
const packed = await pack()
const consumer = mkdtempSync(join(tmpdir(), "freehold-build-"))
try {
  install(consumer, packed)
  const modules = verify(consumer)
  await verifyBundle(packed.bundle, join(consumer, "bundle"))
  console.log(
    `${
      packed.tarballs.length + 1
    } tarballs in dist; installed elsewhere, ${modules} modules load, freehold runs, and so does its bundle`
  )
} finally {
  rmSync(consumer, { recursive: true, force: true })
}
