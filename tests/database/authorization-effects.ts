/** Rules that only triggers can enforce. */
import { type Cell, asActor } from './authorization-cells.ts'
import type { SqlActor } from './authorization-people.ts'

/** A rule, an attempt that tests it, and the expected verdict. */
export type Effect = {
  readonly rule: string
  readonly object: string
  readonly cell: Cell
  readonly expected: string
}

type Rule = { rule: string; as: SqlActor; sql: string; prepare?: string; see?: string; expected: string }

/** Lists the rules. Throws an error if one of the actors is missing. */
export function listEffects(actors: readonly SqlActor[]): readonly Effect[] {
  return Object.entries(rulesByObject(actors)).flatMap(([object, rules]) =>
    rules.map(({ rule, as, sql, prepare, see, expected }) => ({
      rule,
      object,
      cell: {
        ...asActor(as, sql),
        ...(prepare === undefined ? {} : { prepare }),
        ...(see === undefined ? {} : { observe: see }),
      },
      expected,
    })),
  )
}

function rulesByObject(actors: readonly SqlActor[]): Record<string, Rule[]> {
  const actor = (name: SqlActor['name']) => {
    const found = actors.find((each) => each.name === name)
    if (found === undefined) throw new Error(`${name} does not exist.`)
    return found
  }
  const customer = actor('customer')
  const admin = actor('administrator')
  const service = actor('authentication service')
  const owner: SqlActor = { ...service, role: 'none' }
  const [own, adminId] = [customer.own ?? '', admin.own ?? '']

  const newId = '00000000-0000-4000-8000-000000000001'
  const newUser = (metadata: string) =>
    `insert into auth.users (id, email, raw_app_meta_data, raw_user_meta_data)
     values ('${newId}', 'nueva@banco.example', '${metadata}', '{"full_name": "Inés"}')`
  const ban = (id: string) =>
    `update auth.users set banned_until = now() + interval '1 day' where id = '${id}'`
  const otherAdministratorsAreDemoted = `update auth.users set raw_app_meta_data = '{}'
    where raw_app_meta_data ->> 'role' = 'admin' and id <> '${adminId}'`
  const lastEntry = `select kind || ' ' || delta from ledger.journal where user_id = '${own}' order by seq desc limit 1`
  const lastAudit = `select action from ledger.audit order by id desc limit 1`
  const isNoted = (topic: string) => ({
    see: `select topic from private.notices where recipient = '${own}' and topic = '${topic}'`,
    expected: `1 row: ${topic}`,
  })
  const isAudited = (action: string) => ({ see: lastAudit, expected: `1 row: ${action}` })

  const theLastAdministrator = (what: string, sql: string): Rule => ({
    rule: `the last administrator cannot be ${what}`,
    as: service,
    sql,
    prepare: otherAdministratorsAreDemoted,
    expected: 'PT403',
  })
  const withoutRecentProof = (verb: string, sql: string, as = admin): Rule => ({
    rule: `an administrator cannot ${verb} without recent re-authentication`,
    as,
    sql,
    prepare: `update auth.sessions set amr = '[]'`,
    expected: '42501',
  })
  const notEvenTheOwner = (verb: string, sql: string): Rule => ({
    rule: `even the owner cannot ${verb}`,
    as: owner,
    sql,
    expected: '42501',
  })
  const inClearing = `insert into private.clearing_transfers (transfer_id, payee_name, destination, amount)
    values (gen_random_uuid(), 'Luis', '{}', 1)`
  const appendOnly = (table: string, column: string) => [
    notEvenTheOwner(`change ${table}`, `update ${table} set ${column} = null where false`),
    notEvenTheOwner(`truncate ${table}`, `truncate ${table}`),
    notEvenTheOwner(`delete from ${table} at all`, `delete from ${table} where false`),
  ]
  return {
    'auth.users': [
      {
        rule: 'a new user has a profile and a budget',
        as: service,
        sql: newUser('{}'),
        see: `select full_name || ' ' || role || ' ' || balance
          from public.profiles p join public.budgets on user_id = p.id where p.id = '${newId}'`,
        expected: '1 row: Inés user 0',
      },
      {
        rule: 'a new user has an account number',
        as: service,
        sql: newUser('{}'),
        see: `select private.is_account_number(account_number) from public.account_holders where user_id = '${newId}'`,
        expected: '1 row: true',
      },
      {
        rule: 'a new address is in the list of users',
        as: service,
        sql: `update auth.users set email = 'otra@banco.example' where id = '${own}'`,
        see: `select email from public.user_safe where id = '${own}'`,
        expected: '1 row: otra@banco.example',
      },
      {
        rule: 'a new administrator is in the audit',
        as: service,
        sql: newUser('{"role": "admin"}'),
        ...isAudited('create_user'),
      },
      {
        rule: 'a ban is in the audit',
        as: service,
        sql: ban(own),
        ...isAudited('ban_user'),
      },
      {
        rule: 'a ban is mailed to the person',
        as: service,
        sql: ban(own),
        prepare: `delete from auth.outgoing_mails`,
        see: `select string_agg(notice ->> 'topic', ' ') from auth.outgoing_mails`,
        expected: '1 row: ban_user',
      },
      {
        rule: 'a new administrator is announced to the existing administrators',
        as: service,
        sql: newUser('{"role": "admin"}'),
        prepare: `delete from auth.outgoing_mails`,
        see: `select string_agg(distinct notice #>> '{facts,target}', ' ') from auth.outgoing_mails`,
        expected: '1 row: Inés',
      },
      withoutRecentProof('create another administrator', newUser('{"role": "admin"}'), {
        ...admin,
        role: 'supabase_auth_admin',
      }),
      {
        rule: 'a person with a pending change of address cannot become an administrator',
        as: service,
        sql: `update auth.users set raw_app_meta_data = '{"role": "admin"}' where id = '${own}'`,
        prepare: `insert into auth.address_changes (user_id, email, confirm_hash, cancel_hash)
          values ('${own}', 'otra@banco.example', 'a', 'b')`,
        expected: 'PT403',
      },
      {
        rule: 'a change of role deletes the person’s unused links',
        as: service,
        sql: `update auth.users set raw_app_meta_data = '{"role": "admin"}' where id = '${own}'`,
        prepare: `select auth.store_one_time_token('${own}', 'recovery', 'a', 'b', 60, null, 60, null, null)`,
        see: `select count(*) from auth.one_time_tokens where user_id = '${own}'`,
        expected: '1 row: 0',
      },
      theLastAdministrator('deleted', `delete from auth.users where id = '${adminId}'`),
      theLastAdministrator('banned', ban(adminId)),
      {
        rule: 'the deletion of a user adds a closing entry to the journal',
        as: service,
        sql: `delete from auth.users where id = '${own}'`,
        see: lastEntry,
        expected: '1 row: closing -86.50',
      },
    ],
    'private.begin_email_change': [
      withoutRecentProof(
        'request a change of a customer’s address',
        `select private.begin_email_change('${own}')`,
      ),
    ],
    'public.cancel_email_change': [
      {
        rule: 'a change of address that staff cancel is deleted, mailed and audited',
        as: admin,
        sql: `select public.cancel_email_change('${own}')`,
        prepare: `
          delete from auth.outgoing_mails;
          insert into auth.address_changes (user_id, email, confirm_hash, cancel_hash)
          values ('${own}', 'otra@banco.example', 'a', 'b')`,
        see: `select (select count(*) from auth.address_changes)
            || ' ' || (select string_agg(notice ->> 'topic', ' ') from auth.outgoing_mails) || ' ' || (${lastAudit})`,
        expected: '1 row: 0 cancel_email_change cancel_email_change',
      },
    ],
    'public.reset_factor': [
      withoutRecentProof('reset a second factor', `select public.reset_factor('${own}')`),
      {
        rule: 'an administrator cannot reset the second factor of another administrator',
        as: admin,
        sql: `select public.reset_factor('${own}')`,
        prepare: `update auth.users set raw_app_meta_data = '{"role": "admin"}' where id = '${own}'`,
        expected: 'PT403',
      },
      {
        rule: 'a reset of the second factor ends the sessions and is audited',
        as: admin,
        sql: `select public.reset_factor('${own}')`,
        prepare: `insert into auth.mfa_factors (user_id, factor_type, status, secret)
          values ('${own}', 'totp', 'verified', 'x')`,
        see: `select (select count(*) from auth.mfa_factors where user_id = '${own}')
            + (select count(*) from auth.sessions where user_id = '${own}')
            || ' ' || (${lastAudit})`,
        expected: '1 row: 0 reset_factor',
      },
    ],
    'public.profiles': [
      {
        rule: 'the role of an administrator waits if the bank requires a second administrator',
        as: admin,
        sql: `update public.profiles set role = 'admin' where id = '${own}'`,
        prepare: `select private.set_settings('{"staff_approval_above": 1000}')`,
        see: `select status || ' ' || kind || ' ' || (${lastAudit}) from public.requests where about = '${own}'`,
        expected: '0 row: waiting promotion request_approval',
      },
      {
        rule: 'a role that an administrator assigns is written to auth.users',
        as: admin,
        sql: `update public.profiles set role = 'admin' where id = '${own}'`,
        see: `select raw_app_meta_data ->> 'role' from auth.users where id = '${own}'`,
        expected: '1 row: admin',
      },
      withoutRecentProof('assign a role', `update public.profiles set role = 'admin' where id = '${own}'`),
      {
        rule: 'a customer cannot assign a role, even in a row that does not exist',
        as: customer,
        sql: `update public.profiles set role = 'admin' where id = gen_random_uuid()`,
        expected: '42501',
      },
    ],
    'public.batch_lines': [
      {
        rule: 'the deletion of a customer deletes the descriptions of their batch lines',
        as: service,
        sql: `delete from auth.users where id = '${own}'`,
        see: `select count(*) from public.batch_lines where user_id is null and description is not null`,
        expected: '1 row: 0',
      },
      {
        rule: 'the posting of a batch adds no audit entry',
        as: actor('service'),
        sql: `select private.post_batch_piece(100)`,
        see: `select action from ledger.audit order by id desc limit 1`,
        expected: '1 row: read_customer',
      },
    ],
    'public.requests': [
      {
        rule: 'a batch whose request is cancelled ends without deposits',
        as: owner,
        sql: `select private.end_undone(r, 'cancelled') from public.requests r where r.kind = 'batch'`,
        prepare: `insert into public.requests (id, kind, status, asked_by, amount, expires_at, body_hash, details)
          values ('${customer.deleted.own}', 'batch', 'waiting', '${adminId}', 1, now(), 'x', '{}')`,
        see: `select failed || ' ' || (finished_at is not null) from public.batches where id = '${customer.deleted.own}'`,
        expected: '1 row: 1 true',
      },
      {
        rule: 'the deletion of a customer cancels their transfers and deletes the texts in them',
        as: service,
        sql: `delete from auth.users where id = '${own}'`,
        see: `select status || ' ' || (payee_name is null) from public.requests where payer = '${own}'`,
        expected: '1 row: cancelled true',
      },
      {
        rule: 'a transfer that fails is noted for the customer who chose transfers',
        as: owner,
        sql: `select private.end_request(r, 'failed') from public.requests r where payer = '${own}'`,
        ...isNoted('transfer'),
      },
    ],
    'public.account_holders': [
      {
        rule: 'even the owner cannot change an account number',
        as: owner,
        sql: `update public.account_holders set account_number = private.new_account_number() where user_id = '${own}'`,
        expected: 'PT403',
      },
    ],
    'public.budgets': [
      {
        rule: 'a balance that falls below the sum is noted for the customer who chose it',
        as: customer,
        sql: `insert into public.transactions (type, description, amount) values ('expense', 'Café', 500)`,
        ...isNoted('low_balance'),
      },
    ],
    'auth.sessions': [
      {
        rule: 'a sign-in from a new device is noted',
        as: service,
        sql: `select auth.open_session('${newId}', '${own}', 'password', '{"userAgent": "x", "ip": "203.0.113.9"}')`,
        ...isNoted('new_device'),
      },
    ],
    'public.transactions': [
      {
        rule: 'a deposit of the bank is noted for the customer who chose deposits',
        as: admin,
        sql: `select private.register_transaction('${own}', 'deposit', 5, 'Nómina', now(), 'Deposito')`,
        ...isNoted('deposit'),
      },
      {
        rule: 'an expense that gets a category with a limit is noted for the customer who chose limits',
        as: customer,
        prepare: `insert into public.transactions (user_id, id, type, description, amount, category)
          values ('${own}', '${newId}', 'expense', 'Café', 1, 'Viajes')`,
        sql: `update public.transactions set category = 'Otro' where id = '${newId}'`,
        ...isNoted('spending'),
      },
      {
        rule: 'an expense moves the balance',
        as: customer,
        sql: `insert into public.transactions (type, description, amount) values ('expense', 'Café', 2)`,
        see: lastEntry,
        expected: '1 row: note -2',
      },
      {
        rule: 'the deletion of an expense reverses its effect on the balance',
        as: customer,
        sql: `delete from public.transactions where user_id = '${own}' and amount = 12.5`,
        see: lastEntry,
        expected: '1 row: reversal 12.50',
      },
      {
        rule: 'the deletion of an imported expense deletes its description from the import',
        as: customer,
        sql: `delete from public.transactions where user_id = '${own}' and description = 'Libro'`,
        see: `select count(*) filter (where description is null) || ' of ' || count(*)
          from public.import_lines where user_id = '${own}'`,
        expected: '1 row: 1 of 1',
      },
      {
        rule: 'a transaction that the bank records is audited',
        as: admin,
        sql: `select private.register_transaction('${own}', 'deposit', 5, 'Nómina', now(), 'Deposito')`,
        ...isAudited('register_transaction'),
      },
      {
        rule: 'an edit adds a journal entry with the new text',
        as: customer,
        sql: `update public.transactions set category = 'Viajes' where amount = 100`,
        see: `select j.kind || ' ' || j.delta || ' ' || (e.after ->> 'category') from ledger.journal j
          join public.transaction_edits e using (user_id, seq) where j.user_id = '${own}' order by j.seq desc limit 1`,
        expected: '1 row: edit 0 Viajes',
      },
      {
        rule: 'a customer cannot change the bank’s descriptions',
        as: customer,
        sql: `update public.transactions set description = 'Premio' where recorded_by = 'bank'`,
        expected: '42501',
      },
      {
        rule: 'a new amount of an own expense moves the balance',
        as: owner,
        sql: `update public.transactions set amount = 2 where user_id = '${own}' and amount = 12.5`,
        see: lastEntry,
        expected: '1 row: amendment -2',
      },
      notEvenTheOwner(
        'change an amount of the bank',
        `update public.transactions set amount = amount + 1 where recorded_by = 'bank'`,
      ),
      notEvenTheOwner('truncate public.transactions', `truncate public.transactions`),
    ],
    'public.categories': [
      {
        rule: 'the new name of a category applies to its transactions',
        as: customer,
        sql: `update public.categories set name = 'Animales'`,
        prepare: `update public.transactions set category = 'Mascotas' where amount = 12.5 and user_id = '${own}'`,
        see: `select category from public.transactions where amount = 12.5 and user_id = '${own}'`,
        expected: '1 row: Animales',
      },
      {
        rule: 'the deletion of a category deletes its rules',
        as: customer,
        sql: `delete from public.categories`,
        see: `select count(*) from public.category_rules where user_id = '${own}'`,
        expected: '1 row: 0',
      },
      {
        rule: 'a customer cannot have more than a hundred categories',
        as: customer,
        sql: `insert into public.categories (name) select 'Número ' || n from generate_series(1, 100) n`,
        expected: '23514',
      },
    ],
    'public.category_rules': [
      {
        rule: 'a new rule is placed after a rule with a longer text',
        as: customer,
        sql: `insert into public.category_rules (contains, category) values ('Caf', 'Viajes')`,
        see: `select category from public.category_rules where user_id = '${own}' order by position limit 1`,
        expected: '1 row: Mascotas',
      },
      {
        rule: 'a customer cannot have more than two hundred rules',
        as: customer,
        sql: `insert into public.category_rules (contains, category)
          select 'Número ' || n, 'Comida' from generate_series(1, 200) n`,
        expected: '23514',
      },
    ],
    'public.transaction_edits': [
      ...appendOnly('public.transaction_edits', 'user_id').slice(0, 2),
      notEvenTheOwner('delete the edits of an existing transaction', `delete from public.transaction_edits`),
    ],
    'public.corrections': [
      {
        rule: 'a correction is noted for the customer who chose corrections',
        as: admin,
        sql: `select public.correct_transaction('${own}', '${customer.banked.own}', 'Duplicado')`,
        ...isNoted('correction'),
      },
      ...appendOnly('public.corrections', 'user_id').slice(0, 2),
      notEvenTheOwner('delete a correction', `delete from public.corrections`),
      {
        rule: 'a correction adds exactly one audit entry',
        as: admin,
        sql: `select public.correct_transaction('${own}', '${customer.banked.own}', 'Duplicado')`,
        see: `select string_agg(action, ' ' order by id desc) from (select * from ledger.audit order by id desc limit 2) a`,
        expected: '1 row: correct_transaction read_customer',
      },
      {
        rule: 'a receipt for a customer adds one audit entry',
        as: admin,
        sql: `select public.receipt('${customer.banked.own}', '${own}')`,
        see: `select string_agg(action, ' ' order by id desc) from (select * from ledger.audit order by id desc limit 2) a`,
        expected: '1 row: issue_receipt read_customer',
      },
    ],
    'private.clearing_files': [
      ...appendOnly('private.clearing_files', 'number').filter(({ sql }) => !sql.startsWith('truncate')),
      notEvenTheOwner('truncate private.clearing_files', 'truncate private.clearing_files cascade'),
    ],
    'private.clearing_transfers': [
      {
        ...notEvenTheOwner(
          'change a transfer in the clearing',
          `update private.clearing_transfers set amount = 2`,
        ),
        prepare: inClearing,
      },
      {
        ...notEvenTheOwner('delete a transfer from the clearing', `delete from private.clearing_transfers`),
        prepare: inClearing,
      },
      notEvenTheOwner('truncate private.clearing_transfers', 'truncate private.clearing_transfers'),
    ],
    'ledger.journal': appendOnly('ledger.journal', 'user_id'),
    'ledger.audit': appendOnly('ledger.audit', 'target'),
    'ledger.audit_targets': appendOnly('ledger.audit_targets', 'target'),
  }
}
