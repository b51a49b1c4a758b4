/**
 * Puts a database behind the admission queue. Each transaction enters the queue for the request to which it belongs.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { type AdmissionOptions, AdmissionQueue, type QueuedRequest } from './admission-queue.ts'
import type { Database, Scope, ScopeSession, SqlStatement } from '#database/database.ts'

export type RequestContext = Pick<QueuedRequest, 'isNotShed' | 'isUrgent' | 'isAborted'> & {
  /** The client's network until the user is known, then the user's id. */
  flow: string
}

const context = new AsyncLocalStorage<
  RequestContext & { readonly network: string; line: string; isKnownThere: boolean; hasBegun: boolean }
>()

/**
 * Runs the work of a request in a context in which its database transactions enter the queue under the request's flow.
 */
export function runAsRequest(request: RequestContext, work: () => void): void {
  context.run({ ...request, network: request.flow, line: '', isKnownThere: false, hasBegun: false }, work)
}

/**
 * Returns the client's network, even after the user is known. The network of the server's own work is `''`, which
 * counts as a known network.
 */
export function requestOrigin(): { readonly network: string; readonly isKnownThere: boolean } {
  const { network, isKnownThere } = context.getStore() ?? { network: '', isKnownThere: true }
  return { network, isKnownThere }
}

/** Records that the account's owner has signed in from the request's network before. */
export function setKnownThere(): void {
  const request = context.getStore()
  if (request !== undefined) request.isKnownThere = true
}

/**
 * Assigns all later transactions of the request to this session of a user, including queries that the server runs with
 * its own role.
 */
export function setRequestSession(session: ScopeSession): void {
  const request = context.getStore()
  if (request === undefined) return
  request.flow = session.userId
  request.line = session.id
  request.isKnownThere = true
}

/**
 * Runs a task that continues after the answer has been sent. The queue does not shed the task, because no client would
 * retry it. The queue also does not drop the task when the client closes the connection.
 */
export function runInBackground<T>(work: () => T): T {
  const request = context.getStore()
  if (request === undefined) return work()
  return context.run({ ...request, isNotShed: true, isAborted: () => false }, work)
}

/** Puts the database behind a new queue. `poolSize` is `null` for the embedded engine. */
export function withAdmission(
  database: Database,
  poolSize: number | null,
): { readonly database: Database; readonly queue: AdmissionQueue } {
  const queue = new AdmissionQueue(optionsOf(poolSize))
  return {
    queue,
    database: {
      ...database,
      async transaction<const S extends readonly SqlStatement<unknown>[]>(scope: Scope, statements: S) {
        if (scope.bypassesAdmission === true) return database.transaction<S>(scope, statements)
        return queue.run(queuedRequest(scope), (isShort) =>
          database.transaction<S>({ ...scope, isShort }, statements),
        )
      },
    },
  }
}

/**
 * Maximum number of transactions that are sent to the embedded engine at once, so that several commits can share one
 * fsync.
 */
const embeddedConcurrency = 16

function optionsOf(poolSize: number | null): AdmissionOptions {
  if (poolSize === null) {
    const concurrency = embeddedConcurrency
    return { concurrency, shortWeight: 1, concurrencyPerFlow: 1, concurrencyOfSlowFlows: 1, isSerial: true }
  }
  const half = Math.max(1, Math.floor(poolSize / 2))
  return {
    concurrency: poolSize,
    shortWeight: 1 / 4,
    concurrencyPerFlow: half,
    concurrencyOfSlowFlows: half,
    isSerial: false,
  }
}

function queuedRequest({ session, role, isShort = false, isStaff = false }: Scope): QueuedRequest {
  const request = context.getStore()
  // Work outside of a request is work for sockets or the server's own work. The queue does not shed it, because no
  // client would retry it.
  if (request === undefined) {
    return {
      flow: session?.userId ?? role,
      line: session?.id ?? '',
      isShort,
      isStaff,
      isServerWork: session === null,
      isUrgent: false,
      isContinuation: false,
      isNotShed: true,
      isAborted: () => false,
    }
  }
  const { hasBegun, isNotShed, isUrgent, isAborted } = request
  request.hasBegun = true
  return {
    flow: session?.userId ?? request.flow,
    line: session?.id ?? request.line,
    isShort,
    isStaff,
    isServerWork: false,
    isUrgent,
    isContinuation: hasBegun,
    isNotShed: isNotShed || hasBegun,
    isAborted: hasBegun ? () => false : isAborted,
  }
}
