/**
 * The bare server for assistants: results stand ready by the method and parameters of a message.
 *
 * Environment: DATABASE_URL, BASELINE_FILE (see `BaselineFile`).
 */
import { readFileSync } from "node:fs"
import * as BareServer from "./BareServer.ts"
import type { Captured } from "./StatementCapture.ts"

export interface BaselineFile {
  readonly authorize: Captured
  /** The JSON of the result by the method and the JSON of the parameters. */
  readonly results: Readonly<Record<string, string>>
}

const { authorize, results }: BaselineFile = JSON.parse(readFileSync(process.env["BASELINE_FILE"] ?? "", "utf8"))

BareServer.serve(authorize, "mcp", (_, body) => {
  const { id, method, params }: { id: number; method: string; params?: object } = JSON.parse(body)
  const result = results[`${method} ${JSON.stringify(params ?? {})}`]
  return result === undefined ? undefined : `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`
})
