/**
 * How long each organization keeps places of this process busy of late, whatever the work is: what runs counts from its
 * beginning, and old use counts less and less. Who has done nothing for a while is forgotten.
 *
 * All times are milliseconds of one clock.
 */

/** In which what was used loses about two thirds of its weight. */
const fading = 2000

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
  readonly begin: (orgId: string, now: number) => void
  /** What began at `since` is over. */
  readonly end: (orgId: string, since: number, now: number) => void
  /** Whether any other organization is there. */
  readonly hasCompany: (orgId: string, now: number) => boolean
  /** Whether an organization that is there used more. */
  readonly hasBusier: (orgId: string, now: number) => boolean
  /** Whether it has been there for long enough that its use can be compared. */
  readonly isSettled: (orgId: string, now: number) => boolean
}

const faded = ({ amount, at }: Use, now: number): number => amount * Math.exp(Math.min(0, at - now) / fading)

const total = (use: Use, now: number): number => faded(use, now) + Math.max(0, use.running * now - use.beginnings)

export const make = (): Usage => {
  // Whoever began or ended something last stands last.
  const uses = new Map<string, Use>()

  const isThere = ({ at, running }: Use, now: number): boolean => running > 0 || now - at < presence

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
      use.amount += Math.max(0, now - since)
      forgetGone(now)
    },
    hasCompany: (orgId, now) => {
      for (const [other, use] of uses) if (other !== orgId && isThere(use, now)) return true
      return false
    },
    hasBusier: (orgId, now) => {
      const use = uses.get(orgId)
      const own = use === undefined ? 0 : total(use, now)
      for (const [other, its] of uses) {
        if (other !== orgId && isThere(its, now) && total(its, now) > own) return true
      }
      return false
    },
    isSettled: (orgId, now) => {
      const use = uses.get(orgId)
      return use !== undefined && isThere(use, now) && now - use.came >= settling
    }
  }
}
