/**
 * The command as a few files, which start without looking for hundreds of modules.
 *
 * *Gotchas.* The guard of the embedded PostgreSQL is a program of its own, found beside the module that starts it, so all
 * files lie in one folder. The version is read from the `package.json` above it.
 */
import { cpSync, existsSync } from "node:fs"
import { join } from "node:path"
import { rolldown } from "rolldown"

const root = join(import.meta.dirname, "..")

/** Fills the folder; answers the files of other people that went in. `isSmall`: without spaces, for publishing. */
export const bundle = async (
  dist: string,
  { isSmall }: { readonly isSmall: boolean }
): Promise<ReadonlyArray<string>> => {
  const build = await rolldown({
    input: {
      Freehold: join(root, "packages/cli/src/Freehold.ts"),
      PostgresGuard: join(root, "packages/adapters-pg/src/embedded/PostgresGuard.ts")
    },
    platform: "node",
    logLevel: "warn"
  })
  const { output } = await build.write({
    dir: dist,
    format: "esm",
    ...isSmall ? { minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } } } : {},
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
