/** Documents of other servers, as large as they may be. */

/** What an authorization server publishes is some kilobytes. */
export const maximumBytes = 1_048_576

const read = async (url: string, body: ReadableStream<Uint8Array>): Promise<ReadonlyArray<Uint8Array>> => {
  const pieces: Array<Uint8Array> = []
  let length = 0
  // What is left when it ends early is not read any more.
  for await (const piece of body) {
    length += piece.length
    if (length > maximumBytes) throw new Error(`${url} answers with more than ${maximumBytes} bytes`)
    pieces.push(piece)
  }
  return pieces
}

/** As `fetch`, once the whole body is there; rejects where it is too large, and never holds more of it. */
export const boundedFetch = async (url: string, options: RequestInit): Promise<Response> => {
  const { body, headers, status } = await fetch(url, options)
  const pieces = body === null ? [] : await read(url, body)
  return new Response(pieces.length === 0 ? null : Buffer.concat(pieces), { status, headers })
}
