/**
 * Structured log on standard output: one JSON object per line, or readable sentences if the output is a terminal. The
 * log never contains request bodies, headers or queries, because all three may contain tokens and passwords
 * (security.md LO-04).
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { logEvent } from './events.ts'
import { terminalLog } from './terminal-log.ts'

/** Requests that take longer than this time are logged as `info` instead of `debug`. */
const slowMs = 1000
/**
 * Maximum number of log lines per second for each kind of refusal, because thousands of lines would use CPU time that
 * is scarce under load.
 */
const refusalLinesPerSecondMax = 10

/** Returns the options of Fastify's logger. */
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

/**
 * Requests that are logged only as `debug`, because the answer is not a failure or because another line already reports
 * it.
 */
const notedRequests = new WeakSet<FastifyRequest>()

/**
 * Marks a request whose answer is an intended 503, so that it is not logged as a failure. An example is a health check
 * of a server that is draining.
 */
export function notePlannedRefusal(request: FastifyRequest): void {
  notedRequests.add(request)
}

/** A refused attempt by a signed-in user. */
export type Denial = {
  /** Id of the user. */
  readonly actor: string
  readonly action: string
  /** Id of the user concerned, if the request names a user. */
  readonly target: string | null
  /** SQLSTATE of the database's refusal; `null` if the server itself refused. */
  readonly code: string | null
}

/**
 * Samplers for each application, keyed by actor and action, so that one actor's attempts do not suppress log lines
 * about another actor.
 */
const denialSamplers = new WeakMap<object, Map<string, LineSampler>>()
const denialSamplersMax = 1000

/**
 * Logs `action denied` at once, because the client may disconnect before the answer. The server does not log the same
 * request again as `request refused`.
 */
export function logDenial(request: FastifyRequest, denial: Denial): void {
  notedRequests.add(request)
  const key = `${denial.actor} ${denial.action}`
  const samplers = denialSamplers.get(request.server.server) ?? new Map<string, LineSampler>()
  denialSamplers.set(request.server.server, samplers)
  if (samplers.size >= denialSamplersMax && !samplers.has(key)) samplers.clear()
  const sampler = samplers.get(key) ?? new LineSampler()
  samplers.set(key, sampler)
  const sample = sampler.take()
  if (sample === null) return
  logEvent(request.log, 'action denied', {
    method: request.method,
    path: pathOf(request),
    ...denial,
    ...sample,
  })
}

/**
 * Logs one line for each answer. Failures and refusals have the level `warn`, slow answers have `info`, and all other
 * answers have `debug`.
 */
export function addRequestLog(app: FastifyInstance): void {
  const samplers = {
    'request failed': new LineSampler(),
    'request refused': new LineSampler(),
    'too many requests': new LineSampler(),
  }
  /** The status of the last answer to the proxy, which asks twice a second. */
  let readiness = 200
  app.addHook('onResponse', (request, reply, done) => {
    const line = {
      method: request.method,
      path: pathOf(request),
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
    }
    const event = refusalEvent(reply.statusCode)
    const isRepeated = line.path === '/ready' && line.status === readiness
    if (line.path === '/ready') readiness = line.status
    if (notedRequests.has(request) || isRepeated) request.log.debug(line, 'request')
    else if (event !== null) {
      const sample = samplers[event].take()
      if (sample !== null) logEvent(request.log, event, { ...line, ...sample })
    } else if (reply.statusCode >= 500) logEvent(request.log, 'request failed', line)
    else if (reply.elapsedTime > slowMs) logEvent(request.log, 'slow request', line)
    else request.log.debug(line, 'request')
    done()
  })
}

/**
 * Warns once if requests come through a proxy but `TRUST_PROXY` is not set, because all clients behind the proxy then
 * share one address and its rate limits.
 */
export function warnOfUntrustedProxy(app: FastifyInstance): void {
  let isWritten = false
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isWritten && request.headers['x-forwarded-for'] !== undefined) {
      isWritten = true
      logEvent(request.log, 'X-Forwarded-For arrives, and TRUST_PROXY is not set')
    }
    done()
  })
}

/**
 * Returns the event for an answer whose log lines are sampled, because thousands of requests may get this answer at
 * once. Returns `null` for other answers.
 */
function refusalEvent(status: number): 'request failed' | 'request refused' | 'too many requests' | null {
  if (status === 503) return 'request failed'
  if (status === 429) return 'too many requests'
  return status === 401 || status === 403 ? 'request refused' : null
}

/** Lets only a limited number of log lines through per second. */
class LineSampler {
  #second = 0
  #count = 0

  /**
   * Returns `null` if the line must be suppressed. For the first line of a new second, returns the number of lines that
   * were suppressed before it.
   */
  take(): { readonly suppressed?: number } | null {
    const now = Math.floor(performance.now() / 1000)
    const suppressed = now === this.#second ? 0 : Math.max(0, this.#count - refusalLinesPerSecondMax)
    if (now !== this.#second) this.#count = 0
    this.#second = now
    this.#count += 1
    if (this.#count > refusalLinesPerSecondMax) return null
    return suppressed === 0 ? {} : { suppressed }
  }
}

/** Returns the path without the query, because queries contain one-time tokens and API keys. */
function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? ''
}
