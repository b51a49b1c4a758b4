/** The counts themselves, one row of `throttle.buckets` for each subject of a limit. */
import { createHash } from 'node:crypto'
import { type SqlStatement, sql } from '#database/database.ts'
import type { Limit } from './limits.ts'

/** A limit, and who or what is counted. */
export type Use = {
  readonly limit: Limit
  readonly subject: string
  /** Not counted where the person is known on the network that asks: what strangers there do is not theirs. */
  readonly isOfStrangers?: true
}

/** Who asks, or is asked about, and from where. */
export type Origin = {
  /** As `readEmail` answers it; `null` is nobody, and shares one count. */
  readonly email: string | null
  readonly network: string
}

/** Takes a place of each, or of none; answers 0, or in how many seconds there is one. */
export function takeEachStatement(
  uses: readonly Use[],
  origin: Origin | null = null,
): SqlStatement<{ wait_seconds: number }> {
  if (origin === null) return sql`select throttle.take_each(${wantedOf(uses)}) as wait_seconds`
  const ofKnown = uses.filter(({ isOfStrangers }) => isOfStrangers !== true)
  const { email, network } = origin
  return sql`
    select throttle.take_each(
      case when throttle.is_known(${email}, ${network}) then ${wantedOf(ofKnown)}::jsonb else ${wantedOf(uses)}::jsonb end
    ) as wait_seconds`
}

function wantedOf(uses: readonly Use[]): string {
  return JSON.stringify(
    uses.map((use) => ({
      bucket: bucketKey(use),
      places: use.limit.places,
      window_seconds: use.limit.windowSeconds,
      wait_seconds_max: use.limit.waitSecondsMax ?? null,
    })),
  )
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
