/**
 * The bare server for REST: answers stand ready by method, path and body. A body is parsed, as a server has to.
 *
 * Environment: DATABASE_URL, BASELINE_FILE (see `BaselineFile`).
 */
import { readFileSync } from "node:fs"
import * as BareServer from "./BareServer.ts"
import type { Captured } from "./StatementCapture.ts"

export interface BaselineFile {
  readonly authorize: Captured
  /** By method, path below the root of the host, and JSON of the body (`null`: none). */
  readonly answers: Readonly<Record<string, string>>
}

const { authorize, answers }: BaselineFile = JSON.parse(readFileSync(process.env["BASELINE_FILE"] ?? "", "utf8"))

BareServer.serve(authorize, "data:read", ({ method, url }, body) => {
  const parsed: unknown = body === "" ? null : JSON.parse(body)
  return answers[`${method} ${url} ${JSON.stringify(parsed)}`]
})
