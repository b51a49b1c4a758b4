/** A small bank with three customers who mean ill, on either engine, and its server with the limits that a bank has. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Owner, sql } from '#server/database/database.ts'
import { connectOwner } from '#server/database/postgres/postgres.ts'
import { preparePostgres } from '#server/database/postgres/prepare.ts'
import { startCluster } from '#testing/cluster.ts'
import { customerId } from './customers.ts'
import { makeEmbeddedDirectory } from './embedded-bank.ts'
import { fillLongHistories } from './long-histories.ts'
import { type MeasuredServer, startMeasured } from './server-process.ts'
import { jwtSecret } from './wire-request.ts'

/** Customers with movements of 200 characters, as many as the review's attacker had. */
export const attackers = [1, 2, 3] as const
/** Who waits. */
export const bystander = 4
/** Who sends many requests at once. */
export const reader = 5
export const longHistory = 6
export const administrator = 7
const lengths = [4900, 4900, 4900, 1000, 1000, 100_000, 0] as const

export type HostileBank = { readonly server: MeasuredServer; readonly close: () => Promise<void> }

/** Makes the bank and starts its server. */
export async function hostileBank(engine: 'embedded' | 'PostgreSQL'): Promise<HostileBank> {
  const place = await mkdtemp(join(tmpdir(), 'finanzas-fairness-'))
  const closers = [() => rm(place, { recursive: true, force: true })]
  const close = async () => {
    for (const closeOne of closers.toReversed()) await closeOne()
  }
  try {
    // With the rate limits of a bank, which `startMeasured` leaves out.
    const environment: Record<string, string | undefined> = {
      DATA_DIR: join(place, 'data'),
      AUTH_RATE_LIMITS: undefined,
    }
    if (engine === 'embedded') await makeEmbeddedDirectory(join(place, 'data'), fill)
    else {
      const cluster = await startCluster({ isDurable: true })
      closers.push(() => cluster.stop())
      environment['DATABASE_URL'] = cluster.ownerUrl
      await preparePostgres({ url: cluster.ownerUrl, directUrl: null, allowSuperuser: false, jwtSecret })
      const owner = await connectOwner(cluster.ownerUrl)
      await fill(owner)
      await owner.close()
    }
    const server = await startMeasured(environment)
    closers.push(() => server.stop())
    return { server, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function fill(owner: Owner): Promise<void> {
  await fillLongHistories(owner, lengths)
  await owner.query(
    sql`update auth.users set raw_app_meta_data = '{"role": "admin"}' where id = ${customerId(administrator)}`,
  )
  await owner.query(sql`alter table public.transactions disable trigger user`)
  for (const attacker of attackers)
    await owner.query(sql`update public.transactions set description = rtrim(repeat('a b ', 50)), category = repeat('Compras', 7)
      where user_id = ${customerId(attacker)}`)
  await owner.query(sql`alter table public.transactions enable trigger user`)
  await owner.query(sql`vacuum (analyze)`)
}
