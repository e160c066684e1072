/**
 * The one thread of a process, shared between its clients: in each turn of the event loop a piece of what each of them has to
 * be done, and some more while there is time.
 *
 * Node hands over everything that arrived since the last turn at once, and whatever arrives meanwhile waits until all of it
 * is done. With a line for each client, who sends much waits behind itself, and who comes anew is read within some
 * milliseconds and comes next.
 *
 * Each organization has a line, and so have all addresses together of which nobody knows whose they are: they are easily had by the
 * hundred. While the thread is busy and others are there, whoever has the longest line rests after each piece for as long as one takes with
 * all that follows from it. So nobody has more than half of the thread then, and there are not always turns to wait for.
 *
 * *Gotchas.* What has begun is not interrupted: a piece of work that is longer than a turn should take more than one.
 */
import { Effect } from "effect"
import * as ProcessUsage from "./ProcessUsage.ts"
import * as ThreadLoad from "./ThreadLoad.ts"

/** For so long work is begun within a turn of the event loop, whoever's it is. */
const turnMillis = 1

/** For so long the work of clients is begun of whom none was begun in this turn. */
const roundMillis = 2

/** From which part of it that is busy the thread is scarce. */
const scarce = 0.5

/** So many wait of somebody whose program does a few things at once. */
const modestLine = 4

/** Milliseconds: nobody rests longer after one piece. */
const longestRest = 50

/** Whose work it is: an organization, or an address whose organization is not known. */
export interface Client {
  readonly orgId: string | null
  readonly address: string
}

/** Milliseconds that the organization rests after a piece of its work, or all strangers do; only the longest line is asked for. */
type Rest = (orgId: string | null) => number

const never: Rest = () => 0

/** Is told how long the thread was kept by a piece of an organization's work, or of a stranger's. */
type Spent = (orgId: string | null, millis: number) => void

/** Work that waits in a line; null: it left. */
interface Waiting {
  run: (() => void) | null
}

/** What waits of an organization: of what was begun and of what is new, a piece in turn; or of strangers: of each address. */
interface Line {
  readonly orgId: string | null
  readonly parts: Map<string, Array<Waiting>>
  waiting: number
  /** When it has rested. Who rests has work waiting, so that no line ends before its rest. */
  restsUntil: number
}

/** The first of whose turn it is, whose others go to the end. */
const shift = (line: Line): Waiting | undefined => {
  for (const [part, own] of line.parts) {
    const waiting = own.shift()
    line.parts.delete(part)
    if (own.length > 0) line.parts.set(part, own)
    line.waiting--
    return waiting
  }
  return undefined
}

const push = (line: Line, part: string, waiting: Waiting): void => {
  const own = line.parts.get(part)
  if (own === undefined) line.parts.set(part, [waiting])
  else own.push(waiting)
  line.waiting++
}

export interface Turns {
  /** Whether nothing waits and there is time, so that whoever asks goes on at once. */
  readonly isFree: (client: Client) => boolean
  /**
   * Runs the work of the client, at once or in a later turn; the function that it answers with takes it out of the line. `isBegun`: it
   * goes on with something, and does not wait for all that has come since.
   */
  readonly take: (client: Client, work: () => void, isBegun?: boolean) => () => void
}

export const make = (restOf: Rest = never, spent: Spent = () => {}): Turns => {
  /** Of every organization that has work in line, and of all strangers; whose turn is next stands first. */
  const lines = new Map<string | null, Line>()
  /** When the first work of this turn of the event loop began; null: none did yet. */
  let began: number | null = null
  /** Set while all lines rest. */
  let waking: NodeJS.Timeout | null = null

  const hasTime = (millis: number): boolean => {
    const now = performance.now()
    if (began === null) {
      began = now
      setImmediate(nextTurn)
    }
    return now < began + millis
  }

  /** The first line that does not rest. */
  const ready = (): Line | undefined => {
    const now = performance.now()
    for (const line of lines.values()) if (now >= line.restsUntil) return line
    return undefined
  }

  /** Whether so many wait in the line, and no more in any other. */
  const isLongest = (own: Line): boolean => {
    if (own.waiting <= modestLine) return false
    for (const { waiting } of lines.values()) if (waiting > own.waiting) return false
    return true
  }

  const run = (orgId: string | null, work: () => void): void => {
    ThreadLoad.begin()
    const start = performance.now()
    try {
      work()
    } finally {
      spent(orgId, performance.now() - start)
    }
  }

  const runNext = (line: Line): void => {
    const waiting = shift(line)
    // It goes to the end of all lines.
    lines.delete(line.orgId)
    if (line.waiting > 0) lines.set(line.orgId, line)
    if (!waiting?.run) return
    run(line.orgId, waiting.run)
    if (isLongest(line)) line.restsUntil = performance.now() + restOf(line.orgId)
  }

  const nextTurn = (): void => {
    began = null
    let left = lines.size
    let line = ready()
    while (line !== undefined && hasTime(left > 0 ? roundMillis : turnMillis)) {
      runNext(line)
      left--
      line = ready()
    }
    if (lines.size > 0 && began === null) wakeLater()
  }

  const wakeLater = (): void => {
    const first = Math.min(...Array.from(lines.values(), ({ restsUntil }) => restsUntil))
    waking ??= setTimeout(() => {
      waking = null
      if (began === null) nextTurn()
    }, Math.max(0, first - performance.now()))
  }

  const isFree = ({ orgId }: Client): boolean => !lines.has(orgId) && ready() === undefined && hasTime(turnMillis)

  const lineOf = (orgId: string | null): Line => {
    const known = lines.get(orgId)
    if (known !== undefined) return known
    const line: Line = { orgId, parts: new Map(), waiting: 0, restsUntil: 0 }
    lines.set(orgId, line)
    return line
  }

  return {
    isFree,
    take: (client, work, isBegun = false) => {
      if (isFree(client)) {
        run(client.orgId, work)
        return () => {}
      }
      const waiting: Waiting = { run: work }
      // An organization waits behind itself, wherever its requests come from.
      push(lineOf(client.orgId), client.orgId === null ? client.address : isBegun ? "begun" : "new", waiting)
      hasTime(0)
      return () => {
        waiting.run = null
      }
    }
  }
}

/** As long as a piece takes with all that follows from it, where others are there. */
const restBesideOthers: Rest = (orgId) =>
  ThreadLoad.busy() >= scarce && ProcessUsage.ofProcess.hasCompany(orgId, ProcessUsage.now())
    ? Math.min(longestRest, ThreadLoad.millisOfPiece())
    : 0

/** Those of this process. */
export const ofProcess: Turns = make(
  restBesideOthers,
  (orgId, millis) => ProcessUsage.ofProcess.spend(orgId, millis, ProcessUsage.now())
)

/** Goes on when it is the client's turn. */
export const nextOf = (client: Client): Effect.Effect<void> =>
  // While the thread is scarce, what is begun is to be noted.
  Effect.suspend(() => ThreadLoad.busy() < scarce && ofProcess.isFree(client) ? Effect.void : waited(client))

/** Goes on when it is the organization's turn. */
export const next = (orgId: string): Effect.Effect<void> => nextOf({ orgId, address: "" })

const waited = (client: Client): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const leave = ofProcess.take(client, () => resume(Effect.void), true)
    return Effect.sync(leave)
  })
