/** Counts requests and measures their duration, by surface and status. */
import type { FastifyInstance } from 'fastify'
import type { Metric, Sample } from './exposition.ts'

/**
 * Upper bounds of the histogram's buckets in seconds. 0.15 and 1 are thresholds that security.md promises (DO-05,
 * DO-06).
 */
const boundsSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10] as const

/** The surface for each path prefix. All other paths belong to the page. */
const surfaces = [
  ['/auth/v1', 'auth'],
  ['/rest/v1', 'rest'],
  ['/functions/v1', 'functions'],
  ['/realtime/v1', 'realtime'],
  ['/storage/v1', 'storage'],
  ['/health', 'probe'],
  ['/ready', 'probe'],
  ['/estado', 'probe'],
] as const

type Tally = { readonly buckets: number[]; seconds: number; readonly statuses: Map<number, number> }

export function countRequests(app: FastifyInstance): Metric[] {
  const tallies = new Map<string, Tally>()
  app.addHook('onResponse', (request, reply, done) => {
    const surface = surfaceOf(request.url)
    let tally = tallies.get(surface)
    if (tally === undefined) {
      tally = {
        buckets: Array.from({ length: boundsSeconds.length + 1 }, () => 0),
        seconds: 0,
        statuses: new Map(),
      }
      tallies.set(surface, tally)
    }
    const seconds = reply.elapsedTime / 1000
    const bound = boundsSeconds.findIndex((most) => seconds <= most)
    const index = bound === -1 ? boundsSeconds.length : bound
    tally.buckets[index] = (tally.buckets[index] ?? 0) + 1
    tally.seconds += seconds
    tally.statuses.set(reply.statusCode, (tally.statuses.get(reply.statusCode) ?? 0) + 1)
    done()
  })
  return [
    {
      name: 'finanzas_http_requests_total',
      help: 'Answers by surface and HTTP status.',
      type: 'counter',
      read: () =>
        [...tallies].flatMap(([surface, { statuses }]) =>
          [...statuses].map(([status, value]) => ({ labels: { surface, status: String(status) }, value })),
        ),
    },
    {
      name: 'finanzas_http_request_duration_seconds',
      help: 'Time from the request to the end of the answer, by surface.',
      type: 'histogram',
      read: () => [...tallies].flatMap(([surface, tally]) => histogramOf(surface, tally)),
    },
  ]
}

function histogramOf(surface: string, { buckets, seconds }: Tally): Sample[] {
  let count = 0
  const samples: Sample[] = buckets.map((inBucket, index) => {
    count += inBucket
    const le = String(boundsSeconds[index] ?? '+Inf')
    return { suffix: '_bucket', labels: { surface, le }, value: count }
  })
  return [
    ...samples,
    { suffix: '_sum', labels: { surface }, value: seconds },
    { suffix: '_count', labels: { surface }, value: count },
  ]
}

function surfaceOf(url: string): string {
  for (const [beginning, surface] of surfaces) if (url.startsWith(beginning)) return surface
  return 'page'
}
