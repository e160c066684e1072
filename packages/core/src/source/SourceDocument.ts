/**
 * The document of a source: where a publisher's records are, how they become rows, under which licence, and how often to
 * look for them.
 *
 * *Gotchas.* A document says nothing secret: a token is given beside it and sealed. `query` has one shape for all kinds;
 * `shortcomings` says what a kind needs of it.
 */
import { Duration, Option, Schema } from "effect"

/** The kinds of portals that are spoken with, and files. */
export const SourceKind = Schema.Literals(["soda", "feature_server", "ckan", "file", "edgar"])
export type SourceKind = typeof SourceKind.Type

/** The rows that a source can bring. */
export const SourceRows = Schema.Literals(["properties", "firms"])
export type SourceRows = typeof SourceRows.Type

/** How the records of a file are written. */
export const FileFormat = Schema.Literals(["csv", "ndjson", "geojson"])
export type FileFormat = typeof FileFormat.Type

const told = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(schema.annotate({ description }))

const Text = Schema.NonEmptyString.check(Schema.isMaxLength(2000))

const DurationText = Schema.String.check(
  Schema.makeFilter((text) =>
    Option.exists(durationOf(text), (duration) => Duration.toMillis(duration) >= 60_000)
    || "Expected a duration of a minute or more, such as 1 day"
  )
)

/** A duration as `effect` writes it: `12 hours`. */
export function durationOf(text: string): Option.Option<Duration.Duration> {
  const [, amount = "", unit = ""] = /^(\d{1,6}) (minute|hour|day|week)s?$/.exec(text) ?? []
  if (amount === "") return Option.none()
  const count = Number(amount)
  switch (unit) {
    case "minute":
      return Option.some(Duration.minutes(count))
    case "hour":
      return Option.some(Duration.hours(count))
    case "day":
      return Option.some(Duration.days(count))
    default:
      return Option.some(Duration.weeks(count))
  }
}

const Share = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))

/** What is asked of the portal. */
export const SourceQuery = Schema.Struct({
  where: told(Text, "Of soda and feature_server: a condition in the portal's own language."),
  resource_id: told(Text, "Of ckan: the resource."),
  filters: told(Schema.Record(Schema.String, Schema.Json), "Of ckan: values that columns must have."),
  format: told(FileFormat, "Of file: how it is written; by its name where it is not given."),
  delimiter: told(
    Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(1)),
    "Of a CSV file: what stands between cells."
  ),
  entry: told(Text, "Of a zip file: the name of the entry; the only one that can be read where it is not given."),
  ciks: told(
    Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9_999_999_999 }))).check(
      Schema.isMinLength(1),
      Schema.isMaxLength(20_000)
    ),
    "Of edgar: the companies, by their CIK."
  )
})
export type SourceQuery = typeof SourceQuery.Type

/** How the columns of a record become fields: the map of an import without its format. */
export const SourceMap = Schema.Struct({
  key: Text.annotate({ description: "The template of the key, such as 36061-{bbl}." }),
  null: told(Schema.Array(Schema.String), "Texts that mean nothing is known, in every column."),
  fields: Schema.Record(Schema.String, Schema.Json)
})
export type SourceMap = typeof SourceMap.Type

/** The name of a source. */
export const SourceName = Schema.String.check(
  Schema.isPattern(/^[a-z0-9][a-z0-9-]{0,62}$/, { message: "Expected 1 to 63 of a to z, 0 to 9 and hyphens" })
)

/** One source, as `freehold source add` takes it. */
export const SourceDocument = Schema.Struct({
  name: SourceName.annotate({ description: "What the source is called here." }),
  title: Text.annotate({ description: "What the publisher calls the data." }),
  publisher: Text.annotate({ description: "Who publishes it." }),
  licence: Text.annotate({ description: "Under which terms it may be used." }),
  attribution: Text.annotate({ description: "What is shown with the data." }),
  kind: SourceKind.annotate({ description: "What is spoken with at the address." }),
  address: Text.annotate({ description: "The address of the dataset, layer, portal or file." }),
  query: Schema.optionalKey(SourceQuery),
  rows: told(SourceRows, "What its rows are; properties where it is not given."),
  map: SourceMap,
  schedule: told(
    DurationText,
    "How long after one sync the next is due; without one it is synced when it is asked for."
  ),
  full_every: told(
    DurationText,
    "How often everything is read, and not only what changed; a week where it is not given."
  ),
  page: told(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 })), "Rows asked for at once."),
  rate: told(
    Schema.Finite.check(Schema.isBetween({ minimum: 0.01, maximum: 1000 })),
    "Most requests a second; 2 where it is not given."
  ),
  contact: told(Text, "A way to reach you, which is sent along; the SEC asks for one."),
  limits: told(
    Schema.Struct({
      retired: told(Share, "The share of the records that may vanish at once; a tenth where it is not given."),
      changed: told(Share, "The share of the records that may change at once; a half where it is not given.")
    }),
    "What a run may do without being asked."
  )
})
export type SourceDocument = typeof SourceDocument.Type

/** What the document lacks for its kind; none: nothing. */
export const shortcoming = ({ address, contact, kind, query = {} }: SourceDocument): string | undefined => {
  switch (kind) {
    case "soda":
      return /\/resource\/[a-z0-9]{4}-[a-z0-9]{4}(\.json)?$/.test(address)
        ? undefined
        : "address: expected that of a dataset, such as https://data.example.gov/resource/abcd-1234"
    case "feature_server":
      return /\/(FeatureServer|MapServer)\/\d+$/.test(address)
        ? undefined
        : "address: expected that of a layer, such as https://example.gov/arcgis/rest/services/Parcels/FeatureServer/0"
    case "ckan":
      return query.resource_id === undefined ? "query.resource_id: is needed by a source of kind ckan" : undefined
    case "edgar":
      return query.ciks === undefined
        ? "query.ciks: is needed by a source of kind edgar"
        : contact === undefined
        ? "contact: is needed by a source of kind edgar; the SEC refuses those who do not say who they are"
        : undefined
    case "file":
      return undefined
  }
}
