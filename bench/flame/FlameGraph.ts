/**
 * A flame graph as one SVG document that needs nothing else: a row for each level of calls, whoever calls below whom it calls,
 * as wide as its share of the samples. What a frame is, with its share, is told where a pointer rests on it.
 */
import type { Frame, Owner } from "./Frames.ts"

const width = 1200
const row = 16
const head = 44
const margin = 8
/** Of a letter of the font. */
const letter = 6.2

/** Frames of a smaller share are left out. */
export const leastShare = 0.002

const colours: Readonly<Record<Owner, readonly [colour: string, words: string]>> = {
  freehold: ["#f2a65a", "Freehold, or the server by hand"],
  effect: ["#f6d365", "Effect"],
  packages: ["#9bb8e0", "other packages"],
  node: ["#a8d5a2", "Node"],
  engine: ["#d0cdc8", "V8 and what is no JavaScript"]
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;" }

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (each) => escapes[each] ?? each)

const rounded = (pixels: number): string => String(Math.round(pixels * 10) / 10)

const depthOf = (frame: Frame, isShown: (frame: Frame) => boolean): number =>
  1 + Math.max(0, ...frame.children.filter(isShown).map((child) => depthOf(child, isShown)))

/** As much of a name as there is room for. */
const fitting = (name: string, pixels: number): string => {
  const letters = Math.floor((pixels - 4) / letter)
  return name.length <= letters ? name : letters < 4 ? "" : `${name.slice(0, letters - 1)}…`
}

export const draw = (all: Frame, title: string): string => {
  const isShown = ({ samples }: Frame): boolean => samples >= all.samples * leastShare
  const scale = (width - 2 * margin) / all.samples
  const height = head + depthOf(all, isShown) * row + margin

  const drawn = (frame: Frame, left: number, level: number): ReadonlyArray<string> => {
    const { children, file, name, owner, samples } = frame
    const pixels = samples * scale
    const top = height - margin - (level + 1) * row
    const share = `${(100 * samples / all.samples).toFixed(1)} %`
    const text = escaped(fitting(name, pixels))
    const label = text === "" ? "" : `<text x="${rounded(left + 2)}" y="${top + 11}">${text}</text>`
    const told = escaped(`${name}${file === "" ? "" : ` (${file})`}, ${share}`)
    let from = left
    const above = children.toSorted((a, b) => b.samples - a.samples).filter(isShown).flatMap((child) => {
      const at = from
      from += child.samples * scale
      return drawn(child, at, level + 1)
    })
    const box = `<rect class="${owner}" x="${rounded(left)}" y="${top}" width="${rounded(pixels)}" height="15"/>`
    return [`<g><title>${told}</title>${box}${label}</g>`, ...above]
  }

  let at = margin
  const legend = Object.entries(colours).map(([owner, [, words]]) => {
    const left = at
    at += 26 + words.length * letter
    return `<rect class="${owner}" x="${rounded(left)}" y="24" width="11" height="11"/>`
      + `<text x="${rounded(left + 15)}" y="33">${words}</text>`
  })
  const styles = Object.entries(colours).map(([owner, [colour]]) => `.${owner}{fill:${colour}}`)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<style>text{font:10px monospace;fill:#222}rect{stroke:#fff;stroke-width:.5}${styles.join("")}</style>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${margin}" y="15" style="font-size:12px">${escaped(title)}</text>`,
    ...legend,
    ...drawn(all, margin, 0),
    "</svg>",
    ""
  ].join("\n")
}
