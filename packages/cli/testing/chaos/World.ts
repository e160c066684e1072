/**
 * Two workers, processes of their own, that deliver what a customer pays for to a receiver here; and what came of it.
 *
 * Every delivery is a lead that costs one credit, so that what was billed can be counted beside what arrived.
 */
import * as Database from "@freehold/adapters-pg/database/Database"
import * as Leases from "@freehold/adapters-pg/testing/Leases"
import * as SyntheticProperties from "@freehold/adapters-pg/testing/SyntheticProperties"
import * as WebhookPorts from "@freehold/adapters-pg/testing/WebhookPorts"
import { WebhookEndpoints } from "@freehold/core/webhook/WebhookEndpoints"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { type ChildProcess, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"

const orgId = "org_chaos"
const endpointId = randomUUID()

export interface Place {
  /** An empty database. */
  readonly url: Redacted.Redacted
  /** The file of the command. */
  readonly main: string
}

export interface Counts {
  /** Recorded as delivered, of which the receiver knows nothing. */
  readonly lost: number
  /** Requests beyond one of each delivery. */
  readonly repeated: number
  /** Charges; one credit each. */
  readonly billed: number
  /** Signed more than a minute from the receiver's time. */
  readonly skewed: number
}

const environmentOf = ({ url }: Place): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"],
  DATABASE_URL: Redacted.value(url),
  FREEHOLD_ENCRYPTION_KEY: Buffer.from(Redacted.value(WebhookPorts.key)).toString("base64"),
  FREEHOLD_WEBHOOK_TARGETS: "any",
  LOG_LEVEL: "error"
})

/** Statements of the scene, on a connection of its own. */
export const inDatabase = <A>(
  { url }: Place,
  use: (sql: SqlClient.SqlClient) => Effect.Effect<A, unknown, SqlClient.SqlClient>
): Promise<A> =>
  Effect.runPromise(
    Effect.flatMap(SqlClient.SqlClient, use).pipe(Effect.provide(Database.layer({ url, maxConnections: 1 })))
  )

const customer = (credits: number) => ({
  organizations: [{
    org_id: orgId,
    name: "Made-up customer of chaos",
    plan: "enterprise",
    serviceable_area: { whole_state_abbrs: ["TX", "CA", "FL", "NY", "IL"], county_fips: [] },
    export_allowance: { max_exports_per_month: 0, max_rows_per_month: 0 },
    grants: [{ ref: "chaos", bucket: "included", amount: credits }]
  }]
})

const runCommand = async (place: Place, args: ReadonlyArray<string>, input: string): Promise<void> => {
  const child = spawn(process.execPath, [place.main, ...args], {
    env: environmentOf(place),
    stdio: ["pipe", "ignore", "inherit"]
  })
  child.stdin.end(input)
  await once(child, "exit")
  if (child.exitCode !== 0) throw new Error(`freehold ${args.join(" ")} exited ${child.exitCode}`)
}

/** A worker; with `options` of Node before the program. */
const startWorker = (place: Place, options: ReadonlyArray<string>): ChildProcess =>
  spawn(process.execPath, [...options, place.main, "worker"], {
    env: environmentOf(place),
    // What it says of the faults is theirs to say.
    stdio: "ignore"
  })

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill("SIGKILL")
  await once(child, "exit")
}

/** Answers 200 after a moment, and counts; `half` is there when half of the deliveries have arrived. */
const receive = async (deliveries: number) => {
  const seen = new Map<string, number>()
  let skewed = 0
  let arrive = () => {}
  const half = new Promise<void>((resolve) => {
    arrive = () => seen.size * 2 >= deliveries && resolve()
  })
  const server = createServer((request, response) => {
    const id = String(request.headers["webhook-id"])
    seen.set(id, (seen.get(id) ?? 0) + 1)
    if (Math.abs(Number(request.headers["webhook-timestamp"]) - Date.now() / 1000) > 60) skewed += 1
    arrive()
    request.resume().once("end", () => setTimeout(() => response.end(), 5))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = address !== null && typeof address === "object" ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/`,
    half,
    seen: (): ReadonlyMap<string, number> => seen,
    skewed: () => skewed,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

const register = (place: Place, url: string) =>
  Effect.runPromise(
    WebhookEndpoints.use((endpoints) =>
      endpoints.register({
        id: endpointId,
        orgId,
        url,
        targetKey: url,
        label: null,
        events: ["lead.qualified"],
        includeEvidence: false,
        createdVia: "manual",
        secret: Redacted.make(`whsec_${Buffer.alloc(32, "chaos").toString("base64")}`),
        now: Date.now()
      })
    ).pipe(Effect.provide(Layer.provide(WebhookPorts.layer, Database.layer({ url: place.url }))))
  )

export interface World {
  readonly place: Place
  readonly workers: readonly [ChildProcess, ChildProcess]
  /** Half of the deliveries have arrived. */
  readonly half: Promise<void>
  /** What is claimed at this moment. */
  readonly inFlight: () => Promise<number>
  /** As if the time of every lease were over; answers how many there were. */
  readonly endLeases: () => Promise<number>
  /** When nothing waits and nothing is in flight. */
  readonly settled: () => Promise<void>
  readonly count: () => Promise<Counts>
  readonly close: () => Promise<void>
}

const poll = async (isDone: () => Promise<boolean>): Promise<void> => {
  for (let round = 0; round < 6000; round++) {
    if (await isDone().catch(() => false)) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error("the deliveries did not come to an end within five minutes")
}

/** Everything is set up, and the workers have begun. */
export const make = async (
  place: Place,
  deliveries: number,
  optionsOfFirst: ReadonlyArray<string> = []
): Promise<World> => {
  await runCommand(place, ["apply", "-"], JSON.stringify(customer(2 * deliveries)))
  await inDatabase(place, () => SyntheticProperties.load({ count: deliveries, counties: 10 }))
  const receiver = await receive(deliveries)
  await register(place, receiver.url)
  await inDatabase(place, (sql) =>
    sql`
      INSERT INTO event (org_id, id, type, property_id, subject_type, subject_id, by_agent, occurred_at)
      SELECT ${orgId}, gen_random_uuid(), 'lead.qualified', id, 'property', id::text, false, now() FROM property`)
  const workers = [startWorker(place, optionsOfFirst), startWorker(place, [])] as const
  const number = (query: (sql: SqlClient.SqlClient) => Effect.Effect<ReadonlyArray<{ readonly n: number }>, unknown>) =>
    inDatabase(place, (sql) => Effect.map(query(sql), ([row]) => row?.n ?? Number.NaN))
  return {
    place,
    workers,
    half: receiver.half,
    inFlight: () => number((sql) => sql`SELECT count(*)::integer AS n FROM delivery WHERE claimed_until > now()`),
    endLeases: () => inDatabase(place, () => Leases.end),
    settled: () =>
      poll(async () =>
        await number((sql) =>
          sql`
            SELECT (SELECT count(*) FROM delivery)::integer
              + (SELECT count(*) FROM event WHERE status = 'pending')::integer AS n`
        ) === 0
      ),
    count: async () => {
      const recorded = await inDatabase(
        place,
        (sql) => sql<{ readonly id: string }>`SELECT id FROM delivery_log WHERE state = 'delivered'`
      )
      const billed = await number((sql) =>
        sql`SELECT count(*)::integer AS n FROM credit_entry WHERE org_id = ${orgId} AND kind = 'charge'`
      )
      const seen = receiver.seen()
      const requests = [...seen.values()].reduce((sum, each) => sum + each, 0)
      return {
        lost: deliveries - recorded.filter(({ id }) => seen.has(id)).length,
        repeated: requests - seen.size,
        billed,
        skewed: receiver.skewed()
      }
    },
    close: async () => {
      await Promise.all(workers.map(stop))
      receiver.close()
    }
  }
}
