/**
 * The probe of the availability benchmark, in a process of its own, so that nothing else of the benchmark keeps it waiting:
 * reads options a line from standard input and says when it has begun; at the next line it ends and writes the samples as
 * one line. Their times are those since the epoch, which all processes share.
 */
import * as Probe from "@freehold/cli/testing/availability/Probe"
import { createInterface } from "node:readline"

const tell = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`)

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
  const options: Probe.Options = JSON.parse(line.value)
  const probe = await Probe.start(options)
  tell("begun")
  await lines.next()
  const samples = await probe.stop()
  tell(samples.map((sample) => ({ ...sample, at: performance.timeOrigin + sample.at })))
}
