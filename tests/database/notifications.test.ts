// The bank reports the events that a customer chose, in a list and by mail.
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { settings } from './bank-settings.ts'
import { useBank } from './database.ts'
import {
  addListener,
  ageMails,
  choose,
  countOf,
  disableNotifications,
  enableNotifications,
  kinds,
  leave,
  listOf,
  mailsTo,
  signInFrom,
  stop,
  tell,
  timeNewCategory,
} from './notifications.ts'
import {
  addPerson,
  ageProof,
  balanceOf,
  charge,
  correct,
  deposit,
  expense,
  record,
  remove,
  run,
} from './people.ts'
import { request, returnTransfer } from './transfers.ts'
import { decide } from './decisions.ts'
import { addHolder, befriend } from './beneficiaries.ts'

const bank = useBank(enableNotifications)

const chrome = (version: number) => `Mozilla/5.0 (X11; Linux x86_64) Chrome/${version}.0 Safari/537.36`

test('a customer chooses kinds of events', async () => {
  const ana = await addHolder(bank)

  expect(await choose(ana, ['low_balance', 'deposit', 'large_expense'])).toEqual([
    { kind: 'deposit', amount: null },
    { kind: 'large_expense', amount: '50' },
    { kind: 'low_balance', amount: '20' },
  ])
})

test.each([
  ['an unknown kind', '{new_device}', null, null],
  ['no kind at all', '{NULL}', null, null],
  ['a large expense without an amount', '{large_expense}', null, null],
  ['a low balance below zero', '{low_balance}', null, '-1'],
  ['an amount with three decimals', '{large_expense}', '1.001', null],
  [
    'more kinds than there are',
    '{deposit,deposit,deposit,deposit,deposit,deposit,deposit,deposit}',
    null,
    null,
  ],
])('a customer cannot choose %s', async (_what, chosen, above, below) => {
  const ana = await addHolder(bank)

  await expect(
    run(ana, sql`select public.set_notifications(${chosen}::text[], ${above}, ${below})`),
  ).rejects.toMatchObject({ sqlState: 'PT422' })
})

const guarded = ['deposit', 'large_expense', 'low_balance'] as const

test.each([
  ['stop a kind of report', ['large_expense', 'low_balance'], {}],
  ['raise the amount of a large expense', guarded, { above: '51' }],
  ['lower the amount of a low balance', guarded, { below: '19' }],
] as const)('a customer cannot %s without recent re-authentication', async (_what, chosen, amounts) => {
  const ana = await addListener(bank, guarded)
  await ageProof(ana, 11)

  await expect(choose(ana, chosen, amounts)).rejects.toMatchObject({ sqlState: '42501' })

  expect(await choose(ana, [...guarded, 'correction'], { above: '49', below: '21' })).toHaveLength(4)
})

test('the bank reports its deposits and corrections to a customer who chose these kinds of events', async () => {
  const ana = await addListener(bank)

  const id = await record(bank.administrator, deposit(ana, '5'))
  await run(bank.administrator, correct(ana, id))
  await tell(bank)

  expect(await listOf(ana)).toEqual([
    { kind: 'deposit', detail: null, events: 1 },
    { kind: 'correction', detail: null, events: 1 },
  ])
  expect(await mailsTo(bank, ana)).toMatchObject([
    { kind: 'correction', events: 1, detail: null },
    { kind: 'deposit', events: 1, detail: null },
  ])
})

test('the bank reports a deposit that a second administrator approved, and its correction', async () => {
  const ana = await addListener(bank)
  const approver = await addPerson(bank.database, 'admin')
  const setApprovals = (sum: number | null) => bank.asService(settings({ staff_approval_above: sum }))
  await setApprovals(1)
  try {
    await run(bank.administrator, deposit(ana, '5'))
    const [asked] = await bank.owner.query(
      sql<{ id: string }>`select id from public.requests where about = ${ana.id}`,
    )
    await decide(approver, [asked?.id ?? ''], true)
    await setApprovals(null)
    await run(bank.administrator, correct(ana, asked?.id ?? ''))
    await tell(bank)
  } finally {
    await setApprovals(null)
  }

  expect(await listOf(ana)).toEqual([
    { kind: 'deposit', detail: null, events: 1 },
    { kind: 'correction', detail: null, events: 1 },
  ])
})

test('the bank reports an expense above the chosen amount only if the bank recorded the expense', async () => {
  const ana = await addListener(bank, ['large_expense'])

  await run(bank.administrator, charge(ana, '50'))
  await record(ana, expense(ana, '60'))
  await tell(bank)
  expect(await listOf(ana)).toEqual([])

  await run(bank.administrator, charge(ana, '50.01'))
  await tell(bank)
  expect(await listOf(ana)).toEqual([{ kind: 'large_expense', detail: null, events: 1 }])
})

test('the bank reports once that the balance fell below the chosen amount', async () => {
  const ana = await addListener(bank, ['low_balance'])

  for (const amount of ['80', '1', '1']) await record(ana, expense(ana, amount))
  await tell(bank)

  expect(await listOf(ana)).toEqual([{ kind: 'low_balance', detail: null, events: 1 }])
})

test('the bank reports once that the expenses of a category reached its limit', async () => {
  const ana = await addListener(bank, ['category_limit'])
  await run(ana, sql`select public.set_category_budget('Comida', 30)`)

  const first = await record(ana, expense(ana, '29.99'))
  await tell(bank)
  expect(await listOf(ana)).toEqual([])

  await run(
    ana,
    sql`select public.amend_expense(${first}, '{"amount": 30, "date": "now", "description": "Café"}')`,
  )
  await record(ana, expense(ana, '5'))
  await tell(bank)
  expect(await listOf(ana)).toEqual([{ kind: 'category_limit', detail: 'Comida', events: 1 }])
  expect(await mailsTo(bank, ana)).toMatchObject([{ kind: 'category_limit', events: 1, detail: null }])
})

test('an edited expense stores no event for a customer who did not choose the reports of limits', async () => {
  const ana = await addListener(bank, ['deposit'])
  await run(ana, sql`select public.set_category_budget('Viajes', 10)`)
  const id = await record(ana, expense(ana, '12'))
  await run(ana, sql`update public.transactions set category = 'Viajes' where id = ${id}`)

  const events = sql`select from private.notices where recipient = ${ana.id} and topic = 'spending'`
  expect(await countOf(bank, events)).toBe(0)
})

test('the bank reports a limit that is reached because an expense gets a new category', async () => {
  const ana = await addListener(bank, ['category_limit'])
  await run(ana, sql`select public.set_category_budget('Viajes', 10)`)
  const id = await record(ana, expense(ana, '12'))
  await run(ana, sql`update public.transactions set category = 'Viajes' where id = ${id}`)
  await tell(bank)

  expect(await listOf(ana)).toEqual([{ kind: 'category_limit', detail: 'Viajes', events: 1 }])
})

test('the bank reports a reached limit only once, even if two runs process its expenses', async () => {
  const ana = await addListener(bank, ['category_limit'])
  await run(ana, sql`select public.set_category_budget('Comida', 30)`)
  for (let count = 0; count < 2; count += 1) await record(ana, expense(ana, '20'))

  for (let count = 0; count < 2; count += 1) await tell(bank, 0, 1)

  expect(await listOf(ana)).toEqual([{ kind: 'category_limit', detail: 'Comida', events: 1 }])
})

test('the bank does not report a limit again after its category is renamed', async () => {
  const ana = await addListener(bank, ['category_limit'])
  await run(ana, sql`insert into public.categories (user_id, name) values (${ana.id}, 'Antojos')`)
  await run(
    ana,
    sql`select public.set_category_budget('Antojos', 30), public.set_category_budget('Viajes', 10)`,
  )
  const [first, second] = [await record(ana, expense(ana, '40')), await record(ana, expense(ana, '12'))]
  await run(ana, sql`update public.transactions set category = 'Antojos' where id = ${first}`)
  await tell(bank)
  const listed = await listOf(ana)
  expect(listed).toMatchObject([{ detail: 'Antojos' }])

  await run(ana, sql`update public.categories set name = 'Dulces' where name = 'Antojos'`)
  await tell(bank)
  expect(await listOf(ana)).toEqual(listed)

  await run(ana, sql`update public.transactions set category = 'Viajes' where id = ${second}`)
  await tell(bank)
  expect(await listOf(ana)).toHaveLength(2)
})

test('the bank reports to the payer and the payee how a transfer ended', async () => {
  const [ana, luis] = [
    await addListener(bank, ['transfer'], '5000'),
    await addListener(bank, ['transfer', 'deposit']),
  ]
  const beneficiary = await befriend(ana, luis)

  const small = await request(ana, beneficiary, '10')
  await returnTransfer(bank.administrator, small.id)
  const large = await request(ana, beneficiary, '500')
  await decide(bank.administrator, [large.id], false)
  await tell(bank)

  const told = async (person: typeof ana) => (await listOf(person)).map(({ kind, detail }) => [kind, detail])
  expect(await told(ana)).toEqual([
    ['transfer', 'sent'],
    ['transfer', 'returned'],
    ['transfer', 'declined'],
  ])
  expect(await told(luis)).toEqual([
    ['transfer', 'received'],
    ['transfer', 'returned'],
  ])
  expect(await mailsTo(bank, ana)).toMatchObject([{ kind: 'transfer', events: 3, detail: 'sent' }])
})

test('the bank does not report a deposit again after the customer restores it', async () => {
  const ana = await addListener(bank, ['deposit'])
  const id = await record(bank.administrator, deposit(ana, '5'))
  await tell(bank)

  await run(ana, remove(id))
  await run(ana, sql`select public.restore_transaction(${id})`)
  await tell(bank)

  expect(await listOf(ana)).toEqual([{ kind: 'deposit', detail: null, events: 1 }])
})

test('the bank does not report a kind of event that the customer did not choose', async () => {
  const ana = await addListener(bank, ['low_balance'])

  await run(bank.administrator, deposit(ana, '5'))
  await run(bank.administrator, charge(ana, '51'))
  await tell(bank)

  expect([await listOf(ana), await mailsTo(bank, ana)]).toEqual([[], []])
})

test('the bank reports each sign-in from a new browser or network', async () => {
  const ana = await addListener(bank, [])
  await signInFrom(bank, ana, { userAgent: chrome(140), ip: '198.51.100.7' })
  await tell(bank)
  const listed = await listOf(ana)
  expect(listed).toMatchObject([{ kind: 'new_device', detail: chrome(140) }])
  expect(await mailsTo(bank, ana)).toMatchObject([{ kind: 'new_device', detail: chrome(140), seed: null }])

  await signInFrom(bank, ana, { userAgent: chrome(141), ip: '198.51.100.7' })
  await tell(bank)
  expect(await listOf(ana)).toEqual(listed)

  await signInFrom(bank, ana, { userAgent: chrome(141), ip: '203.0.113.9' })
  await tell(bank)
  expect(await listOf(ana)).toHaveLength(2)
})

test('the bank does not report a second factor in a session that is older than the notices', async () => {
  const ana = await addListener(bank, [])
  await signInFrom(bank, ana, { userAgent: chrome(139), ip: '198.51.100.7' })
  await signInFrom(bank, ana, { userAgent: chrome(140), ip: '203.0.113.9' })
  await tell(bank)
  const listed = await listOf(ana)
  // While the notices were off, no device was noted.
  await bank.owner.query(sql`delete from private.known_devices where user_id = ${ana.id}`)
  await signInFrom(bank, ana, { userAgent: chrome(140), ip: '203.0.113.9' })

  await bank.owner.query(sql`
    update auth.sessions set aal = 'aal2' where user_id = ${ana.id} and user_agent = ${chrome(139)}`)
  await tell(bank)

  expect(await listOf(ana)).toEqual(listed)
})

test('the first half of an IPv6 address is the network of a sign-in', async () => {
  const ana = await addListener(bank, [])
  const signInAt = async (ip: string) => {
    await signInFrom(bank, ana, { userAgent: chrome(140), ip })
    await tell(bank)
    return (await listOf(ana)).length
  }

  expect(await signInAt('2001:db8:0:2::1')).toBe(1)
  expect(await signInAt('2001:db8:0:2:ffff::1')).toBe(1)
  expect(await signInAt('2001:db8:0:3::1')).toBe(2)
})

test('the last sign-in of a device is written at most once a day', async () => {
  const ana = await addListener(bank, [])
  const device = { userAgent: chrome(140), ip: '198.51.100.7' }
  const sinceLast = async (hours: number) => {
    await bank.owner.query(sql`
      update private.known_devices set last_seen_at = now() - make_interval(hours => ${hours}) where user_id = ${ana.id}`)
    await signInFrom(bank, ana, device)
    return countOf(
      bank,
      sql`select from private.known_devices where user_id = ${ana.id} and last_seen_at > now() - interval '1 hour'`,
    )
  }
  await signInFrom(bank, ana, device)

  expect(await sinceLast(23)).toBe(0)
  expect(await sinceLast(25)).toBe(1)
})

test('the bank does not report the first sign-in of an account', async () => {
  const ana = await addHolder(bank)
  await bank.owner.query(sql`delete from private.known_devices where user_id = ${ana.id}`)
  await bank.owner.query(sql`delete from auth.sessions where user_id = ${ana.id}`)

  await signInFrom(bank, ana, { userAgent: chrome(140), ip: '198.51.100.7' })
  await tell(bank)

  const told = await bank.owner.query(sql`select from public.notifications where user_id = ${ana.id}`)
  expect(told).toEqual([])
})

test('a sign-in succeeds even if its network address cannot be read', async () => {
  const ana = await addListener(bank)

  await signInFrom(bank, ana, { userAgent: chrome(140), ip: 'unknown' })

  expect(await countOf(bank, sql`select from auth.sessions where user_id = ${ana.id}`)).toBe(2)
})

test('the bank reports new devices even if the network address of an earlier device could not be read', async () => {
  const ana = await addListener(bank, [])
  await signInFrom(bank, ana, { userAgent: chrome(140), ip: '192.0.2.1:5678' })
  await signInFrom(bank, ana, { userAgent: chrome(140), ip: '203.0.113.66' })
  await tell(bank)

  expect(await listOf(ana)).toEqual([{ kind: 'new_device', detail: chrome(140), events: 2 }])
})

test('the bank still reports a new device if the person has not signed in for 91 days', async () => {
  const ana = await addHolder(bank)
  for (const ip of ['192.0.2.1', '192.0.2.2']) await signInFrom(bank, ana, { userAgent: chrome(140), ip })
  await leave(bank, ana, 91)
  await bank.owner.query(sql`delete from private.notices where recipient = ${ana.id}`)
  await bank.asService(sql`select private.purge_expired(1000)`)
  const known = sql`select from private.known_devices where user_id = ${ana.id}`
  expect(await countOf(bank, known)).toBe(1)

  await signInFrom(bank, ana, { userAgent: chrome(140), ip: '203.0.113.66' })
  await tell(bank)

  expect(await mailsTo(bank, ana)).toMatchObject([{ kind: 'new_device', events: 1 }])
})

test('the bank remembers the newest hundred devices of a person', async () => {
  const ana = await addListener(bank, [])
  await bank.owner.query(sql`
    insert into private.known_devices (user_id, device, last_seen_at)
    select ${ana.id}, int4send(n), now() - make_interval(mins => n) from generate_series(1, 110) n`)

  await signInFrom(bank, ana, { userAgent: chrome(140), ip: '198.51.100.7' })

  const kept = (oldest: number) => sql`
    select from private.known_devices
    where user_id = ${ana.id} and last_seen_at >= now() - make_interval(mins => ${oldest})`
  expect([await countOf(bank, kept(200)), await countOf(bank, kept(100))]).toEqual([100, 100])
})

test('a customer gets at most one mail of each kind in an hour, and the next mail counts the later events', async () => {
  const [ana, luis] = [await addListener(bank), await addListener(bank)]
  for (let count = 0; count < 4; count += 1) {
    await run(bank.administrator, deposit(ana, '1'))
    await tell(bank)
  }
  await run(bank.administrator, deposit(luis, '1'))
  await ageMails(bank, ana, 59)
  await tell(bank)
  expect(await mailsTo(bank, ana)).toMatchObject([{ events: 1 }])
  expect(await mailsTo(bank, luis)).toMatchObject([{ events: 1 }])

  await ageMails(bank, ana, 1)
  await tell(bank)

  expect(await mailsTo(bank, ana)).toMatchObject([{ events: 1 }, { events: 3 }])
  expect(await listOf(ana)).toHaveLength(4)
})

test('a customer gets a mail about transfers after five minutes', async () => {
  const ana = await addListener(bank, ['transfer'])
  const beneficiary = await befriend(ana, await addHolder(bank))
  for (let count = 0; count < 2; count += 1) {
    await request(ana, beneficiary, '1')
    await tell(bank)
  }
  await ageMails(bank, ana, 4)
  await tell(bank)
  expect(await mailsTo(bank, ana)).toHaveLength(1)

  await ageMails(bank, ana, 1)
  await tell(bank)

  expect(await mailsTo(bank, ana)).toHaveLength(2)
})

test('a mail says that money left the account, even if other money arrives before the mail is sent', async () => {
  const [ana, luis] = [await addListener(bank, ['transfer'], '500'), await addHolder(bank)]
  const [toLuis, toAna] = [await befriend(ana, luis), await befriend(luis, ana)]
  const sendThenReceive = async (inOneRun: boolean) => {
    await request(ana, toLuis, '9')
    if (!inOneRun) await tell(bank)
    await request(luis, toAna, '0.01')
    await tell(bank)
  }
  await sendThenReceive(true)
  await sendThenReceive(false)
  await ageMails(bank, ana, 60)
  await tell(bank)
  await ageMails(bank, ana, 60)
  await request(luis, toAna, '0.01')
  await tell(bank)

  expect((await mailsTo(bank, ana)).map(({ detail }) => detail)).toEqual(['sent', 'sent', 'received'])
})

test('the mails about transfers and new devices do not wait for the mails about deposits', async () => {
  const people = [await addListener(bank), await addListener(bank)]
  for (const person of people) await run(bank.administrator, deposit(person, '1'))
  const ana = await addListener(bank, ['transfer'])
  await request(ana, await befriend(ana, await addListener(bank, [])), '1')
  await signInFrom(bank, ana, { userAgent: chrome(140), ip: '198.51.100.7' })

  await tell(bank, 2)

  expect((await mailsTo(bank, ana)).map(({ kind }) => kind)).toEqual(['new_device', 'transfer'])
  await tell(bank)
})

test('an event that waited for a day is not mailed', async () => {
  const ana = await addListener(bank, ['deposit'])
  for (let count = 0; count < 3; count += 1) {
    await run(bank.administrator, deposit(ana, '1'))
    await tell(bank)
  }
  await ageMails(bank, ana, 60 * 25)
  await bank.owner.query(sql`
    update private.notices set happened_at = now() - interval '25 hours' where recipient = ${ana.id}`)
  await tell(bank)
  expect(await mailsTo(bank, ana)).toHaveLength(1)

  await run(bank.administrator, deposit(ana, '1'))
  await tell(bank)

  expect(await mailsTo(bank, ana)).toMatchObject([{ events: 1 }, { events: 1 }])
})

test('an event that waited for less than a day is mailed', async () => {
  const ana = await addListener(bank, ['deposit'])
  for (let count = 0; count < 2; count += 1) {
    await run(bank.administrator, deposit(ana, '1'))
    await tell(bank)
  }
  await ageMails(bank, ana, 60 * 23)
  await bank.owner.query(sql`
    update private.notices set happened_at = now() - interval '23 hours' where recipient = ${ana.id}`)

  await tell(bank)

  expect(await mailsTo(bank, ana)).toHaveLength(2)
})

test('the bank reports a sign-in from a browser with a very long name', async () => {
  const ana = await addListener(bank, [])

  await signInFrom(bank, ana, { userAgent: 'x'.repeat(300), ip: '198.51.100.7' })
  await tell(bank)

  expect(await listOf(ana)).toMatchObject([{ kind: 'new_device', detail: 'x'.repeat(256) }])
})

test('a customer who deselects a kind of event gets none of its pending mails', async () => {
  const ana = await addListener(bank)
  await run(bank.administrator, deposit(ana, '1'))
  await run(bank.administrator, deposit(ana, '1'))
  await choose(ana, ['transfer'])

  await tell(bank)

  expect([await listOf(ana), await mailsTo(bank, ana)]).toEqual([[], []])
})

test('a customer who chooses other kinds of events still gets the waiting mail about a new device', async () => {
  const ana = await addListener(bank, [])
  await signInFrom(bank, ana, { userAgent: chrome(140), ip: '198.51.100.7' })
  await tell(bank)
  await signInFrom(bank, ana, { userAgent: chrome(140), ip: '203.0.113.66' })
  await tell(bank)
  expect(await mailsTo(bank, ana)).toHaveLength(1)

  await choose(ana, ['transfer'])
  await ageMails(bank, ana, 60 * 24)
  await tell(bank)

  expect((await mailsTo(bank, ana)).map(({ kind }) => kind)).toEqual(['new_device', 'new_device'])
})

test('the link in a mail stops only mails of the same kind, and works only once', async () => {
  const [ana, luis] = [await addListener(bank), await addListener(bank)]
  for (const person of [ana, luis]) await run(bank.administrator, deposit(person, '1'))
  await run(bank.administrator, charge(ana, '51'))
  await tell(bank)
  const seed = (await mailsTo(bank, ana)).find(({ kind }) => kind === 'deposit')?.seed ?? ''

  expect(await stop(bank, seed)).toBe('deposit')
  expect(await stop(bank, seed)).toBeNull()
  expect(await stop(bank, crypto.randomUUID())).toBeNull()

  const left = sql<{ kind: string }>`select kind from public.notification_preferences order by 1`
  expect((await run(ana, left)).map(({ kind }) => kind)).toEqual(
    kinds.filter((kind) => kind !== 'deposit').toSorted(),
  )
  expect(await run(luis, left)).toHaveLength(kinds.length)
})

test('a new person gets the notices about money', async () => {
  const ana = await addHolder(bank, '0')
  const chosen = sql<{ kind: string }>`select kind from public.notification_preferences order by 1`
  expect((await run(ana, chosen)).map(({ kind }) => kind)).toEqual([
    'correction',
    'deposit',
    'statement',
    'transfer',
  ])

  await run(bank.administrator, deposit(ana, '10'))
  await tell(bank)

  expect(await listOf(ana)).toMatchObject([{ kind: 'deposit' }])
})

test('a stolen session cannot remove a notice that a new person gets', async () => {
  const ana = await addHolder(bank, '0')
  await ageProof(ana, 11)

  await expect(choose(ana, ['deposit', 'correction', 'statement'])).rejects.toMatchObject({
    hint: 'reauthentication_needed',
  })
})

test('a person cannot stop the mails about new devices', async () => {
  const ana = await addListener(bank, [])
  await signInFrom(bank, ana, { userAgent: chrome(140), ip: '198.51.100.7' })
  await tell(bank)
  const [row] = await bank.owner.query(
    sql<{ seed: string }>`select seed from private.notice_marks where recipient = ${ana.id}`,
  )

  expect(await stop(bank, row?.seed ?? '')).toBeNull()
})

test('a person whose address is not confirmed gets no mail', async () => {
  const ana = await addListener(bank)
  await bank.asService(sql`update auth.users set email_confirmed_at = null where id = ${ana.id}`)
  await run(bank.administrator, deposit(ana, '1'))
  await tell(bank)

  expect(await mailsTo(bank, ana)).toEqual([])
  expect(await listOf(ana)).toHaveLength(1)
})

test('one run enqueues no more mails than its limit allows', async () => {
  const people = [await addListener(bank), await addListener(bank), await addListener(bank)]
  for (const person of people) await run(bank.administrator, deposit(person, '1'))
  const sent = async () => (await Promise.all(people.map((person) => mailsTo(bank, person)))).flat().length

  await tell(bank, 2)
  expect(await sent()).toBe(2)
  await tell(bank, 2)
  expect(await sent()).toBe(3)
})

test('a customer keeps the newest hundred notifications, for 90 days', async () => {
  const ana = await addListener(bank)
  await bank.owner.query(sql`
    insert into public.notifications (user_id, kind, events, happened_at)
    select ${ana.id}, 'correction', n, now() - interval '90 days' + make_interval(mins => 110 - n) from generate_series(1, 110) n`)
  await run(bank.administrator, deposit(ana, '1'))
  await tell(bank)
  expect(await listOf(ana)).toHaveLength(100)

  await bank.owner.query(
    sql`update public.notifications set happened_at = happened_at - interval '2 hours' where user_id = ${ana.id}`,
  )
  await bank.asService(sql`select private.purge_expired(1000)`)

  expect(await listOf(ana)).toEqual([{ kind: 'deposit', detail: null, events: 1 }])
})

test('a full list keeps notifications of new devices and transfers longer than all other kinds', async () => {
  const ana = await addListener(bank, ['transfer', 'deposit'])
  await signInFrom(bank, ana, { userAgent: chrome(140), ip: '198.51.100.7' })
  await request(ana, await befriend(ana, await addHolder(bank)), '1')
  await tell(bank)
  await bank.owner.query(sql`
    insert into public.notifications (user_id, kind, events, happened_at)
    select ${ana.id}, 'correction', 1, now() + make_interval(secs => n) from generate_series(1, 110) n`)
  await run(bank.administrator, deposit(ana, '1'))
  await tell(bank)

  const listed = (await listOf(ana)).map(({ kind }) => kind)
  expect(listed).toHaveLength(100)
  expect(listed.slice(0, 3)).toEqual(['new_device', 'transfer', 'correction'])
})

test('a customer reads and marks only their own notifications', async () => {
  const [ana, luis] = [await addListener(bank), await addListener(bank)]
  for (const person of [ana, luis]) await run(bank.administrator, deposit(person, '1'))
  await tell(bank)

  await run(ana, sql`select public.read_notifications()`)

  const unread = sql`select from public.notifications where read_at is null`
  expect([await run(ana, unread), await run(luis, unread)]).toEqual([[], [{}]])
  expect(await run(bank.administrator, sql`select from public.notifications where kind = 'deposit'`)).toEqual(
    [],
  )
})

test('a deposit succeeds even if its event cannot be stored', async () => {
  const ana = await addListener(bank)
  const limited = sql`alter table private.notices add constraint none check (topic = 'none') not valid`
  await bank.owner.query(limited)

  const id = await record(bank.administrator, deposit(ana, '5'))
  await run(bank.administrator, correct(ana, id))
  await record(ana, expense(ana, '90'))
  await bank.owner.query(sql`alter table private.notices drop constraint none`)

  expect(await balanceOf(ana)).toBe('10')
})

test('a change of 10,000 expenses is not slower for a customer who chose limit reports', async () => {
  const ana = await addListener(bank, [], '500')
  await run(ana, sql`select public.set_category_budget('Viajes', 30)`)
  await record(ana, expense(ana, '1'))
  // PostgreSQL keeps the query plan of the first change on a connection. Here, the first change affects one row.
  for (const category of ['Viajes', 'Comida']) await timeNewCategory(bank, ana, category)
  await bank.owner.query(sql`
    insert into public.transactions (user_id, type, amount, description, category, recorded_by, origin, origin_id)
    select ${ana.id}, 'expense', 0.01, 'Café', 'Comida', 'bank', 'clerk', gen_random_uuid() from generate_series(1, 10000)`)

  const without = await timeNewCategory(bank, ana, 'Otros')
  await choose(ana, ['category_limit'])

  expect(await timeNewCategory(bank, ana, 'Viajes')).toBeLessThan(without * 4 + 1000)
  await tell(bank)
  expect(await listOf(ana)).toEqual([{ kind: 'category_limit', detail: 'Viajes', events: 1 }])
}, 120_000)

test('one SQL statement for many customers stores one event for each kind and customer', async () => {
  const [ana, luis] = [await addListener(bank), await addListener(bank, ['deposit'])]
  await bank.owner.query(sql`
    insert into public.transactions (user_id, type, amount, description, recorded_by, origin, origin_id)
    select p.id, 'deposit', n, 'Nómina', 'bank', 'clerk', gen_random_uuid()
    from unnest(array[${ana.id}, ${luis.id}]::uuid[]) p(id), generate_series(1, 30) n`)

  expect(
    await countOf(bank, sql`select from private.notices where recipient in (${ana.id}, ${luis.id})`),
  ).toBe(2)
  await tell(bank)
  expect(await listOf(ana)).toEqual([{ kind: 'deposit', detail: null, events: 30 }])
})

describe('in a bank that has not enabled notifications', () => {
  beforeAll(() => disableNotifications(bank))

  test.each([
    ['choose kinds', sql`select public.set_notifications('{deposit}')`],
    ['mark notifications as read', sql`select public.read_notifications()`],
  ])('a customer cannot %s', async (_what, call) => {
    await expect(run(await addHolder(bank), call)).rejects.toMatchObject({ sqlState: 'PT404' })
  })

  test('the bank neither stores nor reports events, and the links in its mails have no effect', async () => {
    await enableNotifications(bank)
    const ana = await addListener(bank)
    await run(bank.administrator, deposit(ana, '1'))
    await tell(bank)
    const [mail] = await mailsTo(bank, ana)
    await run(bank.administrator, deposit(ana, '1'))
    await disableNotifications(bank)
    const events = sql`select from private.notices where recipient = ${ana.id}`
    expect(await countOf(bank, events)).toBe(1)

    const id = await record(bank.administrator, deposit(ana, '5'))
    await run(bank.administrator, correct(ana, id))
    await record(ana, expense(ana, '90'))
    await signInFrom(bank, ana, { userAgent: chrome(140), ip: '198.51.100.7' })

    expect(await tell(bank)).toBe(0)
    expect(await countOf(bank, events)).toBe(1)
    expect(await stop(bank, mail?.seed ?? '')).toBeNull()
    expect(await listOf(ana)).toHaveLength(1)
  })
})
