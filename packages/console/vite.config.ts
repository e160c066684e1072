import react from "@vitejs/plugin-react"
import { resolve } from "node:path"
import { defineConfig, type Rolldown } from "vite"

type Context = Rolldown.ChunkingContext

const source = (entry: string): string => resolve(import.meta.dirname, "src", entry)

/** A module and all that it imports at once, added to what was found. */
const collect = (id: string, context: Context, found: Set<string>): void => {
  if (found.has(id)) return
  found.add(id)
  for (const imported of context.getModuleInfo(id)?.importedIds ?? []) collect(imported, context, found)
}

const closures = new Map<string, Set<string>>()

/** Whether what begins with that source needs the module before it can begin. */
const isNeededBy = (entry: string, id: string, context: Context): boolean => {
  const known = closures.get(entry)
  if (known !== undefined) return known.has(id)
  const found = new Set<string>()
  collect(source(entry), context, found)
  closures.set(entry, found)
  return found.has(id)
}

/**
 * What a page needs before it can begin comes in few files, however many later pages use parts of it as well: a browser asks
 * for six at a time, and waits for the last of them. Each is of the modules that all of these entries need; one that is in
 * several is in the first, so that no page loads what is another's alone.
 */
const firstFiles = [
  ["door", ["signin/SignIn.ts", "app/Main.tsx"]],
  ["operator-door", ["signin/SignIn.ts", "operator/Main.tsx"]],
  ["shared", ["operator/Main.tsx", "app/Main.tsx"]],
  ["operator", ["operator/Main.tsx"]],
  ["app", ["app/Main.tsx"]]
] as const

// An entry begins when it is loaded: nothing else may lie in its file.
const isEntry = (id: string): boolean => firstFiles.some(([, entries]) => entries.some((entry) => source(entry) === id))

const groups = firstFiles.map(([name, entries], index) => ({
  name: (id: string, context: Context) =>
    !isEntry(id) && entries.every((entry) => isNeededBy(entry, id, context)) ? name : null,
  debugName: name,
  priority: firstFiles.length - index
}))

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  worker: { format: "es" },
  build: {
    target: "baseline-widely-available",
    outDir: "dist",
    emptyOutDir: true,
    // No inline code and no data: addresses, which the policy of the pages refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ["index.html", "sign-in.html", "operator.html"].map((file) => resolve(import.meta.dirname, file)),
      output: { codeSplitting: { groups } }
    }
  }
})
