/** The researcher that finds something out by itself, as the operator set it. Loaded only where it is set. */
import { RoleType } from "@freehold/core/contact/Contact"
import type { TargetPolicy } from "@freehold/core/operation/ServiceSettings"
import * as FindingResearcher from "@freehold/core/research/FindingResearcher"
import { GuardedGet } from "@freehold/webhook-worker/GuardedGet"
import { Duration, Layer } from "effect"
import * as OpenAiCompatible from "../drafter/OpenAiCompatible.ts"
import { recordId } from "../import/RecordId.ts"
import { version } from "../Version.ts"
import * as LanguageModelProposer from "./LanguageModelProposer.ts"
import * as MailExchange from "./MailExchange.ts"
import * as WebSites from "./WebSites.ts"

export interface FinderSettings {
  readonly endpoint: OpenAiCompatible.EndpointSettings
  /** How long the model may take. */
  readonly timeout: Duration.Duration
  /** Where sites may be. */
  readonly targets: TargetPolicy
}

/** How the finder is called in requests and in robots.txt. */
const agent = "Freehold"

/** Of an answer of the model: forty proposals. */
const mostTokens = 8000

const pagePatience = Duration.seconds(15)

const roles = RoleType.literals.filter((role) => role !== "other")

/** Needs the ports that it reads and remembers by. Where private sites are allowed there is no name server to be asked. */
export const layer = ({ endpoint, targets, timeout }: FinderSettings) =>
  FindingResearcher.layer(recordId).pipe(
    Layer.provide([
      WebSites.layer({ agent, pause: Duration.millis(500), patience: pagePatience, keptFor: Duration.days(7) }),
      LanguageModelProposer.layer({ model: endpoint.model, timeout, roles }),
      targets === "public" ? MailExchange.layer() : MailExchange.layerSilent
    ]),
    Layer.provide([
      GuardedGet.layer({ policy: targets, patience: pagePatience, userAgent: `${agent}/${version}` }),
      OpenAiCompatible.layer({ ...endpoint, mostTokens })
    ])
  )
