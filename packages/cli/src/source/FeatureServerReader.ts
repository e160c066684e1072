/**
 * ArcGIS feature and map layers: `GET <layer>/query`.
 *
 * Pages are the features behind the last object id. What changed is what was edited later, where the layer keeps track of
 * that: the mark is the latest edit before the first page was read, since a feature of that page may be edited while the others are read,
 * and what was edited from a day before it on is asked for, since some layers take a moment in the time zone of their database. Geometries come in degrees (`outSR=4326`) and become the columns `lat` and `lon`, their centroid; dates come in
 * milliseconds and become ISO-8601.
 */
import { type Reading, SourceFault, type SourcePage } from "@freehold/core/source/SourceReader"
import { DateTime, Duration, Effect, Option, Redacted, Result, Schema, Stream } from "effect"
import { cellsOf } from "./Cells.ts"
import * as Centroid from "./Centroid.ts"
import type { Portal } from "./Portal.ts"

const pageSize = 1000

const Layer = Schema.Struct({
  objectIdField: Schema.optionalKey(Schema.NullOr(Schema.String)),
  maxRecordCount: Schema.optionalKey(Schema.Int),
  editFieldsInfo: Schema.optionalKey(
    Schema.NullOr(Schema.Struct({ editDateField: Schema.optionalKey(Schema.NullOr(Schema.String)) }))
  ),
  fields: Schema.Array(Schema.Struct({ name: Schema.String, type: Schema.String }))
})
type Layer = typeof Layer.Type

const Features = Schema.Struct({
  features: Schema.Array(Schema.Struct({
    attributes: Schema.Record(Schema.String, Schema.Unknown),
    geometry: Schema.optionalKey(Schema.Unknown)
  })),
  exceededTransferLimit: Schema.optionalKey(Schema.Boolean)
})

/** What a server answers, with status 200, when it cannot answer. */
const Failure = Schema.Struct({ error: Schema.Struct({ code: Schema.Number, message: Schema.String }) })
const decodeFailure = Schema.decodeUnknownOption(Failure)

/** How long before the mark features are asked for again: no time zone is further from UTC. */
const overlap = Duration.days(1)

/** `edited`: the mark of this reading. */
const Position = Schema.Struct({ after: Schema.Int, edited: Schema.NullOr(Schema.Number) })
const decodePosition = Schema.decodeUnknownOption(Position)
const Mark = Schema.Struct({ edited: Schema.NullOr(Schema.Number) })
const decodeMark = Schema.decodeUnknownOption(Mark)

const lasting = (reason: string) => new SourceFault({ reason, lasting: true })

const decoded = <A, E>(schema: Schema.Codec<A, E>, what: string) => {
  const decode = Schema.decodeUnknownResult(schema)
  return (value: unknown): Effect.Effect<A, SourceFault> => {
    const failure = decodeFailure(value)
    if (Option.isSome(failure)) {
      const { code, message } = failure.value.error
      // 4xx are about what was asked; the others pass.
      return Effect.fail(
        new SourceFault({
          reason: `answered error ${code}: ${message}`,
          lasting: code >= 400 && code < 500 && code !== 429
        })
      )
    }
    return Effect.fromResult(Result.mapError(decode(value), () => lasting(`did not answer ${what}`)))
  }
}

const layerOf = decoded(Layer, "what the layer is")
const featuresOf = decoded(Features, "features")

/** The object id's field, by what the layer says, or by its type. */
const idFieldOf = (layer: Layer): string | undefined =>
  layer.objectIdField ?? layer.fields.find(({ type }) => type === "esriFieldTypeOID")?.name

/** A moment as the query language of layers writes it, in UTC. */
const timestamp = (millis: number): string =>
  `TIMESTAMP '${DateTime.formatIso(DateTime.makeUnsafe(millis)).slice(0, 19).replace("T", " ")}'`

export const read = (
  portal: Portal,
  { document, position, since, token }: Reading
): Stream.Stream<SourcePage, SourceFault> => {
  const ask = (url: URL) => {
    url.searchParams.set("f", "json")
    return portal.json({
      url: url.href,
      ...token === null ? {} : { secretHeaders: { "X-Esri-Authorization": `Bearer ${Redacted.value(token)}` } }
    })
  }
  const pages = (layer: Layer, idField: string) => {
    const limit = Math.min(document.page ?? pageSize, layer.maxRecordCount ?? pageSize)
    const dates = new Set(layer.fields.flatMap(({ name, type }) => type === "esriFieldTypeDate" ? [name] : []))
    const editField = layer.editFieldsInfo?.editDateField ?? null
    const known = Option.getOrNull(Option.map(decodeMark(since), ({ edited }) => edited))
    const changed = editField === null || known === null
      ? []
      : [`${editField} >= ${timestamp(known - Duration.toMillis(overlap))}`]
    const columns = [...new Set([...layer.fields.map(({ name }) => name), "lat", "lon"])]

    const cellsOfFeature = (attributes: Readonly<Record<string, unknown>>, geometry: unknown) => {
      const cells = cellsOf(attributes)
      for (const name of dates) {
        const moment = attributes[name]
        if (typeof moment === "number") {
          cells.set(name, Option.match(DateTime.make(moment), { onNone: () => "", onSome: DateTime.formatIso }))
        }
      }
      const place = Centroid.ofEsri(geometry)
      if (place !== undefined) {
        cells.set("lat", place.lat.toFixed(6))
        cells.set("lon", place.lon.toFixed(6))
      }
      return cells
    }

    const query = Effect.fnUntraced(function*(
      conditions: ReadonlyArray<string>,
      parameters: Readonly<Record<string, string>>
    ) {
      const url = new URL(`${document.address}/query`)
      url.searchParams.set("where", [`(${document.query?.where ?? "1=1"})`, ...conditions].join(" AND "))
      url.searchParams.set("outSR", "4326")
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return yield* featuresOf((yield* ask(url)).value)
    })

    // Without an answer there is no mark, and the next reading is of everything.
    const latestEdit = (field: string) =>
      query([`${field} IS NOT NULL`], {
        outFields: field,
        orderByFields: `${field} DESC`,
        resultRecordCount: "1",
        returnGeometry: "false"
      }).pipe(
        Effect.map(({ features: [last] }) => {
          const moment = last?.attributes[field]
          return typeof moment === "number" ? moment : null
        }),
        Effect.catchIf(({ lasting }) => lasting, () => Effect.succeed(null))
      )

    const page = Effect.fnUntraced(function*(at: typeof Position.Type | null) {
      const edited = at !== null ? at.edited : editField === null ? null : yield* latestEdit(editField)
      const { exceededTransferLimit = false, features } = yield* query(
        [...changed, ...at === null ? [] : [`${idField} > ${at.after}`]],
        {
          outFields: "*",
          orderByFields: `${idField} ASC`,
          resultRecordCount: String(limit),
          returnGeometry: "true"
        }
      )
      let after = at?.after ?? 0
      const records: Array<SourcePage["records"][number]> = []
      for (const { attributes, geometry } of features) {
        const id = attributes[idField]
        if (typeof id !== "number") return yield* lasting(`answered a feature without ${idField}`)
        if (at !== null && id <= at.after) return yield* lasting("answered features again that it was not asked for")
        after = Math.max(after, id)
        records.push({ _tag: "Read", place: String(id), cells: cellsOfFeature(attributes, geometry) })
      }
      if (features.length === 0 && exceededTransferLimit) {
        return yield* new SourceFault({ reason: "says that it has more features, and answers none", lasting: false })
      }
      const next = { after, edited }
      const read: SourcePage = { records, columns, position: next, mark: { edited } }
      const more = exceededTransferLimit || features.length >= limit
      return [[read], more ? Option.some(next) : Option.none()] as const
    })
    return Stream.paginate(Option.getOrNull(decodePosition(position)), page)
  }
  return Stream.unwrap(Effect.gen(function*() {
    const layer = yield* layerOf((yield* ask(new URL(document.address))).value)
    const idField = idFieldOf(layer)
    return idField === undefined ? yield* lasting("has no object ids") : pages(layer, idField)
  }))
}
