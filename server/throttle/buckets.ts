/** The counts themselves, one row of `throttle.buckets` for each subject of a limit. */
import { createHash } from 'node:crypto'
import { type SqlStatement, sql } from '#database/database.ts'
import type { Limit } from './limits.ts'

/** A limit, and who or what is counted. */
export type Use = { readonly limit: Limit; readonly subject: string }

/** Takes a place; answers 0, or in how many seconds there is one. */
export function takeStatement(use: Use): SqlStatement<{ wait_seconds: number }> {
  const { places, windowSeconds, waitSecondsMax } = use.limit
  return sql`
    select throttle.take(${bucketKey(use)}, ${places}, ${windowSeconds}, ${waitSecondsMax ?? null}) as wait_seconds`
}

/** Takes a place of each, or of none; answers 0, or in how many seconds there is one. */
export function takeEachStatement(uses: readonly Use[]): SqlStatement<{ wait_seconds: number }> {
  const wanted = uses.map((use) => ({
    bucket: bucketKey(use),
    places: use.limit.places,
    window_seconds: use.limit.windowSeconds,
    wait_seconds_max: use.limit.waitSecondsMax ?? null,
  }))
  return sql`select throttle.take_each(${JSON.stringify(wanted)}) as wait_seconds`
}

/** Hands a place back. Waits that grew stay: nothing is known of who it was. */
export function giveBackStatement(use: Use): SqlStatement {
  return sql`select throttle.give_back(${bucketKey(use)})`
}

/** Hands a place back. Waits that grew are over: whoever it was is who they say. */
export function forgiveStatement(use: Use): SqlStatement {
  return use.limit.waitSecondsMax === undefined
    ? giveBackStatement(use)
    : sql`select throttle.clear(${bucketKey(use)})`
}

/** A hash: the table holds no address of anybody. */
export function bucketKey({ limit, subject }: Use): string {
  return createHash('sha256').update(`${limit.name}\n${subject}`).digest('base64url')
}
