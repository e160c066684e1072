/**
 * A page of rows and the total of all, by one statement: the count, with the page joined to it.
 *
 *     SELECT counted.total, page.* FROM (SELECT count(*) …) counted LEFT JOIN LATERAL (… LIMIT … OFFSET …) page ON true
 */

/** What the statement answers: a page without rows is one row whose `id` is null. */
export type Paged<Row> = { readonly total: number } & (Row | { readonly id: null })

export const pageOf = <Row extends { readonly id: string }>(
  found: ReadonlyArray<Paged<Row>>
): { readonly rows: ReadonlyArray<Row>; readonly total: number } => ({
  rows: found.flatMap(({ total: _, ...row }) => isRow<Row>(row) ? [row] : []),
  total: found[0]?.total ?? 0
})

const isRow = <Row extends { readonly id: string }>(row: object): row is Row => "id" in row && row.id !== null
