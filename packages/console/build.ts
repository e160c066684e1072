/**
 * Makes `dist`: the app for browsers, and `manifest.json`, which lists its pages and files for whoever serves them.
 *
 * With `--if-changed` it does nothing when what it was made of is the same as the last time.
 */
import { createHash } from "node:crypto"
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "vite"
import { licensesOf } from "../../scripts/Licenses.ts"
import { leads, paths } from "./src/app/Paths.ts"
import { operatorPaths, operatorSignIn } from "./src/operator/OperatorPaths.ts"

// What runs tests sets another one, and React would bring what helps its developers.
process.env["NODE_ENV"] = "production"

const root = import.meta.dirname
const dist = join(root, "dist")

/** The hash of everything that the app is made of. */
const sourceHash = (): string => {
  const files = globSync(["src/**/*", "*.html", "*.ts", "package.json"], { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
  const hash = createHash("sha256")
  for (const file of files) hash.update(file.slice(root.length)).update("\0").update(readFileSync(file))
  return hash.digest("hex")
}

/** The licenses of what the app is built with, served with it. */
const notices = "third-party-notices.txt"

/** The files of other people that went into the app, and the outlines of places, which are loaded as they are. */
const foreignFiles = (built: Awaited<ReturnType<typeof build>>): ReadonlyArray<string> => {
  const outputs = Array.isArray(built) ? built : "output" in built ? [built] : []
  const modules = outputs.flatMap(({ output }) => output.flatMap((each) => each.type === "chunk" ? each.moduleIds : []))
  const files = modules.map((id) => id.replace(/^\0/, "").replace(/\?.*$/, ""))
  return [...files, fileURLToPath(import.meta.resolve("us-atlas/states-10m.json"))].filter((file) =>
    file.includes("/node_modules/") && existsSync(file)
  )
}

const source = sourceHash()
const marker = join(dist, ".source")
const isBuilt = existsSync(marker) && readFileSync(marker, "utf8") === source

if (!process.argv.includes("--if-changed") || !isBuilt) {
  const built = await build({ configFile: join(root, "vite.config.ts"), logLevel: "warn" })
  writeFileSync(join(dist, "assets", notices), licensesOf(foreignFiles(built)))
  const files = globSync("assets/**/*", { cwd: dist, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dist.length + 1))
    .toSorted()
  const { signIn, ...pages } = paths
  const manifest = {
    documents: [
      { file: "index.html", paths: [...Object.values(pages), ...Object.keys(leads)] },
      { file: "sign-in.html", paths: [signIn] },
      { file: "operator.html", paths: Object.values(operatorPaths) },
      { file: "sign-in.html", paths: [operatorSignIn] }
    ],
    files
  }
  writeFileSync(join(dist, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`)
  writeFileSync(marker, source)
}
