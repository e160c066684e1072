/**
 * A real authorization server on loopback (`oidc-provider`) with made-up people, for people who sign in.
 *
 * It has no pages: a browser that is sent to sign in is signed in at once, as the account in `next`.
 */
import { exportJWK, generateKeyPair } from "jose"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { type ClientMetadata, Provider, type ResourceServer } from "oidc-provider"

/** What the server knows of a person; goes into their access tokens. */
export interface Account {
  readonly email?: string
  readonly email_verified?: boolean
  readonly org_id?: unknown
}

/** Client ids that a person can come with, besides the issuer's `clientId`. */
export const furtherAssistants: ReadonlyArray<string> = Array.from({ length: 15 }, (_, index) => `assistant-${index}`)

export interface Issuer {
  readonly url: string
  /** The assistant of tokens that were not asked for in a flow. */
  readonly clientId: string
  /** What the app of a server on loopback is registered as. */
  readonly app: { readonly id: string; readonly secret: string }
  /** Adds a person, or replaces what is known of one. */
  readonly know: (subject: string, account: Account) => void
  /** An access token as the server would issue it after a sign-in. */
  readonly token: (
    subject: string,
    given?: {
      readonly audience?: string
      readonly scope?: string
      readonly seconds?: number
      /** One of `furtherAssistants`. */
      readonly assistant?: string
    }
  ) => Promise<string>
  /** Who is signed in when a browser comes; empty: they are refused. */
  next: string
  readonly close: () => Promise<void>
}

/** `resource`: what tokens are for, unless a test says otherwise. */
export const startIssuer = async (resource: () => string): Promise<Issuer> => {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true })
  const key = { ...await exportJWK(privateKey), kid: "sample", use: "sig", alg: "RS256" }
  const server = createServer()
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const accounts = new Map<string, Account>()
  const clientId = "sample-assistant"
  const app = { id: "sample-app", secret: "made-up-secret-of-the-sample-app" }
  const resourceServer = (audience: string): ResourceServer => ({
    scope: "mcp pipeline:transitions_full",
    audience,
    accessTokenFormat: "jwt",
    accessTokenTTL: 600,
    jwt: { sign: { alg: "RS256" } }
  })

  const provider = new Provider(url, {
    jwks: { keys: [key] },
    cookies: { keys: ["sample"] },
    scopes: ["openid", "offline_access", "mcp", "pipeline:transitions_full", "email", "profile"],
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    clients: [
      ...[clientId, ...furtherAssistants].map((client_id): ClientMetadata => ({
        client_id,
        token_endpoint_auth_method: "none",
        redirect_uris: ["http://127.0.0.1/callback"],
        grant_types: ["authorization_code"],
        response_types: ["code"]
      })),
      {
        client_id: app.id,
        client_secret: app.secret,
        // Native ones may come from any port of loopback.
        application_type: "native",
        redirect_uris: ["http://127.0.0.1/sign-in/callback"],
        post_logout_redirect_uris: ["http://127.0.0.1/sign-in"],
        grant_types: ["authorization_code"],
        response_types: ["code"]
      }
    ],
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context, form) => {
          context.body = `<!doctype html><title>Leaving</title>${form}
            <button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>`
        }
      },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        // The app asks who somebody is, and for no resource.
        defaultResource: (_, { clientId }) => clientId === app.id ? [] : resource(),
        getResourceServerInfo: (_, indicated) => resourceServer(indicated),
        useGrantedResource: () => true
      }
    },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, Interaction: 600, Session: 600, IdToken: 600 },
    extraTokenClaims: (_, token) => ("accountId" in token ? { ...accounts.get(token.accountId ?? "") } : {}),
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...accounts.get(accountId) }) }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    // Everyone agrees to what the assistant asks for.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({
        clientId: oidc.client?.clientId ?? "",
        accountId: oidc.account?.accountId ?? ""
      })
      grant.addOIDCScope("openid offline_access mcp pipeline:transitions_full email profile")
      grant.addResourceScope(resource(), "mcp pipeline:transitions_full")
      await grant.save()
      return grant
    }
  })
  const answer = provider.callback()
  const issuer: Issuer = {
    url,
    clientId,
    app,
    next: "",
    know: (subject, account) => {
      accounts.set(subject, account)
    },
    token: async (subject, { assistant = clientId, audience = resource(), scope = "mcp", seconds = 600 } = {}) => {
      const client = await provider.Client.find(assistant)
      if (client === undefined) throw new Error("no client")
      const token = new provider.AccessToken({
        client,
        accountId: subject,
        grantId: "sample",
        gty: "authorization_code",
        scope,
        expiresIn: seconds
      })
      token.resourceServer = new provider.ResourceServer(audience, resourceServer(audience))
      return token.save()
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    }
  }
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith("/interaction/") === true) {
      const result = issuer.next === ""
        ? { error: "access_denied" }
        : { login: { accountId: issuer.next }, consent: {} }
      void provider.interactionFinished(request, response, result)
    } else void answer(request, response)
  })
  return issuer
}
