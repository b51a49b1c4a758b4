/**
 * Three customers with long histories, as a directory has them after years: 1,000, 10,000 and 100,000 movements, each
 * posted to the customer's chain, and the balance that follows. With the texts of a bank, so that each letter of a search
 * narrows the list. Posting them one by one takes minutes, so the rows are put in below the triggers and the chains are
 * made of them in one statement each, with the ledger's own hash: `verifyLedger` finds nothing to say (a test).
 */
import { type Owner, sql } from '#server/database/database.ts'
import { customerId, emailOf, sessionId } from './customers.ts'

/** Movements of customer 1, 2 and 3. */
export const historyLengths = [1000, 10_000, 100_000] as const

/** What `description` begins with, in turn; the number of the movement follows. */
const shops = [
  'Falabella',
  'Almuerzo en Crepes',
  'Éxito Calle 80',
  'Óptica Alemana',
  'Farmacia Ñandú',
  'Peaje',
]

/** Fills the bank: each customer with one session and their history; `lengths` are the movements of customer 1, 2, … */
export async function fillLongHistories(
  owner: Owner,
  lengths: readonly number[] = historyLengths,
): Promise<void> {
  await owner.script(chainOf)
  for (const [index, length] of lengths.entries()) {
    const user = customerId(index + 1)
    await owner.query(sql`insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data)
      values (${user}, ${emailOf(index + 1)}, now(), '{"full_name": "Laura Restrepo"}')`)
    await owner.query(sql`insert into auth.sessions (id, user_id) values (${sessionId(index + 1)}, ${user})`)
    await owner.query(sql`alter table public.transactions disable trigger user`)
    await owner.query({
      text: `insert into public.transactions (user_id, type, description, amount, date, category, recorded_by)
        select $1::uuid, case when m % 11 = 0 then 'deposit' else 'expense' end,
          ($2::text[])[m * 7 % 6 + 1] || ' ' || m * 7919 % 100000, (m * 7907 % 1000000) / 100.0 + 1,
          now() - m * interval '47 minutes',
          case when m % 11 = 0 then null else (array['Comida', 'Transporte', 'Compras', 'Salud', 'Otro'])[m % 5 + 1] end,
          case when m % 3 = 0 or m % 11 = 0 then 'bank' else 'customer' end
        from generate_series(1, $3::int) m`,
      values: [user, `{${shops.map((shop) => `"${shop}"`).join(',')}}`, String(length)],
    })
    await owner.query(sql`alter table public.transactions enable trigger user`)
    await owner.query(sql`insert into ledger.journal select * from pg_temp.chain_of(${user}::uuid)`)
    await owner.query(sql`
      update public.budgets b set balance = j.balance_after
      from ledger.journal j where b.user_id = ${user}::uuid and j.user_id = b.user_id and j.seq = ${String(length)}::bigint`)
  }
  await owner.query(sql`vacuum (analyze)`)
}

/** What `ledger.post` would have written, one after the other, for the movements that are there. */
const chainOf = `
  create function pg_temp.chain_of(customer uuid) returns setof ledger.journal language plpgsql as $$
  declare
    entry ledger.journal;
  begin
    entry.user_id := customer;
    entry.seq := 0;
    entry.balance_after := 0;
    entry.hash := decode(repeat('00', 32), 'hex');
    for entry.kind, entry.transaction_id, entry.delta, entry.actor in
      select t.type, t.id, case t.type when 'deposit' then t.amount else -t.amount end,
             case t.recorded_by when 'customer' then t.user_id end
      from public.transactions t where t.user_id = customer order by t.date, t.id
    loop
      entry.seq := entry.seq + 1;
      entry.balance_after := entry.balance_after + entry.delta;
      entry.recorded_at := clock_timestamp();
      entry.previous_hash := entry.hash;
      entry.hash := ledger.entry_hash(entry);
      return next entry;
    end loop;
  end
  $$`
