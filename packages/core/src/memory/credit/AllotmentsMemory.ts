/** `Allotments` in memory. */
import { Effect, Layer } from "effect"
import { Allotments } from "../../credit/Allotments.ts"
import { isGranted } from "../../credit/MonthlyGrant.ts"
import { compareText } from "../../operation/TextOrder.ts"
import { MemoryState } from "../MemoryState.ts"

export const layer: Layer.Layer<Allotments, never, MemoryState> = Layer.effect(
  Allotments,
  Effect.map(MemoryState, (state) =>
    Allotments.of({
      due: Effect.fn("Allotments.due")(({ after, limit, ref }) =>
        Effect.sync(() =>
          [...state.organizations.values()]
            .filter((organization) =>
              isGranted(organization) && organization.status === "active"
              && state.accounts.get(organization.org_id)?.grants.has(ref) !== true
            )
            .map(({ org_id }) => org_id)
            .sort(compareText)
            .filter((orgId) => after === null || compareText(orgId, after) > 0)
            .slice(0, limit)
        )
      )
    }))
)
