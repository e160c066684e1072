/** A researcher of the operator's own, as a test plays it: it keeps the jobs it is given, and answers when it is told to. */
import { createHmac } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"

export const secret = "s".repeat(40)

export interface Job {
  readonly job_id: string
  readonly attempt: number
  readonly action: string
  readonly subject: { readonly type: string; readonly id: string; readonly key: string }
  readonly callback_url: string
}

export const signature = (body: string, key = secret, seconds = Math.floor(Date.now() / 1000)): string =>
  `t=${seconds},v1=${createHmac("sha256", key).update(`${seconds}.${body}`).digest("hex")}`

/** Sends an answer; anything may be wrong with it. */
export const post = async (url: string, body: string, signed = signature(body)) => {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "service-signature": signed },
    body
  })
  // Of any shape: what it has is what is asserted.
  const told: ReturnType<typeof JSON.parse> = await response.json()
  return { status: response.status, body: told }
}

/** `status` decides how each job is answered; undefined: not at all. */
export const startResearcher = async (status: (job: Job) => number | undefined) => {
  const jobs: Array<Job> = []
  const waiting: Array<() => void> = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const text = body.toString("utf8")
    const header = String(request.headers["service-signature"])
    if (header !== signature(text, secret, Number(/^t=(\d+)/.exec(header)?.[1]))) {
      response.writeHead(401).end()
      return
    }
    const job: Job = JSON.parse(text)
    jobs.push(job)
    const code = status(job)
    if (code !== undefined) response.writeHead(code).end()
    for (const wake of waiting.splice(0)) wake()
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jobs`,
    jobs,
    /** The jobs, once there are so many. */
    received: async (count: number): Promise<ReadonlyArray<Job>> => {
      while (jobs.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
      return jobs
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
