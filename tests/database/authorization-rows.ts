/** The rows of the people of the authorization matrix. */
import { type Owner, sql } from '#server/database/database.ts'
import { type Person, deposit, expense, record, remove, run } from './people.ts'

/** Ids of a deleted row and of a row that the bank recorded. */
export type Rows = { readonly aside: string; readonly banked: string }

/**
 * Adds one row of each kind. The import, the batch, the rule, the recurring expense and the beneficiary have the id of
 * the deleted row. The id of the requested transfer is computed from the id of the person.
 */
export async function addRows(
  owner: Owner,
  person: Person,
  { administrator, payee }: { administrator: Person; payee: Person },
): Promise<Rows> {
  const rows = await addTransactions(person, administrator)
  await addUploads(owner, rows, { person, administrator })
  await addPlans(owner, person, rows)
  await addTransfer(person, payee, rows)
  await addNotices(owner, person)
  await addPersonalRows(owner, person)
  return rows
}

/** Adds an edited expense, two deposits (one of them corrected), and a deleted row. */
async function addTransactions(person: Person, administrator: Person): Promise<Rows> {
  const edited = await record(person, expense(person, '12.50'))
  await run(person, sql`update public.transactions set category = 'Otro' where id = ${edited}`)
  const banked = await record(administrator, deposit(person, '100'))
  const mistake = await record(administrator, deposit(person, '1'))
  await run(administrator, sql`select public.correct_transaction(${person.id}, ${mistake}, 'Duplicado')`)
  const aside = await record(person, expense(person, '3'))
  await run(person, remove(aside))
  return { aside, banked }
}

/** Adds an import, and a batch that opens an account. */
async function addUploads(
  owner: Owner,
  { aside }: Rows,
  { person, administrator }: { person: Person; administrator: Person },
): Promise<void> {
  await run(
    person,
    sql`select public.import_transactions(${aside}, '[{"date": "2026-01-01", "description": "Libro", "amount": 1}]')`,
  )
  const lines = [{ line: 1, user_id: person.id, amount: 1, description: 'Nómina' }]
  await run(
    administrator,
    sql`select public.create_batch(${aside}, 'nomina.csv', ${JSON.stringify(lines)}::json)`,
  )
  await owner.query(sql`update public.batches set opens_accounts = true where id = ${aside}`)
  await owner.query(sql`
    insert into public.new_accounts (batch_id, line, user_id, full_name, email)
    values (${aside}, 1, ${person.id}, 'Eva', ${`eva-${aside}@banco.example`})`)
}

/** Adds a recurring expense, a category, a category limit and a rule. */
async function addPlans(owner: Owner, person: Person, { aside }: Rows): Promise<void> {
  await run(
    person,
    sql`
      select public.save_recurring_expense(
        ${aside}, 'Arriendo', 5, 'weekly', (now() at time zone 'America/Bogota')::date)`,
  )
  await owner.query(sql`
    insert into public.recurring_occurrences (user_id, recurring_id, due_on, amount)
    values (${person.id}, ${aside}, '2026-01-01', 5)`)
  await run(person, sql`insert into public.categories (name) values ('Mascotas')`)
  await run(person, sql`select public.set_category_budget('Otro', 100)`)
  await run(
    person,
    sql`insert into public.category_rules (id, contains, category) values (${aside}, 'Café', 'Mascotas')`,
  )
}

/** Adds a confirmed beneficiary and a requested transfer. */
async function addTransfer(person: Person, payee: Person, { aside }: Rows): Promise<void> {
  await run(person, sql`select public.add_beneficiary(${aside}, 'Luis', ${`${payee.id}@banco.example`})`)
  await run(person, sql`select public.confirm_beneficiary(${aside})`)
  await run(person, sql`select public.request_transfer(md5(${person.id}::text)::uuid, ${aside}, 2)`)
}

/** Adds all preferences of notifications and one notification. */
async function addNotices(owner: Owner, person: Person): Promise<void> {
  await run(
    person,
    sql`
      select public.set_notifications('{deposit,correction,transfer,large_expense,category_limit,low_balance,statement}', 50, 20)`,
  )
  await owner.query(
    sql`insert into public.notifications (user_id, kind, events, happened_at) values (${person.id}, 'deposit', 1, now())`,
  )
}

/** Adds a correction of personal data and the stored answer of an idempotent call. */
async function addPersonalRows(owner: Owner, person: Person): Promise<void> {
  await owner.query(sql`
    insert into public.holder_corrections (user_id, before, after)
    values (${person.id}, '{"phone": null}', '{"phone": "+573001234567"}')`)
  await owner.query(sql`
    insert into private.orders (id, kind, asked_by, asked_at, about, counts, route, call_key, body_hash)
    values (
      gen_random_uuid(), 'send_link', ${person.id}, now(), ${person.id}, false, 'manage-users', ${`kept-${person.id}`},
      ${new Uint8Array(32)}
    )`)
}
