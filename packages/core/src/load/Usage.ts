/**
 * How long each organization kept places of this process busy of late, whatever the work was. Old use counts less and less,
 * and who has done nothing for a while is forgotten.
 */

/** Milliseconds in which what was used loses about two thirds of its weight. */
const fading = 2000

/** An organization is there as long after its last work. */
export const presence = 2000

interface Use {
  readonly amount: number
  readonly at: number
}

export interface Usage {
  /** The organization kept a place busy for so many milliseconds, until `now`. */
  readonly add: (orgId: string, busy: number, now: number) => void
  /** Whether others are there, and none of them used more. */
  readonly isBusiest: (orgId: string, now: number) => boolean
}

const faded = ({ amount, at }: Use, now: number): number => amount * Math.exp((at - now) / fading)

export const make = (): Usage => {
  // Whoever worked last stands last.
  const uses = new Map<string, Use>()

  const forgetGone = (now: number): void => {
    for (const [orgId, { at }] of uses) {
      if (now - at < presence) return
      uses.delete(orgId)
    }
  }

  const amountOf = (orgId: string, now: number): number => {
    const use = uses.get(orgId)
    return use === undefined ? 0 : faded(use, now)
  }

  return {
    add: (orgId, busy, now) => {
      const amount = amountOf(orgId, now) + busy
      uses.delete(orgId)
      uses.set(orgId, { amount, at: now })
      forgetGone(now)
    },
    isBusiest: (orgId, now) => {
      forgetGone(now)
      const own = amountOf(orgId, now)
      let others = false
      for (const [other, use] of uses) {
        if (other === orgId) continue
        if (faded(use, now) > own) return false
        others = true
      }
      return others
    }
  }
}
