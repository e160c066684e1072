/** What the map looks like: the colours of the page, a shape for each state of a property, and the layers in their order. */
import type { Map as MapLibre, StyleSpecification, SymbolLayerSpecification } from "maplibre-gl"
import { type PropertyState, propertyStates, shapes } from "../part/StateMark.tsx"

const colors: Readonly<Record<PropertyState, string>> = {
  none: "--quiet",
  locked: "--focus",
  revealed: "--good",
  lead: "--warn",
  customer: "--bad"
}

/** A colour of the page, as it is in light or in dark now. */
const colorOf = (name: string): string => {
  const probe = document.createElement("span")
  probe.style.color = `var(${name})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

const pathOf = (state: PropertyState): Path2D => new Path2D(shapes[state])

const shapeSize = 24
const pixels = 2

/** The shapes, drawn in the colours of now. */
export const addShapes = (map: MapLibre): void => {
  for (const state of propertyStates) {
    const isHollow = state === "none"
    const canvas = document.createElement("canvas")
    canvas.width = canvas.height = shapeSize * pixels
    const context = canvas.getContext("2d")
    if (context === null) return
    context.scale(pixels, pixels)
    const outline = pathOf(state)
    context.lineWidth = isHollow ? 3 : 2
    context.fillStyle = colorOf(isHollow ? "--paper" : colors[state])
    context.strokeStyle = colorOf(isHollow ? colors[state] : "--paper")
    context.fill(outline)
    context.stroke(outline)
    const image = context.getImageData(0, 0, canvas.width, canvas.height)
    if (map.hasImage(state)) map.updateImage(state, image)
    else map.addImage(state, image, { pixelRatio: pixels })
  }
}

/** Where county outlines begin to be drawn. */
export const countyZoom = 5

const empty = { type: "geojson", data: { type: "FeatureCollection", features: [] } } as const

export const sources = ["states", "counties", "hulls", "counts", "cells", "points", "chosen", "here", "area"] as const
export type SourceName = (typeof sources)[number]

export const styleOf = (): StyleSpecification => {
  const [ground, paper, line, ink, quiet, accent, focus] = [
    "--ground",
    "--paper",
    "--line",
    "--ink",
    "--quiet",
    "--accent",
    "--focus"
  ].map(colorOf)
  if (!ground || !paper || !line || !ink || !quiet || !accent || !focus) throw new Error("the page has no colours")
  const numbers: Pick<SymbolLayerSpecification, "layout" | "paint"> = {
    layout: { "text-field": ["get", "text"], "text-size": 13, "text-font": ["sans-serif"] },
    paint: { "text-color": ink, "text-halo-color": paper, "text-halo-width": 2 }
  }
  return {
    version: 8,
    sources: {
      states: empty,
      counties: empty,
      hulls: empty,
      counts: empty,
      cells: empty,
      points: empty,
      chosen: empty,
      here: empty,
      area: empty
    },
    layers: [
      { id: "ground", type: "background", paint: { "background-color": ground } },
      { id: "land", type: "fill", source: "states", paint: { "fill-color": paper } },
      {
        id: "counties",
        type: "line",
        source: "counties",
        minzoom: countyZoom,
        paint: { "line-color": line, "line-width": 1 }
      },
      { id: "states", type: "line", source: "states", paint: { "line-color": quiet, "line-width": 1 } },
      {
        id: "hulls",
        type: "line",
        source: "hulls",
        paint: { "line-color": quiet, "line-width": 1.5, "line-dasharray": [3, 3] }
      },
      { id: "area", type: "fill", source: "area", paint: { "fill-color": accent, "fill-opacity": 0.12 } },
      { id: "area-border", type: "line", source: "area", paint: { "line-color": accent, "line-width": 2 } },
      {
        id: "area-corners",
        type: "circle",
        source: "area",
        filter: ["==", ["geometry-type"], "Point"],
        paint: { "circle-color": accent, "circle-radius": 4 }
      },
      { id: "counts", type: "symbol", source: "counts", maxzoom: 7, ...numbers },
      {
        id: "cells",
        type: "circle",
        source: "cells",
        paint: {
          "circle-color": focus,
          "circle-opacity": 0.35,
          "circle-radius": ["interpolate", ["linear"], ["sqrt", ["get", "count"]], 1, 6, 40, 26]
        }
      },
      { id: "cell-counts", type: "symbol", source: "cells", ...numbers },
      {
        id: "chosen",
        type: "circle",
        source: "chosen",
        paint: {
          "circle-color": focus,
          "circle-opacity": 0.35,
          "circle-radius": 14,
          "circle-stroke-color": focus,
          "circle-stroke-width": 2
        }
      },
      {
        id: "here",
        type: "circle",
        source: "here",
        paint: { "circle-opacity": 0, "circle-radius": 14, "circle-stroke-color": ink, "circle-stroke-width": 2 }
      },
      {
        id: "points",
        type: "symbol",
        source: "points",
        layout: {
          "icon-image": ["get", "state"],
          "icon-size": ["interpolate", ["linear"], ["zoom"], 6, 0.5, 12, 0.9],
          "icon-allow-overlap": true,
          "icon-ignore-placement": true
        }
      }
    ]
  }
}
