/**
 * Reads TopoJSON: areas that share their borders. A border is written once, as steps on a raster, and areas name the borders
 * around them; a negative number is one that is walked backwards.
 */

/** An area as GeoJSON has it: polygons, each a border and its holes. */
export interface Outline {
  readonly id: string
  readonly polygons: Array<Array<Array<Array<number>>>>
}

type Steps = ReadonlyArray<readonly [x: number, y: number]>

type Ring = ReadonlyArray<number>

type Geometry =
  | { readonly type: "Polygon"; readonly id?: string | number; readonly arcs: ReadonlyArray<Ring> }
  | { readonly type: "MultiPolygon"; readonly id?: string | number; readonly arcs: ReadonlyArray<ReadonlyArray<Ring>> }
  | { readonly type: null; readonly id?: string | number }

/** A file that comes with the app: what is read of it is what its edition has. */
export interface Topology {
  readonly arcs: ReadonlyArray<Steps>
  readonly transform: { readonly scale: readonly [number, number]; readonly translate: readonly [number, number] }
  readonly objects: Readonly<Record<string, { readonly geometries: ReadonlyArray<Geometry> }>>
}

const linesOf = ({ arcs, transform: { scale, translate } }: Topology): ReadonlyArray<Array<Array<number>>> =>
  arcs.map((steps) => {
    let x = 0
    let y = 0
    return steps.map(([dx, dy]) => {
      x += dx
      y += dy
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]]
    })
  })

export const outlinesOf = (topology: Topology, name: string): ReadonlyArray<Outline> => {
  const lines = linesOf(topology)
  const ring = (arcs: Ring): Array<Array<number>> =>
    arcs.flatMap((arc, index) => {
      const line = (arc < 0 ? lines[~arc]?.toReversed() : lines[arc]) ?? []
      // Lines share their ends.
      return index === 0 ? line : line.slice(1)
    })
  return (topology.objects[name]?.geometries ?? []).flatMap((geometry) => {
    const id = String(geometry.id ?? "")
    if (geometry.type === "Polygon") return [{ id, polygons: [geometry.arcs.map(ring)] }]
    if (geometry.type === "MultiPolygon") return [{ id, polygons: geometry.arcs.map((rings) => rings.map(ring)) }]
    return []
  })
}
