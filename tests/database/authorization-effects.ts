/**
 * What the triggers guard and keep: rules that no right and no policy says. Each is an attempt with the verdict that
 * it must have.
 */
import type { Cell } from './authorization-cells.ts'
import { asActor } from './authorization-cells.ts'
import type { SqlActor } from './authorization-people.ts'

/** A rule, the attempt that shows it, and what must come of it. */
export type Effect = {
  readonly rule: string
  readonly object: string
  readonly cell: Cell
  readonly expected: string
}

/** The rules. Throws when an actor is missing. */
export function listEffects(actors: readonly SqlActor[]): readonly Effect[] {
  const actor = (name: SqlActor['name']) => {
    const found = actors.find((each) => each.name === name)
    if (found === undefined) throw new Error(`There is no ${name}.`)
    return found
  }
  const customer = actor('customer')
  const administrator = actor('administrator')
  const service = actor('authentication service')
  const owner: SqlActor = { ...service, role: 'none' }
  const own = customer.own ?? ''
  const theOnlyAdministrator = `update auth.users set raw_app_meta_data = '{}'
    where raw_app_meta_data ->> 'role' = 'admin' and id <> '${administrator.own ?? ''}'`
  const newUser = (metadata: string) =>
    `insert into auth.users (id, email, raw_app_meta_data, raw_user_meta_data)
     values ('00000000-0000-4000-8000-000000000001', 'nueva@banco.example', '${metadata}', '{"full_name": "Inés"}')`
  const lastEntry = (customerId: string) =>
    `select kind || ' ' || delta from ledger.journal where user_id = '${customerId}' order by seq desc limit 1`
  const lastAudit = `select action from ledger.audit order by id desc limit 1`
  const effect = (
    rule: string,
    object: string,
    cell: Cell & { observe?: string },
    expected: string,
  ): Effect => ({ rule, object, cell, expected })
  return [
    effect(
      'a new user has a profile',
      'auth.users',
      {
        ...asActor(service, newUser('{}')),
        observe: `select full_name || ' ' || role from public.profiles where id = '00000000-0000-4000-8000-000000000001'`,
      },
      '1 row: Inés user',
    ),
    effect(
      'a new user has a budget',
      'auth.users',
      {
        ...asActor(service, newUser('{}')),
        observe: `select balance from public.budgets where user_id = '00000000-0000-4000-8000-000000000001'`,
      },
      '1 row: 0',
    ),
    effect(
      'a new administrator is in the audit',
      'auth.users',
      { ...asActor(service, newUser('{"role": "admin"}')), observe: lastAudit },
      '1 row: create_user',
    ),
    effect(
      'a ban is in the audit',
      'auth.users',
      {
        ...asActor(
          service,
          `update auth.users set banned_until = now() + interval '1 day' where id = '${own}'`,
        ),
        observe: lastAudit,
      },
      '1 row: ban_user',
    ),
    effect(
      'the last administrator cannot be deleted',
      'auth.users',
      {
        ...asActor(service, `delete from auth.users where id = '${administrator.own ?? ''}'`),
        prepare: theOnlyAdministrator,
      },
      'P0001',
    ),
    effect(
      'the last administrator cannot be demoted',
      'auth.users',
      {
        ...asActor(
          service,
          `update auth.users set raw_app_meta_data = '{}' where id = '${administrator.own ?? ''}'`,
        ),
        prepare: theOnlyAdministrator,
      },
      'P0001',
    ),
    effect(
      'the last administrator cannot be banned',
      'auth.users',
      {
        ...asActor(
          service,
          `update auth.users set banned_until = now() + interval '1 day' where id = '${administrator.own ?? ''}'`,
        ),
        prepare: theOnlyAdministrator,
      },
      'P0001',
    ),
    effect(
      'a deleted user leaves a closing entry',
      'auth.users',
      { ...asActor(service, `delete from auth.users where id = '${own}'`), observe: lastEntry(own) },
      '1 row: closing -87.50',
    ),
    effect(
      'a role that an administrator gives counts where authority is kept',
      'public.profiles',
      {
        ...asActor(administrator, `update public.profiles set role = 'admin' where id = '${own}'`),
        observe: `select raw_app_meta_data ->> 'role' from auth.users where id = '${own}'`,
      },
      '1 row: admin',
    ),
    effect(
      'a customer cannot give a role, whether the row exists or not',
      'public.profiles',
      asActor(customer, `update public.profiles set role = 'admin' where id = gen_random_uuid()`),
      '42501',
    ),
    effect(
      'an expense moves the balance',
      'public.transactions',
      {
        ...asActor(
          customer,
          `insert into public.transactions (type, description, amount) values ('expense', 'Café', 2)`,
        ),
        observe: lastEntry(own),
      },
      '1 row: expense -2',
    ),
    effect(
      'a deleted expense gives the money back',
      'public.transactions',
      {
        ...asActor(
          customer,
          `delete from public.transactions where user_id = '${own}' and recorded_by = 'customer'`,
        ),
        observe: lastEntry(own),
      },
      '1 row: reversal 12.50',
    ),
    effect(
      'who deletes everything deletes what is their own',
      'public.transactions',
      {
        ...asActor(customer, 'delete from public.transactions'),
        observe: `select count(*) from public.transactions where user_id = '${customer.other}'`,
      },
      '2 row: 2',
    ),
    effect(
      'who limits everything limits what is their own',
      'public.budgets',
      asActor(customer, 'update public.budgets set monthly_limit = 7'),
      '1 row',
    ),
    effect(
      'nobody dates an expense twenty years back',
      'public.transactions',
      asActor(
        customer,
        `insert into public.transactions (type, description, amount, date) values ('expense', 'Café', 2, now() - interval '20 years')`,
      ),
      '23514',
    ),
    effect(
      'what was deleted long ago is forgotten',
      'public.transactions',
      {
        ...asActor(
          customer,
          `delete from public.transactions where user_id = '${own}' and recorded_by = 'customer'`,
        ),
        prepare: `update ledger.deleted_transactions set deleted_at = now() - interval '25 hours'`,
        observe: `select count(*) from ledger.deleted_transactions where deleted_at < now() - interval '24 hours'`,
      },
      '1 row: 0',
    ),
    effect(
      'what the bank records is in the audit',
      'public.transactions',
      {
        ...asActor(
          administrator,
          `select public.register_transaction('${own}', 'deposit', 5, 'Nómina', now(), 'Deposito')`,
        ),
        observe: lastAudit,
      },
      '1 row: register_transaction',
    ),
    ...['public.transactions', 'ledger.journal', 'ledger.audit'].flatMap((table) => [
      effect(
        `not even the owner changes ${table}`,
        table,
        asActor(
          owner,
          `update ${table} set ${table === 'ledger.audit' ? 'target' : 'user_id'} = null where false`,
        ),
        '42501',
      ),
      effect(`not even the owner empties ${table}`, table, asActor(owner, `truncate ${table}`), '42501'),
    ]),
    ...['ledger.journal', 'ledger.audit'].map((table) =>
      effect(
        `not even the owner deletes from ${table}`,
        table,
        asActor(owner, `delete from ${table} where false`),
        '42501',
      ),
    ),
  ]
}
