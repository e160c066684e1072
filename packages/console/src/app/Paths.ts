/** The paths of the pages: a part that begins with a colon stands for any. The server answers each with the same document. */
export const paths = {
  signIn: "/sign-in",
  search: "/",
  property: "/properties/:id",
  sessions: "/sessions",
  organizations: "/organizations"
} as const

export type PageName = Exclude<keyof typeof paths, "signIn">
