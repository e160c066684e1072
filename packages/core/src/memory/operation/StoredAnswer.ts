/** What a request answered under its `Idempotency-Key`. */
export interface StoredAnswer {
  readonly operation: string
  readonly credentialId: string
  readonly fingerprint: string
  readonly answer: string
  readonly mustReplay: boolean
  readonly room: number
  /** Milliseconds. */
  readonly expiresAt: number
}
