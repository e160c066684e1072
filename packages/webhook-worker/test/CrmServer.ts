/** What the made-up CRMs of the tests have in common: they listen on loopback, keep what they were asked, and can be made to fail. */
import { Effect } from "effect"
import * as Receiver from "./Receiver.ts"

/** Of any shape: what a server was sent, and what it keeps. */
export type Json = ReturnType<typeof JSON.parse>

export interface Asked {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly url: URL
  readonly authorization: string
  readonly contentType: string
  readonly text: string
}

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: Json
}

/** What comes instead of the usual answer: `lost` of what was done all the same. */
export type Trouble = Answer | "reset" | "lost"

/** undefined: it is not about this request. */
export type Fault = (asked: Asked) => Trouble | undefined

export const serve = Effect.fnUntraced(function*(answer: (asked: Asked) => Answer) {
  const asked: Array<Asked> = []
  const faults: Array<Fault> = []
  const receiver = yield* Receiver.http((request, response) => {
    const { body, headers, method = "", path = "" } = receiver.received.at(-1) ?? { body: "", headers: {} }
    const each: Asked = {
      method,
      path,
      url: new URL(path, "http://crm.example"),
      authorization: headers.authorization ?? "",
      contentType: headers["content-type"] ?? "",
      text: body.toString("utf8")
    }
    asked.push(each)
    const index = faults.findIndex((fault) => fault(each) !== undefined)
    const [fault] = index < 0 ? [] : faults.splice(index, 1)
    const given = fault?.(each) ?? answer(each)
    if (given === "reset") return void request.socket.resetAndDestroy()
    if (given === "lost") return void answer(each)
    response.writeHead(given.status, { "Content-Type": "application/json", ...given.headers })
    response.end(JSON.stringify(given.body))
  })
  return {
    url: `http://127.0.0.1:${receiver.port}`,
    asked,
    /** Each fault is for one request, the first that it is about. */
    fail: (...next: ReadonlyArray<Fault>) => void faults.push(...next)
  }
})

/** Whatever is asked at an address that begins so. */
export const at = (path: string, answer: Trouble): Fault => (asked) => asked.path.startsWith(path) ? answer : undefined
