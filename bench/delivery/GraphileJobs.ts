/**
 * graphile-worker in its batch mode: jobs are fetched into a local queue and completed together. A job is a signed POST
 * with the duties of `GuardedPost`, an attempt row and a log row. Environment: DATABASE_URL.
 */
import { Logger, makeWorkerUtils, run } from "graphile-worker"
import { Pool } from "pg"
import * as Attempts from "./Attempts.ts"
import * as GuardedPost from "./GuardedPost.ts"
import { serveOrders } from "./Orders.ts"
import * as SignedPost from "./SignedPost.ts"

const silent = new Logger(() => () => {})
const pool = new Pool({ connectionString: process.env["DATABASE_URL"] ?? "", max: 20 })
pool.on("error", () => {})
await pool.query(Attempts.createTables)
const utils = await makeWorkerUtils({ pgPool: pool, logger: silent })
await utils.migrate()

interface Job {
  readonly id: string
  readonly path: string
}

const isJob = (payload: unknown): payload is Job => typeof payload === "object" && payload !== null && "path" in payload

serveOrders(async ({ deliveries, ids, root }) => {
  const all = Array.from({ length: deliveries }, (_, index) => ({
    identifier: "post",
    payload: { id: ids(index), path: SignedPost.pathOf(index) }
  }))
  const begun = performance.now()
  for (let from = 0; from < all.length; from += 1000) await utils.addJobs(all.slice(from, from + 1000))
  const making = performance.now() - begun
  await pool.query("ANALYZE")
  const post = GuardedPost.make(root)
  const record = Attempts.collector(pool)
  const started = performance.now()
  const runner = await run({
    pgPool: pool,
    noHandleSignals: true,
    preset: {
      worker: {
        logger: silent,
        concurrentJobs: SignedPost.atOnce,
        localQueue: { size: 5 * SignedPost.atOnce },
        completeJobBatchDelay: 10,
        failJobBatchDelay: 10
      }
    },
    taskList: {
      post: async (payload) => {
        if (!isJob(payload)) throw new Error("no job of ours")
        const sentAt = performance.now()
        const status = await post(payload.id, payload.path)
        if (status !== 200) throw new Error(`answered ${status}`)
        await record({ ...payload, status, millis: performance.now() - sentAt, data: SignedPost.data })
      }
    }
  })
  const left = async (): Promise<boolean> =>
    (await pool.query("SELECT FROM graphile_worker._private_jobs LIMIT 1")).rowCount !== 0
  while (await left()) await new Promise((resolve) => setTimeout(resolve, 10))
  const sending = performance.now() - started
  await runner.stop()
  return { making, sending }
})
process.stdout.write("ready\n")
