/**
 * Reads the bodies of imports and batches, which may be longer than other bodies. A body of more than `bodyBytesMax`
 * bytes needs a slot. The body gets the slot only after `bodyBytesMax` bytes have arrived, and only if the session has
 * not ended. A very slow sender, or a sender with the token of an ended session, therefore cannot occupy the user's
 * slot. Administrators have separate slots.
 */
import type { Readable } from 'node:stream'
import {
  bodyBytesMax,
  restLargeBodiesMax,
  restLargeBodiesPerNetworkMax,
  restLargeBodyBytesMax,
  restStaffLargeBodiesMax,
} from '@finanzas/contract/limits.ts'
import { type Database, DatabaseBusy, sql } from '#database/database.ts'
import { asCaller } from '#database/scope.ts'
import type { Caller } from '#tokens/caller.ts'
import { restErrors } from './errors.ts'
import { LargeBodySlots, NoSlotForBody, type Slot } from './large-body-slots.ts'

type SignedInCaller = Extract<Caller, { role: 'authenticated' }>

/** A complete body, and the function that releases its slot. */
type HeldBody = { readonly body: Buffer; readonly release: () => void }

export class LargeBodies {
  readonly #database: Database
  readonly #customers = new LargeBodySlots({
    slotsMax: restLargeBodiesMax,
    perNetworkMax: restLargeBodiesPerNetworkMax,
  })
  /** The limit per network equals the total limit, because all administrators may work in the same network. */
  readonly #staff = new LargeBodySlots({
    slotsMax: restStaffLargeBodiesMax,
    perNetworkMax: restStaffLargeBodiesMax,
  })

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Reads a body to its end. Throws the table API's errors. Also throws the database's error if the database refuses
   * the caller.
   */
  async read(stream: Readable, caller: SignedInCaller, network: string): Promise<HeldBody> {
    const chunks: Buffer[] = []
    let bytes = 0
    const held: { slot?: Slot; release?: () => void } = {}
    let isOver = false
    const whole = Promise.withResolvers<void>()
    const takeSlot = async () => {
      const { slot, release } = await this.#take(caller, network)
      // The client may have disconnected while the session was checked.
      if (isOver) return release()
      Object.assign(held, { slot, release })
      slot.lost.catch(whole.reject)
      slot.add(bytes)
      stream.resume()
    }
    let isAsked = false
    const take = (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      held.slot?.add(chunk.length)
      if (bytes > restLargeBodyBytesMax) whole.reject(restErrors.bodyTooLong(restLargeBodyBytesMax))
      if (bytes <= bodyBytesMax || isAsked) return
      isAsked = true
      stream.pause()
      takeSlot().catch(whole.reject)
    }
    const cut = () => whole.reject(restErrors.invalidBody())
    stream.on('data', take).once('end', whole.resolve).once('error', cut).once('close', cut)
    try {
      await whole.promise
      held.slot?.complete()
      return { body: Buffer.concat(chunks, bytes), release: held.release ?? (() => undefined) }
    } catch (error) {
      held.release?.()
      if (!(error instanceof NoSlotForBody)) throw error
      throw restErrors.databaseUnavailable(new DatabaseBusy(error.message, { cause: error }))
    } finally {
      isOver = true
      // The rest of the body is read and dropped, because unread bytes would block the next request on the connection.
      stream.off('data', take).resume()
    }
  }

  async #take(caller: SignedInCaller, network: string) {
    const [[asked]] = await this.#database.transaction(asCaller(caller, 'read'), [
      sql<{ is_staff: boolean }>`select private.is_admin() as is_staff`,
    ])
    const slots = asked?.is_staff === true ? this.#staff : this.#customers
    const slot = slots.take({ person: caller.claims.sub, network })
    return { slot, release: () => slots.release(slot) }
  }
}
