/** What somebody typed and did not send yet, as long as the tab is there: by whose it is, and of what it is. */

const room = "freehold typed "

const listeners = new Set<() => void>()

const tell = (): void => {
  for (const listener of listeners) listener()
}

export const keyOf = (owner: string, name: string): string => `${room}${owner} ${name}`

/** null: nothing is kept. */
export const textOf = (key: string): string | null => sessionStorage.getItem(key)

/** null: nothing is kept any more. */
export const keepText = (key: string, text: string | null): void => {
  if (text === null) sessionStorage.removeItem(key)
  else sessionStorage.setItem(key, text)
  tell()
}

/** Forgets all but what this person typed; null: all. */
export const forgetTexts = (owner: string | null): void => {
  const kept = owner === null ? null : keyOf(owner, "")
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(room) && (kept === null || !key.startsWith(kept))) sessionStorage.removeItem(key)
  }
  tell()
}

export const onTexts = (hear: () => void): () => void => {
  listeners.add(hear)
  return () => {
    listeners.delete(hear)
  }
}
