/**
 * Remembers a value as the latest; where there are more than so many, the one that was remembered first is forgotten. For what a
 * process knows of its callers, of whom there may be any number.
 */
export const remember = <Key, Value>(known: Map<Key, Value>, key: Key, value: Value, most: number): void => {
  known.delete(key)
  known.set(key, value)
  if (known.size <= most) return
  for (const first of known.keys()) return void known.delete(first)
}
