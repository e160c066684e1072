/** Under which key what was asked for is kept, so that asking for more makes it old. */
export const requestsKey = ["requests"]
