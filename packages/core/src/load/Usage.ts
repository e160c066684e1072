/**
 * How much of this process each organization uses of late, whatever its work is: how long it keeps places busy, what runs from its
 * beginning, and how many requests it sends. Old use counts less and less. Who has done nothing for a while is forgotten.
 *
 * Which of both counts is told by how busy the process's one thread is. While it is idle, places are what is scarce, and one heavy
 * search counts more than many requests. While it is busy, places are kept by whoever waits for it: then who sends the most uses the
 * most, although what it gives up early, or may not do, hardly has a place.
 *
 * All times are milliseconds of one clock.
 */

/** In which what was used loses about two thirds of its weight. */
const fading = 1000

/** What a request counts while the thread is busy all the time: some times what it has to do for one. */
const requestMillis = 5

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
}

export interface Usage {
  /** A request has arrived; null: nobody knows yet of whom. */
  readonly arrive: (orgId: string | null, now: number) => void
  readonly begin: (orgId: string, now: number) => void
  /** What began at `since` is over. */
  readonly end: (orgId: string, since: number, now: number) => void
  /** Whether any other organization is there, and has been for long enough; null: any at all, beside strangers. */
  readonly hasCompany: (orgId: string | null, now: number) => boolean
  /** Whether an organization that is there used more, or all strangers together. */
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
    const use = uses.get(orgId) ?? { came: now, amount: 0, at: now, running: 0, beginnings: 0 }
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
      if (use.running === 0) uses.delete(orgId)
    }
  }

  return {
    arrive: (orgId, now) => {
      touched(orgId ?? strangers, now).amount += requestMillis * busy()
      forgetGone(now)
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
    hasBusier: (orgId, now) => {
      const use = uses.get(orgId)
      const idle = 1 - busy()
      const own = use === undefined ? 0 : total(use, now, idle)
      for (const [other, its] of uses) {
        if (other !== orgId && isThere(its, now) && total(its, now, idle) > own) return true
      }
      return false
    },
    isSettled: (orgId, now) => {
      const use = uses.get(orgId)
      return use !== undefined && isSettled(use, now)
    }
  }
}
