/**
 * Structured log lines on standard output, one JSON object each. No request body, no header and no query
 * is ever logged: tokens and passwords travel in all three (security.md LO-04).
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** A request that takes longer is worth a line at the usual level. */
const slowMs = 1000
/** Lines of a second about requests that were turned away; thousands would say no more, and cost what is missing. */
const outageLinesMax = 10

/** What Fastify's logger is made with. */
export function loggerOptions(level: string) {
  return {
    level,
    serializers: {
      req: (request: FastifyRequest) => ({ method: request.method, path: pathOf(request) }),
      err: (error: Error & { code?: string; sqlState?: string }) => ({
        type: error.name,
        message: error.message,
        code: error.code ?? error.sqlState,
        stack: error.stack ?? '',
        cause: error.cause instanceof Error ? error.cause.message : undefined,
      }),
    },
  }
}

/** One line for each answer: failures as warnings, slow ones as news, the rest for who asks for it. */
export function addRequestLog(app: FastifyInstance): void {
  let second = 0
  let outages = 0
  /** Whether this 503 gets a line; the first of each second says how many of the one before had none. */
  const outageLine = (): { unsaid?: number } | null => {
    const now = Math.floor(performance.now() / 1000)
    const unsaid = now === second ? 0 : Math.max(0, outages - outageLinesMax)
    if (now !== second) outages = 0
    second = now
    outages += 1
    if (outages > outageLinesMax) return null
    return unsaid === 0 ? {} : { unsaid }
  }
  app.addHook('onResponse', (request, reply, done) => {
    const line = {
      method: request.method,
      path: pathOf(request),
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
    }
    if (reply.statusCode === 503) {
      const more = outageLine()
      if (more !== null) request.log.warn({ ...line, ...more }, 'request failed')
    } else if (reply.statusCode >= 500) request.log.warn(line, 'request failed')
    else if (reply.elapsedTime > slowMs) request.log.info(line, 'slow request')
    else request.log.debug(line, 'request')
    done()
  })
}

/** The path alone: one-time tokens and API keys stand in queries. */
function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? ''
}
