/**
 * Makes `dist` of every package, then proves that what `pnpm pack` would publish can be installed and imported by a
 * stranger: every public module loads in Node and has types, nothing else is reachable, and the command answers.
 *
 * *Gotchas*: `testing/` modules need a test runner, so they are checked by their types only; `main` modules run when
 * imported, so they are called through their `bin`.
 */
import { strict as assert } from "node:assert"
import { execFileSync } from "node:child_process"
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"

interface Manifest {
  readonly name: string
  readonly devDependencies?: Record<string, string>
  readonly publishConfig?: {
    readonly bin?: Record<string, string>
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

const packages = globSync("packages/*/package.json", { cwd: root }).map((file) => {
  const folder = join(root, file, "..")
  return { folder, ...manifestOf(folder) }
})

/** The import specifiers of a package's modules: those that `exports` gives out, and the others. */
const modulesOf = ({ folder, name, publishConfig }: (typeof packages)[number]) => {
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
  for (const { folder } of packages) rmSync(join(folder, "dist"), { recursive: true, force: true })
  run(root, join(root, "node_modules/.bin/tsc"), "-b", ...packages.map(({ folder }) => folder))
  for (const { folder } of packages) {
    // What is not TypeScript is read beside the module that needs it, so it goes along.
    cpSync(join(folder, "src"), join(folder, "dist"), {
      recursive: true,
      filter: (source) => statSync(source).isDirectory() || !/\.[cm]?ts$/.test(source)
    })
  }
}

/** An empty project that has only the packed packages installed. */
const install = (consumer: string) => {
  const tarballs = packages.map(({ folder, name }) => {
    const target = join(consumer, `${name.replace(/[@/]/g, "_")}.tgz`)
    run(folder, "pnpm", "pack", "--out", target)
    return [name, `file:./${basename(target)}`] as const
  })
  const tools = manifestOf(root).devDependencies ?? {}
  const runners = ["@effect/vitest", "@types/node", "fast-check", "vitest"].map((name) => [name, tools[name]] as const)
  writeFileSync(
    join(consumer, "package.json"),
    JSON.stringify({ private: true, type: "module", dependencies: Object.fromEntries([...tarballs, ...runners]) })
  )
  writeFileSync(join(consumer, "pnpm-workspace.yaml"), JSON.stringify({ overrides: Object.fromEntries(tarballs) }))
  run(consumer, "pnpm", "install", "--prefer-offline", "--ignore-scripts", "--no-frozen-lockfile")
}

const verify = (consumer: string) => {
  const modules = packages.flatMap((each) => modulesOf(each).open)
  const loadable = modules.filter((name) => !/\/(testing\/.*|main)$/.test(name))
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
  const hidden = packages.flatMap((each) => [...modulesOf(each).hidden, `${each.name}/internal/anything`])
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
  const commands = packages.flatMap(({ folder, publishConfig }) =>
    Object.entries(publishConfig?.bin ?? {}).map(([command, file]) => {
      // npm links the file itself, so the shell needs its first line.
      assert(readFileSync(join(folder, file), "utf8").startsWith("#!/usr/bin/env node\n"), `${file} has no shebang`)
      run(consumer, join(consumer, "node_modules/.bin", command), "--help")
      return command
    })
  )
  return { modules: modules.length, commands }
}

emit()
const consumer = mkdtempSync(join(tmpdir(), "freehold-build-"))
try {
  install(consumer)
  const { commands, modules } = verify(consumer)
  console.log(
    `built ${packages.length} packages; installed elsewhere, ${modules} modules load and ${commands.join(", ")} runs`
  )
} finally {
  rmSync(consumer, { recursive: true, force: true })
}
