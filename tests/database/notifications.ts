/** Adds customers who chose kinds of events, and reports the events as the server does. */
import { type SqlStatement, sql } from '#server/database/database.ts'
import { settings } from './bank-settings.ts'
import type { Bank } from './bank.ts'
import { type Person, run } from './people.ts'
import { enableTransfers } from './transfers.ts'
import { addHolder } from './beneficiaries.ts'

export const kinds = [
  'deposit',
  'correction',
  'transfer',
  'large_expense',
  'category_limit',
  'low_balance',
  'statement',
] as const

export type Kind = (typeof kinds)[number]

/** Enables transfers and notifications in a bank. */
export async function enableNotifications(bank: Bank): Promise<void> {
  await enableTransfers(bank)
  await bank.asService(settings({ transferencias: 'on', notificaciones: 'on' }))
}

export const disableNotifications = (bank: Bank) =>
  bank.asService(settings({ transferencias: 'on', notificaciones: 'off' }))

/** Chooses exactly the given kinds of events, for expenses above 50 and a balance below 20. */
export const choose = (
  person: Person,
  chosen: readonly Kind[],
  { above = '50', below = '20' }: { above?: string | null; below?: string | null } = {},
) =>
  run(
    person,
    sql<{
      kind: string
      amount: string | null
    }>`select kind, amount::text from public.set_notifications(${`{${chosen.join()}}`}::text[], ${above}, ${below}) order by 1`,
  )

/** Adds a customer who has a balance and chose the given kinds of events. */
export async function addListener(
  bank: Bank,
  chosen: readonly Kind[] = kinds,
  balance = '100',
): Promise<Person> {
  const person = await addHolder(bank, balance)
  await choose(person, chosen)
  return person
}

/** A day on which the bank does not report that a statement is ready. */
const midMonth = '2026-11-20T12:00:00Z'

/** Reports the events as the server does. */
export const tell = async (bank: Bank, mailsMax = 1000, eventsMax = 10000, at = midMonth) => {
  const [[row]] = await bank.asService(
    sql<{ told: number }>`select private.tell_customers(${eventsMax}, ${at}) as told`,
    sql`select private.mail_notices(${mailsMax})`,
  )
  return row?.told
}

export type Told = { kind: string; detail: string | null; events: number }

/** Returns the person's list, oldest first. */
export const listOf = (person: Person) =>
  run(person, sql<Told>`select kind, detail, events from public.notifications order by happened_at, kind`)

export type Mailed = { kind: string; events: number; detail: string | null; seed: string | null }

/** Returns the mails that wait for a person, oldest first. */
export async function mailsTo(bank: Bank, { id }: Person): Promise<Mailed[]> {
  const rows = await bank.owner.query(sql<{ topic: string; facts: Omit<Mailed, 'kind'> }>`
    select m.notice ->> 'topic' as topic, m.notice -> 'facts' as facts from auth.outgoing_mails m
    where m.notice ->> 'to' = ${`${id}@banco.example`} and m.notice -> 'facts' ? 'events'
    order by m.created_at, m.notice ->> 'topic'`)
  return rows.map(({ topic, facts: { events, detail, seed } }) => ({ kind: topic, events, detail, seed }))
}

/** Sets back the time of a person's last mails by some minutes. */
export const ageMails = (bank: Bank, { id }: Person, minutes: number) =>
  bank.owner.query(
    sql`update private.notice_marks set mailed_at = mailed_at - make_interval(mins => ${minutes}) where recipient = ${id}`,
  )

/** Opens another session of the person. */
export const signInFrom = (bank: Bank, { id }: Person, device: { userAgent: string; ip: string }) =>
  bank.asService(
    sql`select auth.open_session(${crypto.randomUUID()}, ${id}, 'password', ${JSON.stringify(device)})`,
  )

/** Ends all sessions of a person and sets back the last sign-in of each device by some days. */
export async function leave(bank: Bank, { id }: Person, days: number): Promise<void> {
  await bank.owner.query(sql`delete from auth.sessions where user_id = ${id}`)
  await bank.owner.query(
    sql`update private.known_devices set last_seen_at = now() - make_interval(days => ${days}) where user_id = ${id}`,
  )
}

/** Follows the link of a mail. The server has already verified the token of this link. */
export const stop = async (bank: Bank, seed: string) => {
  const [[row]] = await bank.asService(
    sql<{ topic: string | null }>`select s.topic from private.stop_notices(${seed}) s`,
  )
  return row?.topic
}

/** Returns the number of rows that a statement returns to the owner of the database. */
export const countOf = async (bank: Bank, statement: SqlStatement) =>
  (await bank.owner.query(statement)).length

/** Gives all expenses of a customer a category in one statement, and returns the duration in milliseconds. */
export async function timeNewCategory(bank: Bank, { id }: Person, category: string): Promise<number> {
  const before = performance.now()
  await bank.owner.query(sql`update public.transactions set category = ${category} where user_id = ${id}`)
  return performance.now() - before
}
