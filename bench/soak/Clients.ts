/**
 * The clients of a soak, in a process of their own: reads one order a line from standard input, carries it out and writes
 * what was answered as one line.
 *
 * Without a pace each client sends its next request when the last was answered: the peak. With one every request is sent when
 * its time has come, whether those before it were answered or not. Each names another client address, because an address has
 * a limit of its own.
 */
import { Agent, request } from "node:http"
import { createInterface } from "node:readline"
import { type Asked, type Kind, requests, type Scene } from "./Mix.ts"

export interface Order {
  readonly root: string
  readonly scene: Scene
  readonly seconds: number
  /** Of requests; null: as many as so many clients can get answered. */
  readonly perSecond: number | null
  readonly clients: number
}

/** An answer that was not what was asked for. */
export interface Fault {
  /** When it was sent and when it came, in milliseconds since 1970. */
  readonly sent: number
  readonly came: number
  readonly kind: Kind
  /** 0: none came. */
  readonly status: number
}

export interface Outcome {
  readonly seconds: number
  /** Milliseconds of each answer that was as asked for. */
  readonly latencies: Readonly<Record<Kind, ReadonlyArray<number>>>
  readonly faults: ReadonlyArray<Fault>
  /** Most requests under way at the same moment. */
  readonly atOnce: number
}

/** Milliseconds after which an answer does not come any more. */
const patience = 30_000

/** How often it is looked which requests are due, in milliseconds. */
const beat = 5

const addresses = 4096

/** A tool that could not work answers 200, and says so inside. */
const statusOf = (kind: Kind, status: number, body: string): number =>
  kind === "tool" && status === 200 && body.includes("\"isError\":true") ? 503 : status

const carryOut = ({ clients, perSecond, root, scene, seconds }: Order): Promise<Outcome> =>
  new Promise((resolve) => {
    const { origin, pathname } = new URL(root)
    const base = pathname.replace(/\/$/, "")
    const agent = new Agent({ keepAlive: true, maxSockets: perSecond === null ? clients : 256 })
    const next = requests(scene)
    const latencies: Record<Kind, Array<number>> = { me: [], search: [], detail: [], feed: [], tool: [], unlock: [] }
    const faults: Array<Fault> = []
    const begun = performance.now()
    const ends = begun + 1000 * seconds
    let sent = 0
    let underWay = 0
    let atOnce = 0
    let timer: NodeJS.Timeout | undefined

    const send = ({ body, kind, method, path, secret }: Asked, done: () => void) => {
      const at = performance.now()
      const number = sent++
      atOnce = Math.max(atOnce, ++underWay)
      let ended = false
      const end = (status: number) => {
        if (ended) return
        ended = true
        underWay -= 1
        const now = performance.now()
        if (status === 200) latencies[kind].push(now - at)
        else faults.push({ sent: performance.timeOrigin + at, came: performance.timeOrigin + now, kind, status })
        done()
      }
      const outgoing = request(new URL(`${base}${path}`, origin), {
        agent,
        method,
        signal: AbortSignal.timeout(patience),
        headers: {
          authorization: `Bearer ${secret}`,
          "x-forwarded-for": `10.0.${(number % addresses) >> 8}.${number & 255}`,
          ...(body === "" ? {} : { "content-type": "application/json" }),
          ...(kind === "tool" ? { accept: "application/json, text/event-stream" } : {})
        }
      }, (incoming) => {
        let text = ""
        incoming.on("data", (chunk: Buffer) => {
          if (kind === "tool") text += chunk.toString()
        })
        incoming.on("end", () => end(statusOf(kind, incoming.statusCode ?? 0, text)))
        incoming.on("error", () => end(0))
      })
      outgoing.on("error", () => end(0))
      outgoing.end(body)
    }

    const finish = () => {
      if (performance.now() < ends || underWay > 0) return
      clearInterval(timer)
      agent.destroy()
      resolve({ seconds: (performance.now() - begun) / 1000, latencies, faults, atOnce })
    }
    if (perSecond === null) {
      const again = () => performance.now() < ends ? send(next(), again) : finish()
      for (let client = 0; client < clients; client++) again()
    } else {
      timer = setInterval(() => {
        const due = Math.floor(perSecond * (Math.min(performance.now(), ends) - begun) / 1000)
        while (sent < due) send(next(), finish)
        finish()
      }, beat)
    }
  })

createInterface({ input: process.stdin }).on("line", (line) => {
  const order: Order = JSON.parse(line)
  void carryOut(order).then((outcome) => process.stdout.write(`${JSON.stringify(outcome)}\n`))
})
