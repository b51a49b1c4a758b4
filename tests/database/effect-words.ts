/** The actors, the statements and the forms of rules with which the rules about triggers are written. */
import type { SqlActor } from './authorization-people.ts'

export type Rule = {
  rule: string
  as: SqlActor
  sql: string
  prepare?: string
  see?: string
  expected: string
}

export type EffectWords = ReturnType<typeof effectWords>

/** Throws an error if one of the actors is missing. */
export function effectWords(actors: readonly SqlActor[]) {
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
    customer,
    admin,
    service,
    owner,
    own,
    adminId,
    newId,
    newUser,
    ban,
    lastEntry,
    lastAudit,
    isNoted,
    isAudited,
    theLastAdministrator,
    withoutRecentProof,
    notEvenTheOwner,
    inClearing,
    appendOnly,
    actor,
  }
}
