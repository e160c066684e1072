/** The first minutes of a newcomer: the demonstration on the embedded database, in two places, twice. */
import { execFile } from "node:child_process"
import { once } from "node:events"
import * as Fs from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, describe, inject, it } from "vitest"
import * as AnswerCosts from "../../testing/AnswerCosts.ts"
import { run, runJson, serve, type Server } from "../Freehold.ts"
import type { Told } from "../Told.ts"

/** Milliseconds; a key may ask so often a minute. */
const askedEvery = 100

const folders: Array<string> = []

const dataDirectory = (): string => {
  const folder = Fs.mkdtempSync(join(inject("postgres").folder, "demo-"))
  folders.push(folder)
  return folder
}

afterAll(() => {
  for (const folder of folders) Fs.rmSync(folder, { recursive: true, force: true })
})

const demonstrate = async (directory: string, more: Readonly<Record<string, string>> = {}) => {
  const server = await serve(["--demo"], { FREEHOLD_DATA_DIR: directory, ...more })
  while (!server.output().includes("freehold lead qualify")) await once(server.process.stdout ?? server.process, "data")
  const key = /fhk_[\w-]{43}/.exec(server.output())?.[0] ?? ""
  const ask = async (method: string, path: string, body?: unknown): Promise<Told> => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...body === undefined ? {} : { "content-type": "application/json" } },
      ...body === undefined ? {} : { body: JSON.stringify(body) }
    })
    const answer = await response.json() as { readonly success: boolean; readonly data: Told }
    assert.isTrue(answer.success, JSON.stringify(answer))
    return answer.data
  }
  return { server, key, ask }
}

const suggested = (server: Server): string => /\/properties\/(\S+)\/unlock/.exec(server.output())?.[1] ?? ""

/** The commands that are printed to be pasted, in their order. */
const printed = (server: Server): ReadonlyArray<string> =>
  Array.from(
    server.output().matchAll(/^(?: {2}.*? )?((?:curl -s|npx freehold) .*)$/gm),
    ([, command]) => command ?? ""
  )

/** The words of a command; none that is printed has a quote within quotes. */
const words = (command: string): ReadonlyArray<string> =>
  Array.from(
    command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g),
    ([, double, single, plain]) => double ?? single ?? plain ?? ""
  )

/** Does what the printed `curl` does. */
const curl = async (command: string): Promise<Told> => {
  const [, , url = "", ...options] = words(command)
  const given = (flag: string) => options.flatMap((word, index) => options[index - 1] === flag ? [word] : [])
  const [body] = given("-d")
  const response = await fetch(url, {
    method: given("-X")[0] ?? (body === undefined ? "GET" : "POST"),
    headers: given("-H").map((line): [string, string] => [line.split(": ")[0] ?? "", line.split(": ")[1] ?? ""]),
    ...body === undefined ? {} : { body }
  })
  const answer = await response.json() as Told
  assert.isTrue(answer.success ?? answer.result.isError !== true, `${command}\n${JSON.stringify(answer)}`)
  return answer.result?.structuredContent ?? answer.data
}

const search = { filters: { countyFips: ["53901", "53903", "53905"] }, limit: 20, sortBy: "address" }

describe("freehold serve --demo", () => {
  it("makes the same records in two places, keeps its key, and suggests a property that is locked", async () => {
    const directory = dataDirectory()
    const first = await demonstrate(directory)
    const found = await first.ask("POST", "/properties/search", search)
    assert.strictEqual(found.total_matching, 1700)
    const property = suggested(first.server)
    const locked = await first.ask("GET", `/properties/${property}/detail`)
    assert.strictEqual(locked.researchState, "locked")
    assert.isAbove(locked.contactsSummary.totalCount, 0)
    assert.deepInclude<unknown>(await first.ask("POST", `/properties/${property}/unlock`), {
      alreadyRevealed: false,
      creditsCharged: 10
    })
    assert.isAbove((await first.ask("GET", `/properties/${property}/detail`)).contacts.length, 0)
    assert.strictEqual(Fs.statSync(join(directory, "demo-key")).mode & 0o777, 0o600)
    assert.strictEqual(Fs.statSync(join(directory, "encryption-key")).mode & 0o777, 0o600)
    assert.strictEqual(await first.server.stop(), 0)

    const [file, away] = [join(directory, "encryption-key"), join(directory, "elsewhere")]
    Fs.renameSync(file, away)
    const refused = await run(["worker"], { FREEHOLD_DATA_DIR: directory })
    assert.match(refused.stderr, /^freehold: the encryption key \S+ is missing, .+ Put back the one .+\n$/)
    assert.isFalse(Fs.existsSync(file))
    Fs.renameSync(away, file)

    const own = { FREEHOLD_DATA_DIR: directory }
    const keys = async () => (await runJson(["key", "list", "--org", "org_demo"], own) as Told).items
    const [key] = await keys()
    const rotated = await runJson(["key", "rotate", key?.credential_id ?? "", "--overlap", "24h"], own) as Told
    const kept = await run(["serve", "--demo", "--port", "0"], own)
    assert.strictEqual(kept.code, 1)
    assert.match(
      kept.stderr,
      /the demonstration key in \S+demo-key was given another secret; remove the file to have another made\n$/
    )
    assert.strictEqual((await keys())[0]?.status, "active", "nothing is revoked by a start that is refused")
    Fs.writeFileSync(join(directory, "demo-key"), String(rotated.secret))

    const again = await demonstrate(directory)
    assert.strictEqual(again.key, rotated.secret)
    assert.notStrictEqual(suggested(again.server), property)
    assert.strictEqual(await again.server.stop(), 0)

    const elsewhere = await demonstrate(dataDirectory())
    assert.notStrictEqual(elsewhere.key, first.key)
    const same = await elsewhere.ask("POST", "/properties/search", search)
    assert.deepStrictEqual(same.results.map((row) => row.id), found.results.map((row) => row.id))
    assert.strictEqual(await elsewhere.server.stop(), 0)
  })

  it("prints commands that work in the order in which they stand, and in any other one", async () => {
    const env = { FREEHOLD_DATA_DIR: dataDirectory() }
    const work = async (commands: ReadonlyArray<string>) => {
      const told: Array<Told> = []
      for (const command of commands) {
        told.push(
          command.startsWith("curl") ? await curl(command) : await runJson(words(command).slice(2), env) as Told
        )
      }
      return told
    }
    const researched = async (server: Server, { run_id }: Told): Promise<Told> => {
      const status = { jsonrpc: "2.0", id: 1, method: "tools/call", params: {} }
      const call = { ...status, params: { name: "service_get_research_status", arguments: { run_id } } }
      const key = /fhk_[\w-]{43}/.exec(server.output())?.[0]
      const headers = `-H "Authorization: Bearer ${key}" -H "Content-Type: application/json"`
      const ask = () => curl(`curl -s "${server.url}/mcp" ${headers} -d '${JSON.stringify(call)}'`)
      let run = await ask()
      while (run.finished_at === null) {
        await setTimeout(askedEvery)
        run = await ask()
      }
      return run
    }

    const { server } = await demonstrate(env.FREEHOLD_DATA_DIR)
    const commands = printed(server)
    const programs = commands.map((command) => command.split(" ")[0])
    assert.strictEqual(programs.join(" "), `curl curl curl ${"npx ".repeat(7)}curl curl npx`)
    const [found, unlocked, launched, ...others] = await work(commands)
    assert.lengthOf(found?.results ?? [], 3)
    assert.deepStrictEqual<unknown>(unlocked, { alreadyRevealed: false, creditsCharged: 10 })
    const complete = { status: "complete", credits_charged: 10, credits_returned: 0 }
    assert.deepInclude<unknown>(await researched(server, launched ?? assert.fail("nothing launched")), complete)
    assert.strictEqual(others.at(-1)?.first_time, true)
    const again = await work(commands.filter((command) => command.startsWith("curl")))
    assert.deepStrictEqual<unknown>(again[1], { alreadyRevealed: true, creditsCharged: 0 })
    assert.strictEqual(await server.stop(), 0)

    const next = await demonstrate(env.FREEHOLD_DATA_DIR)
    const [search, unlock, research, qualify] = [...printed(next.server).slice(0, 3), ...printed(next.server).slice(-1)]
    const backwards = await work([qualify, research, unlock, search].filter((command) => command !== undefined))
    assert.strictEqual(backwards[0]?.first_time, true)
    assert.deepInclude<unknown>(
      await researched(next.server, backwards[1] ?? assert.fail("nothing launched")),
      complete
    )
    assert.deepStrictEqual<unknown>(backwards[2], { alreadyRevealed: false, creditsCharged: 10 })
    assert.strictEqual(await next.server.stop(), 0)
  })

  it("shows what a team did, made once: leads, a note, tasks, a list, a search, changes and a draft", async () => {
    const directory = dataDirectory()
    const env = { FREEHOLD_DATA_DIR: directory }
    const ofDemo = (...command: ReadonlyArray<string>) =>
      runJson([...command, "--org", "org_demo"], env) as Promise<Told>
    const first = await demonstrate(directory)
    const lead = /lead show --property (\S+)/.exec(first.server.output())?.[1] ?? ""
    const draftRun = /"run_id":"([^"]+)"/.exec(first.server.output())?.[1] ?? ""
    assert.strictEqual(await first.server.stop(), 0)

    const { ask, server } = await demonstrate(directory)
    assert.include(server.output(), `"run_id":"${draftRun}"`)
    const [leads, notes, tasks, lists, searches] = await Promise.all([
      ofDemo("lead", "list"),
      ofDemo("note", "list", "--property", lead),
      ofDemo("task", "list"),
      ofDemo("list", "list"),
      ofDemo("search", "list")
    ])
    assert.sameMembers(leads.items.map(({ status }) => status), ["active_opportunity", "qualified", "disqualified"])
    assert.deepStrictEqual([notes, tasks, lists, searches].map(({ items }) => items.length), [1, 2, 1, 1])
    assert.strictEqual(lists.items[0]?.item_count, 5)
    assert.lengthOf((await ask("GET", "/changes")).changes, 3)
    const tool = async (name: string, input: unknown): Promise<Told> => {
      const response = await fetch(`${server.url}/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${/fhk_[\w-]{43}/.exec(server.output())?.[0]}`,
          "content-type": "application/json"
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } })
      })
      return ((await response.json()) as Told).result.structuredContent
    }
    const draft = await tool("service_get_research_status", { run_id: draftRun })
    assert.strictEqual(draft.status, "complete")
    assert.match(draft.draft.body, /Ada Sampleton/)
    const property = suggested(server)
    const { run_id } = await tool("service_research_property", { id: property })
    let run = await tool("service_get_research_status", { run_id })
    while (run.finished_at === null) {
      await setTimeout(askedEvery)
      run = await tool("service_get_research_status", { run_id })
    }
    assert.deepInclude<unknown>(run, { status: "complete", credits_charged: 10, credits_returned: 0 })
    assert.notStrictEqual((await ask("GET", `/properties/${property}/detail`)).researchState, "locked")

    const costs = await AnswerCosts.measure(tool)
    if (process.env["FREEHOLD_ANSWER_COSTS"] === "write") AnswerCosts.write(costs)
    const told = AnswerCosts.told()
    assert.sameMembers(Array.from(told.keys()), costs.map(({ name }) => name))
    // Ids, cursors and moments are others each time: some tokens more say nothing.
    assert.deepStrictEqual(costs.filter(({ name, tokens }) => tokens > (told.get(name) ?? 0) * 1.2 + 15), [])
    // A key is nobody, and only a person writes these.
    const refusals = costs.flatMap(({ name, refused }) => refused === null ? [] : [[name, refused]])
    assert.deepStrictEqual(
      refusals,
      ["service_add_note", "service_save_search", "service_delete_saved_search"].map((
        name
      ) => [name, "ACTING_USER_REQUIRED"])
    )
    assert.strictEqual(await server.stop(), 0)
  })

  it(
    "lets a second terminal join, delivers webhooks to this machine, and goes the whole way from a search to a draft",
    async () => {
      const directory = dataDirectory()
      const receiver = createServer((request, response) => {
        request.resume().once("end", () => response.writeHead(204).end())
      }).listen(0, "127.0.0.1")
      await once(receiver, "listening")
      const { ask, key, server } = await demonstrate(directory, { FREEHOLD_WEBHOOK_TARGETS: "any" })
      await ask("POST", "/webhooks", { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/` })
      const received = once(receiver, "request")
      const qualified = await runJson(
        ["lead", "qualify", "--org", "org_demo", "--property", suggested(server), "--deal-value", "25000"],
        { FREEHOLD_DATA_DIR: directory }
      ) as Told
      assert.strictEqual(qualified.first_time, true)
      const [request] = await received
      assert.strictEqual(request.headers["service-event-type"], "lead.qualified")

      const delivered = once(receiver, "request")
      const script = fileURLToPath(new URL("../../../../examples/whole-way.ts", import.meta.url))
      const { stdout } = await promisify(execFile)(process.execPath, [script, server.url], {
        env: { ...process.env, FREEHOLD_API_KEY: key }
      })
      const steps = ["search", "unlock", "list", "qualify", "research", "draft"]
      assert.deepStrictEqual(stdout.split("\n").slice(0, 6).map((line) => line.slice(0, 10).trim()), steps)
      assert.match(stdout, /^unlock +10 credits$/m)
      assert.match(stdout, /^research .+: complete, 10 credits$/m)
      assert.match(stdout, /introduce our roof inspection/)
      const [second] = await delivered
      assert.strictEqual(second.headers["service-event-type"], "lead.qualified")
      assert.strictEqual(await server.stop(), 0)
      receiver.close()
    }
  )
})
