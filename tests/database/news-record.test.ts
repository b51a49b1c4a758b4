// A fixed random sequence of acts causes the recorded mails and notifications. The record was made before the bank told
// people in one way (docs/decisions/0098), so that it also proves that nothing changed for them.
import { expect, test } from 'vitest'
import { SqlError, type SqlStatement, sql } from '#server/database/database.ts'
import { type QueuedNotice, noticeMail } from '#server/mail/notice-mail.ts'
import { deriveKeys } from '#server/tokens/keys.ts'
import { createBatch, postAll } from './batches.ts'
import { useBank } from './database.ts'
import {
  type Kind,
  type Told,
  ageMails,
  choose,
  enableNotifications,
  kinds,
  signInFrom,
  tell,
} from './notifications.ts'
import { type Person, addPerson, charge, correct, deposit, expense, remove, run, setRole } from './people.ts'
import { seeded } from './random-bank.ts'
import { request, returnTransfer } from './transfers.ts'
import { decide } from './decisions.ts'
import { addHolder, befriend } from './beneficiaries.ts'

const bank = useBank(enableNotifications)
const stepsMax = 260
const keys = deriveKeys('a data key of a test')
const site = {
  siteUrl: 'https://banco.example',
  brandName: 'Banco',
  supportContact: '',
  keys,
  asCalledHere: String,
  displayCurrency: 'USD' as const,
}

async function addAdministrator(): Promise<Person> {
  const person = await addPerson(bank.database, 'admin')
  await bank.asService(
    sql`update auth.users set email_confirmed_at = now(), raw_user_meta_data = '{}' where id = ${person.id}`,
  )
  return person
}

/** Returns the texts of all mails to a person, oldest first, without times. Mails of one run are in alphabetical order. */
async function mailsTo({ id }: Person): Promise<string[]> {
  const rows = await bank.owner.query(sql<{ at: string; notice: QueuedNotice }>`
    select to_char(m.created_at, 'YYYYMMDDHH24MISSUS') as at, m.notice from auth.outgoing_mails m
    where m.notice ->> 'to' = ${`${id}@banco.example`}`)
  return rows
    .map(({ at, notice }) => {
      const { subject, text, unsubscribe } = noticeMail(site, notice)
      const told = [subject, ...text.split('\n\n').slice(1, 3)].join(' | ')
      return { at, text: `mail${unsubscribe === undefined ? '' : ' with a link'}: ${withoutTimes(told)}` }
    })
    .toSorted((one, other) => (`${one.at} ${one.text}` < `${other.at} ${other.text}` ? -1 : 1))
    .map(({ text }) => text)
}

const withoutTimes = (text: string) =>
  text
    .replaceAll(/\d+ de [a-z]+ de 20\d\d, \d+:\d\d [ap]. m. \(hora de Bogotá\)/g, '<time>')
    .replaceAll(/ (?:de )?[a-z]+ de 20\d\d/g, ' <month>')

test('a random sequence of acts causes the recorded mails and notifications', async () => {
  const random = seeded(98)
  const below = (most: number) => Math.floor(random() * most)
  const pick = <T>(items: readonly T[]) => items[below(items.length)] as T
  const money = (most: number) => String(1 + below(most))
  // The bank locks and tells people in the order of their ids.
  const inOrder = (people: Person[]) => people.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const staff = inOrder([await addAdministrator(), await addAdministrator(), await addAdministrator()])
  const customers = inOrder([
    await addHolder(bank),
    await addHolder(bank),
    await addHolder(bank),
    await addHolder(bank),
  ])
  const few: readonly Kind[] = ['transfer', 'category_limit', 'low_balance']
  for (const [at, chosen] of [kinds, kinds, few, []].entries())
    await choose(customers[at] as Person, chosen, { below: '4000' })
  const friends = new Map<string, string>()
  for (const payer of customers)
    for (const payee of customers)
      if (payer !== payee) friends.set(`${payer.id} ${payee.id}`, await befriend(payer, payee))
  for (const person of customers) {
    await run(person, sql`insert into public.categories (user_id, name) values (${person.id}, 'Antojos')`)
    await run(
      person,
      sql`select public.set_category_budget('Comida', 100), public.set_category_budget('Antojos', 60)`,
    )
  }
  await bank.owner.query(sql`delete from auth.outgoing_mails`)

  const own = async (person: Person, type = 'expense') => {
    const rows = await bank.owner.query(sql<{ id: string }>`
      select t.id from public.transactions t
      where t.user_id = ${person.id} and t.type = ${type} and (t.recorded_by = 'customer') = (${type} = 'expense')
        and not t.is_void
      order by t.date, t.amount, t.id limit 40`)
    return rows.length === 0 ? undefined : pick(rows).id
  }
  const on =
    (statement: (id: string) => SqlStatement, type = 'expense') =>
    async (person: Person) => {
      const id = await own(person, type)
      if (id !== undefined) await run(type === 'expense' ? person : pick(staff), statement(id))
    }
  const transferred: string[] = []
  const send = async (person: Person, amount: string) => {
    const payee = pick(customers.filter((other) => other !== person))
    const { id } = await request(person, friends.get(`${person.id} ${payee.id}`) ?? '', amount)
    transferred.push(id)
  }
  let device = 0
  const acts: readonly ((person: Person) => Promise<unknown>)[] = [
    (person) => run(person, expense(person, money(60))),
    (person) => run(person, expense(person, money(900))),
    on(
      (id) =>
        sql`select public.amend_expense(${id}, ${JSON.stringify({ amount: money(80), description: 'Otro' })})`,
    ),
    on(
      (id) =>
        sql`update public.transactions set category = ${pick(['Comida', 'Antojos', 'Viajes'])} where id = ${id}`,
    ),
    on((id) => remove(id)),
    on((id) => sql`select public.restore_transaction(${id})`),
    (person) => run(pick(staff), deposit(person, money(2000))),
    (person) => run(pick(staff), charge(person, money(90))),
    async (person) => {
      const id = await own(person, 'deposit')
      if (id !== undefined) await run(pick(staff), correct(person, id, 'Error', pick([null, '7'])))
    },
    (person) => send(person, money(50)),
    (person) => send(person, '500'),
    async () => {
      if (transferred.length > 0) await decide(pick(staff), [pick(transferred)], random() < 0.5)
    },
    async () => {
      if (transferred.length > 0) await returnTransfer(pick(staff), pick(transferred))
    },
    (person) =>
      run(
        person,
        sql`
        update public.categories set name = case name when 'Antojos' then 'Dulces' else 'Antojos' end
        where name in ('Antojos', 'Dulces')`,
      ),
    async () => {
      const lines = customers.map(({ id }, at) => ({
        line: at + 1,
        user_id: id,
        amount: 10 + at,
        description: 'Nómina',
      }))
      await createBatch(bank.administrator, lines)
      await postAll(bank)
    },
    (person) => {
      device += 1
      return signInFrom(bank, person, {
        userAgent: `Navegador ${device}`,
        ip: pick(['192.0.2.1', '2001:db8::1']),
      })
    },
    (person) =>
      choose(
        person,
        kinds.filter(() => random() < 0.8),
        { below: '4000' },
      ),
    (person) => ageMails(bank, person, pick([6, 61])),
    () => tell(bank, pick([2, 1000])),
    () => tell(bank),
  ]
  for (let step = 0; step < stepsMax; step += 1)
    await pick(acts)(pick(customers)).catch((error: unknown) => {
      // The bank refuses some acts, for example a transfer above the balance.
      if (!(error instanceof SqlError && /^(PT4|23|42501)/.test(error.sqlState))) throw error
    })

  // The rest of the acts once, so that each mail of the bank is in the record.
  const [, luis, eva, leo] = customers as [Person, Person, Person, Person]
  const [clerk, other, third] = staff as [Person, Person, Person]
  await bank.owner.query(sql`
    update public.requests set asked_at = asked_at - interval '1 minute' where status = 'waiting'`)
  await bank.owner.query(sql`select private.tell_deciders()`)
  await run(clerk, sql`select public.block_user(${eva.id}, 'customer_request', 5)`)
  await run(clerk, sql`select public.unblock_user(${eva.id})`)
  await run(clerk, sql`select public.end_sessions(${eva.id})`)
  await run(clerk, sql`select public.reset_factor(${eva.id})`)
  await run(clerk, sql`select public.correct_holder(${eva.id}, 'Eva Ruiz')`)
  await run(clerk, setRole(luis, 'admin'))
  await run(clerk, setRole(luis, 'user'))
  await run(clerk, deposit(clerk, '12.5'))
  const [mistake] = await run(clerk, deposit(clerk, '3'))
  await run(clerk, correct(clerk, mistake?.id ?? ''))
  const own2 = [{ line: 1, user_id: other.id, amount: 7, description: 'Nómina' }]
  const { id: batch } = await createBatch(other, own2)
  await postAll(bank)
  await run(other, sql`select public.reverse_batch(${batch}, 'Error')`)
  await run(clerk, sql`select public.block_user(${third.id}, 'other')`)
  await bank.asService(
    sql`update auth.users set banned_until = now() + interval '300 years' where id = ${eva.id}`,
    sql`insert into auth.users (id, email, raw_app_meta_data) values (gen_random_uuid(), 'nueva@banco.example', '{"role": "admin"}')`,
  )
  for (let count = 0; count < 22; count += 1)
    await signInFrom(bank, eva, { userAgent: 'Navegador 1', ip: '192.0.2.1' })
  const [nextMonth] = await bank.owner.query(
    sql<{ at: string }>`select (date_trunc('month', now()) + interval '1 month 1 day')::text as at`,
  )
  for (const person of customers) await ageMails(bank, person, 61)
  await tell(bank, 1000, 10000, nextMonth?.at)
  await tell(bank, 1000, 10000, nextMonth?.at)
  await run(clerk, sql`select private.delete_user(${luis.id})`)
  await run(leo, sql`select private.delete_own_account()`)

  const names = [
    ...customers.map(({ id }, at) => ({ id, name: `customer ${at + 1}` })),
    ...staff.map(({ id }, at) => ({ id, name: `clerk ${at + 1}` })),
  ]
  const nameOf = (text: string) =>
    names.reduce((named, { id, name }) => named.replaceAll(`${id}@banco.example`, name), text)
  const record: string[] = []
  for (const [at, person] of customers.entries()) {
    record.push(`# customer ${at + 1}`)
    const listed = await bank.owner.query(sql<Told>`
      select kind, detail, events from public.notifications where user_id = ${person.id} order by happened_at, kind`)
    record.push(
      ...listed.map(
        ({ kind, detail, events }) =>
          `list: ${kind} ${kind === 'statement' ? '<month>' : (detail ?? '-')} ${events}`,
      ),
      ...(await mailsTo(person)),
    )
  }
  for (const [at, person] of staff.entries()) record.push(`# clerk ${at + 1}`, ...(await mailsTo(person)))
  await expect(nameOf(`${record.join('\n')}\n`)).toMatchFileSnapshot('news-record.txt')
})
