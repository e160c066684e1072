/** What is measured of the process itself: memory, processor, the delay of its event loop, since when it runs, its version. */
import { Effect, Metric } from "effect"
import { monitorEventLoopDelay, performance } from "node:perf_hooks"
import { version } from "../Version.ts"

const nanosASecond = 1e9

/** How often the delay is looked at, in milliseconds; it is part of what is measured. */
const resolution = 10

const quantiles = [50, 90, 99] as const

const delayAt = (histogram: ReturnType<typeof monitorEventLoopDelay>, percentile: number): number =>
  Math.max(0, histogram.percentile(percentile) / nanosASecond - resolution / 1000)

const gauge = (name: string, description: string, attributes: Readonly<Record<string, string>> = {}) =>
  Metric.gauge(name, { description, attributes })

const memory = (kind: string) => gauge("freehold_process_memory_bytes", "Memory of the process, by kind.", { kind })

const delay = (quantile: string) =>
  gauge("freehold_event_loop_delay_seconds", "How late the event loop was, since it was asked last.", { quantile })

const cpu = Metric.counter("freehold_process_cpu_seconds_total", { description: "Processor time.", incremental: true })

const started = gauge("freehold_process_start_time_seconds", "When the process began, in seconds since 1970.")

/** Measures from now on; `refresh` brings the gauges up to date. */
export const make = Effect.gen(function*() {
  const histogram = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const monitor = monitorEventLoopDelay({ resolution })
      monitor.enable()
      return monitor
    }),
    (monitor) => Effect.sync(() => monitor.disable())
  )
  let spent = 0
  yield* Metric.update(gauge("freehold_build_info", "1, with the version that runs.", { version }), 1)
  yield* Metric.update(started, performance.timeOrigin / 1000)

  const refresh = Effect.gen(function*() {
    const { external, heapTotal, heapUsed, rss } = process.memoryUsage()
    yield* Metric.update(memory("resident"), rss)
    yield* Metric.update(memory("heap"), heapTotal)
    yield* Metric.update(memory("heap_used"), heapUsed)
    yield* Metric.update(memory("external"), external)
    for (const percentile of quantiles) {
      yield* Metric.update(delay(String(percentile / 100)), delayAt(histogram, percentile))
    }
    histogram.reset()
    const { system, user } = process.cpuUsage()
    const now = (system + user) / 1e6
    yield* Metric.update(cpu, now - spent)
    spent = now
  })
  return { refresh }
})
