import type { Database } from '#database/database.ts'
import { withAdmission } from '#overload/admission.ts'
import { countingRefusedWrites } from '#throttle/refused-writes.ts'
import { openThrottle, unlimited } from '#throttle/throttle.ts'

type Options = {
  /** `null` for the embedded engine. */
  readonly poolSize: number | null
  readonly hasRateLimits: boolean
}

/**
 * Wraps the database, one layer after the other:
 *
 * 1. The admission queue, through which every surface reaches the database.
 * 2. The count of refused writes. Only the table API has this layer, because only there a client chooses what it writes.
 */
export function layerDatabase(database: Database, { poolSize, hasRateLimits }: Options) {
  const { database: admitted, queue } = withAdmission(database, poolSize)
  if (!hasRateLimits) return { admitted, counted: admitted, queue, throttle: unlimited }
  const throttle = openThrottle(admitted)
  return { admitted, counted: countingRefusedWrites(admitted, throttle), queue, throttle }
}
