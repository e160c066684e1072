/** The counties that the map draws: of those that the member sees, with how many properties each has. */
export type Counties = ReadonlyArray<{
  readonly fips: string
  readonly name: string | null
  readonly properties: number
}>
