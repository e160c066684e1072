/** Who finds out what research asks for, as the operator set it. */
import * as FinderCachePg from "@freehold/adapters-pg/research/FinderCachePg"
import * as FindingGroundPg from "@freehold/adapters-pg/research/FindingGroundPg"
import * as ImportedResearcher from "@freehold/core/research/ImportedResearcher"
import * as RemoteResearcher from "@freehold/webhook-worker/RemoteResearcher"
import { Sender } from "@freehold/webhook-worker/Sender"
import { Effect, Layer, Option } from "effect"
import type { FinderSettings } from "./finder/Finder.ts"
import * as ResearchCallback from "./ResearchCallback.ts"
import { Settings } from "./Settings.ts"

/** Loaded where it is set: what reads pages and speaks with a language model takes its time to load. */
const finder = (settings: FinderSettings) =>
  Layer.unwrap(Effect.promise(async () => (await import("./finder/Finder.ts")).layer(settings))).pipe(
    Layer.provide([FindingGroundPg.layer, FinderCachePg.layer])
  )

/** Who finds out what research asks for. */
export const researcher = (publicUrl: string) =>
  Layer.unwrap(
    Effect.map(Settings, ({ finder: found, researcher, researcherKind, webhookTargets, webhookTimeout: timeout }) => {
      if (researcherKind === "finder" && Option.isSome(found)) return finder(found.value)
      if (researcherKind === "remote" && Option.isSome(researcher)) {
        return RemoteResearcher.layer({ ...researcher.value, callbackUrl: `${publicUrl}${ResearchCallback.path}` })
          .pipe(
            Layer.provide(Sender.layer({ policy: webhookTargets, timeout }))
          )
      }
      return ImportedResearcher.layer
    })
  )
