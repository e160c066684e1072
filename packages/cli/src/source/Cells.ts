/** A record of any portal as cells: text by column, as a CSV file would have it, so that one language of maps reads all. */
import { Predicate } from "effect"

const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.filter((item) => typeof item === "string" || typeof item === "number").join(",")
    : typeof value === "string"
    ? value.trim()
    : typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : ""

/** The pair of a GeoJSON point, longitude first. */
const pointOf = (value: Readonly<Record<string, unknown>>): readonly [lon: number, lat: number] | undefined => {
  const { coordinates, type } = value
  if (type !== "Point" || !Array.isArray(coordinates)) return undefined
  const [lon, lat] = coordinates
  return typeof lon === "number" && typeof lat === "number" ? [lon, lat] : undefined
}

const put = (cells: Map<string, string>, name: string, value: unknown, depth: number): void => {
  if (Array.isArray(value) || !Predicate.isObject(value)) return void cells.set(name, textOf(value))
  const point = pointOf(value)
  if (point !== undefined) {
    cells.set(`${name}.lon`, String(point[0]))
    cells.set(`${name}.lat`, String(point[1]))
    return
  }
  if (depth === 0) return
  for (const [part, inner] of Object.entries(value)) put(cells, `${name}.${part}`, inner, depth - 1)
}

/** What is nested deeper than this is left out. */
const deepest = 4

/** The columns of an object; a part of an object in it is a column `name.part`, and a point two, `name.lat` and `name.lon`. */
export const cellsOf = (record: Readonly<Record<string, unknown>>): Map<string, string> => {
  const cells = new Map<string, string>()
  for (const [name, value] of Object.entries(record)) put(cells, name, value, deepest)
  return cells
}
