/** Ids in parts, each as many as one call takes. */

/** So many are put on a list, taken off, or asked about at once. */
export const mostAtOnce = 500

export const partsOf = (ids: ReadonlyArray<string>, most: number): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from({ length: Math.ceil(ids.length / most) }, (_, index) => ids.slice(index * most, (index + 1) * most))
