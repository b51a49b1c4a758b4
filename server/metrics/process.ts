/** Metrics of this process: its resources, under Prometheus's usual names, and the delay of its event loop. */
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type Metric, type Sample, counter, gauge } from './exposition.ts'

/** Length of the windows in which the event loop's delay is measured. */
const windowMs = 10_000
const resolutionMs = 10

export const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as {
  version: string
}

export function watchProcess() {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  delay.enable()
  const samplesNow = (): Sample[] =>
    [0.5, 0.99, 1].map((quantile) => ({
      labels: { quantile: String(quantile) },
      // The histogram contains nanoseconds. Each value includes the interval of the timer that measures, so this
      // interval is subtracted.
      value: Math.max(delay.percentile(Math.max(quantile * 100, 1)) / 1e9 - resolutionMs / 1e3, 0),
    }))
  let lateness: Sample[] = []
  const timer = setInterval(() => {
    lateness = samplesNow()
    delay.reset()
  }, windowMs).unref()
  const metrics: Metric[] = [
    {
      name: 'finanzas_build_info',
      help: 'Always 1; the labels state the versions.',
      type: 'gauge',
      read: () => [{ labels: { version, node: process.version }, value: 1 }],
    },
    gauge('process_start_time_seconds', 'Start of the process, in seconds since 1970.', () =>
      Math.round((Date.now() - performance.now()) / 1000),
    ),
    counter('process_cpu_seconds_total', 'Processor time of all threads.', () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    }),
    gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss()),
    gauge(
      'nodejs_heap_size_used_bytes',
      'Memory that JavaScript objects use.',
      () => process.memoryUsage().heapUsed,
    ),
    {
      name: 'finanzas_event_loop_lag_seconds',
      help: 'Delay of the event loop in the last complete ten seconds.',
      type: 'gauge',
      read: () => (lateness.length === 0 ? samplesNow() : lateness),
    },
  ]
  return {
    metrics,
    close() {
      clearInterval(timer)
      delay.disable()
    },
  }
}
