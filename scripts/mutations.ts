/**
 * Shows that every law's test can fail: takes one guard out of a copy of the sources, runs the test of its law there, and
 * says whether it turned red. A mutant that survives ends with exit code 1.
 *
 *     pnpm mutations                 all of them
 *     pnpm mutations row lock        those with these words in their names, or of that law
 *     pnpm mutations --tenth=TEXT    the tenth of them that the text chooses, a commit's hash say, once all tests have passed
 *     pnpm mutations --write         all of them, and the table in docs/laws.md
 *
 * `FREEHOLD_LAW_RUNS` is the number of cases of each law, 60 unless it is set.
 *
 * *Gotchas*: the copy shares the installed dependencies and nothing else; the working tree is only read.
 */
import { Effect, Redacted } from "effect"
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import * as EmbeddedPostgres from "../packages/adapters-pg/src/embedded/EmbeddedPostgres.ts"
import { type Mutation, mutations } from "./MutationList.ts"
import { copySources, edit } from "./SourceCopy.ts"
import { inTenth, tenthOf } from "./Tenth.ts"

const root = join(import.meta.dirname, "..")
/** A mutant may wait for ever. */
const patienceMillis = 120_000

const begin = "<!-- mutations: written by `pnpm mutations --write` -->"
const end = "<!-- end of mutations -->"

interface Result {
  readonly red: boolean
  /** The file has tests, and none of that title. */
  readonly isStale: boolean
  /** Why, in the words of the test. */
  readonly reason: string
  /** The whole titles of the tests that ran. */
  readonly titles: ReadonlyArray<string>
}

interface Report {
  readonly testResults: ReadonlyArray<{
    readonly assertionResults: ReadonlyArray<{ readonly status: string; readonly title: string }>
  }>
}

/** The sentence of a failure that says most, of all that a run said. */
const reasonOf = (said: string): string => {
  // oxlint-disable-next-line eslint/no-control-regex -- colours of a terminal
  const lines = said.replaceAll(/\u001b\[[0-9;]*m/g, "").split("\n").map((line) => line.trim())
  const causes = lines.flatMap((line) => /^(?:Caused by: )?(?:\w*Error|FiberFailure): (.+)$/.exec(line)?.[1] ?? [])
  const plain = causes.find((cause) => !cause.startsWith("Property failed")) ?? causes[0] ?? "it failed"
  return plain.length > 90 ? `${plain.slice(0, 87)}...` : plain
}

const runTest = async (folder: string, database: string, { test, title }: Mutation): Promise<Result> => {
  const output = join(folder, "report.json")
  rmSync(output, { force: true })
  const escaped = title.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
  const child = spawn(
    process.execPath,
    [
      join(root, "node_modules/vitest/vitest.mjs"),
      "run",
      test,
      "--testNamePattern",
      escaped,
      "--testTimeout=20000",
      "--reporter=json",
      "--reporter=default",
      `--outputFile=${output}`
    ],
    {
      cwd: folder,
      env: { FREEHOLD_LAW_RUNS: "60", ...process.env, NO_COLOR: "1", TEST_DATABASE_URL: database },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true
    }
  )
  let said = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => said += chunk.toString())
  const impatience = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
  }, patienceMillis)
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve))
  clearTimeout(impatience)
  if (!existsSync(output)) {
    return { red: true, isStale: false, reason: code === null ? "it never ends" : reasonOf(said), titles: [] }
  }
  const report: Report = JSON.parse(readFileSync(output, "utf8"))
  const all = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  const ran = all.filter(({ status }) => status === "passed" || status === "failed")
  const failures = ran.filter(({ status }) => status === "failed")
  return {
    red: failures.length > 0 || ran.length === 0 && code !== 0,
    isStale: all.length > 0 && ran.length === 0,
    reason: reasonOf(said),
    titles: ran.map(({ title }) => title)
  }
}

/** A law draws its cases by chance, and some mutants are met by few of them: what no case met is looked for again. */
const mostRuns = 3

const runUntilRed = async (folder: string, database: string, mutation: Mutation): Promise<Result> => {
  let result = await runTest(folder, database, mutation)
  for (let runs = 1; runs < mostRuns && !result.red && !result.isStale; runs++) {
    result = await runTest(folder, database, mutation)
  }
  return result
}

/** Runs `use` with the mutant in the place of the sources. */
const mutated = async <A>(folder: string, { edits, name }: Mutation, use: () => Promise<A>): Promise<A> => {
  const originals = new Map<string, string>()
  try {
    for (const each of edits) {
      const path = join(folder, each.file)
      if (!originals.has(path)) originals.set(path, readFileSync(path, "utf8"))
      edit(folder, name, each)
    }
    return await use()
  } finally {
    for (const [path, text] of originals) writeFileSync(path, text)
  }
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ")

const table = (rows: ReadonlyArray<{ readonly mutation: Mutation; readonly result: Result }>): string =>
  [
    "| law | what is wrong with the mutant | the test that turned red | what it said |",
    "| --- | --- | --- | --- |",
    ...rows.map(({ mutation, result }) =>
      `| ${mutation.law} | ${cell(mutation.name)} | ${basename(mutation.test)}: ${
        cell(result.titles[0] ?? mutation.title)
      } | ${cell(result.red ? result.reason : "**it survived**")} |`
    )
  ].join("\n")

/** The text that chooses a tenth; undefined: all are asked for. */
const tenthText = (options: ReadonlyArray<string>): string | undefined =>
  options.find((word) => word.startsWith("--tenth="))?.slice("--tenth=".length)

/** What the arguments choose. */
const chosenBy = (options: ReadonlyArray<string>): ReadonlyArray<Mutation> => {
  const words = options.filter((word) => !word.startsWith("--")).join(" ")
  const chosen = mutations.filter(({ law, name }) => words === "" || law === words || name.includes(words))
  const text = tenthText(options)
  return text === undefined ? chosen : inTenth(chosen, tenthOf(text))
}

const main = async (folder: string, database: string): Promise<boolean> => {
  const options = process.argv.slice(2)
  const chosen = chosenBy(options)
  if (options.includes("--write") && chosen.length < mutations.length) throw new Error("--write needs all of them")
  copySources(folder)
  const sane = new Map<string, Result>()
  const rows: Array<{ readonly mutation: Mutation; readonly result: Result }> = []
  /** The test of a mutation without it, which must be there and pass. */
  const withoutIt = async (mutation: Mutation): Promise<Result> => {
    const key = `${mutation.test} ${mutation.title}`
    const before = sane.get(key) ?? await runTest(folder, database, mutation)
    sane.set(key, before)
    if (before.red || before.titles.length === 0) {
      throw new Error(`without a mutation, ${key}: ${before.reason || "no such test"}`)
    }
    return before
  }
  // Of a tenth all tests have just passed.
  const haveToPass = tenthText(options) === undefined
  for (const mutation of chosen) {
    const before = haveToPass ? await withoutIt(mutation) : null
    const found = await mutated(folder, mutation, () => runUntilRed(folder, database, mutation))
    if (found.isStale) throw new Error(`${mutation.test} has no test of the title ${mutation.title}`)
    const result = { ...found, titles: before?.titles ?? found.titles }
    rows.push({ mutation, result })
    console.log(`${result.red ? "red     " : "SURVIVED"} ${mutation.law.padEnd(3)} ${mutation.name} (${result.reason})`)
  }
  if (options.includes("--write")) {
    const file = join(root, "docs/laws.md")
    const text = readFileSync(file, "utf8")
    const [head, tail] = [text.indexOf(begin), text.indexOf(end)]
    if (head < 0 || tail < head) throw new Error("docs/laws.md has no place for the table")
    writeFileSync(file, `${text.slice(0, head)}${begin}\n\n${table(rows)}\n\n${text.slice(tail)}`)
  }
  const survivors = rows.filter(({ result }) => !result.red)
  console.log(`${rows.length - survivors.length} of ${rows.length} mutants turned a test red`)
  return survivors.length === 0
}

const folder = mkdtempSync(join(tmpdir(), "freehold-mutations-"))
const data = mkdtempSync(join(tmpdir(), "freehold-mutations-data-"))
try {
  const clean = await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
    const { url } = yield* EmbeddedPostgres.start({
      dataDirectory: data,
      durable: false,
      temporary: true,
      maxConnections: 300
    })
    return yield* Effect.promise(() => main(folder, Redacted.value(url)))
  })))
  process.exitCode = clean ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
  rmSync(data, { recursive: true, force: true })
}
