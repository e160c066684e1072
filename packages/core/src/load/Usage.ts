/**
 * How much of this process each organization uses of late, whatever its work is: how long it keeps places busy, what runs from its
 * beginning, and what its requests take of the process's one thread. Old use counts less and less. Who has done nothing for a while is
 * forgotten.
 *
 * Which of both counts is told by how busy the thread is. While it is idle, places are what is scarce, and one heavy search counts more
 * than many requests. While it is busy, places are kept by whoever waits for it: then who sends the most, or what takes the longest,
 * uses the most, although what it gives up early, or may not do, hardly has a place.
 *
 * Where places bound what each of them uses, that tells little. So whoever has a line that is longer than all others', and not by a few,
 * is the busiest whatever it used.
 *
 * All times are milliseconds of one clock, which nobody sets (`MonotonicTime`): where they came from two, nobody would ever be settled.
 */

/** In which what was used loses about two thirds of its weight. */
const fading = 1000

/** What a request counts as soon as it has arrived: about what the thread has to do for one that asks for little. */
const requestMillis = 1

/** So many more wait of whoever is the busiest by that alone. */
const modestLead = 4

/** All whose organization is not known, together. */
const strangers = ""

/** An organization is there as long after its last work. */
export const presence = 2000

/** How long somebody has been there before what was used tells how much it uses. */
export const settling = 1000

interface Use {
  /** Since when it has been there without being away. */
  came: number
  /** What had been used at `at`, without what ran then. */
  amount: number
  at: number
  running: number
  /** When each of those that run began, added up. */
  beginnings: number
  /** What waits of it, for places of all kinds. */
  waiting: number
}

export interface Usage {
  /** A request has arrived; null: nobody knows yet of whom. */
  readonly arrive: (orgId: string | null, now: number) => void
  /** The thread was kept for so long by a piece of work; null: of whom nobody knows yet. */
  readonly spend: (orgId: string | null, millis: number, now: number) => void
  /** So many more wait for a place; below zero: so many fewer. */
  readonly wait: (orgId: string, more: number, now: number) => void
  readonly begin: (orgId: string, now: number) => void
  /** What began at `since` is over. */
  readonly end: (orgId: string, since: number, now: number) => void
  /** Whether any other organization is there, and has been for long enough; null: any at all, beside strangers. */
  readonly hasCompany: (orgId: string | null, now: number) => boolean
  /** Whether no other organization is there, not even since a moment ago. */
  readonly isAlone: (orgId: string, now: number) => boolean
  /** Whether an organization that is there is busier, or all strangers together. */
  readonly hasBusier: (orgId: string, now: number) => boolean
  /** Whether it has been there for long enough that its use can be compared. */
  readonly isSettled: (orgId: string, now: number) => boolean
}

const faded = ({ amount, at }: Use, now: number): number => amount * Math.exp(Math.min(0, at - now) / fading)

/** `idle`: in which part of the last moments the thread was; 0 to 1. */
const total = (use: Use, now: number, idle: number): number =>
  faded(use, now) + Math.max(0, use.running * now - use.beginnings) * idle

/** `busy`: of the last moments, in which part the thread was busy; 0 to 1. */
export const make = (busy: () => number = () => 0): Usage => {
  // Whose request came, or whose work began or ended last, stands last.
  const uses = new Map<string, Use>()

  const isThere = ({ at, running }: Use, now: number): boolean => running > 0 || now - at < presence

  const isSettled = (use: Use, now: number): boolean => isThere(use, now) && now - use.came >= settling

  /** What the organization used, as the last of all. */
  const touched = (orgId: string, now: number): Use => {
    const use = uses.get(orgId) ?? { came: now, amount: 0, at: now, running: 0, beginnings: 0, waiting: 0 }
    if (!isThere(use, now)) use.came = now
    use.amount = faded(use, now)
    use.at = now
    uses.delete(orgId)
    uses.set(orgId, use)
    return use
  }

  const forgetGone = (now: number): void => {
    for (const [orgId, use] of uses) {
      if (now - use.at < presence) return
      if (use.running + use.waiting === 0) uses.delete(orgId)
    }
  }

  /** The longest line of another organization, of which something waits. */
  const longestOther = (orgId: string): number => {
    let longest = 0
    for (const [other, { waiting }] of uses) if (other !== orgId && waiting > longest) longest = waiting
    return longest
  }

  const hasMoreUsed = (orgId: string, use: Use | undefined, now: number): boolean => {
    const idle = 1 - busy()
    const own = use === undefined ? 0 : total(use, now, idle)
    for (const [other, its] of uses) {
      if (other !== orgId && isThere(its, now) && total(its, now, idle) > own) return true
    }
    return false
  }

  const spend = (orgId: string | null, millis: number, now: number): void => {
    touched(orgId ?? strangers, now).amount += millis * busy()
    forgetGone(now)
  }

  return {
    arrive: (orgId, now) => spend(orgId, requestMillis, now),
    spend,
    wait: (orgId, more, now) => {
      touched(orgId, now).waiting += more
    },
    begin: (orgId, now) => {
      const use = touched(orgId, now)
      use.running++
      use.beginnings += now
      forgetGone(now)
    },
    end: (orgId, since, now) => {
      const use = touched(orgId, now)
      use.running--
      use.beginnings = use.running === 0 ? 0 : use.beginnings - since
      use.amount += Math.max(0, now - since) * (1 - busy())
      forgetGone(now)
    },
    hasCompany: (orgId, now) => {
      for (const [other, use] of uses) {
        if (other !== orgId && other !== strangers && isSettled(use, now)) return true
      }
      return false
    },
    isAlone: (orgId, now) => {
      for (const [other, use] of uses) if (other !== orgId && other !== strangers && isThere(use, now)) return false
      return true
    },
    hasBusier: (orgId, now) => {
      const use = uses.get(orgId)
      const lead = (use?.waiting ?? 0) - longestOther(orgId)
      return Math.abs(lead) > modestLead ? lead < 0 : hasMoreUsed(orgId, use, now)
    },
    isSettled: (orgId, now) => {
      const use = uses.get(orgId)
      return use !== undefined && isSettled(use, now)
    }
  }
}
