/**
 * The command as a few files, which start without looking for hundreds of modules.
 *
 * *Gotchas.* The guard of the embedded PostgreSQL and what counts tokens are programs of their own, found beside the modules that start
 * them, so all files lie in one folder. The version is read from the `package.json` above it.
 */
import { cpSync, existsSync } from "node:fs"
import { join } from "node:path"
import { type CodeSplittingOptions, type OutputChunk, rolldown } from "rolldown"

const root = join(import.meta.dirname, "..")

const source = (path: string) => join(root, "packages/cli/src", path)

/**
 * What has to start soon, each going on with what those before it have loaded. What one of them needs beyond that is one
 * file: many small ones take longer to be found and linked than to be read.
 */
const starts: Readonly<Record<string, string>> = {
  Every: source("Freehold.ts"),
  Accounts: source("composition/Accounts.ts"),
  Serving: source("composition/Serving.ts"),
  Server: source("Server.ts")
}

/** The file of each module that a start needs, by the files that the bundler would make. */
const filesOf = (chunks: ReadonlyArray<OutputChunk>): ReadonlyMap<string, string> => {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const files = new Map<string, string>()
  const seen = new Set<string>()
  const take = (name: string, chunk: OutputChunk | undefined): void => {
    if (chunk === undefined || seen.has(chunk.fileName)) return
    seen.add(chunk.fileName)
    for (const id of chunk.moduleIds) files.set(id, name)
    for (const imported of chunk.imports) take(name, byName.get(imported))
  }
  for (const [name, entry] of Object.entries(starts)) {
    take(name, chunks.find(({ moduleIds }) => moduleIds.includes(entry)))
  }
  return files
}

/** The files of the starts, each made before those that go on with it. */
const splitting = (files: ReadonlyMap<string, string>): CodeSplittingOptions => ({
  groups: Object.keys(starts).map((name, index) => ({
    name,
    test: (id) => files.get(id) === name,
    priority: -index,
    // Everything that a file needs of others is in those before it already.
    includeDependenciesRecursively: false
  }))
})

const chunksOf = (output: ReadonlyArray<{ readonly type: string }>) =>
  output.filter((file): file is OutputChunk => file.type === "chunk")

/**
 * Fills the folder; answers the files of other people that went in. `isSmall`: without spaces, for publishing; `isMapped`: with a
 * map to the sources beside each file.
 */
export const bundle = async (
  dist: string,
  { isMapped = false, isSmall }: { readonly isSmall: boolean; readonly isMapped?: boolean }
): Promise<ReadonlyArray<string>> => {
  const build = await rolldown({
    input: {
      Freehold: join(root, "packages/cli/src/Freehold.ts"),
      PostgresGuard: join(root, "packages/adapters-pg/src/embedded/PostgresGuard.ts"),
      TokenCounter: join(root, "packages/mcp-host/src/TokenCounter.ts")
    },
    platform: "node",
    // The first file exports what the others need of it.
    preserveEntrySignatures: "allow-extension",
    logLevel: "warn"
  })
  const alone = await build.generate({ format: "esm" })
  const { output } = await build.write({
    dir: dist,
    format: "esm",
    codeSplitting: splitting(filesOf(chunksOf(alone.output))),
    ...isSmall ? { minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } } } : {},
    ...isMapped ? { sourcemap: "hidden" } : {},
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js"
  })
  await build.close()
  // The catalogue of sources is read while the command runs.
  cpSync(join(root, "sources"), join(dist, "sources"), { recursive: true })
  return output.flatMap((file) => file.type === "chunk" ? file.moduleIds : []).filter((id) =>
    id.includes("/node_modules/") && existsSync(id)
  )
}
