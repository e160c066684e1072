/**
 * The map of a CSV file: which column, template, lookup or constant gives which field of a row.
 *
 *     { "format": "csv", "delimiter": ",", "key": "gsa:{Location Code}", "null": ["NA"], "fields": { ... } }
 *
 * A field is one of
 *
 * - `"Column"`, the same as `{ "column": "Column" }`
 * - `{ "column": "Column" }`
 * - `{ "template": "{Year}-12-31T00:00:00Z" }`: null when a column of it is; a part in brackets, as in
 *   `"{No}[ {Dir}] {Street}"`, is left out when a column of the part is; `\[` and `\]` are brackets themselves
 * - `{ "lookup": "counties.csv", "on": "Column", "from": "code", "take": "fips" }`: the cell `take` of the row of another
 *   CSV file whose cell `from` equals the column `on`; null when there is none
 * - `{ "table": { "A": "36061" }, "on": "Column" }`: the same, looked up in the map itself
 * - `{ "const": value }`
 * - `[{ "propertyKey": ..., "role": ... }]`: an array of objects; one whose fields are all null or constant is left out
 *
 * and all but the last two may have the options of `Options`. A dotted name (`ownerMailingAddress.zip`) is a part of an
 * object. Cells are trimmed; an empty cell and one in a `null` list is null, whatever else the map says.
 */
import type { Bounds } from "@freehold/core/import/FieldCheck"
import type { ImportKind } from "@freehold/core/import/ImportKind"
import { shapes } from "@freehold/core/import/ImportRow"
import type { RowFault } from "@freehold/core/import/RowReading"
import { type Member, memberAt, type Shape, valueFault } from "@freehold/core/import/RowShape"
import type { InvalidInput } from "@freehold/core/operation/InvalidInput"
import { Effect, FileSystem, Result, type Schema } from "effect"
import { dirname, resolve } from "node:path"
import { whyNot } from "../WhyNot.ts"
import { type CellOptions, type CellType, read as readCell, shown } from "./CellValue.ts"
import { ImportFileFault } from "./ImportFileFault.ts"
import * as LookupFile from "./LookupFile.ts"
import {
  decodeColumn,
  decodeConst,
  decodeLookup,
  decodeMap,
  decodeTable,
  decodeTemplate,
  type Options
} from "./MapDocument.ts"

/** One record's cells by column name, trimmed. */
type Cells = ReadonlyMap<string, string>

/** Cells to a value; null: nothing is known. */
type Reader = (cells: Cells) => Result.Result<Schema.Json, string>

/** How one field, or one part of an object, gets its value. */
interface Plan {
  readonly path: ReadonlyArray<string>
  /** True: the value is the same for every record. */
  readonly constant: boolean
  readonly source: Reader | ReadonlyArray<ReadonlyArray<Plan>>
}

type JsonObject = { [field: string]: Schema.Json }

export interface ImportMap {
  readonly delimiter: string
  /** The columns that the file must have. */
  readonly columns: ReadonlySet<string>
  /** One record to a row as NDJSON would have it; a field that could not be read is not in it but in `faults`. */
  readonly row: (cells: Cells, faults: Array<RowFault>) => Schema.Json
}

/** What the cell of a field holds where its map does not say. */
const cellTypeOf = ({ rule }: Member): CellType => {
  const { format, type } = rule?.schema ?? {}
  if (type === "integer" || type === "number" || type === "boolean") return type
  return type === "array" ? "texts" : format === "date" ? "date" : "text"
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The text of a cell, an expression of cells, or null. */
type Text = (cells: Cells) => string | null

const columnsOf = (template: string): ReadonlyArray<string> =>
  Array.from(template.matchAll(/\{([^{}]*)\}/g), ([, column]) => column ?? "")

/** A part of a template that is null when one of its columns is. */
const wholeText = (part: string, cell: (column: string) => Text): Text => {
  const between = part.split(/\{[^{}]*\}/).map((text) => text.replace(/\\([[\]])/g, "$1"))
  const cells = columnsOf(part).map(cell)
  return (record) => {
    let text = between[0] ?? ""
    for (const [index, read] of cells.entries()) {
      const value = read(record)
      if (value === null) return null
      text += value + (between[index + 1] ?? "")
    }
    return text
  }
}

/** The parts of a template: in brackets, or between those. A bracket in the name of a column is none, nor is one behind a backslash. */
const templatePart =
  /\[((?:\{[^{}]*\}|\\[[\]]|\\(?![[\]])|[^[\]{}\\])+)\]|(?:\{[^{}]*\}|\\[[\]]|\\(?![[\]])|[^[\\])+|\[/g

const templateText = (template: string, cell: (column: string) => Text): Text => {
  const parts = Array.from(template.matchAll(templatePart), ([part, optional]) => ({
    read: wholeText(optional ?? part, cell),
    isOptional: optional !== undefined
  }))
  return (record) => {
    let text = ""
    for (const { isOptional, read } of parts) {
      const value = read(record)
      if (value === null && !isOptional) return null
      text += value ?? ""
    }
    return text.trim() === "" ? null : text.trim()
  }
}

/** The value of a text in a table of exact texts and of beginnings, the longest first. */
const valueTable = (values: Readonly<Record<string, Schema.Json>>) => {
  const exact = new Map(Object.entries(values))
  const beginnings = Object.entries(values)
    .filter(([text]) => text.endsWith("*"))
    .map(([text, value]) => [text.slice(0, -1), value] as const)
    .sort(([a], [b]) => b.length - a.length)
  return (text: string): Schema.Json | undefined => {
    const found = exact.get(text)
    return found === undefined ? beginnings.find(([beginning]) => text.startsWith(beginning))?.[1] : found
  }
}

const isZero = (text: string): boolean => /^[+-]?0+(\.0+)?$/.test(text)

/** A text to the field's value, by the options. */
const reader = (cellType: CellType, text: Text, spec: Options): Reader => {
  const nulls = new Set(spec.null ?? [])
  const match = spec.match === undefined ? undefined : new RegExp(spec.match)
  const table = spec.values === undefined ? undefined : valueTable(spec.values)
  const otherwise = spec.otherwise
  const cellOptions: CellOptions = {
    type: spec.type ?? cellType,
    times: spec.times ?? 1,
    round: spec.round ?? false,
    dateFormat: spec.dateFormat ?? "YYYY-MM-DD",
    separator: spec.separator ?? ","
  }
  const unknown = (cell: string, reason: string): Result.Result<Schema.Json, string> =>
    otherwise === undefined ? Result.fail(`${shown(cell)} ${reason}`) : Result.succeed(otherwise)
  return (cells) => {
    const cell = text(cells)
    if (cell === null || nulls.has(cell)) return Result.succeed(null)
    if (spec.zeroIs !== undefined && isZero(cell)) return Result.succeed(spec.zeroIs)
    const found = match?.exec(cell)
    if (found === null) return unknown(cell, "does not have the form that the map asks for")
    const matched = found === undefined ? cell : found[1] ?? found[0]
    if (table === undefined) return readCell(matched, cellOptions)
    const value = table(matched)
    return value === undefined ? unknown(cell, "is not among the values that the map knows") : Result.succeed(value)
  }
}

const put = (target: JsonObject, path: ReadonlyArray<string>, value: Schema.Json): void => {
  const [name = "", part] = path
  if (part === undefined) {
    target[name] = value
    return
  }
  const inner = target[name]
  if (isObject(inner)) target[name] = { ...inner, [part]: value }
  else target[name] = { [part]: value }
}

/** Fills `target` by the plans; answers whether anything that is not constant is known. */
const fill = (
  target: JsonObject,
  plans: ReadonlyArray<Plan>,
  cells: Cells,
  at: string,
  faults: Array<RowFault>
): boolean => {
  let known = false
  for (const { constant, path, source } of plans) {
    const field = at + path.join(".")
    if (typeof source === "function") {
      const value = source(cells)
      if (Result.isFailure(value)) {
        faults.push({ field, reason: value.failure })
        known = true
        continue
      }
      put(target, path, value.success)
      known ||= !constant && value.success !== null
      continue
    }
    const items: Array<Schema.Json> = []
    for (const item of source) {
      const filled: JsonObject = {}
      if (fill(filled, item, cells, `${field}[${items.length}].`, faults)) items.push(filled)
    }
    put(target, path, items)
    known ||= items.length > 0
  }
  return known
}

/** What a map puts into rows as it stands there, by its place in the map. */
const literals = (spec: Readonly<Record<string, unknown>>): ReadonlyArray<readonly [place: string, value: unknown]> => [
  ...["const", "zeroIs", "otherwise"].flatMap((name) => name in spec ? [[name, spec[name]] as const] : []),
  ...Object.entries(isObject(spec["values"]) ? spec["values"] : {}).map(([text, value]) =>
    [`values[${shown(text)}]`, value] as const
  )
]

/** Every literal of a field that its rows would be refused for. */
const literalFaults = (
  spec: Readonly<Record<string, unknown>>,
  member: Member,
  at: string,
  bounds: Bounds
): ReadonlyArray<string> =>
  literals(spec).flatMap(([place, value]) => {
    const fault = place === "const" && value === null && member.need !== undefined
      ? "must not be null"
      : valueFault(member, value, bounds)
    return fault === undefined ? [] : [`${at}.${place}: ${fault}`]
  })

/** What a map is made of: what it is called, and the folder of the files that it looks up in; null: it has none. */
interface MapSource {
  readonly file: string
  readonly folder: string | null
}

/** What to do with a map that came without the files beside it. */
const noFolder =
  "looks up in another file, and there is none beside this map: import it by the command, freehold import, which has both; "
  + `or put "table", an object of what each text stands for, in place of "lookup", "from" and "take"`

/** The map of a JSON value. Every fault names its place in it. */
export const make = Effect.fn("ImportMap.make")(function*(
  json: unknown,
  { file, folder }: MapSource,
  kind: ImportKind,
  bounds: Bounds
): Effect.fn.Return<ImportMap, ImportFileFault> {
  const faulty = (reason: string) => new ImportFileFault({ file, reason })
  const map = yield* Effect.fromResult(Result.mapError(decodeMap(json), (invalid) => faulty(invalid.message)))
  const decoded = <A>(result: Result.Result<A, InvalidInput>, at: string) =>
    Effect.fromResult(
      Result.mapError(result, ({ issues }) =>
        faulty(
          issues.map(({ field, message }) => `${field === null ? at : `${at}.${field}`}: ${message}`).join("; ")
        ))
    )

  const nulls = new Set(map.null ?? [])
  const columns = new Set<string>()
  const cell = (column: string): Text => {
    columns.add(column)
    return (cells) => {
      const value = cells.get(column)
      return value === undefined || value === "" || nulls.has(value) ? null : value
    }
  }

  /** What stands beside the cell of a column in a table, as a cell. */
  const lookedUp = (table: ReadonlyMap<string, string>, column: string): Text => {
    const on = cell(column)
    return (cells) => {
      const code = on(cells)
      const found = code === null ? undefined : table.get(code)
      return found === undefined || found === "" || nulls.has(found) ? null : found
    }
  }

  const valueReader = Effect.fnUntraced(function*(member: Member, spec: unknown, at: string) {
    const type = cellTypeOf(member)
    if (typeof spec === "string") return reader(type, cell(spec), {})
    if (!isObject(spec)) return yield* faulty(`${at}: expected a column, an object or an array of objects`)
    if ("column" in spec) {
      const column = yield* decoded(decodeColumn(spec), at)
      return reader(type, cell(column.column), column)
    }
    if ("template" in spec) {
      const template = yield* decoded(decodeTemplate(spec), at)
      return reader(type, templateText(template.template, cell), template)
    }
    if ("lookup" in spec) {
      const lookup = yield* decoded(decodeLookup(spec), at)
      if (folder === null) return yield* faulty(`${at}: ${noFolder}`)
      const table = yield* LookupFile.load(resolve(folder, lookup.lookup), lookup.from, lookup.take).pipe(
        Effect.mapError((fault) => faulty(`${at}: ${fault.message}`))
      )
      return reader(type, lookedUp(table, lookup.on), lookup)
    }
    if ("table" in spec) {
      const table = yield* decoded(decodeTable(spec), at)
      return reader(type, lookedUp(new Map(Object.entries(table.table)), table.on), table)
    }
    return yield* faulty(`${at}: expected one of column, template, lookup, table and const`)
  })

  const plansOf = (
    shape: Shape,
    fields: Readonly<Record<string, unknown>>,
    at: string
  ): Effect.Effect<ReadonlyArray<Plan>, ImportFileFault> =>
    Effect.forEach(
      Object.entries(fields),
      Effect.fnUntraced(function*([name, spec]): Effect.fn.Return<Plan, ImportFileFault> {
        const here = `${at}.${name}`
        const path = name.split(".")
        const member = memberAt(shape, path)
        if (typeof member === "string") return yield* faulty(`${here}: ${member}`)
        if (Array.isArray(spec)) {
          const { most, parts } = member
          if (most === undefined || parts === undefined) return yield* faulty(`${here}: is no array of objects`)
          const items = yield* Effect.forEach(spec, (item: unknown, index) =>
            isObject(item)
              ? plansOf(parts, item, `${here}[${index}]`)
              : Effect.fail(faulty(`${here}[${index}]: expected an object of fields`)))
          return { path, constant: false, source: items }
        }
        const faults = isObject(spec) ? literalFaults(spec, member, here, bounds) : []
        if (faults.length > 0) return yield* faulty(faults.join("; "))
        if (isObject(spec) && "const" in spec) {
          const constant = yield* decoded(decodeConst(spec), here)
          return { path, constant: true, source: () => Result.succeed(constant.const) }
        }
        return { path, constant: false, source: yield* valueReader(member, spec, here) }
      })
    )

  if (Object.hasOwn(map.fields, "key")) return yield* faulty("fields.key: the key stands beside fields, not in it")
  if (kind === "research" && map.key !== undefined) return yield* faulty("key: research rows have none")
  if (kind !== "research" && map.key === undefined) return yield* faulty("key: is missing")
  if (map.key !== undefined && columnsOf(map.key).length === 0) {
    return yield* faulty(
      `key: ${
        shown(map.key)
      } names no column, so all rows would be one record; expected a column in braces, such as gsa:{Location Code}`
    )
  }
  const keyPlan: ReadonlyArray<Plan> = map.key === undefined
    ? []
    : [{ path: ["key"], constant: false, source: reader("text", templateText(map.key, cell), {}) }]
  const plans = [...keyPlan, ...yield* plansOf(shapes[kind].fields, map.fields, "fields")]
  return {
    delimiter: map.delimiter ?? ",",
    columns,
    row: (cells, faults) => {
      const row: JsonObject = {}
      fill(row, plans, cells, "", faults)
      return row
    }
  }
})

/** The map of a text of JSON. */
export const parse = (
  text: string,
  source: MapSource,
  kind: ImportKind,
  bounds: Bounds
): Effect.Effect<ImportMap, ImportFileFault> =>
  Effect.fromResult(Result.try({
    try: (): unknown => JSON.parse(text.replace(/^\uFEFF/, "")),
    catch: (error) =>
      new ImportFileFault({
        file: source.file,
        reason: `is not JSON: ${error instanceof Error ? error.message : String(error)}`
      })
  })).pipe(Effect.flatMap((json) => make(json, source, kind, bounds)))

/** Reads a map and the files that it looks up in. */
export const load = Effect.fn("ImportMap.load")(function*(
  file: string,
  kind: ImportKind,
  bounds: Bounds
): Effect.fn.Return<ImportMap, ImportFileFault, FileSystem.FileSystem> {
  const fileSystem = yield* FileSystem.FileSystem
  const text = yield* fileSystem.readFileString(file).pipe(
    Effect.mapError((error) => new ImportFileFault({ file, reason: `cannot be read: ${whyNot(error)}` }))
  )
  return yield* parse(text, { file, folder: dirname(file) }, kind, bounds)
})
