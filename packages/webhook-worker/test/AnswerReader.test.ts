/** Answers as receivers write them, well and ill, in pieces of any size. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { vi } from "vitest"
import * as AnswerReader from "../src/AnswerReader.ts"

const keep = 200

/** What is read of a text in Latin-1 that arrives in pieces, which end at these places. */
const read = (text: string, cuts: ReadonlyArray<number> = []) => {
  const bytes = Buffer.from(text, "latin1")
  const reader = AnswerReader.make(keep)
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  for (const [index, from] of places.slice(0, -1).entries()) {
    if (reader.fault === undefined) reader.read(bytes.subarray(from, places[index + 1]))
  }
  const { beginning, fault, hasMore, isKept, isOver, status } = reader
  return { status, isOver, isKept, hasMore, fault, beginning: beginning.toString("latin1") }
}

const well = {
  status: 200,
  isOver: true,
  isKept: true,
  hasMore: false,
  fault: undefined,
  beginning: ""
}

const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

const answers = {
  "of a length": ["HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nmade", { ...well, beginning: "made" }],
  "without a word for its status": ["HTTP/1.1 200\r\ncontent-length:0\r\n\r\n", well],
  "without content": ["HTTP/1.1 204 No Content\r\n\r\n", { ...well, status: 204 }],
  "after informational ones": [
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 202 Accepted\r\nContent-Length: 1\r\n\r\na",
    { ...well, status: 202, beginning: "a" }
  ],
  "in chunks": [
    `${chunked}4;made=up\r\nmade\r\n3 \r\n-up\r\n0\r\nTrailer: 1\r\n\r\n`,
    { ...well, beginning: "made-up" }
  ],
  "in no chunk": [`${chunked}0\r\n\r\n`, well],
  "in a chunk of which the end is missing": [`${chunked}4\r\nma`, { ...well, isOver: false, beginning: "ma" }],
  "of which a part is missing": [
    "HTTP/1.1 500 Made Up\r\nContent-Length: 9\r\n\r\nmade",
    { ...well, status: 500, isOver: false, beginning: "made" }
  ],
  "of no length": ["HTTP/1.1 200 OK\r\n\r\nmade up", { ...well, isOver: false, beginning: "made up" }],
  "coded otherwise": [
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    { ...well, isOver: false, beginning: "0\r\n\r\n" }
  ],
  "that is packed": [
    "HTTP/1.1 400 Made Up\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nmade",
    { ...well, status: 400 }
  ],
  "longer than is kept": [
    `HTTP/1.1 200 OK\r\nContent-Length: 300\r\n\r\n${"a".repeat(300)}`,
    { ...well, beginning: "a".repeat(keep) }
  ],
  "after which the connection ends": [
    "HTTP/1.1 200 OK\r\nConnection: made-up, Close\r\nContent-Length: 0\r\n\r\n",
    { ...well, isKept: false }
  ],
  "of HTTP/1.0": ["HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", { ...well, isKept: false }],
  "that switches": ["HTTP/1.1 101 Switching Protocols\r\nUpgrade: made-up\r\n\r\n", {
    ...well,
    status: 101,
    isKept: false
  }],
  "after which more comes": ["HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 ", { ...well, hasMore: true }],
  "in chunks, after which more comes": [`${chunked}1\r\na\r\n0\r\n\r\nb`, { ...well, beginning: "a", hasMore: true }]
} as const satisfies Record<string, readonly [string, ReturnType<typeof read>]>

const none = "\r\nContent-Length: 0\r\n\r\n"

const faults = {
  "no status line of HTTP/1.1": [
    "made-up\r\n\r\n",
    `HTTP/2 200 OK${none}`,
    `HTTP/1.1 099 Made Up${none}`,
    `HTTP/1.1 2000 Made Up${none}`,
    `\r\nHTTP/1.1 200 OK${none}`,
    `HTTP/1.1 200 OK\nContent-Length: 0${none}`
  ],
  "a malformed header": [
    `HTTP/1.1 200 OK\r\nMade Up: 1${none}`,
    `HTTP/1.1 200 OK\r\nContent-Length : 1${none}`,
    `HTTP/1.1 200 OK\r\nMade: up\r\n folded${none}`,
    `HTTP/1.1 200 OK\r\nMade: u\u0000p${none}`,
    // Whoever tries each blank as the first of the value looks at all after it, over and over.
    `HTTP/1.1 200 OK\r\nMade:${" ".repeat(16_000)}\u0001${none}`,
    `HTTP/1.1 200 OK\r\nMade: up\nContent-Length: 5${none}`,
    `HTTP/1.1 200 OK\r\n: made-up${none}`
  ],
  "two lengths": [`HTTP/1.1 200 OK\r\nContent-Length: 1${none}`],
  "a malformed length": [
    "HTTP/1.1 200 OK\r\nContent-Length: 0x1\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n",
    `HTTP/1.1 200 OK\r\nContent-Length: ${"9".repeat(30)}\r\n\r\n`
  ],
  "a length and a transfer coding": [`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked${none}`],
  "a malformed chunk": [
    `${chunked}-1\r\n`,
    `${chunked}made-up\r\n`,
    `${chunked}1\na\r\n`,
    `${chunked}1\r\nab\r\n`,
    `${chunked}${"f".repeat(30)}\r\n`,
    `${chunked}0\r\nmade up\r\n\r\n`
  ],
  "headers beyond 16 KiB": [
    `HTTP/1.1 200 OK\r\nMade-Up: ${"a".repeat(17_000)}`,
    `HTTP/1.1 200 OK\r\n${"Made-Up: 1\r\n".repeat(2_000)}\r\n`,
    `HTTP/1.1 102 Processing\r\nMade-Up: ${"a".repeat(6_000)}\r\n\r\n`.repeat(3)
  ],
  "more than 20 informational responses": ["HTTP/1.1 102 Processing\r\n\r\n".repeat(21)]
}

const cuts = fc.array(fc.nat(30_000), { maxLength: 6 })

describe("an answer", () => {
  it.each(Object.entries(answers))("%s", (_name, [text, expected]) => {
    assert.deepStrictEqual(read(text), expected)
    fc.assert(fc.property(cuts, (cuts) => assert.deepStrictEqual(read(text, cuts), expected)))
    assert.deepStrictEqual(read(text, Array.from({ length: text.length }, (_, place) => place)), expected)
  })
})

describe("no answer", () => {
  it.each(Object.entries(faults).flatMap(([fault, texts]) => texts.map((text) => [fault, text] as const)))(
    "%s: %j",
    (fault, text) => {
      assert.strictEqual(read(text).fault, fault)
      fc.assert(fc.property(cuts, (cuts) => assert.strictEqual(read(text, cuts).fault, fault)))
    }
  )

  it("of any bytes is one taken that has no status of HTTP/1.1", () => {
    const word = fc.constantFrom(
      "HTTP/1.1 200",
      " OK",
      "\r\n",
      "\n",
      "\r",
      "Content-Length: ",
      "3",
      "Transfer-Encoding: chunked",
      "abc",
      ":",
      "0",
      "\u0000"
    )
    fc.assert(fc.property(fc.array(word), cuts, (words, cuts) => {
      const text = words.join("")
      const { fault, hasMore, isOver, status } = read(text, cuts)
      if (status !== undefined) assert.isTrue(text.startsWith("HTTP/1.1 200"))
      if (isOver || hasMore) assert.strictEqual(status, 200)
      assert.isTrue(fault === undefined || Object.hasOwn(faults, fault) || fault === "a chunk without size")
    }))
  })

  it("is looked for again in what was looked through before, however small the pieces are", () => {
    const head = `HTTP/1.1 200 OK\r\n${"a:b\r\n".repeat(3000)}`
    const searched = vi.spyOn(String.prototype, "indexOf")
    try {
      read(head, Array.from({ length: head.length }, (_, cut) => cut))
      const looks = searched.mock.contexts.map((text, call) =>
        String(text).length - (searched.mock.calls[call]?.[1] ?? 0)
      )
      assert.isAtLeast(looks.length, head.length)
      assert.isAtMost(Math.max(...looks), 4)
    } finally {
      searched.mockRestore()
    }
  })
})
