// In the first week of a month, the bank reports that last month's statement is ready. Only customers who chose this
// report get it.
import { expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { useBank } from './database.ts'
import {
  type Kind,
  addListener,
  choose,
  disableNotifications,
  enableNotifications,
  listOf,
  mailsTo,
  tell,
} from './notifications.ts'
import { type Person, deposit, record } from './people.ts'

const bank = useBank(enableNotifications)

/** Adds a customer whose account was opened in October and who chose the given kinds of reports. */
async function addReader(chosen: readonly Kind[] = ['statement']): Promise<Person> {
  const person = await addListener(bank, chosen)
  await open(person, '2026-10-15T12:00:00Z')
  return person
}

const open = ({ id }: Person, at: string) =>
  bank.owner.query(sql`update auth.users set created_at = ${at} where id = ${id}`)

const report = (at: string) => tell(bank, 1000, 1000, at)
const ofMonth = (detail: string) => ({ kind: 'statement', detail, events: 1 })

test('the bank reports the statement of a month once to a customer who chose these reports', async () => {
  const [ana, luis] = [await addReader(), await addReader(['deposit'])]

  for (const at of ['2026-12-01T05:00:00Z', '2026-12-02T12:00:00Z', '2027-01-07T12:00:00Z']) await report(at)

  expect((await listOf(ana)).toSorted((a, b) => String(a.detail).localeCompare(String(b.detail)))).toEqual([
    ofMonth('2026-11'),
    ofMonth('2026-12'),
  ])
  expect(await mailsTo(bank, ana)).toMatchObject([{ kind: 'statement', events: 1, detail: '2026-11' }])
  expect(await listOf(luis)).toEqual([])
})

test.for([
  ['the last evening of the month', '2027-02-01T04:59:59Z'],
  ['the eighth day of the next month', '2027-02-08T05:00:00Z'],
] as const)('the bank does not report the statement of a month on %s', async ([, at]) => {
  const ana = await addReader()

  await report(at)

  expect(await listOf(ana)).toEqual([])
})

test('the bank does not report the statement of a month before the account was opened', async () => {
  const [ana, luis] = [await addReader(), await addReader()]
  await open(ana, '2027-02-01T05:00:00Z')
  await open(luis, '2027-02-01T04:59:59Z')

  await report('2027-02-01T12:00:00Z')

  expect([await listOf(ana), await listOf(luis)]).toEqual([[], [ofMonth('2027-01')]])
})

test('two servers that report at the same time notify a customer only once', async () => {
  const ana = await addReader()

  await Promise.all([1, 2, 3].map(() => report('2027-03-01T12:00:00Z')))

  expect(await listOf(ana)).toEqual([ofMonth('2027-02')])
  expect(await mailsTo(bank, ana)).toHaveLength(1)
})

test('the bank does not report a month again to a customer who stops the reports and chooses them again', async () => {
  const ana = await addReader()
  await report('2027-04-01T12:00:00Z')

  await choose(ana, [])
  await choose(ana, ['statement'])
  await report('2027-04-02T12:00:00Z')

  expect(await listOf(ana)).toEqual([ofMonth('2027-03')])
})

test('later runs report to the customers whom the first run left out', async () => {
  const people = [await addReader(), await addReader()]

  for (let run = 0; run < 12; run += 1) await tell(bank, 1000, 1, '2027-05-01T12:00:00Z')

  for (const person of people) expect(await listOf(person)).toEqual([ofMonth('2027-04')])
})

test('mails about statements wait until the other mails are sent', async () => {
  const ana = await addReader()
  const luis = await addReader(['deposit'])
  const at = '2026-12-01T05:00:00Z'
  await tell(bank, 0, 1000, at)
  await record(bank.administrator, deposit(luis, '5'))

  await tell(bank, 1, 1000, at)
  expect(await mailsTo(bank, luis)).toMatchObject([{ kind: 'deposit' }])
  expect(await mailsTo(bank, ana)).toEqual([])

  await tell(bank, 1, 1000, at)
  expect(await mailsTo(bank, ana)).toMatchObject([{ kind: 'statement' }])
})

test('the bank does not report statements while it has not enabled notifications', async () => {
  const ana = await addReader()
  await disableNotifications(bank)

  await report('2027-06-01T12:00:00Z')

  await enableNotifications(bank)
  expect(await listOf(ana)).toEqual([])
})
