/**
 * A profile of V8 as the frames of a flame graph: stacks that have the same functions are one, whatever line of a function they
 * were at.
 */
import { readFileSync } from "node:fs"
import type { Profiler } from "node:inspector"
import { SourceMap } from "node:module"
import { basename, resolve } from "node:path"
import { fileURLToPath } from "node:url"

/** Whose code it is; `engine`: V8's own, garbage and what is no JavaScript. */
export const owners = ["freehold", "effect", "packages", "node", "engine"] as const

export type Owner = typeof owners[number]

export interface Frame {
  readonly name: string
  /** The package and the file in it; "": it has none. */
  readonly file: string
  readonly owner: Owner
  /** In which it, or what it called, was running. */
  readonly samples: number
  /** In which it was itself. */
  readonly own: number
  readonly children: ReadonlyArray<Frame>
}

interface Place {
  readonly file: string
  readonly owner: Owner
}

/** Where a function stands, of whatever machine: the package and the file, without what lies above them. */
const placeOf = (source: string): Place => {
  if (source === "") return { file: "", owner: "engine" }
  if (source.startsWith("node:")) return { file: source, owner: "node" }
  const [, own = "bench", file] = /(?:^|\/)(?:packages\/([^/]+)\/src|bench)\/(.+)$/.exec(source) ?? []
  if (file !== undefined) return { file: `${own}/${file}`, owner: "freehold" }
  const [, name = "", inside = ""] =
    /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?:(?:dist|src|lib)\/)?(.+)$/.exec(source) ?? []
  return { file: `${name}/${inside}`, owner: /^(?:@effect\/|effect$)/.test(name) ? "effect" : "packages" }
}

/** The source of each function of a file, by the map beside it, where there is one. */
const mapOf = (file: string): SourceMap | null => {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8")))
  } catch {
    return null
  }
}

/** Finds the sources of functions; reads each map once. */
const finder = () => {
  const maps = new Map<string, SourceMap | null>()
  return ({ columnNumber, lineNumber, url }: Profiler.Profile["nodes"][number]["callFrame"]) => {
    if (!url.startsWith("file:")) return { source: url, line: lineNumber }
    const file = fileURLToPath(url)
    if (!maps.has(file)) maps.set(file, mapOf(file))
    const found = maps.get(file)?.findEntry(lineNumber, columnNumber)
    // What the bundler added itself has no source.
    return found !== undefined && "originalSource" in found && typeof found.originalSource === "string"
      ? { source: resolve(file, "..", found.originalSource), line: found.originalLine }
      : { source: file, line: lineNumber }
  }
}

interface Growing extends Frame {
  samples: number
  own: number
  readonly children: Array<Growing>
  readonly byKey: Map<string, Growing>
}

const begun = (name: string, { file, owner }: Place): Growing => ({
  name,
  file,
  owner,
  samples: 0,
  own: 0,
  children: [],
  byKey: new Map()
})

/** Without the number by which a bundler tells functions of the same name apart. */
const nameOf = (functionName: string): string => functionName.replace(/\$\d+$/, "")

/** Nothing ran. */
const isIdle = (name: string): boolean => name === "(idle)"

/** All that ran, as the frame below all others. */
export const framesOf = ({ nodes }: Profiler.Profile): Frame => {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const find = finder()
  const all = begun("all", placeOf(""))

  const under = (parent: Growing, { callFrame }: Profiler.Profile["nodes"][number]): Growing => {
    const { line, source } = find(callFrame)
    const place = placeOf(source)
    const name = nameOf(callFrame.functionName) || `${basename(source)}:${line + 1}`
    const key = `${name} ${place.file}`
    const known = parent.byKey.get(key)
    if (known !== undefined) return known
    const made = begun(name, place)
    parent.byKey.set(key, made)
    parent.children.push(made)
    return made
  }

  /** Adds what a node and those above it saw; answers how many samples that are. */
  const add = (node: Profiler.Profile["nodes"][number], frame: Growing): number => {
    const own = node.hitCount ?? 0
    let samples = own
    for (const id of node.children ?? []) {
      const child = byId.get(id)
      if (child !== undefined && !isIdle(child.callFrame.functionName)) samples += add(child, under(frame, child))
    }
    frame.own += own
    frame.samples += samples
    return samples
  }

  const [root] = nodes
  if (root !== undefined) add(root, all)
  return all
}

/** How many samples the code of each was in itself. */
export const ownBy = (frame: Frame): Readonly<Record<Owner, number>> => {
  const found = { freehold: 0, effect: 0, packages: 0, node: 0, engine: 0 }
  const look = ({ children, own, owner }: Frame): void => {
    found[owner] += own
    for (const child of children) look(child)
  }
  look(frame)
  return found
}
