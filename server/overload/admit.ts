/** A database behind the admission queue, and what the queue knows of the request that asks it. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { AdmissionQueue, type Capacity } from './admission-queue.ts'
import type { Database, SqlStatement } from '#database/database.ts'
import type { Scope } from '#database/scope.ts'

/** A request as the queue sees it. */
export type Asking = {
  /** Who asks: the network, until the person is known. */
  flow: string
  /** It ends something: it is not shed in a rush. */
  readonly isPatient: boolean
  /** Whether the client has gone away. */
  readonly isLeft: () => boolean
}

const asking = new AsyncLocalStorage<Asking & { hasBegun: boolean }>()

/** Does what a request asks for: its database transactions enter the queue as one request's. */
export function admitAs(request: Asking, work: () => void): void {
  asking.run({ ...request, hasBegun: false }, work)
}

/** From here on the request is this person's, also where it asks in the server's own name. */
export function continueAs(person: string): void {
  const request = asking.getStore()
  if (request !== undefined) request.flow = person
}

/** Does what is left to do once the request was answered: its connection may be gone, and nobody asks again. */
export function admitAfterAnswer<T>(work: () => T): T {
  const request = asking.getStore()
  if (request === undefined) return work()
  return asking.run({ ...request, isPatient: true, isLeft: () => false }, work)
}

/** The same database, before which everybody waits their turn, and its queue. `poolSize` is `null` for the embedded engine. */
export function admitted(
  database: Database,
  poolSize: number | null,
): { readonly database: Database; readonly queue: AdmissionQueue } {
  const queue = new AdmissionQueue(capacityOf(poolSize))
  return {
    queue,
    database: {
      ...database,
      async transaction<const S extends readonly SqlStatement<unknown>[]>(scope: Scope, statements: S) {
        if (scope.bypassesAdmission === true) return database.transaction<S>(scope, statements)
        return queue.run(entryOf(scope), () => database.transaction<S>(scope, statements))
      },
    },
  }
}

/** Batches handed to the embedded engine ahead: they share the way to the disk. */
const aheadOfEngine = 16

function capacityOf(poolSize: number | null): Capacity {
  if (poolSize === null) return { total: aheadOfEngine, ofFlow: 1, ofSlowFlows: 1, isSerial: true }
  const half = Math.max(1, Math.floor(poolSize / 2))
  return { total: poolSize, ofFlow: half, ofSlowFlows: half, isSerial: false }
}

function entryOf({ session, role }: Scope) {
  const request = asking.getStore()
  // Sockets and the server's own work are no requests: nobody asks again for them at once.
  if (request === undefined)
    return { flow: session?.userId ?? role, isContinued: false, isPatient: true, isLeft: () => false }
  const { hasBegun, isPatient, isLeft } = request
  request.hasBegun = true
  return {
    flow: session?.userId ?? request.flow,
    isContinued: hasBegun,
    isPatient: isPatient || hasBegun,
    isLeft: hasBegun ? () => false : isLeft,
  }
}
