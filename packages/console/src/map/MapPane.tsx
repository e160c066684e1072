/** The map beside the results: the same search, the same chosen properties, and a way to say where to look. */
import { useEffect, useMemo, useRef, useState } from "react"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { number } from "../part/Wording.ts"
import type { Row } from "../search/ResultList.tsx"
import { type Bounds, type Filters, hasWords, isDrawn, type SearchState, withFilters } from "../search/SearchUrl.ts"
import { knownOf } from "../service/Refusals.ts"
import type { Counties } from "./Counties.ts"
import { Here } from "./Here.tsx"
import { Legend } from "./Legend.tsx"
import { circle, drawing, pointFeatures } from "./MapFeatures.ts"
import style from "./MapPane.module.css"
import { useMapKeys } from "./useMapKeys.ts"
import { useMapLibre } from "./useMapLibre.ts"
import { isNarrow, useMapPoints } from "./useMapPoints.ts"
import { useOutlines } from "./useOutlines.ts"

interface Place {
  readonly lat: number
  readonly lon: number
}

type Tool = "look" | "draw" | "radius"

/** So many corners make an area. */
const fewest = 3

const miles = [1, 3, 5, 10, 20]
const metersInMile = 1609.344

/** Half the side of the square that a click looks into, in pixels. */
const reach = 10

/** Where somebody clicked, while this was asked for. */
interface Clicked {
  readonly at: Bounds
  readonly place: Place
  readonly asked: string
}

interface Extent {
  readonly points: ReadonlyArray<Place>
  readonly extent: Bounds | null
}

const extentOf = (places: ReadonlyArray<Place>): Bounds | null =>
  places.length === 0 ? null : {
    north: Math.max(...places.map(({ lat }) => lat)),
    south: Math.min(...places.map(({ lat }) => lat)),
    east: Math.max(...places.map(({ lon }) => lon)),
    west: Math.min(...places.map(({ lon }) => lon))
  }

const placed = (rows: ReadonlyArray<Row>) =>
  rows.flatMap(({ assetCategory: category, id, lat, lon, researchState: state }) =>
    lat === null || lon === null ? [] : [{ id, lat, lon, state, category }]
  )

/** The area that was drawn, as a shape; null: none was. */
const areaOf = ({ near, within }: Filters) => near === undefined ? within ?? null : circle(near)

const boundsOf = (area: NonNullable<ReturnType<typeof areaOf>>): Bounds | null =>
  extentOf(
    (area.type === "Polygon" ? area.coordinates : area.coordinates.flat()).flat()
      .map(([lon = 0, lat = 0]) => ({ lat, lon }))
  )

export const MapPane = ({ areRowsOld, chosen, counties, onChange, rows, state }: {
  readonly state: SearchState
  readonly rows: ReadonlyArray<Row>
  /** The rows are those of the search before, as long as those of this one are not there. */
  readonly areRowsOld: boolean
  readonly chosen: ReadonlySet<string>
  readonly counties: Counties
  readonly onChange: (state: SearchState) => void
}) => {
  const container = useRef<HTMLDivElement>(null)
  const [tool, setTool] = useState<Tool>("look")
  const [corners, setCorners] = useState<ReadonlyArray<Place>>([])
  const [radius, setRadius] = useState(1)
  const [clicked, setClicked] = useState<Clicked | null>(null)
  const { box, filters } = state
  const words = hasWords(state) ? state.words : ""
  const asked = JSON.stringify([filters, words])

  const follow = (view: Bounds) => {
    if (isNarrow(view)) onChange({ ...state, box: view })
  }
  const stop = () => {
    setTool("look")
    setCorners([])
  }
  const takeBack = () => setCorners(corners.slice(0, -1))
  const finish = () => {
    const [first] = corners
    if (first === undefined || corners.length < fewest) return
    const ring = [...corners, first].map(({ lat, lon }): [number, number] => [lon, lat])
    onChange({
      ...state,
      box: null,
      filters: withFilters(filters, { near: undefined, within: { type: "Polygon", coordinates: [ring] } })
    })
    stop()
  }
  const { fit, map, problem, view, zoom, zoomBy } = useMapLibre(container, {
    onMoved: (view, isByHand) => {
      if (isByHand && box !== null) follow(view)
    },
    onClick: (place, around, isCell) => {
      if (tool === "draw") setCorners([...corners, place])
      else if (tool === "radius") {
        onChange({
          ...state,
          box: null,
          filters: withFilters(filters, { within: undefined, near: { ...place, radiusMeters: radius * metersInMile } })
        })
        stop()
      } else if (isCell) fit(around(reach * 6), true)
      else setClicked({ at: around(reach), place, asked })
    },
    isDrawing: tool === "draw",
    onDoubleClick: finish
  })

  const here = clicked?.asked === asked ? clicked : null
  useMapKeys({
    Escape: tool !== "look" ? stop : here !== null ? () => setClicked(null) : null,
    Backspace: tool === "draw" ? takeBack : null
  })

  // What is looked for is shown as a whole first; then what is on screen is looked into more closely.
  const [shown, setShown] = useState<string | null>(null)
  const isShown = shown === asked
  const found = useMapPoints(isShown ? view : null, filters, words === "" && map !== null)
  const known = knownOf(found)
  const listed = useMemo(() => placed(rows), [rows])
  const data: Extent | undefined = words !== ""
    ? areRowsOld || rows.length === 0 ? undefined : { points: listed, extent: extentOf(listed) }
    : found.isPlaceholderData
    ? undefined
    : known
  const drawn = areaOf(filters)
  useEffect(() => {
    if (map === null || isShown || data === undefined && box === null) return
    const target = box ?? (drawn === null ? data?.extent ?? null : boundsOf(drawn))
    if (target !== null) fit(target, false)
    setShown(asked)
  }, [asked, box, data, fit, isShown, map])

  const points = words === "" ? known?.points : listed
  const area = tool === "draw" ? drawing(corners) : drawn === null ? [] : [drawn]
  const outlines = useOutlines(map, zoom, counties)
  // What refuses the search itself is told beside the results.
  const error = (rows.length > 0 ? found.error : null) ?? outlines.error
  useEffect(() => {
    map?.show("points", pointFeatures(points ?? [], ({ state }) => ({ state })))
    map?.show(
      "cells",
      pointFeatures(words === "" ? known?.cells ?? [] : [], ({ count }) => ({ count, text: number(count) }))
    )
  }, [known, map, points, words])
  useEffect(() => {
    map?.show("chosen", pointFeatures(listed.filter(({ id }) => chosen.has(id)), () => ({})))
  }, [chosen, listed, map])
  useEffect(() => {
    map?.show("here", here === null ? [] : pointFeatures([here.place], () => ({})))
  }, [here?.place, map])
  useEffect(() => {
    map?.show("area", area.map((geometry) => ({ type: "Feature", properties: {}, geometry })))
  }, [JSON.stringify(area), map])

  if (problem !== null) return <p className={style["problem"]} role="status">{problem}</p>
  return (
    <section aria-label="Map of the results" className={style["pane"]}>
      <div className={style["tools"]}>
        {tool === "look" && (
          <>
            <label>
              <input
                checked={box !== null}
                disabled={words !== "" || view === null}
                onChange={({ target }) => {
                  if (!target.checked) onChange({ ...state, box: null })
                  else if (view !== null) {
                    onChange({
                      ...state,
                      box: view,
                      filters: withFilters(filters, { within: undefined, near: undefined })
                    })
                  }
                }}
                type="checkbox"
              />
              Search as I move
            </label>
            <button className="plain" disabled={words !== ""} onClick={() => setTool("draw")} type="button">
              Draw
            </button>
            <button className="plain" disabled={words !== ""} onClick={() => setTool("radius")} type="button">
              Radius
            </button>
            {isDrawn(filters) && (
              <button
                className="plain"
                onClick={() =>
                  onChange({ ...state, filters: withFilters(filters, { within: undefined, near: undefined }) })}
                type="button"
              >
                Clear
              </button>
            )}
          </>
        )}
        {tool === "draw" && (
          <>
            <span role="status">Click three corners or more: {corners.length}</span>
            <button disabled={corners.length < fewest} onClick={finish} type="button">Done</button>
            <button className="plain" disabled={corners.length === 0} onClick={takeBack} type="button">
              Take back a corner
            </button>
          </>
        )}
        {tool === "radius" && (
          <>
            <label>
              Radius
              <select onChange={({ target }) => setRadius(Number(target.value))} value={radius}>
                {miles.map((each) => <option key={each} value={each}>{each} mi</option>)}
              </select>
            </label>
            <span role="status">Click its middle</span>
          </>
        )}
        {tool !== "look" && <button className="plain" onClick={stop} type="button">Cancel</button>}
      </div>
      <div
        className={style["canvas"]}
        data-places={known?.total ?? listed.length}
        data-ready={isShown && outlines.hulls !== undefined ? "yes" : "no"}
        data-tool={tool}
        ref={container}
      />
      <div className={style["zoom"]}>
        <button aria-label="Zoom in" className="plain" onClick={() => zoomBy(1)} type="button">+</button>
        <button aria-label="Zoom out" className="plain" onClick={() => zoomBy(-1)} type="button">−</button>
      </div>
      {here !== null && (
        <Here
          bounds={here.at}
          filters={words === "" ? filters : {}}
          onClose={() => setClicked(null)}
        />
      )}
      {error !== null && <RefusalNotice error={error} />}
      <Legend />
    </section>
  )
}
