/** A member of a cell's organization in the app, from outside. */
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, type Redacted } from "effect"
import { createHash, randomBytes } from "node:crypto"
import type { Server } from "../Freehold.ts"

const post = (server: Server, path: string, body: object, cookie?: string) => {
  const { origin } = new URL(server.url)
  return fetch(new URL(path, origin), {
    method: "POST",
    headers: { "content-type": "application/json", origin, ...cookie === undefined ? {} : { cookie } },
    body: JSON.stringify(body)
  })
}

/** On loopback the port is part of a cookie's name. */
const cookieNameOf = (server: Server): string => `freehold-${new URL(server.url).port}`

/** Signs the member in there by a link; answers the secret of the session, which the browser keeps. */
export const signedIn = async (database: Redacted.Redacted, server: Server, email: string): Promise<string> => {
  const link = randomBytes(32).toString("base64url")
  const hash = createHash("sha256").update(link).digest("hex")
  await Effect.runPromise(
    administer(database, (sql) =>
      sql`
        INSERT INTO sign_in_link (org_id, member_id, secret_hash, expires_at)
        SELECT org_id, member_id, decode(${hash}, 'hex'), now() + interval '5 minutes' FROM member WHERE email = ${email}`)
  )
  const answer = await post(server, "/console/sign-in", { link })
  const [kept = ""] = answer.headers.getSetCookie()
  return kept.slice(cookieNameOf(server).length + 1).split(";")[0] ?? ""
}

/** What the app's next click is answered there: the status, and the code of a refusal. */
export const clicked = async (server: Server, session: string) => {
  const answer = await post(server, "/console/service_get_account", {}, `${cookieNameOf(server)}=${session}`)
  const body: ReturnType<typeof JSON.parse> = await answer.json()
  return { status: answer.status, code: body.refusal?.code ?? null, told: body.data !== undefined }
}
