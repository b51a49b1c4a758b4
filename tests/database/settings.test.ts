// The settings of the bank that the database enforces (private.settings).
import { expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { setBankSettings } from '#server/settings/bank-settings.ts'
import { readConfig } from '#server/settings/config.ts'
import { useBank } from './database.ts'

const bank = useBank()

const stored = () =>
  bank.owner.query(
    sql<{ name: string; value: string | null }>`select name, value from private.settings order by name`,
  )
const set = (text: string) => bank.asService(sql`select private.set_settings(${text})`)

test('a server writes a value for every setting in the database', async () => {
  const { bankSettings } = readConfig({
    STAFF_APPROVAL_ABOVE: '1000',
    CLEARING_ACCOUNT: '123',
    TRANSFER_MAX: '7',
    FEATURES: 'notificaciones',
  })
  const expected = Object.entries(bankSettings).map(([name, value]) => ({ name, value: String(value) }))
  // Servers that start again with the same settings write nothing.
  const versions = sql`select name, xmin::text from private.settings order by name`

  await setBankSettings(bank.database, bankSettings)
  const before = await bank.owner.query(versions)
  await setBankSettings(bank.database, bankSettings)

  expect(await stored()).toEqual(expected.toSorted((one, other) => (one.name < other.name ? -1 : 1)))
  expect(await bank.owner.query(versions)).toEqual(before)
})

test('the database writes no setting if the name of one of them is unknown', async () => {
  const before = await stored()

  await expect(set('{"transfer_max": 5, "pagos": "on"}')).rejects.toMatchObject({
    sqlState: '22023',
    message: 'Unknown settings: pagos',
  })

  expect(await stored()).toEqual(before)
})

test('the database refuses a value that is outside the limits of its setting', async () => {
  const rules = await bank.owner.query(
    sql<{ name: string; pattern: string | null; least: number; most: number; is_optional: boolean }>`
      select name, pattern, least::float as least, most::float as most, is_optional from private.settings`,
  )
  const wrong = rules.flatMap(({ name, pattern, least, most, is_optional: isOptional }) =>
    [
      ...(pattern === null
        ? [String(least - 1), 'NaN', ...(most === Infinity ? [] : [String(most + 1)])]
        : ['']),
      ...(isOptional ? [] : [null]),
    ].map((value) => [name, value] as const),
  )

  expect(wrong.length).toBeGreaterThan(25)
  for (const [name, value] of wrong)
    await expect(set(JSON.stringify({ [name]: value })), `${name} ${value}`).rejects.toMatchObject({
      sqlState: '23514',
    })
})

test.for([
  ['transferencias', 'sí'],
  ['staff_proof', 'no'],
  ['staff_self_dealing', 'off'],
  ['staff_proof', 'no'],
  ['transfer_max', '0'],
  ['transfer_day_max', '0'],
  ['clearing_account', '123-456'],
  ['display_currency', 'EUR'],
])('the database refuses the setting %s with the value %s', async ([name, value]) => {
  await expect(set(JSON.stringify({ [String(name)]: value }))).rejects.toMatchObject({ sqlState: '23514' })
})

test('a call that reads an unknown setting fails', async () => {
  await expect(bank.owner.query(sql`select private.is_on('pagos')`)).rejects.toMatchObject({
    sqlState: 'P0002',
  })
})
