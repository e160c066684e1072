/** How paths are matched: exact case and slashes, long property keys. */
export const matching = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: false,
  maxParamLength: 4096
} as const
