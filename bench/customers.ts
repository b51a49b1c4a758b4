/**
 * A bank to measure on: customers with movements each, one administrator, and one session for everybody. The movements
 * are put in below the triggers, which would post each of a million of them on their own; what is measured reads them only.
 */
import type { Owner, SqlStatement } from '#server/database/database.ts'

/** How much is in a bank. */
export type BankSize = { readonly customers: number; readonly movementsEach: number }

/** What the scenarios run on. A read costs the same in either; to fill the embedded one and its peer's takes ten times as long. */
export const measuredSizes = {
  postgres: { customers: 1000, movementsEach: 1000 },
  embedded: { customers: 1000, movementsEach: 100 },
} satisfies Record<string, BankSize>

/** Customers that take part in a run. */
const readersMax = 32

/** Numbers of customers, spread over the whole bank. */
export function readersOf({ customers }: BankSize): number[] {
  const count = Math.min(readersMax, customers)
  return Array.from({ length: count }, (_, index) => 1 + Math.floor((index * customers) / count))
}

/** Movements of the one customer with a long history. */
export function historyRowsOf({ movementsEach }: BankSize): number {
  return movementsEach * 100
}

/** The number of the customer with the long history. */
export function historyReaderOf({ customers }: BankSize): number {
  return customers + 1
}

/** The number of the administrator. */
export function administratorOf({ customers }: BankSize): number {
  return customers + 2
}

/** The id of the person of this number, from 1. */
export function customerId(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

/** The id of that person's one session. */
export function sessionId(number: number): string {
  return `00000000-0000-4000-9000-${String(number).padStart(12, '0')}`
}

/** The address of that person. */
export function emailOf(number: number): string {
  return `c${number}@banco.example`
}

/** Fills the bank. */
export async function fillBank(owner: Owner, size: BankSize): Promise<void> {
  for (const statement of fillStatements(size)) await owner.query(statement)
}

const idOf = (variant: number, number: string) =>
  `('00000000-0000-4000-${variant}000-' || lpad(${number}::text, 12, '0'))::uuid`

function fillStatements(size: BankSize): SqlStatement[] {
  const { customers, movementsEach } = size
  const administrator = administratorOf(size)
  const texts = [
    `insert into auth.users (id, email, email_confirmed_at, raw_app_meta_data)
       select ${idOf(8, 'n')}, 'c' || n || '@banco.example', now(),
         case when n = ${administrator} then '{"role": "admin"}'::jsonb else '{}'::jsonb end
       from generate_series(1, ${administrator}) n`,
    `insert into auth.sessions (id, user_id)
       select ${idOf(9, 'n')}, ${idOf(8, 'n')} from generate_series(1, ${administrator}) n`,
    'alter table public.transactions disable trigger user',
    `insert into public.transactions (user_id, type, description, amount, date, category)
       select ${idOf(8, 'n')}, 'expense', 'Movimiento ' || m, round(((n * m) % 100000) / 100.0 + 1, 2),
         now() - m * interval '17 hours', (array['Comida', 'Transporte', 'Compras', 'Salud'])[m % 4 + 1]
       from generate_series(1, ${customers}) n, generate_series(1, ${movementsEach}) m`,
    `insert into public.transactions (user_id, type, description, amount, date, category)
       select ${idOf(8, String(historyReaderOf(size)))}, 'expense', 'Movimiento ' || m,
         round((m % 100000) / 100.0 + 1, 2), now() - m * interval '11 minutes', 'Comida'
       from generate_series(1, ${historyRowsOf(size)}) m`,
    'alter table public.transactions enable trigger user',
    'vacuum (analyze) public.transactions',
    'analyze',
  ]
  return texts.map((text) => ({ text, values: [] }))
}
