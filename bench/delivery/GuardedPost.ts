/**
 * A signed POST with what a receiver and its operator are promised besides: at most ten at once to an endpoint, and none to an
 * address that is not allowed. As one would write it around a queue: in the process, over Node's own list of addresses.
 */
import { BlockList, isIP, isIPv6 } from "node:net"
import * as SignedPost from "./SignedPost.ts"

const places = SignedPost.atOnce / SignedPost.paths.length

const forbidden = new BlockList()
for (
  const [address, bits] of [["10.0.0.0", 8], ["169.254.0.0", 16], ["172.16.0.0", 12], ["192.168.0.0", 16]] as const
) {
  forbidden.addSubnet(address, bits, "ipv4")
}
for (const [address, bits] of [["fc00::", 7], ["fe80::", 10]] as const) forbidden.addSubnet(address, bits, "ipv6")

const vet = (url: string): void => {
  const hostname = new URL(url).hostname.replace(/^\[|\]$/g, "")
  if (isIP(hostname) === 0) throw new Error(`${hostname} is a name, which nobody here looks up`)
  if (forbidden.check(hostname, isIPv6(hostname) ? "ipv6" : "ipv4")) throw new Error(`${hostname} is not allowed`)
}

/** Sends to paths below `root`, each in its turn; answers the status. */
export const make = (root: string) => {
  const post = SignedPost.make(root)
  const taken = new Map<string, number>()
  const lines = new Map<string, Array<() => void>>()
  const enter = async (path: string): Promise<void> => {
    const number = taken.get(path) ?? 0
    if (number < places) return void taken.set(path, number + 1)
    const line = lines.get(path) ?? []
    lines.set(path, line)
    await new Promise<void>((resolve) => line.push(resolve))
  }
  const leave = (path: string): void => {
    const next = lines.get(path)?.shift()
    if (next === undefined) taken.set(path, (taken.get(path) ?? 1) - 1)
    else next()
  }
  return async (id: string, path: string): Promise<number> => {
    await enter(path)
    try {
      vet(`${root}${path}`)
      return await post(id, path)
    } finally {
      leave(path)
    }
  }
}
