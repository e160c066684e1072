/**
 * Logs on standard error, as JSON where no person reads along, and OpenTelemetry where an endpoint is set.
 *
 * *Gotchas.* Standard output belongs to results, and to the protocol of `freehold mcp`: nothing may log there.
 */
import { Effect, Layer, Logger, Option, References } from "effect"
import * as LogLine from "./LogLine.ts"
import * as UnknownSettings from "./setting/UnknownSettings.ts"
import { Settings } from "./Settings.ts"
import { version } from "./Version.ts"

const toStandardError = (traced: boolean) =>
  Layer.mergeAll(
    Logger.layer([Logger.withConsoleError(process.stderr.isTTY ? LogLine.readable : LogLine.json(traced))]),
    Layer.succeed(Logger.LogToStderr, true)
  )

const telemetry = (url: string) =>
  Layer.unwrap(
    Effect.promise(() => Promise.all([import("effect/observability"), import("effect/http")])).pipe(
      Effect.map(([{ Otlp }, { FetchHttpClient }]) =>
        Otlp.layerJson({
          baseUrl: url,
          resource: { serviceName: "freehold", serviceVersion: version },
          loggerMergeWithExisting: true
        }).pipe(Layer.provide(FetchHttpClient.layer))
      )
    )
  )

/** Nobody receives spans, so none is made: each costs a request two random ids and a table of attributes. */
const untraced = Layer.succeed(References.TracerEnabled, false)

const observing = Layer.unwrap(Effect.gen(function*() {
  const { logLevel, telemetryUrl } = yield* Settings
  const logs = Layer.merge(
    toStandardError(Option.isSome(telemetryUrl)),
    Layer.succeed(References.MinimumLogLevel, logLevel)
  )
  return Option.isNone(telemetryUrl)
    ? Layer.merge(logs, untraced)
    : telemetry(telemetryUrl.value).pipe(Layer.provideMerge(logs))
}))

/** Begins with a warning of each variable that is no setting. */
export const layer = Layer.effectDiscard(UnknownSettings.warn).pipe(Layer.provideMerge(observing))
