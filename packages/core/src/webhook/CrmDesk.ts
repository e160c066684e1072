/** What an operator does with the CRM of an organization: connect it, and look at it. decisions, section 13. */
import { Clock, Context, Effect, Layer, Option, type Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { FeatureGated } from "../access/AccessRefusals.ts"
import { ServiceSettings } from "../operation/ServiceSettings.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { Organization } from "../organization/Organization.ts"
import { CrmPusher, type PushOutcome } from "./CrmPusher.ts"
import type { CrmSettings } from "./CrmSettings.ts"
import { type WebhookEndpoint, WebhookEndpoints } from "./WebhookEndpoints.ts"
import type { WebhookEndpointLimitReached, WebhookEndpointTotalLimitReached } from "./WebhookRefusals.ts"
import { sameTargetKey, type TargetRefused, vetUrl } from "./WebhookTarget.ts"

const labels = { hubspot: "HubSpot", salesforce: "Salesforce" } as const satisfies Record<CrmSettings["kind"], string>

/** How a CRM is reached, and how leads are written there. */
export interface CrmConnection {
  readonly url: string
  readonly crm: CrmSettings
  readonly credentials: Redacted.Redacted
}

export class CrmDesk extends Context.Service<CrmDesk, {
  /** Tries a connection that is not stored: the credentials, our fields there, the stages. Writes nothing. */
  check(connection: CrmConnection): Effect.Effect<PushOutcome>

  /**
   * From now on qualified leads of the organization are pushed to the CRM. One that is connected at the same address gets
   * these settings and credentials, and keeps its id and what waits for it.
   */
  connect(organization: Organization, connection: CrmConnection): Effect.Effect<
    WebhookEndpoint,
    | FeatureGated
    | TargetRefused
    | WebhookEndpointLimitReached
    | WebhookEndpointTotalLimitReached
    | TemporarilyUnavailable
  >

  /** The endpoints of the organization that are CRMs, removed ones left out, the newest first. */
  list(orgId: string): Effect.Effect<ReadonlyArray<WebhookEndpoint>, TemporarilyUnavailable>

  /** None: there is no such endpoint, or it is no CRM. */
  find(endpointId: string): Effect.Effect<Option.Option<WebhookEndpoint>, TemporarilyUnavailable>
}>()("@freehold/core/webhook/CrmDesk") {
  static readonly layer = Layer.effect(
    CrmDesk,
    Effect.gen(function*() {
      const endpoints = yield* WebhookEndpoints
      const pusher = yield* CrmPusher
      const random = yield* SecureRandom.SecureRandom
      const { webhookTargets } = yield* ServiceSettings

      return CrmDesk.of({
        check: Effect.fn("CrmDesk.check")(({ credentials, crm, url }) =>
          pusher.check({ endpointId: "", url, settings: crm, credentials })
        ),
        connect: Effect.fn("CrmDesk.connect")(function*(organization, { credentials, crm, url }) {
          if (!organization.features.full_crm_export) return yield* new FeatureGated({ feature: "full_crm_export" })
          yield* Effect.fromResult(vetUrl(url, webhookTargets))
          return yield* endpoints.connect({
            id: yield* Effect.orDie(random.uuidV4()),
            orgId: organization.org_id,
            url,
            // Beside the address, so that a webhook there is another endpoint.
            targetKey: `${crm.kind} ${sameTargetKey(url)}`,
            label: labels[crm.kind],
            crm,
            credentials,
            now: yield* Clock.currentTimeMillis
          })
        }),
        list: Effect.fn("CrmDesk.list")((orgId) =>
          Effect.map(
            endpoints.list(orgId),
            (all) => all.filter(({ crm, disabledReason }) => crm !== null && disabledReason !== "deleted")
          )
        ),
        find: Effect.fn("CrmDesk.find")((endpointId) =>
          Effect.map(endpoints.find(endpointId), Option.filter(({ crm }) => crm !== null))
        )
      })
    })
  )
}
