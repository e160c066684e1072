/** `SourceReader` over the network: each kind of portal by its own protocol, all through one door. */
import { type Reading, SourceReader } from "@freehold/core/source/SourceReader"
import { GuardedGet } from "@freehold/webhook-worker/GuardedGet"
import { Duration, Effect, Layer, Stream } from "effect"
import * as CkanReader from "./CkanReader.ts"
import * as EdgarReader from "./EdgarReader.ts"
import * as FeatureServerReader from "./FeatureServerReader.ts"
import * as FileReader from "./FileReader.ts"
import * as Portal from "./Portal.ts"
import * as SodaReader from "./SodaReader.ts"

/** Requests a second where the document does not say. */
const usualRate = 2

const readerOf = (reading: Reading) => {
  switch (reading.document.kind) {
    case "soda":
      return SodaReader.read
    case "feature_server":
      return FeatureServerReader.read
    case "ckan":
      return CkanReader.read
    case "file":
      return FileReader.read
    case "edgar":
      return EdgarReader.read
  }
}

/** Needs a `GuardedGet`. */
export const layer = (manners: {
  /** How long one page may take. */
  readonly deadline: Duration.Duration
  /** The pause after the first fault. */
  readonly pause?: Duration.Duration
}) =>
  Layer.effect(
    SourceReader,
    Effect.map(GuardedGet, (gets) =>
      SourceReader.of({
        read: (reading) =>
          Stream.unwrap(Effect.map(
            Effect.provideService(
              Portal.make({
                rate: reading.document.rate ?? usualRate,
                pause: manners.pause ?? Duration.seconds(1),
                deadline: manners.deadline,
                contact: reading.document.contact
              }),
              GuardedGet,
              gets
            ),
            (portal) => readerOf(reading)(portal, reading)
          )),
        tellsChanges: ({ kind }) => kind === "soda" || kind === "feature_server"
      }))
  )
