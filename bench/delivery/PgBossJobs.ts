/**
 * pg-boss by batches: several loops that each fetch a batch, send it, write its attempt rows and complete it. A job is a
 * signed POST with the duties of `GuardedPost`, an attempt row and a log row. Environment: DATABASE_URL.
 */
import { Pool } from "pg"
import { PgBoss } from "pg-boss"
import * as Attempts from "./Attempts.ts"
import * as GuardedPost from "./GuardedPost.ts"
import { serveOrders } from "./Orders.ts"
import * as SignedPost from "./SignedPost.ts"

const queue = "deliveries"
/** Together as many as may be under way. */
const loops = 4
const batchSize = SignedPost.atOnce / loops

const connectionString = process.env["DATABASE_URL"] ?? ""
const pool = new Pool({ connectionString, max: loops })
pool.on("error", () => {})
await pool.query(Attempts.createTables)
const boss = new PgBoss({ connectionString, max: 2 * loops, schedule: false })
boss.on("error", () => {})
await boss.start()
await boss.createQueue(queue)

interface Job {
  readonly id: string
  readonly path: string
}

serveOrders(async ({ deliveries, ids, root }) => {
  const all = Array.from({ length: deliveries }, (_, index) => ({
    data: { id: ids(index), path: SignedPost.pathOf(index) }
  }))
  const begun = performance.now()
  for (let from = 0; from < all.length; from += 1000) await boss.insert(queue, all.slice(from, from + 1000))
  const making = performance.now() - begun
  await pool.query("ANALYZE")
  const post = GuardedPost.make(root)
  const started = performance.now()
  const work = async (): Promise<void> => {
    while (true) {
      const jobs = await boss.fetch<Job>(queue, { batchSize })
      if (jobs.length === 0) return
      const attempts = await Promise.all(jobs.map(async ({ data }) => {
        const sentAt = performance.now()
        const status = await post(data.id, data.path)
        if (status !== 200) throw new Error(`answered ${status}`)
        return { ...data, status, millis: performance.now() - sentAt, data: SignedPost.data }
      }))
      await Attempts.insert(pool, attempts)
      await boss.complete(queue, jobs.map(({ id }) => id))
    }
  }
  await Promise.all(Array.from({ length: loops }, work))
  return { making, sending: performance.now() - started }
})
process.stdout.write("ready\n")
