/**
 * The least that could answer an assistant: `node:http` and `pg`, the hand-written admission, and results that stand ready by
 * the method and parameters of a message.
 *
 * Environment: DATABASE_URL, BASELINE_FILE (see `BaselineFile`).
 */
import { readFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Pool } from "pg"
import { admission } from "./BaselineAdmission.ts"
import type { Captured } from "./StatementCapture.ts"

export interface BaselineFile {
  readonly authorize: Captured
  /** The JSON of the result by the JSON of the parameters, by method. */
  readonly results: Readonly<Record<string, string>>
}

const { authorize, results }: BaselineFile = JSON.parse(readFileSync(process.env["BASELINE_FILE"] ?? "", "utf8"))
// As many connections as the product has.
const pool = new Pool({ connectionString: process.env["DATABASE_URL"], max: 22 })
const admit = admission(pool, authorize)

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const body = await bodyOf(request)
  const forwarded = request.headers["x-forwarded-for"]
  const { headers, outcome } = await admit(
    typeof forwarded === "string" ? forwarded : "127.0.0.1",
    request.headers.authorization,
    "mcp"
  )
  const send = (status: number, text: string) => {
    const length = Buffer.byteLength(text)
    response.writeHead(status, { ...headers, "content-type": "application/json", "content-length": length }).end(text)
  }
  if ("refused" in outcome) {
    const { code, error, status } = outcome.refused
    return send(status, JSON.stringify({ success: false, error, code }))
  }
  const { id, method, params }: { id: number; method: string; params?: object } = JSON.parse(body)
  const result = results[`${method} ${JSON.stringify(params ?? {})}`]
  return result === undefined
    ? send(400, "Not a message of the workload.")
    : send(200, `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`)
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
})

process.once("SIGTERM", () => {
  server.close()
  server.closeAllConnections()
  pool.end().finally(() => process.exit(0))
})
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  process.stdout.write(`listening on http://127.0.0.1:${port}\n`)
})
