/** An authorization server on loopback that issues the access tokens of made-up members, without asking anybody. */
import { generateKeyPairSync, sign } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"

export interface TokenIssuer {
  readonly url: string
  /** A token of a member for an assistant. */
  readonly token: (email: string, clientId: string) => string
  readonly close: () => void
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url")

/** `audience`: the MCP endpoint's URL. */
export const start = async (audience: string): Promise<TokenIssuer> => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const key = { ...publicKey.export({ format: "jwk" }), kid: "sample", use: "sig", alg: "ES256" }
  let url = ""
  const server = createServer((request, response) => {
    const published = request.url === "/keys" ? { keys: [key] } : { issuer: url, jwks_uri: `${url}/keys` }
    response.setHeader("content-type", "application/json").end(JSON.stringify(published))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
  return {
    url,
    token: (email, clientId) => {
      const now = Math.trunc((performance.timeOrigin + performance.now()) / 1000)
      const claims = {
        iss: url,
        aud: audience,
        sub: email,
        email,
        email_verified: true,
        client_id: clientId,
        scope: "mcp",
        iat: now,
        exp: now + 7200
      }
      const body = `${encoded({ alg: "ES256", typ: "at+jwt", kid: key.kid })}.${encoded(claims)}`
      const signature = sign("sha256", Buffer.from(body), { key: privateKey, dsaEncoding: "ieee-p1363" })
      return `${body}.${signature.toString("base64url")}`
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
