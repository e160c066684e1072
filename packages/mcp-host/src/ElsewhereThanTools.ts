/** What an assistant may look for among the tools by a name of its own: where it is instead, and how tools say the same. */

const places: ReadonlyArray<readonly [called: RegExp, place: string]> = [
  [
    // What is taken off a list, or changed on it, is not the list.
    /^(change|delete|drop|edit|remove|rename|share|update)_(?!(\w+_)?(from|in|on|to)_)(\w+_)?lists?$/,
    "lists are renamed, shared and deleted in the app"
  ],
  [/^(download|export)_(\w+_)?lists?$/, "service_get_list_items reads what is on a list"],
  [/(^|_)tasks?($|_)/, "tasks are kept in the app"],
  [
    /(^|_)(charges?|ledger|spend|spending|transactions?)($|_)/,
    "what was charged is in the resource freehold://ledger/{month}, and of research in service_list_research_runs"
  ]
]

/** Where it is, of a tool's name without the prefix that all have; undefined: nowhere that is known. */
export const placeOf = (name: string): string | undefined => places.find(([called]) => called.test(name))?.[1]

/** Words that say the same at the beginning of a name, in the order in which a tool is looked for. */
const verbs: ReadonlyArray<ReadonlyArray<string>> = [
  ["search", "find", "browse", "list", "get", "query", "read", "show", "fetch", "lookup"],
  ["reveal", "unlock", "open"],
  ["draft", "write", "send", "compose"],
  ["create", "make", "new"],
  ["remove", "delete", "drop", "take"],
  ["add", "put"]
]

/** A search for nothing that is named is one of properties. */
const whole: ReadonlySet<string> = new Set(verbs[0])

/** The names, without the prefix, by which a tool may say the same as this one. */
export const synonymsOf = (name: string): ReadonlyArray<string> => {
  // Of what is put on a list or taken off it, the list's kind says what it is.
  const [verb = "", ...nouns] = name.replace(/^([a-z]+)_\w+?_(from|to)_/, "$1_$2_").split("_")
  if (whole.has(name)) return ["search_properties"]
  return nouns.length === 0
    ? []
    : verbs.flatMap((same) => same.includes(verb) ? same.map((each) => [each, ...nouns].join("_")) : [])
}
