/**
 * What the operator's people may ask for in their area of the app, and the one service that runs it.
 *
 * None of it has an organization as its caller, and none is in another catalogue: a key, an assistant, a member and an
 * admin have no door to it. So many run at once, whoever asks, and each is answered in time.
 */
import { Context, Duration, Effect, Layer, Semaphore } from "effect"
import type { Operator, OperatorHandlerOf } from "../access/Operator.ts"
import * as Deadline from "../load/Deadline.ts"
import { decoder } from "../operation/InvalidInput.ts"
import type { AnyOperation, RefusalOf } from "../operation/Operation.ts"
import * as DeliveryDesk from "../operator/DeliveryDesk.ts"
import {
  EnableEndpoint,
  GetDelivery,
  ListDeliveries,
  ListEndpoints,
  ResendDeliveries,
  TestEndpoint
} from "../operator/DeliveryOperations.ts"
import * as ImportDesk from "../operator/ImportDesk.ts"
import { BeginImport, GetImport, ListImports, ListRejects, StartImport } from "../operator/ImportOperations.ts"
import * as InstallationDesk from "../operator/InstallationDesk.ts"
import {
  CloseRequest,
  GetHealth,
  GetOperatorSession,
  ListKnownCounties,
  ListOperatorLog,
  ListRequests,
  RunAudit
} from "../operator/InstallationOperations.ts"
import * as MatchDesk from "../operator/MatchDesk.ts"
import { DecideOwnerMatch, DecidePlaceMatch, ListOwnerMatches, ListPlaceMatches } from "../operator/MatchOperations.ts"
import * as MemberViews from "../operator/MemberViews.ts"
import * as OrganizationCare from "../operator/OrganizationCare.ts"
import * as OrganizationDesk from "../operator/OrganizationDesk.ts"
import {
  ApplyOrganization,
  GrantCredits,
  ListAllOrganizations,
  ListOrganizationLedger,
  PlanOrganization,
  RefundCharge,
  SetOrganizationStatus,
  ShowOrganization
} from "../operator/OrganizationOperations.ts"
import * as RecordDesk from "../operator/RecordDesk.ts"
import {
  LiftSuppression,
  ListSuppressions,
  MergeProperties,
  PlanMerge,
  SuppressRecord
} from "../operator/RecordOperations.ts"
import { EndpointDesk } from "../webhook/EndpointDesk.ts"

export const operatorOperations = [
  GetOperatorSession,
  ListAllOrganizations,
  ShowOrganization,
  PlanOrganization,
  ApplyOrganization,
  SetOrganizationStatus,
  GrantCredits,
  RefundCharge,
  ListOrganizationLedger,
  GetHealth,
  RunAudit,
  ListKnownCounties,
  ListRequests,
  CloseRequest,
  ListSuppressions,
  SuppressRecord,
  LiftSuppression,
  PlanMerge,
  MergeProperties,
  ListOwnerMatches,
  DecideOwnerMatch,
  ListPlaceMatches,
  DecidePlaceMatch,
  ListEndpoints,
  ListDeliveries,
  GetDelivery,
  ResendDeliveries,
  TestEndpoint,
  EnableEndpoint,
  ListOperatorLog,
  BeginImport,
  StartImport,
  GetImport,
  ListImports,
  ListRejects
] as const

export type OperatorOperation = (typeof operatorOperations)[number]

/** A refusal of any of them. */
export type OperatorRefusal = RefusalOf<OperatorOperation>

/** Runs one operation for the one of the operator's people in context. */
export type OperatorRunnerOf<Op extends AnyOperation> = (
  input: unknown
) => Effect.Effect<Op["output"]["Encoded"], RefusalOf<Op>, Operator>

type Runners = { readonly [Op in OperatorOperation as Op["name"]]: OperatorRunnerOf<Op> }

/** Operations that run at once. */
const places = 6

/** Within which one is answered, waiting included: as long as a statement of theirs may take. */
const longest = Duration.minutes(10)

export class OperatorCatalogue extends Context.Service<OperatorCatalogue, {
  readonly run: Runners
  readonly addPart: Effect.Success<typeof ImportDesk.make>["addPart"]
  readonly openView: Effect.Success<typeof MemberViews.make>["open"]
}>()("@freehold/core/catalogue/OperatorCatalogue") {
  static readonly layer = Layer.effect(
    OperatorCatalogue,
    Effect.gen(function*() {
      const running = yield* Semaphore.make(places)
      const bind = <Op extends AnyOperation>(operation: Op, handler: OperatorHandlerOf<Op>): OperatorRunnerOf<Op> => {
        const decode = decoder<Op["input"]["Type"], Op["input"]["Encoded"]>(operation.input)
        return (input) =>
          Effect.flatMap(
            Effect.fromResult(decode(input)),
            (decoded) => Deadline.within(longest, running.withPermits(1)(handler(decoded)))
          )
      }
      const organizations = yield* OrganizationDesk.make
      const care = yield* OrganizationCare.make
      const installation = yield* InstallationDesk.make
      const records = yield* RecordDesk.make
      const matches = yield* MatchDesk.make
      const webhooks = yield* DeliveryDesk.make
      const { open } = yield* MemberViews.make
      const imports = yield* ImportDesk.make
      return OperatorCatalogue.of({
        openView: open,
        addPart: imports.addPart,
        run: {
          [GetOperatorSession.name]: bind(GetOperatorSession, installation.session),
          [ListAllOrganizations.name]: bind(ListAllOrganizations, organizations.list),
          [ShowOrganization.name]: bind(ShowOrganization, organizations.show),
          [PlanOrganization.name]: bind(PlanOrganization, care.plan),
          [ApplyOrganization.name]: bind(ApplyOrganization, care.change),
          [SetOrganizationStatus.name]: bind(SetOrganizationStatus, care.setStatus),
          [GrantCredits.name]: bind(GrantCredits, care.grant),
          [RefundCharge.name]: bind(RefundCharge, care.refund),
          [ListOrganizationLedger.name]: bind(ListOrganizationLedger, organizations.entries),
          [GetHealth.name]: bind(GetHealth, installation.health),
          [RunAudit.name]: bind(RunAudit, installation.audit),
          [ListKnownCounties.name]: bind(ListKnownCounties, installation.counties),
          [ListRequests.name]: bind(ListRequests, installation.asked),
          [CloseRequest.name]: bind(CloseRequest, installation.close),
          [ListSuppressions.name]: bind(ListSuppressions, records.list),
          [SuppressRecord.name]: bind(SuppressRecord, records.suppress),
          [LiftSuppression.name]: bind(LiftSuppression, records.lift),
          [PlanMerge.name]: bind(PlanMerge, records.plan),
          [MergeProperties.name]: bind(MergeProperties, records.merge),
          [ListOwnerMatches.name]: bind(ListOwnerMatches, matches.listOwners),
          [DecideOwnerMatch.name]: bind(DecideOwnerMatch, matches.decideOwner),
          [ListPlaceMatches.name]: bind(ListPlaceMatches, matches.listPlaces),
          [DecidePlaceMatch.name]: bind(DecidePlaceMatch, matches.decidePlace),
          [ListEndpoints.name]: bind(ListEndpoints, webhooks.list),
          [ListDeliveries.name]: bind(ListDeliveries, webhooks.deliveries),
          [GetDelivery.name]: bind(GetDelivery, webhooks.show),
          [ResendDeliveries.name]: bind(ResendDeliveries, webhooks.resend),
          [TestEndpoint.name]: bind(TestEndpoint, webhooks.test),
          [EnableEndpoint.name]: bind(EnableEndpoint, webhooks.enable),
          [ListOperatorLog.name]: bind(ListOperatorLog, installation.entries),
          [BeginImport.name]: bind(BeginImport, imports.begin),
          [StartImport.name]: bind(StartImport, imports.start),
          [GetImport.name]: bind(GetImport, imports.show),
          [ListImports.name]: bind(ListImports, imports.list),
          [ListRejects.name]: bind(ListRejects, imports.rejects)
        }
      })
    })
  ).pipe(Layer.provide(EndpointDesk.layer))
}
