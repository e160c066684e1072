/** What an assistant may look for among the tools by a name of its own, and where it is instead. */

const places: ReadonlyArray<readonly [called: RegExp, place: string]> = [
  [
    /^(change|delete|drop|edit|remove|rename|share|update)_(\w+_)?lists?$/,
    "lists are renamed, shared and deleted in the app"
  ],
  [/^(download|export)_(\w+_)?lists?$/, "service_get_list_items reads what is on a list"],
  [/(^|_)tasks?($|_)/, "tasks are kept in the app"]
]

/** Where it is, of a tool's name without the prefix that all have; undefined: nowhere that is known. */
export const placeOf = (name: string): string | undefined => places.find(([called]) => called.test(name))?.[1]
