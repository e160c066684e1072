/** The select list of rows that come with the names of their fields. */

/** From each field to the SQL expression of its value. */
export const columnsOf = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields).map(([name, expression]) => `${expression} AS "${name}"`).join(", ")
