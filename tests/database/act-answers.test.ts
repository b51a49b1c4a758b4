// The answers to the acts of administrators, byte for byte: each kind of act with its faults, with a stale proof, above
// the bank's limit, and repeated with the same idempotency key. Ids are masked.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SqlStatement, sql } from '#server/database/database.ts'
import { unlimited } from '#server/throttle/throttle.ts'
import { openSurfaces } from '#testing/surfaces.ts'
import { accessTokenOf } from './access-tokens.ts'
import { settings } from './bank-settings.ts'
import { useBank } from './database.ts'
import { type Person, addPerson, ageProof, balanceOf, deposit, record, run } from './people.ts'
import { enableTransfers, request } from './transfers.ts'
import { decide } from './decisions.ts'
import { closeFile } from './clearing.ts'
import { addHolder, befriendElsewhere } from './beneficiaries.ts'

const bank = useBank()
let send: (by: Person, act: Act) => Promise<string>
let close: () => Promise<void>

/** A call of an administrator. `key` is the idempotency key of a function; a call of the table API has it in its body. */
type Act = { method?: 'POST' | 'PATCH'; path: string; body: object; key?: string }

beforeAll(async () => {
  const { tokenKey, apiKeys, ...surfaces } = await openSurfaces(bank.database, { throttle: unlimited })
  send = async (person, { method = 'POST', path, body, key }) => {
    const token = await accessTokenOf(tokenKey, person)
    const answer = await surfaces.inject({
      method,
      url: path,
      headers: {
        apikey: apiKeys.anonKey,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      payload: body,
    })
    const { 'content-type': type = '-', 'retry-after': wait } = answer.headers
    return `${answer.statusCode} ${type}${wait === undefined ? '' : ` retry-after`} ${answer.body}`
  }
  close = surfaces.close
})
afterAll(() => close())

const newId = () => crypto.randomUUID()
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const asSystem = (...statements: SqlStatement[]) => bank.asService(...statements)

const rules = {
  none: {
    staff_proof: 'on',
    staff_proof_above: 900,
    staff_self_dealing: 'refuse',
    staff_approval_above: null,
  },
  approvals: {
    staff_proof: 'on',
    staff_proof_above: 900,
    staff_self_dealing: 'refuse',
    staff_approval_above: 1000,
  },
} as const

const register = (person: Person, amount: string, key?: string, change: object = {}): Act => ({
  path: '/functions/v1/manage-transactions',
  body: {
    action: 'create',
    transactionData: { user_id: person.id, amount, description: 'Nómina', type: 'deposit', ...change },
  },
  ...(key === undefined ? {} : { key }),
})
const create = (email: string, role: string, key?: string): Act => ({
  path: '/functions/v1/manage-users',
  body: { action: 'create', email, password: 'una clave larga', role, user_metadata: { full_name: 'Ana' } },
  ...(key === undefined ? {} : { key }),
})
const removal = ({ id }: Person, key?: string): Act => ({
  path: '/functions/v1/manage-users',
  body: { action: 'delete', userId: id },
  ...(key === undefined ? {} : { key }),
})
const access = (action: string, { id }: Person, key: string, change: object = {}): Act => ({
  path: '/functions/v1/manage-users',
  body: { action, userId: id, ...change },
  key,
})
const rpc = (name: string, body: object): Act => ({ path: `/rest/v1/rpc/${name}`, body })
const correct = ({ id }: Person, transaction: string, change: object = {}) =>
  rpc('correct_transaction', {
    user_id: id,
    transaction_id: transaction,
    reason: 'Era otro monto',
    ...change,
  })
const block = ({ id }: Person, change: object = {}) =>
  rpc('block_user', { user_id: id, reason: 'suspected_fraud', hours: 24, ...change })
const role = ({ id }: Person, value: string): Act => ({
  method: 'PATCH',
  path: `/rest/v1/profiles?id=eq.${id}`,
  body: { role: value },
})

/** Makes every kind of act under these rules, and returns a line for each answer. */
async function answersUnder(rule: keyof typeof rules): Promise<string[]> {
  const lines: string[] = []
  const clerk = await addPerson(bank.database, 'admin')
  const decider = await addPerson(bank.database, 'admin')
  const stale = await addPerson(bank.database, 'admin')
  await ageProof(stale, 11)
  const [ana, luis, stranger] = [
    await bank.addCustomer(),
    await bank.addCustomer(),
    { ...clerk, id: newId() },
  ]
  const say = async (title: string, act: Act, by = clerk) => {
    const answer = await send(by, act)
    lines.push(`${title}: ${answer.replaceAll(uuid, '<id>')}`)
    return answer
  }
  /** Sends an act twice with its key, and then another act with the same key. */
  const repeat = async (title: string, act: Act, other: Act) => {
    const first = await say(title, act)
    lines.push(`  repeated: ${(await send(clerk, act)) === first ? 'the same bytes' : 'other bytes'}`)
    await say('  the key with another body', other)
    await say('  the key of another administrator', act, decider)
  }
  await asSystem(settings(rules[rule]))

  lines.push('register')
  const key = newId()
  await repeat('  small', register(ana, '300', key), register(ana, '301', key))
  const large = newId()
  await repeat('  large', register(ana, '5000', large), register(ana, '5001', large))
  await say('  no such person', register(stranger, '5000'))
  await say('  of oneself', register(clerk, '5000'))
  await say('  by a customer', register(luis, '1'), ana)
  await say('  above the limit of the proof', register(ana, '5000'), stale)
  await say('  with three decimals', register(ana, '5000.001'))
  await say('  in two lines', register(ana, '5000', undefined, { description: 'a\nb' }))
  await say('  long ago', register(ana, '5000', undefined, { date: '1999-01-01T00:00:00Z' }))
  await say('  beyond the balance', register(ana, '999999999999.99'))
  await asSystem(settings(rules.none))
  await bank.owner.query(
    sql`update public.budgets set balance = 90071992547000.00 where user_id = ${luis.id}`,
  )
  await asSystem(settings(rules[rule]))
  await say('  beyond what a balance holds', register(luis, '5000'))
  await bank.owner.query(sql`update public.budgets set balance = 0 where user_id = ${luis.id}`)

  lines.push('correct')
  await asSystem(settings(rules.none))
  const small = await record(decider, deposit(ana, '100'))
  const [mistake, next] = [
    await record(decider, deposit(ana, '2000')),
    await record(decider, deposit(ana, '2000')),
  ]
  await asSystem(settings(rules[rule]))
  const keyed = { idempotency_key: newId() }
  await repeat('  large', correct(ana, mistake, keyed), correct(ana, mistake, { ...keyed, reason: 'Otro' }))
  await say('  again', correct(ana, mistake))
  await say('  small', correct(ana, small))
  await say('  small again', correct(ana, small))
  await say('  no such transaction', correct(ana, newId()))
  await say('  an empty reason', correct(ana, next, { reason: '' }))
  await say('  with a wrong amount', correct(ana, next, { right_amount: 0.001 }))
  await say('  above the limit of the proof', correct(ana, next), stale)
  await say('  by a customer', correct(ana, next), ana)
  await say('  with a key that no header can have', correct(ana, next, { idempotency_key: 'a b' }))

  lines.push('create a user')
  const [email, admin] = [`${newId()}@banco.example`, `${newId()}@banco.example`]
  const created = newId()
  await repeat('  a customer', create(email, 'user', created), create(admin, 'user', created))
  await say('  the same address', create(email, 'user'))
  const promoted = newId()
  await repeat('  an administrator', create(admin, 'admin', promoted), create(email, 'admin', promoted))
  await say('  an administrator, without a proof', create(`${newId()}@banco.example`, 'admin'), stale)
  await say('  by a customer', create(`${newId()}@banco.example`, 'user'), ana)

  lines.push('access')
  const invited = newId()
  await repeat('  resend a link', access('resend', luis, invited), access('resend', ana, invited))
  const changed = newId()
  const address = { email: `${newId()}@banco.example` }
  await repeat(
    '  change an address',
    access('change_email', luis, changed, address),
    access('change_email', ana, changed, address),
  )
  await say('  of a person who is gone', access('resend', stranger, newId()))
  // No administrator has changed the access of this customer yet.
  const careful = await bank.addCustomer()
  await bank.owner.query(sql`
    insert into auth.mfa_factors (user_id, factor_type, status, secret)
    values (${careful.id}, 'totp', 'verified', 'x')`)
  for (const name of ['unblock_user', 'end_sessions', 'reset_factor', 'cancel_email_change']) {
    const person = name === 'reset_factor' ? careful : luis
    const once = { idempotency_key: newId() }
    await repeat(
      `  ${name}`,
      rpc(name, { user_id: person.id, ...once }),
      rpc(name, { user_id: ana.id, ...once }),
    )
    await say('    of oneself', rpc(name, { user_id: clerk.id }))
  }

  lines.push('change a role')
  const candidate = await bank.addCustomer()
  await say('  promote', role(candidate, 'admin'))
  await say('  promote again', role(candidate, 'admin'))
  await say('  promote whom staff invited today', role(luis, 'admin'))
  await say('  promote without a proof', role(ana, 'admin'), stale)
  await say('  promote by a customer', role(ana, 'admin'), ana)
  await say('  demote', role(decider, 'user'))
  await say('  demote oneself', role(clerk, 'user'))
  await say('  nobody', role(stranger, 'admin'))
  await asSystem(sql`update auth.users set raw_app_meta_data = '{"role":"admin"}' where id = ${decider.id}`)
  await asSystem(
    sql`insert into auth.sessions (id, user_id) values (${decider.sessionId}, ${decider.id}) on conflict do nothing`,
  )
  await ageProof(decider, 0)

  lines.push('block')
  const [third, fourth] = [await addPerson(bank.database, 'admin'), await bank.addCustomer()]
  const once = { idempotency_key: newId() }
  await repeat('  a customer', block(fourth, once), block(fourth, { ...once, hours: 25 }))
  const twice = { idempotency_key: newId() }
  await repeat('  an administrator', block(third, twice), block(third, { ...twice, hours: 25 }))
  await say('  for no reason', block(third, { reason: 'porque sí' }))
  await say('  for no time', block(third, { hours: 0 }))
  await say('  oneself', block(clerk))
  await say('  nobody', block(stranger))
  await say('  an administrator, without a proof', block(third), stale)

  lines.push('delete a user')
  const [rich, poor] = [await bank.addCustomer(), await bank.addCustomer()]
  await asSystem(settings(rules.none))
  await record(decider, deposit(rich, '2000'))
  await asSystem(settings(rules[rule]))
  const gone = newId()
  await repeat('  without money', removal(poor, gone), removal(rich, gone))
  await say('  again', removal(poor))
  const kept = newId()
  await repeat('  with money', removal(rich, kept), removal(ana, kept))
  await say('  an administrator', removal(third))
  await say('  oneself', removal(clerk))
  await say('  without a proof', removal(ana), stale)
  await say('  by a customer', removal(luis), ana)

  lines.push('return a transfer')
  await asSystem(settings(rules.none))
  const payer = await addHolder(bank)
  const beneficiary = await befriendElsewhere(payer)
  const waiting = [await request(payer, beneficiary, '900'), await request(payer, beneficiary, '900')]
  await decide(
    decider,
    waiting.map(({ id }) => id),
    true,
  )
  await closeFile(decider)
  await asSystem(settings(rules[rule]))
  await run(clerk, deposit(ana, '300'))
  const returnOf = (id: string, reason = 'Se pidió por error') => rpc('return_transfer', { id, reason })
  const [first = '', second = ''] = waiting.map(({ id }) => id)
  const masked = /"(asked_at|expires_at|decided_at|ended_at|body_hash|risk)":("[^"]*"|\d+)/g
  const returned = async (title: string, act: Act, by = clerk) => {
    const answer = await send(by, act)
    lines.push(`${title}: ${answer.replaceAll(uuid, '<id>').replaceAll(masked, '"$1":"…"')}`)
  }
  await returned('  in a file', returnOf(first))
  await returned('  again', returnOf(first))
  await returned('  without a reason', returnOf(second, ''))
  await returned('  without a proof', returnOf(second), stale)
  await returned('  no such transfer', returnOf(newId()))
  await returned('  by a customer', returnOf(second), ana)
  lines.push(`balance: ${await balanceOf(ana)}`)
  return lines
}

test.for(['none', 'approvals'] as const)(
  'under the rule %s every act is answered as recorded',
  async (rule) => {
    await enableTransfers(bank)

    await expect((await answersUnder(rule)).join('\n')).toMatchFileSnapshot(`act-answers-${rule}.txt`)
  },
)
