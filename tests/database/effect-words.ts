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
  const people = peopleOf(actors)
  return { ...people, ...statementsAbout(people), ...formsOf(people) }
}

type People = ReturnType<typeof peopleOf>

function peopleOf(actors: readonly SqlActor[]) {
  const actor = (name: SqlActor['name']) => {
    const found = actors.find((each) => each.name === name)
    if (found === undefined) throw new Error(`${name} does not exist.`)
    return found
  }
  const customer = actor('customer')
  const admin = actor('administrator')
  const service = actor('authentication service')
  const owner: SqlActor = { ...service, role: 'none' }
  return { customer, admin, service, owner, own: customer.own ?? '', adminId: admin.own ?? '', actor }
}

const newId = '00000000-0000-4000-8000-000000000001'
const lastAudit = `select action from ledger.audit order by id desc limit 1`

/** Statements that several rules share. */
function statementsAbout({ own }: People) {
  return {
    newId,
    newUser: (metadata: string) =>
      `insert into auth.users (id, email, raw_app_meta_data, raw_user_meta_data)
     values ('${newId}', 'nueva@banco.example', '${metadata}', '{"full_name": "Inés"}')`,
    ban: (id: string) => `update auth.users set banned_until = now() + interval '1 day' where id = '${id}'`,
    lastEntry: `select kind || ' ' || delta from ledger.journal where user_id = '${own}' order by seq desc limit 1`,
    lastAudit,
    inClearing: `insert into private.clearing_transfers (transfer_id, payee_name, destination, amount)
    values (gen_random_uuid(), 'Luis', '{}', 1)`,
  }
}

/** Forms of rules that several tables share. */
function formsOf({ admin, service, owner, own, adminId }: People) {
  const otherAdministratorsAreDemoted = `update auth.users set raw_app_meta_data = '{}'
    where raw_app_meta_data ->> 'role' = 'admin' and id <> '${adminId}'`
  const notEvenTheOwner = (verb: string, sql: string): Rule => ({
    rule: `even the owner cannot ${verb}`,
    as: owner,
    sql,
    expected: '42501',
  })
  return {
    notEvenTheOwner,
    isNoted: (topic: string) => ({
      see: `select topic from private.notices where recipient = '${own}' and topic = '${topic}'`,
      expected: `1 row: ${topic}`,
    }),
    isAudited: (action: string) => ({ see: lastAudit, expected: `1 row: ${action}` }),
    theLastAdministrator: (what: string, sql: string): Rule => ({
      rule: `the last administrator cannot be ${what}`,
      as: service,
      sql,
      prepare: otherAdministratorsAreDemoted,
      expected: 'PT403',
    }),
    withoutRecentProof: (verb: string, sql: string, as = admin): Rule => ({
      rule: `an administrator cannot ${verb} without recent re-authentication`,
      as,
      sql,
      prepare: `update auth.sessions set amr = '[]'`,
      expected: '42501',
    }),
    appendOnly: (table: string, column: string) => [
      notEvenTheOwner(`change ${table}`, `update ${table} set ${column} = null where false`),
      notEvenTheOwner(`truncate ${table}`, `truncate ${table}`),
      notEvenTheOwner(`delete from ${table} at all`, `delete from ${table} where false`),
    ],
  }
}
