/** The paths of the pages: a part that begins with a colon stands for any. The server answers each with the same document. */
export const paths = {
  signIn: "/sign-in",
  search: "/",
  property: "/properties/:id",
  people: "/people",
  person: "/people/:id",
  firms: "/firms",
  firm: "/firms/:id",
  home: "/home",
  pipeline: "/pipeline",
  tasks: "/tasks",
  lists: "/lists",
  list: "/lists/:id",
  research: "/research",
  run: "/research/:id",
  searches: "/searches",
  changes: "/changes",
  usage: "/usage",
  requests: "/requests",
  admin: "/admin/:part",
  sessions: "/sessions",
  organizations: "/organizations"
} as const

/** Addresses that are no pages themselves, and the page that each leads to. */
export const leads: Readonly<Record<string, string>> = { "/admin": "/admin/keys" }

export type PageName = Exclude<keyof typeof paths, "signIn">
