/** What research runs on, wherever it is asked for and wherever it is worked on. */
import * as ResearchRunsPg from "@freehold/adapters-pg/research/ResearchRunsPg"
import * as TemplateDrafter from "@freehold/core/research/TemplateDrafter"
import { type Duration, Effect, Layer, Option } from "effect"
import type { EndpointSettings } from "../drafter/OpenAiCompatible.ts"
import { Settings } from "../Settings.ts"

/** Loaded where a language model is set: what speaks with one takes its time to load. */
const languageModel = (settings: EndpointSettings, timeout: Duration.Duration) =>
  Layer.unwrap(Effect.promise(async () => {
    const [drafter, model] = await Promise.all([
      import("../drafter/LanguageModelDrafter.ts"),
      import("../drafter/OpenAiCompatible.ts")
    ])
    return drafter.layer(timeout).pipe(Layer.provide(model.layer(settings)))
  }))

/** Who writes drafts: a language model where one is set, templates otherwise. */
const drafter = Layer.unwrap(
  Effect.map(Settings, ({ drafter: endpoint, drafterTimeout }) =>
    Option.match(endpoint, {
      onNone: () => TemplateDrafter.layer,
      onSome: (settings) => languageModel(settings, drafterTimeout)
    }))
)

/** What research runs on. */
export const research = Layer.merge(ResearchRunsPg.layerWoken, drafter)
