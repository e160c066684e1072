/** The organizations whose postponed deliveries were looked at (`Deliveries.reconsider`), with the settings by which. */

/** Of one look. */
interface Look<Settings> {
  readonly settings: Settings
  /** Until when something may be recorded that was decided by other settings; null: all of that was looked at. */
  readonly openUntil: number | null
}

export interface Reconsidered<Settings> {
  /**
   * Which of these organizations, with their settings as they are, are to be looked at now, in milliseconds of any clock. All others are
   * forgotten.
   */
  readonly take: (
    found: ReadonlyArray<readonly [orgId: string, settings: Settings]>,
    now: number,
    leaseMillis: number
  ) => ReadonlyArray<string>
}

/** Settings are the same where they are identical. */
export const make = <Settings>(): Reconsidered<Settings> => {
  let looks: ReadonlyMap<string, Look<Settings>> = new Map()

  return {
    take: (found, now, leaseMillis) => {
      const before = looks
      const due: Array<string> = []
      looks = new Map(found.map(([orgId, settings]) => {
        const last = before.get(orgId)
        if (last === undefined || last.settings !== settings) {
          due.push(orgId)
          return [orgId, { settings, openUntil: now + leaseMillis }]
        }
        if (last.openUntil === null) return [orgId, last]
        due.push(orgId)
        return [orgId, now < last.openUntil ? last : { settings, openUntil: null }]
      }))
      return due
    }
  }
}
