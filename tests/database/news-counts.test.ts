// The counts beside *Perfil* and *Admin*: a customer's unread notifications, and the requests that wait for a decision.
import { beforeAll, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { settings } from './bank-settings.ts'
import { useBank } from './database.ts'
import { addListener, disableNotifications, enableNotifications, tell } from './notifications.ts'
import { type Person, call, deposit, run } from './people.ts'
import { request } from './transfers.ts'
import { addPair } from './beneficiaries.ts'

const bank = useBank()

beforeAll(() => enableNotifications(bank))

const news = (person: Person) =>
  call<{ unread: number; waiting: number | null }>(person, sql`public.count_news()`)

test('a customer counts their own unread notifications until they read the list', async () => {
  const [ana, luis] = [await addListener(bank, ['deposit']), await addListener(bank, [])]
  await run(bank.administrator, deposit(ana, '10'))
  await tell(bank)

  expect(await news(ana)).toEqual({ unread: 1, waiting: null })
  expect(await news(luis)).toEqual({ unread: 0, waiting: null })
  await run(ana, sql`select public.read_notifications()`)
  expect(await news(ana)).toEqual({ unread: 0, waiting: null })
})

test('a bank without notifications counts none', async () => {
  const ana = await addListener(bank, ['deposit'])
  await run(bank.administrator, deposit(ana, '10'))
  await tell(bank)
  await disableNotifications(bank)

  expect(await news(ana)).toEqual({ unread: 0, waiting: null })
  await enableNotifications(bank)
})

test('an administrator counts the waiting requests, together with the sums of the dashboard', async () => {
  const { payer, beneficiary } = await addPair(bank)
  await request(payer, beneficiary, '500')

  const sums = await call<{ news: unknown }>(bank.administrator, sql`public.sum_transactions()`)

  expect(sums.news).toEqual({ unread: 0, waiting: 1 })
  expect(await news(payer)).toEqual({ unread: 0, waiting: null })
})

test('the transfers that wait do not count while the bank has switched transfers off', async () => {
  await bank.asService(settings({ transferencias: 'off', notificaciones: 'on' }))

  expect(await news(bank.administrator)).toEqual({ unread: 0, waiting: 0 })
  await enableNotifications(bank)
})
