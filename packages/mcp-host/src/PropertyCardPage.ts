/**
 * The document of the property card, whole: style and program in it, since it may load nothing.
 *
 * It speaks with the client that shows it by messages (`ui/initialize`, then the tool's result), and asks through it for the
 * properties around the place, which is a search and free. Where the client passes no calls on, the place stands alone.
 *
 * *Gotchas.* Text of records is set as text and never as markup. The program is written for browsers as they are, without a
 * build, and without a backtick or a dollar before a brace.
 */
export const page = `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>Property</title>
<style>
  :root { color-scheme: light dark; --ink: var(--color-text-primary, light-dark(#1b1f24, #eceff3));
    --soft: var(--color-text-secondary, light-dark(#5b6470, #a3adba)); --ground: var(--color-background-primary, light-dark(#fff, #16191d));
    --place: light-dark(#0b6e4f, #4fd1a5); --other: light-dark(#b8c0cb, #4a5360) }
  body { margin: 0; padding: 16px; font: 14px/1.45 var(--font-sans, system-ui, sans-serif); color: var(--ink); background: var(--ground) }
  h1 { margin: 0; font-size: 17px } p { margin: 2px 0 12px; color: var(--soft) }
  svg { display: block; width: 100%; max-height: 240px; border: 1px solid var(--other); border-radius: 8px }
  svg[hidden] { display: none }
  dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); gap: 8px 16px; margin: 12px 0 0 }
  dt { color: var(--soft); font-size: 12px } dd { margin: 0; overflow-wrap: anywhere }
</style>
<h1 id="name">Property</h1>
<p id="where"></p>
<svg id="place" viewBox="0 0 400 220" role="img" aria-labelledby="name" hidden></svg>
<dl id="facts"></dl>
<script>
(() => {
  "use strict"
  const reach = { lat: 0.006, lon: 0.012 }
  const waiting = new Map()
  let last = 0
  const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*")
  const ask = (method, params) => new Promise((resolve) => {
    waiting.set(++last, resolve)
    send({ id: last, method, params })
  })
  const at = (id) => document.getElementById(id)
  const drawn = (name, attributes, into) => {
    const shape = document.createElementNS("http://www.w3.org/2000/svg", name)
    for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, value)
    into.append(shape)
    return shape
  }
  const number = (value, unit) => typeof value === "number" ? value.toLocaleString() + (unit ?? "") : null
  const resultOf = (params) => {
    if (params?.structuredContent) return params.structuredContent
    try { return JSON.parse(params?.content?.[0]?.text ?? "") } catch { return {} }
  }

  const mark = (svg, here, row, isHere) => {
    if (typeof row.lat !== "number" || typeof row.lon !== "number") return
    const x = 200 + (row.lon - here.lon) / reach.lon * 200
    const y = 110 - (row.lat - here.lat) / reach.lat * 110
    const radius = Math.min(12, 3 + Math.sqrt(row.buildingSqft ?? 0) / 80)
    const point = drawn("circle", { cx: x, cy: y, r: isHere ? radius + 2 : radius, fill: isHere ? "var(--place)" : "var(--other)" }, svg)
    drawn("title", {}, point).textContent = row.address ?? ""
  }

  const picture = async (here) => {
    const svg = at("place")
    svg.replaceChildren()
    if (typeof here.lat !== "number" || typeof here.lon !== "number") return svg.setAttribute("hidden", "")
    svg.removeAttribute("hidden")
    for (const radius of [50, 100]) {
      drawn("circle", { cx: 200, cy: 110, r: radius, fill: "none", stroke: "var(--other)", "stroke-dasharray": "2 4" }, svg)
    }
    mark(svg, here, here, true)
    const fields = ["id", "address", "lat", "lon", "buildingSqft"]
    const bounds = { north: here.lat + reach.lat, south: here.lat - reach.lat, east: here.lon + reach.lon, west: here.lon - reach.lon }
    const answer = await ask("tools/call", { name: "service_search_properties", arguments: { bounds, limit: 100, fields } })
    for (const row of resultOf(answer).results ?? []) if (row.id !== here.id) mark(svg, here, row, false)
    mark(svg, here, here, true)
  }

  const show = ({ property, contacts, error, researchState }) => {
    if (!property) {
      at("place").setAttribute("hidden", "")
      at("where").textContent = error ?? ""
      return
    }
    at("name").textContent = property.commonName ?? property.address ?? property.key
    at("where").textContent = [property.commonName && property.address, property.city, property.state, property.zip].filter(Boolean).join(", ")
    const facts = [
      ["Kind", [property.assetCategory, property.assetSubcategory].filter(Boolean).join(", ")],
      ["Building", number(property.buildingSqft, " sq ft")],
      ["Lot", number(property.lotSqft, " sq ft")],
      ["Built", property.yearBuilt],
      ["Floors", number(property.numFloors)],
      ["Owner of record", property.recordOwner],
      ["Manager", property.managementCompany],
      ["Research", researchState],
      ["Contacts", number(contacts?.length || property.contactCount)]
    ]
    at("facts").replaceChildren(...facts.filter(([, value]) => value).map(([term, value]) => {
      const pair = document.createElement("div")
      pair.append(document.createElement("dt"), document.createElement("dd"))
      pair.firstChild.textContent = term
      pair.lastChild.textContent = String(value)
      return pair
    }))
    void picture(property)
  }

  const dress = ({ styles, theme }) => {
    if (theme === "light" || theme === "dark") document.documentElement.style.colorScheme = theme
    for (const [key, value] of Object.entries(styles?.variables ?? {})) {
      if (value) document.documentElement.style.setProperty(key, value)
    }
  }

  const measure = () => {
    const { height, width } = document.body.getBoundingClientRect()
    send({ method: "ui/notifications/size-changed", params: { width: Math.ceil(width), height: Math.ceil(height) } })
  }

  addEventListener("message", ({ data, source }) => {
    if (source !== parent || data?.jsonrpc !== "2.0") return
    if (data.method === "ui/notifications/tool-result") return show(resultOf(data.params))
    if (data.method === "ui/notifications/host-context-changed") return dress(data.params ?? {})
    if (data.method !== undefined) return data.id === undefined ? undefined : send({ id: data.id, result: {} })
    waiting.get(data.id)?.(data.result)
    waiting.delete(data.id)
  })
  void ask("ui/initialize", {
    protocolVersion: "2026-01-26",
    appInfo: { name: "freehold-property", version: "1.0.0" },
    appCapabilities: {}
  }).then((result) => {
    dress(result?.hostContext ?? {})
    send({ method: "ui/notifications/initialized", params: {} })
    new ResizeObserver(measure).observe(document.body)
  })
})()
</script>
</html>
`
