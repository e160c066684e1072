/**
 * What commands print and the API answers, as far as tests look into it. A document has some of these fields; a test
 * that asks for another one gets undefined, and fails on it.
 */
export interface Told {
  readonly organizations: ReadonlyArray<Told>
  readonly keys: ReadonlyArray<Told>
  readonly items: ReadonlyArray<Told>
  readonly entries: ReadonlyArray<Told>
  readonly results: ReadonlyArray<Told>
  readonly contacts: ReadonlyArray<Told>
  readonly history: ReadonlyArray<Told>
  readonly changes: ReadonlyArray<Told>
  readonly success?: boolean
  readonly data: Told
  readonly result: { readonly structuredContent: Told; readonly isError?: boolean }
  readonly draft: { readonly body: string }
  readonly contactsSummary: { readonly totalCount: number }
  readonly serviceable_area: { readonly county_fips: ReadonlyArray<string> }
  readonly usage: { readonly exports_used: number }
  readonly actor: { readonly kind: string; readonly name: string | null }
  readonly grants: ReadonlyArray<Told>
  readonly id: string
  readonly credential_id: string
  readonly secret: string
  readonly scopes: ReadonlyArray<string>
  readonly run_id: string
  readonly finished_at: string | null
  readonly item_count: unknown
  readonly action: unknown
  readonly attempts: unknown
  readonly client_id: unknown
  readonly email: unknown
  readonly balance_after: unknown
  readonly by_agent: unknown
  readonly credit_balance: unknown
  readonly credits: unknown
  readonly daily_limits: unknown
  readonly deal_value: unknown
  readonly disabledReason: unknown
  readonly disqualified_reason: unknown
  readonly entry: unknown
  readonly event_id: unknown
  readonly expires_at: unknown
  readonly first_time: unknown
  readonly from: unknown
  readonly kind: unknown
  readonly label: unknown
  readonly last_status: unknown
  readonly name: unknown
  readonly next_cursor: unknown
  readonly note: unknown
  readonly outcome: unknown
  readonly owner_name: unknown
  readonly previous_status: unknown
  readonly previous_until: unknown
  readonly property_key: unknown
  readonly reason: unknown
  readonly reason_code: unknown
  readonly ref: unknown
  readonly researchState: unknown
  readonly rows: unknown
  readonly state: unknown
  readonly status: unknown
  readonly to: unknown
  readonly total_matching: unknown
}
