/**
 * Structured log lines on standard output, one JSON object each; at a terminal, sentences. No request body, no header and no query
 * is ever logged: tokens and passwords travel in all three (security.md LO-04).
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { logEvent } from './events.ts'
import { terminalLog } from './terminal-log.ts'

/** A request that takes longer is worth a line at the usual level. */
const slowMs = 1000
/** Lines of a second of one kind about requests that were turned away; thousands would say no more, and cost what is missing. */
const turnedAwayLinesMax = 10

/** What Fastify's logger is made with. */
export function loggerOptions(level: string, { isTerminal }: { readonly isTerminal: boolean }) {
  return {
    level,
    ...(isTerminal ? { stream: terminalLog((text) => process.stdout.write(text)) } : {}),
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

/** Requests whose 503 is what it should be: the probe of a server that was told to end. */
const plannedRefusals = new WeakSet<FastifyRequest>()

/** Keeps the answer from being logged as a failure. */
export function notePlannedRefusal(request: FastifyRequest): void {
  plannedRefusals.add(request)
}

/** What a signed-in person tried and may not do. */
export type Denial = {
  /** Id of the person. */
  readonly actor: string
  readonly action: string
  /** Id of the user concerned, where the request names one. */
  readonly target: string | null
  /** SQLSTATE of the database's refusal; `null` where the server refused. */
  readonly code: string | null
}

const denials = new WeakMap<FastifyRequest, Denial>()

/** The request's line will be `action denied`, with these fields. */
export function noteDenial(request: FastifyRequest, denial: Denial): void {
  denials.set(request, denial)
}

/** One line for each answer: failures and refusals as warnings, slow ones as news, the rest for who asks for it. */
export function addRequestLog(app: FastifyInstance): void {
  const lines = {
    'request failed': new LinesOfASecond(),
    'request refused': new LinesOfASecond(),
    'action denied': new LinesOfASecond(),
    'too many requests': new LinesOfASecond(),
  }
  app.addHook('onResponse', (request, reply, done) => {
    const denial = denials.get(request)
    const line = {
      method: request.method,
      path: pathOf(request),
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
      ...denial,
    }
    const event = denial === undefined ? turnedAwayAs(reply.statusCode) : 'action denied'
    if (plannedRefusals.has(request)) request.log.debug(line, 'request')
    else if (event !== null) {
      const more = lines[event].next()
      if (more !== null) logEvent(request.log, event, { ...line, ...more })
    } else if (reply.statusCode >= 500) logEvent(request.log, 'request failed', line)
    else if (reply.elapsedTime > slowMs) logEvent(request.log, 'slow request', line)
    else request.log.debug(line, 'request')
    done()
  })
}

/** What many may be answered at once; `null` for every other answer. */
function turnedAwayAs(status: number): 'request failed' | 'request refused' | 'too many requests' | null {
  if (status === 503) return 'request failed'
  if (status === 429) return 'too many requests'
  return status === 401 || status === 403 ? 'request refused' : null
}

/** Which of many equal lines are written: the first ones of each second. */
class LinesOfASecond {
  #second = 0
  #count = 0

  /** `null` for a line too many; the first one of a second says how many of the one before were not written. */
  next(): { readonly unsaid?: number } | null {
    const now = Math.floor(performance.now() / 1000)
    const unsaid = now === this.#second ? 0 : Math.max(0, this.#count - turnedAwayLinesMax)
    if (now !== this.#second) this.#count = 0
    this.#second = now
    this.#count += 1
    if (this.#count > turnedAwayLinesMax) return null
    return unsaid === 0 ? {} : { unsaid }
  }
}

/** The path alone: one-time tokens and API keys stand in queries. */
function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? ''
}
