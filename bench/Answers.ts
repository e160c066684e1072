/** Asks a server for one answer and makes it comparable: before anything is measured, two servers have to answer alike. */
import { Effect, Schema } from "effect"
import { searcher } from "./Customers.ts"

/** One request, as the load generator sends it too. */
export interface Request {
  readonly method: "GET" | "POST"
  readonly path: string
  /** "": none. */
  readonly body: string
}

/** The text of the answer to the searcher. */
export const ask = (root: string, { body, method, path }: Request) =>
  Effect.tryPromise(() =>
    fetch(`${root}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${searcher.secret}`,
        ...(body === "" ? {} : { "content-type": "application/json" })
      },
      ...(body === "" ? {} : { body })
    }).then((response) => response.text())
  )

/** A cursor is sealed anew each time, and bound to who is asked. */
export const comparable = (data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  ...data,
  next_cursor: typeof data["next_cursor"] === "string" ? "a cursor" : data["next_cursor"]
})

const Success = Schema.fromJsonString(
  Schema.Struct({ success: Schema.Literal(true), data: Schema.Record(Schema.String, Schema.Unknown) })
)

/** What REST answers to a request that succeeds. */
export const dataOf = (root: string, request: Request) =>
  Effect.flatMap(ask(root, request), Schema.decodeEffect(Success)).pipe(Effect.map(({ data }) => comparable(data)))
