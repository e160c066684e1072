/**
 * The receiver of the delivery benchmark, in a process of its own: one HTTP server whose paths differ in their manners.
 *
 * | path              | what it does                                                     |
 * | ----------------- | ---------------------------------------------------------------- |
 * | `/at-once/…`      | answers 200                                                      |
 * | `/after/MILLIS/…` | answers 200 after so long                                        |
 * | `/told/…`         | answers 200, and notes how long ago the change that it is told of was detected |
 * | `/never/…`        | answers nothing                                                  |
 * | `/drip/…`         | sends a byte of its headers each second                          |
 *
 * Prints its port. Each line of standard input is a question (`Question`), answered by one line.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createInterface } from "node:readline"

/** Answers with what arrived since the last question, when there were so many in all. */
export interface Question {
  readonly arrivals: number
}

export interface Arrivals {
  /** In milliseconds since 1970, of the last. */
  readonly lastAt: number
  /** By path. */
  readonly paths: Readonly<Record<string, PathArrivals>>
}

export interface PathArrivals {
  requests: number
  /** Most under way at the same moment. */
  atOnce: number
  /** Milliseconds from what happened to its arrival, of `/told/`. */
  readonly delays: Array<number>
}

let paths: Record<string, PathArrivals> = {}
const underWay = new Map<string, number>()
let total = 0
let lastAt = 0
let asked: Question | undefined

const answerIfDue = () => {
  if (asked === undefined || total < asked.arrivals) return
  const answer: Arrivals = { lastAt, paths }
  asked = undefined
  total = 0
  paths = {}
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}

const arrive = (path: string): PathArrivals => {
  const arrivals = paths[path] ??= { requests: 0, atOnce: 0, delays: [] }
  const now = (underWay.get(path) ?? 0) + 1
  underWay.set(path, now)
  arrivals.requests += 1
  arrivals.atOnce = Math.max(arrivals.atOnce, now)
  lastAt = Date.now()
  return arrivals
}

const drip = (response: ServerResponse) => {
  response.socket?.write("HTTP/1.1 200 OK\r\nx-made-up: ")
  const timer = setInterval(() => response.socket?.write("x"), 1000)
  response.once("close", () => clearInterval(timer))
}

const respond = (path: string, body: string, arrivals: PathArrivals, response: ServerResponse) => {
  const [, manner, millis] = path.split("/")
  switch (manner) {
    case "never":
      return
    case "drip":
      return drip(response)
    case "after":
      return void setTimeout(() => response.end(), Number(millis))
    case "told": {
      const detectedAt = /"detected_at":"([^"]+)"/.exec(body)?.[1] ?? ""
      arrivals.delays.push(lastAt - Date.parse(detectedAt))
      return void response.end()
    }
    default:
      return void response.end()
  }
}

const receive = (request: IncomingMessage, response: ServerResponse) => {
  const path = request.url ?? "/"
  const arrivals = arrive(path)
  let body = ""
  request.on("data", (chunk: Buffer) => body += chunk.toString())
  request.on("end", () => {
    total += 1
    respond(path, body, arrivals, response)
    answerIfDue()
  })
  response.once("close", () => underWay.set(path, (underWay.get(path) ?? 1) - 1))
}

if (import.meta.main) {
  const server = createServer({ keepAliveTimeout: 0 }, receive).listen(0, "127.0.0.1", () => {
    const bound = server.address()
    process.stdout.write(`port ${typeof bound === "object" && bound !== null ? bound.port : 0}\n`)
  })
  createInterface({ input: process.stdin }).on("line", (line) => {
    asked = JSON.parse(line)
    answerIfDue()
  }).on("close", () => process.exit(0))
}
