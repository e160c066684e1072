/**
 * How a PostgreSQL is set for the machine that it runs on: one table of rules. The embedded server is started with what
 * they say, and `freehold doctor` judges any other server by them.
 *
 * | setting                | what fits                                                        |
 * | ---------------------- | ---------------------------------------------------------------- |
 * | shared_buffers         | a quarter of the memory, up to 16 GB                             |
 * | effective_cache_size   | three quarters of the memory; half where Freehold runs there too |
 * | work_mem               | an eighth of the memory, shared by all connections; 4 to 64 MB   |
 * | maintenance_work_mem   | a sixteenth of the memory, 64 MB to 1 GB                         |
 * | max_wal_size           | a twentieth of the disk, 256 MB to 8 GB; 4 GB where not known    |
 * | min_wal_size           | a quarter of that, up to 1 GB                                    |
 * | max_slot_wal_keep_size | a fifth of the disk, at least 1 GB                               |
 * | wal_compression        | lz4 or zstd; off where the server was built without              |
 * | random_page_cost       | 1.1                                                              |
 * | jit                    | off                                                              |
 * | max_parallel_workers   | one for each processor, and at least two                         |
 *
 * *Gotchas.* A rule says nothing where it goes by what is not known of the machine. Sizes are in bytes; a megabyte is
 * PostgreSQL's, 2^20.
 */

/** What is known of a machine. */
export interface Machine {
  /** What programs may take of its memory; a container's limit counts. */
  readonly memory: number | null
  readonly processors: number | null
  /** The size of the disk that the database lies on. */
  readonly disk: number | null
  /** As `max_connections` has it. */
  readonly connections: number
  /** Whether Freehold's own processes run there too. */
  readonly shared: boolean
  /** Whether the server was built with LZ4. */
  readonly lz4: boolean
}

/** What fits best, and what is as good. */
interface Range {
  readonly best: number
  readonly least: number
  readonly most: number
}

interface Amount {
  readonly kind: "bytes" | "number"
  readonly fitting: (machine: Machine) => Range | null
  readonly why: string
}

interface Choice {
  readonly kind: "word"
  readonly words: ReadonlyArray<string>
  readonly best: (machine: Machine) => string
  /** What is as good. */
  readonly fits?: ReadonlyArray<string>
  readonly why: string
}

const megabyte = 2 ** 20
const gigabyte = 2 ** 30

const wholeMegabytes = (bytes: number): number => Math.max(1, Math.floor(bytes / megabyte)) * megabyte

const between = (least: number, bytes: number, most: number): number =>
  wholeMegabytes(Math.min(most, Math.max(least, bytes)))

/** A rule that goes by the memory. */
const ofMemory = (fitting: (memory: number, machine: Machine) => Range) => (machine: Machine): Range | null =>
  machine.memory === null ? null : fitting(machine.memory, machine)

const walSize = ({ disk }: Machine): number =>
  disk === null ? 4 * gigabyte : between(256 * megabyte, disk / 20, 8 * gigabyte)

export const rules = {
  shared_buffers: {
    kind: "bytes",
    fitting: ofMemory((memory) => {
      const best = between(32 * megabyte, memory / 4, 16 * gigabyte)
      return { best, least: best / 2, most: Math.max(best, memory / 2) }
    }),
    why: "pages that are read again and again stay in PostgreSQL's own memory"
  },
  effective_cache_size: {
    kind: "bytes",
    fitting: ofMemory((memory, { shared }) => {
      const best = wholeMegabytes(memory * (shared ? 1 / 2 : 3 / 4))
      return { best, least: best / 2, most: memory }
    }),
    why: "an index is chosen by how much of it is thought to be in memory"
  },
  work_mem: {
    kind: "bytes",
    fitting: ofMemory((memory, { connections }) => {
      const best = between(4 * megabyte, memory / 8 / connections, 64 * megabyte)
      return { best, least: best / 2, most: Math.max(2 * best, memory / connections) }
    }),
    why: "what a statement sorts or hashes stays in memory, and all of them together fit there"
  },
  maintenance_work_mem: {
    kind: "bytes",
    fitting: ofMemory((memory) => {
      const best = between(64 * megabyte, memory / 16, gigabyte)
      return { best, least: best / 2, most: Math.max(best, memory / 4) }
    }),
    why: "indexes are built and tables vacuumed in fewer passes"
  },
  max_wal_size: {
    kind: "bytes",
    fitting: (machine) => {
      const best = walSize(machine)
      return { best, least: best / 2, most: Number.POSITIVE_INFINITY }
    },
    why: "an import does not force a checkpoint every few seconds, after each of which every page is logged whole"
  },
  min_wal_size: {
    kind: "bytes",
    fitting: (machine) => {
      const best = between(64 * megabyte, walSize(machine) / 4, gigabyte)
      return { best, least: Math.min(best, 64 * megabyte), most: Number.POSITIVE_INFINITY }
    },
    why: "files of the log are used again instead of made anew"
  },
  max_slot_wal_keep_size: {
    kind: "bytes",
    fitting: ({ disk }) => {
      if (disk === null) return null
      const best = between(gigabyte, disk / 5, Number.POSITIVE_INFINITY)
      return { best, least: gigabyte / 2, most: 2 * best }
    },
    why: "a cell or standby that stays away is lost before the log that is kept for it fills the disk"
  },
  wal_compression: {
    kind: "word",
    words: ["off", "on", "pglz", "lz4", "zstd"],
    best: ({ lz4 }) => lz4 ? "lz4" : "off",
    fits: ["zstd"],
    why: "LZ4 saves a third of the log for next to nothing; PGLZ takes ten times the processor time of the write itself"
  },
  random_page_cost: {
    kind: "number",
    fitting: () => ({ best: 1.1, least: 1, most: 2 }),
    why: "storage answers any read about as fast as the next one"
  },
  jit: {
    kind: "word",
    words: ["off", "on"],
    best: () => "off",
    why: "compiling a plan costs more than the short queries of this service"
  },
  max_parallel_workers: {
    kind: "number",
    fitting: ({ processors }) => {
      if (processors === null) return null
      const best = Math.max(2, processors)
      return { best, least: best / 2, most: Math.max(8, 4 * best) }
    },
    why: "what may take several processors finds them"
  }
} as const satisfies Readonly<Record<string, Amount | Choice>>

export type TunedName = keyof typeof rules

/** Values as PostgreSQL reads them. */
export type Tuned = Readonly<Partial<Record<TunedName, string>>>

export const isTuned = (name: string): name is TunedName => Object.hasOwn(rules, name)

const tunedNames = Object.keys(rules).filter(isTuned)

const ruleOf = (name: TunedName): Amount | Choice => rules[name]

/** As PostgreSQL writes and reads sizes; below zero: as much as there is. */
const sizeText = (bytes: number): string => {
  if (bytes < 0) return "-1"
  if (bytes % gigabyte === 0) return `${bytes / gigabyte}GB`
  return bytes % megabyte === 0 ? `${bytes / megabyte}MB` : `${Math.floor(bytes / 1024)}kB`
}

const textOf = (rule: Amount | Choice, value: number | string): string =>
  rule.kind === "bytes" && typeof value === "number" ? sizeText(value) : String(value)

/** As PostgreSQL reads it; null: the machine is not known well enough. */
const bestOf = (rule: Amount | Choice, machine: Machine): string | null => {
  if (rule.kind === "word") return rule.best(machine)
  const range = rule.fitting(machine)
  return range === null ? null : textOf(rule, range.best)
}

const fits = (rule: Amount | Choice, machine: Machine, found: number | string): boolean => {
  if (rule.kind === "word") return found === rule.best(machine) || rule.fits?.includes(String(found)) === true
  const range = rule.fitting(machine)
  return range === null || (Number(found) >= range.least && Number(found) <= range.most)
}

/** What fits the machine best, of all that can be told. */
export const tuningFor = (machine: Machine): Tuned =>
  Object.fromEntries(tunedNames.flatMap((name) => {
    const rule = ruleOf(name)
    const best = bestOf(rule, machine)
    return best === null ? [] : [[name, best]]
  }))

/** Whether PostgreSQL could read the text as a value of the setting; what it makes of it is its own affair. */
export const isValue = (name: TunedName, text: string): boolean => {
  const rule = ruleOf(name)
  if (rule.kind === "word") return rule.words.includes(text)
  return (rule.kind === "bytes" ? /^[1-9]\d{0,8}(kB|MB|GB)$/ : /^\d{1,4}(\.\d{1,3})?$/).test(text)
}

/** What a server runs with: sizes in bytes. */
export type InForce = ReadonlyMap<TunedName, number | string>

/** A setting that does not fit the machine. */
export interface Misfit {
  readonly name: TunedName
  readonly found: string
  readonly best: string
  /** What the better value is good for. */
  readonly why: string
}

/** What does not fit, in the order of the table; and how many settings could be judged. */
export const judge = (
  machine: Machine,
  inForce: InForce
): { readonly judged: number; readonly misfits: ReadonlyArray<Misfit> } => {
  const misfits: Array<Misfit> = []
  let judged = 0
  for (const name of tunedNames) {
    const rule = ruleOf(name)
    const found = inForce.get(name)
    const best = bestOf(rule, machine)
    if (found === undefined || best === null) continue
    judged += 1
    if (!fits(rule, machine, found)) misfits.push({ name, found: textOf(rule, found), best, why: rule.why })
  }
  return { judged, misfits }
}
