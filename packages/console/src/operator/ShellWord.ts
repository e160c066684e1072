/** A text as one word of a command that is pasted into a shell: what others chose means nothing there. */
export const shellWord = (text: string): string =>
  /^[\w.@+][\w.@+-]*$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
