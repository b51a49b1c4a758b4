/**
 * A bank to measure on: 1,000 customers with 1,000 movements each. Put in below the triggers, which would
 * post each of a million movements on their own; sums and rows are what they would be.
 */
import { type Owner, type SqlStatement, sql } from '#server/database/database.ts'

export const customersCount = 1000
export const movementsEach = 1000

/** The id of the customer of this number, from 1. */
export function customerId(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

/** The id of that customer's one session. */
export function sessionId(number: number): string {
  return `00000000-0000-4000-9000-${String(number).padStart(12, '0')}`
}

/** Fills the bank. */
export async function fillBank(owner: Owner): Promise<void> {
  for (const statement of statements) await owner.query(statement)
}

const idOf = (variant: number, number: string) =>
  `('00000000-0000-4000-${variant}000-' || lpad(${number}::text, 12, '0'))::uuid`

const statements: SqlStatement[] = [
  {
    text: `insert into auth.users (id, email, email_confirmed_at)
           select ${idOf(8, 'n')}, 'c' || n || '@banco.example', now() from generate_series(1, ${customersCount}) n`,
    values: [],
  },
  {
    text: `insert into auth.sessions (id, user_id)
           select ${idOf(9, 'n')}, ${idOf(8, 'n')} from generate_series(1, ${customersCount}) n`,
    values: [],
  },
  sql`alter table public.transactions disable trigger user`,
  {
    text: `insert into public.transactions (user_id, type, description, amount, date, category)
           select ${idOf(8, 'n')}, 'expense', 'Movimiento ' || m, ((n * m) % 100000) / 100.0 + 1,
                  now() - m * interval '17 hours', (array['Comida', 'Transporte', 'Compras', 'Salud'])[m % 4 + 1]
           from generate_series(1, ${customersCount}) n, generate_series(1, ${movementsEach}) m`,
    values: [],
  },
  sql`alter table public.transactions enable trigger user`,
  sql`vacuum (analyze) public.transactions`,
  sql`analyze`,
]
