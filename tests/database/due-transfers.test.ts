// A server writes its enabled features and its limits of transfers to the database. The server also processes due
// requests without a request from a client.
import { expect, test } from 'vitest'
import { features } from '@finanzas/contract/wire/features.ts'
import { sql } from '#server/database/database.ts'
import { runJobs } from '#server/jobs/run-jobs.ts'
import { setBankSettings } from '#server/settings/bank-settings.ts'
import { readConfig } from '#server/settings/config.ts'
import { withoutTransferLimits } from '#server/settings/settings.ts'
import { environmentOf } from './bank-settings.ts'
import { useBank } from './database.ts'
import { balanceOf } from './people.ts'
import { account, day, request } from './transfers.ts'
import { addHolder, addPair, befriend } from './beneficiaries.ts'

const bank = useBank()

const environment = {
  ...environmentOf(withoutTransferLimits),
  TRANSFER_AUTOMATIC_MAX: '200',
  TRANSFER_DAY_MAX: '20000',
  TRANSFER_EXPIRES_HOURS: '24',
}
const enable = (names: readonly string[]) => {
  const config = readConfig({ ...environment, FEATURES: names.join(',') })
  return setBankSettings(bank.database, config.bankSettings)
}

test('a server enables exactly the features of its settings', async () => {
  const customer = await addHolder(bank)
  const absent = { sqlState: 'PT404', message: 'Función no implementada.' }
  await expect(account(customer)).rejects.toMatchObject(absent)

  // The database knows every feature of the contract.
  await enable(features)
  expect(await account(customer)).toMatchObject({
    bank_day_max: 20_000,
    automatic_max: 200,
    automatic_day_max: 200,
  })

  await enable([])
  await expect(account(customer)).rejects.toMatchObject(absent)
})

test('a server that starts carries out every due transfer, and ends every request that has expired', async () => {
  await enable(['transferencias'])
  const payee = await addHolder(bank, '0')
  const tomorrow = await day(bank, 1)
  for (let payers = 0; payers < 3; payers += 1) {
    const payer = await addHolder(bank)
    const beneficiary = await befriend(payer, payee)
    await request(payer, beneficiary, '250')
    for (let count = 0; count < 19; count += 1) await request(payer, beneficiary, '10', { due_on: tomorrow })
  }
  await bank.owner.query(sql`update public.requests set due_on = due_on - 1, expires_at = now()`)

  const jobs = runJobs(bank.database, [{ name: 'end requests', failure: '' }], (error) => {
    throw error
  })
  await expect.poll(statuses, { timeout: 20_000 }).toEqual([
    { status: 'done', requests: 57 },
    { status: 'expired', requests: 3 },
  ])
  await jobs.close()

  expect(Number(await balanceOf(payee))).toBe(570)
})

async function statuses(): Promise<{ status: string; requests: number }[]> {
  return bank.owner.query(sql<{ status: string; requests: number }>`
    select r.status, count(*)::integer as requests from public.requests r group by r.status order by r.status`)
}

test('a server does not carry out a transfer that was due more than two days ago', async () => {
  await enable(['transferencias'])
  const { payer, payee, beneficiary } = await addPair(bank)
  const { id } = await request(payer, beneficiary, '10', { due_on: await day(bank, 1) })
  await bank.owner.query(sql`update public.requests set due_on = due_on - 4 where id = ${id}`)

  await bank.owner.query(sql`select private.run_due_requests(50)`)

  const [late] = await bank.owner.query(
    sql<{ status: string; reason: string }>`select status, reason from public.requests where id = ${id}`,
  )
  expect(late).toEqual({ status: 'failed', reason: 'El banco no pudo enviarla en su fecha.' })
  expect(await balanceOf(payee)).toBe('0')
})
