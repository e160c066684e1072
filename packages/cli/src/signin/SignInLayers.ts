/** Who verifies the people that sign in: to assistants by tokens, to the app by the authorization server's own page. */
import * as SealerNode from "@freehold/adapters-pg/webhook/SealerNode"
import * as SignIn from "@freehold/core/access/SignIn"
import { resourceOf } from "@freehold/mcp-host/ProtectedResource"
import { Effect, Layer, Option } from "effect"
import { derive } from "../EncryptionKey.ts"
import { Settings } from "../Settings.ts"
import { withKeys } from "../WithKeys.ts"

/** People sign in where an authorization server is named. */
export const signIn = (publicUrl: string) =>
  Layer.unwrap(
    Effect.map(Settings, ({ oauthIssuer }) =>
      Option.match(oauthIssuer, {
        onNone: () => Layer.empty,
        onSome: (issuer) =>
          SignIn.layer.pipe(Layer.provide(Layer.unwrap(Effect.map(
            // Loaded where people sign in.
            Effect.promise(() => import("@freehold/mcp-host/JwtTokens")),
            (tokens) => tokens.layer({ issuer, audience: resourceOf(publicUrl) })
          ))))
      }))
  )

/** People sign in to the app by the authorization server where the app is registered with it. */
export const identityProvider = (publicUrl: string) =>
  Layer.unwrap(
    Effect.map(Settings, ({ console, oauthIssuer, signInClient }) =>
      Option.match(Option.all({ issuer: oauthIssuer, client: signInClient }), {
        onNone: () =>
          Layer.empty,
        onSome: ({ client, issuer }) =>
          console
            ? Layer.unwrap(Effect.map(
              // Loaded where people sign in.
              Effect.promise(() => import("./OpenIdProvider.ts")),
              (provider) => provider.layer({ issuer, publicUrl, clientId: client.id, clientSecret: client.secret })
            )).pipe(
              Layer.provide(
                withKeys(SealerNode.layer, (key) => derive(key, "sign-in"))
              )
            )
            : Layer.empty
      }))
  )
