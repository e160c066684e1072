/**
 * The least that could answer a request: `node:http` and `pg`, the hand-written admission, and answers that stand ready.
 *
 * Environment: DATABASE_URL, and the file of whoever serves by it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Pool } from "pg"
import { admission } from "./BaselineAdmission.ts"
import type { Captured } from "./StatementCapture.ts"

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** Serves until it is asked to stop. `answerTo`: the body of the answer; none to what is not of the workload. */
export const serve = (
  authorize: Captured,
  scope: string,
  answerTo: (request: IncomingMessage, body: string) => string | undefined
): void => {
  // As many connections as the product has.
  const pool = new Pool({ connectionString: process.env["DATABASE_URL"], max: 22 })
  const admit = admission(pool, authorize)

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request)
    const forwarded = request.headers["x-forwarded-for"]
    const { headers, outcome } = await admit(
      typeof forwarded === "string" ? forwarded : "127.0.0.1",
      request.headers.authorization,
      scope
    )
    const send = (status: number, text: string) => {
      const length = Buffer.byteLength(text)
      response.writeHead(status, { ...headers, "content-type": "application/json", "content-length": length }).end(text)
    }
    if ("refused" in outcome) {
      const { code, error, status } = outcome.refused
      return send(status, JSON.stringify({ success: false, error, code }))
    }
    const ready = answerTo(request, body)
    return ready === undefined ? send(400, "Not a request of the workload.") : send(200, ready)
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
}
