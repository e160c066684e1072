/** A mail server on loopback that keeps what it takes, and behaves as badly as it is told. */
import type { Mail } from "@freehold/core/notice/Mailer"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { generate } from "selfsigned"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"

export interface Taken extends Mail {
  readonly from: string
  readonly user: string | undefined
  readonly encrypted: boolean
}

const words = (text: string): string =>
  text.replaceAll(/\?=\s+=\?/g, "?==?").replaceAll(
    /=\?utf-8\?([qb])\?([^?]*)\?=/gi,
    (_, how: string, word: string) =>
      how.toLowerCase() === "b" ? Buffer.from(word, "base64").toString() : unquoted(word.replaceAll("_", " "))
  )

const unquoted = (text: string): string =>
  Buffer.from(
    text.replaceAll("=\r\n", "").replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1"
  ).toString("utf8")

/** What somebody reads of a message. */
const read = (raw: string): Mail => {
  const end = raw.indexOf("\r\n\r\n")
  const head = raw.slice(0, end).replaceAll(/\r\n[ \t]+/g, " ")
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, "im").exec(head)?.[1] ?? ""
  const body = raw.slice(end + 4).replace(/(?:\r\n)+$/, "\r\n")
  const text = header("content-transfer-encoding") === "quoted-printable"
    ? unquoted(body)
    : header("content-transfer-encoding") === "base64"
    ? Buffer.from(body, "base64").toString()
    : body
  return {
    to: header("to"),
    id: header("message-id").replace(/^<(.*)@.*$/, "$1"),
    subject: words(header("subject")),
    text: text.replaceAll("\r\n", "\n")
  }
}

/** A certificate for localhost that is its own authority. */
export const certificate = async () => {
  const made = await generate([{ name: "commonName", value: "localhost" }], {
    keyType: "ec",
    curve: "P-256",
    algorithm: "sha256",
    extensions: [
      { name: "basicConstraints", cA: true },
      { name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] }
    ]
  })
  return { key: made.private, cert: made.cert }
}

export interface SmtpReceiver {
  readonly port: number
  readonly taken: Array<Taken>
  /** The answers that addresses get. */
  readonly refusals: Map<string, number>
  readonly close: () => Promise<void>
  /** Resolves when so many mails were taken. */
  readonly arrived: (count: number) => Promise<void>
}

const refusing = (code: number) => Object.assign(new Error("made up"), { responseCode: code })

export const smtpReceiver = async (options: SMTPServerOptions = {}): Promise<SmtpReceiver> => {
  const taken: Array<Taken> = []
  const refusals = new Map<string, number>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.key === undefined ? ["STARTTLS"] : [],
    onRcptTo: ({ address }, _, done) => {
      const code = refusals.get(address)
      done(code === undefined ? null : refusing(code))
    },
    onAuth: ({ password, username }, _, done) =>
      password === "right" ? done(null, { user: username }) : done(refusing(535)),
    onData: (stream, { envelope, secure, user }, done) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () => {
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address
        taken.push({
          ...read(Buffer.concat(chunks).toString("latin1")),
          from,
          user: typeof user === "string" ? user : undefined,
          encrypted: secure
        })
        done()
        server.emit("taken")
      })
    },
    ...options
  })
  // A client that goes away in the middle, as some here do.
  server.on("error", () => {})
  server.listen(0, "127.0.0.1")
  await once(server.server, "listening")
  const address: AddressInfo | string | null = server.server.address()
  return {
    port: address === null || typeof address === "string" ? 0 : address.port,
    taken,
    refusals,
    close: () => new Promise((resolve) => server.close(() => resolve())),
    arrived: async (count) => {
      while (taken.length < count) await once(server, "taken")
    }
  }
}
