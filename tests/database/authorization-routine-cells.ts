/** The cells of functions and procedures: a call with valid arguments about each user. */
import { type Aim, type Cell, type SqlCell, asActor, targetsOf } from './authorization-cell.ts'
import type { SqlActor } from './authorization-people.ts'
import { valueOf } from './authorization-values.ts'

type Argument = { name: string; type: string }
export type Routine = {
  name: string
  schema: string
  is_variadic: boolean
  is_procedure: boolean
  arguments: Argument[]
}

/** Returns the cells of a function or procedure. */
export function routineCells(actor: SqlActor, routine: Routine, administrator: SqlActor): SqlCell[] {
  const name = `${routine.schema}.${routine.name}`
  const object = routine.schema === 'public' ? routine.name : name
  const isAboutSomebody =
    routine.name === 'decide_requests' || routine.arguments.some(({ type }) => type === 'uuid')
  const aims = isAboutSomebody
    ? targetsOf(actor)
    : [{ target: 'none', person: actor.other, aside: actor.other, banked: actor.other } as const]
  return aims.map((aim) => {
    const passed = routine.arguments.map((argument) =>
      valueFor(argument, { routine, actor, administrator, aim }),
    )
    const verb = routine.is_procedure ? 'call' : 'select'
    const text = `${verb} ${name}(${routine.is_variadic ? 'variadic ' : ''}${passed.join(', ')})`
    return {
      attempt: { actor: actor.name, verb: 'call', object, column: null, target: aim.target },
      object: name,
      cell: { ...asActor(actor, text), ...prepared(routine.name, aim.person) },
    }
  })
}

type Call = {
  readonly routine: Routine
  readonly actor: SqlActor
  readonly administrator: SqlActor
  readonly aim: Aim
}

/** Returns the value that a call passes for the argument. */
function valueFor({ name, type }: Argument, call: Call): string {
  const { routine, aim } = call
  const { person, aside, banked } = aim
  const { own, session } = call.administrator
  if (isInName(routine) && name === 'actor') return `'${own}'::uuid`
  if (isInName(routine) && name === 'session_id') return `'${session}'::uuid`
  if (routine.name === 'audit_of' && filters.has(name)) return `null::${type}`
  if (name === 'transaction_id' && routine.schema === 'public') return `'${banked}'::uuid`
  if (routine.name === 'list_decided_requests' && name === 'state') return `''`
  if (name === 'after_line') return '0'
  if (routine.name === 'attempt' && name === 'limit_name') return `'function call'`
  if (name === 'attempts') return `'[]'::jsonb`
  if (name === 'job') return routine.name === 'run_job' ? `'forget'` : `'verify'`
  if (name === 'given') return `'{}'::jsonb`
  if (name === 'changes') return `'{"amount": 7}'::jsonb`
  if (name === 'beneficiary_id') return `'${aside}'::uuid`
  if (routine.name === 'decide_requests' && name === 'ids') return `array[md5('${person}')::uuid]`
  if (namesRequest.has(routine.name) && name === 'id') return `md5('${person}')::uuid`
  if (name === 'lines' && routine.name === 'create_customers')
    return `'[{"line": 1, "full_name": "Eva", "email": "eva@banco.example"}]'::json`
  if (name === 'lines')
    return `'[{"line": 1, "user_id": "${person}", "amount": 1, "description": "Nómina"}]'::json`
  if (type === 'uuid' && name !== 'registered' && (name !== 'id' || isGivenId(routine)))
    return `'${idFor(call)}'::uuid`
  return `${valueOf(name, type)}::${type}`
}

/** Returns true for functions that a service calls with the ids of a user and of one of the user's sessions. */
function isInName(routine: Routine): boolean {
  return ['actor', 'session_id'].every((each) => routine.arguments.some(({ name }) => name === each))
}

/** Returns true if the argument `id` names a row or person that exists. Otherwise, the call makes a new row. */
function isGivenId(routine: Routine): boolean {
  return routine.arguments.length === 1 || namesRow.has(routine.name) || routine.name === 'amend_expense'
}

function idFor({ routine, actor, aim: { target, person, aside } }: Call): string {
  if (namesRow.has(routine.name)) return aside
  if (routine.name === 'amend_expense') return amendedId
  const session = target === 'own' ? actor.session : actor.otherSession
  return routine.name === 'end_session' ? (session ?? person) : person
}

const amendedId = '5f0b8b3e-6a55-4d0c-9d6e-0c8f6f2f7a10'

/**
 * Returns SQL that adds the row that a call of the function needs. If the user does not exist, this SQL adds nothing.
 */
function prepared(routine: string, person: string): Pick<Cell, 'prepare'> {
  if (routine === 'cancel_email_change')
    return {
      prepare: `insert into auth.address_changes (user_id, email, confirm_hash, cancel_hash)
        select id, 'otra@banco.example', 'a', 'b' from auth.users where id = '${person}'`,
    }
  if (routine === 'cancel_request')
    return {
      prepare: `insert into public.requests (id, kind, status, asked_by, about, expires_at, body_hash, details)
        select id, 'promotion', 'waiting', id, gen_random_uuid(), now() + interval '1 day', 'x', '{}'
        from auth.users where id = '${person}'`,
    }
  if (['return_transfer', 'list_decided_requests'].includes(routine))
    return { prepare: `select private.carry_out(r) from public.requests r where r.payer = '${person}'` }
  if (routine === 'read_failed_accounts')
    return { prepare: `update public.batch_lines set status = 'failed' where user_id = '${person}'` }
  if (['close_clearing_file', 'read_clearing_file', 'return_clearing_file'].includes(routine))
    return {
      prepare: `insert into private.clearing_files (number, closed_at, closed_by, transfers, amount, csv, xml)
        values (1, now(), gen_random_uuid(), 1, 1, 'x', 'x')`,
    }
  if (routine === 'amend_expense')
    return {
      prepare: `insert into public.transactions (user_id, id, type, description, amount)
        select user_id, '${amendedId}', 'expense', 'Café', 5 from public.budgets where user_id = '${person}'`,
    }
  return {}
}

/** Optional arguments of `audit_of`. */
const filters = new Set(['actor', 'action', 'since', 'until'])

/**
 * Functions whose argument `id` identifies a row instead of a user. All these rows have the same id as the deleted
 * transaction.
 */
const namesRow = new Set([
  'restore_transaction',
  'undo_import',
  'apply_category_rule',
  'undo_category_rule',
  'stop_batch',
  'continue_batch',
  'reverse_batch',
  'invite_customers',
  'stop_invitations',
  'count_invitations',
  'read_failed_accounts',
  'confirm_beneficiary',
  'remove_beneficiary',
])

/** Functions whose `id` names the transfer that a person requested (`addRows` of authorization-rows.ts). */
const namesRequest = new Set(['cancel_transfer', 'return_transfer'])
