/** What reads portals and files, as the operator set it. */
import { GuardedGet } from "@freehold/webhook-worker/GuardedGet"
import { Effect, Layer } from "effect"
import { Settings } from "../Settings.ts"
import { version } from "../Version.ts"
import * as PortalReader from "./PortalReader.ts"

export const layer = Layer.unwrap(
  Effect.map(
    Settings,
    ({ sourceTargets: policy, sourceTimeout: patience }) =>
      PortalReader.layer({ deadline: patience }).pipe(
        Layer.provide(GuardedGet.layer({ policy, patience, userAgent: `Freehold/${version}` }))
      )
  )
)

/** For a source that is kept nowhere: it needs no database. */
export const alone = layer.pipe(Layer.provide(Settings.layer))
