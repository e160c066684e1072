/**
 * That another change withdraws the one of this id. Few do, which the planner knows of the column alone: without its second condition it takes all
 * changes for such as do, since the index that they are looked for in has no others.
 */
export const isWithdrawn = (id: string): string =>
  `EXISTS (SELECT FROM property_change w WHERE w.withdraws = ${id} AND w.withdraws IS NOT NULL)`
