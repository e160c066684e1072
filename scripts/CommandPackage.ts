/**
 * Packs the package `freehold`: the command with everything that it needs in a few files, so that it installs as one
 * package and starts without looking for hundreds of modules.
 *
 * *Gotchas*
 *
 * - The files of the reference page and of the app are read while it runs, so they go along as bundled dependencies.
 * - The licenses of what is bundled go along in `dist/licenses.txt`.
 */
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { bundle } from "./CommandBundle.ts"
import { licensesOf } from "./Licenses.ts"

const root = join(import.meta.dirname, "..")

interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly devDependencies?: object
}

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/** The reference page without what reports its installations to its maker. */
const addReferencePage = (folder: string): string => {
  const host = createRequire(join(root, "packages/http-host/package.json"))
  const source = dirname(host.resolve("swagger-ui-dist/package.json"))
  const target = join(folder, "node_modules/swagger-ui-dist")
  mkdirSync(target, { recursive: true })
  for (const name of ["swagger-ui-bundle.js", "swagger-ui.css", "LICENSE", "NOTICE"]) {
    cpSync(join(source, name), join(target, name))
  }
  const { license, name, version = "" } = manifestOf(source)
  writeFileSync(join(target, "package.json"), JSON.stringify({ name, version, license }))
  return version
}

/** The app, built for browsers, as the package that the command looks for. */
const addConsole = (folder: string): string => {
  const source = join(root, "packages/console")
  execFileSync(process.execPath, [join(source, "build.ts"), "--if-changed"], { stdio: ["ignore", 2, 2] })
  const target = join(folder, "node_modules/@freehold/console")
  mkdirSync(target, { recursive: true })
  cpSync(join(source, "dist"), join(target, "dist"), { recursive: true })
  cpSync(join(root, "LICENSE"), join(target, "LICENSE"))
  const { license, name, version = "" } = manifestOf(source)
  writeFileSync(
    join(target, "package.json"),
    JSON.stringify({ name, version, license, exports: { "./dist/*": "./dist/*" } })
  )
  return version
}

/** Makes the package in a folder of its own and leaves its tarball in another; answers the tarball's path. */
export const packCommand = async (to: string): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "freehold-pack-"))
  try {
    const source = join(root, "packages/freehold")
    for (const name of ["bin", "README.md"]) cpSync(join(source, name), join(folder, name), { recursive: true })
    cpSync(join(root, "LICENSE"), join(folder, "LICENSE"))
    const dist = join(folder, "dist")
    writeFileSync(join(dist, "licenses.txt"), licensesOf(await bundle(dist, { isSmall: true })))
    const { devDependencies: _, ...manifest } = manifestOf(source)
    writeFileSync(
      join(folder, "package.json"),
      `${
        JSON.stringify(
          {
            ...manifest,
            dependencies: { "swagger-ui-dist": addReferencePage(folder), "@freehold/console": addConsole(folder) },
            bundleDependencies: ["swagger-ui-dist", "@freehold/console"]
          },
          null,
          2
        )
      }\n`
    )
    execFileSync("npm", ["pack", "--silent", "--pack-destination", to], { cwd: folder, stdio: ["ignore", "ignore", 2] })
    return join(to, `freehold-${manifest.version}.tgz`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
