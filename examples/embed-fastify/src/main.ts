/**
 * A Fastify server that charges for its own action through Freehold's core. `--sample` makes a made-up organization.
 *
 * The runtime is built once and lives as long as the server: it holds the connections and the limiters. On SIGTERM or
 * SIGINT the server answers what it has taken in, then the runtime lets go of the database.
 */
import * as Database from "@freehold/adapters-pg/database/Database"
import { ManagedRuntime } from "effect"
import { SqlError } from "effect/sql"
import { fastify } from "fastify"
import * as Freehold from "./Freehold.ts"
import * as SampleOrganization from "./SampleOrganization.ts"
import * as ValuationReport from "./ValuationReport.ts"

const runtime = ManagedRuntime.make(Freehold.layer)
const app = fastify({ logger: { level: "warn" }, genReqId: () => crypto.randomUUID() })

app.post<{ Params: { readonly parcel: string } }>("/reports/:parcel", async (request, reply) => {
  const { body, headers, status } = await runtime.runPromise(ValuationReport.order({
    address: request.ip,
    authorization: request.headers.authorization,
    requestId: request.id,
    parcel: request.params.parcel
  }))
  return reply.code(status).headers(headers).send(body)
})

app.setErrorHandler<Error & { readonly statusCode?: number }>((error, request, reply) => {
  const { statusCode: status = 500 } = error
  if (status < 500) return reply.code(status).send({ error: error.message })
  request.log.error(error)
  return reply.code(500).send({ error: "A fault of ours; nothing was charged twice.", requestId: request.id })
})

app.addHook("onClose", () => runtime.dispose())
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void app.close())

/** Without its database there is nothing to serve. */
const stop = (cause: unknown): never => {
  const { message } = cause instanceof SqlError.SqlError ? Database.failureOf(cause) : new Error(String(cause))
  console.error(`no database can be used: ${message}; start that of DATABASE_URL, or leave it out for an embedded one`)
  return process.exit(1)
}
await runtime.context().catch(stop)

if (process.argv.includes("--sample")) {
  const secret = await runtime.runPromise(SampleOrganization.make)
  console.log(secret === null ? "the sample key is the one that was printed before" : `the sample key is ${secret}`)
}
console.log(`listening on ${await app.listen({ host: "127.0.0.1", port: Number(process.env["PORT"] ?? 3000) })}`)
