// Limits on the rights of staff over other users and over their own accounts. Some actions require a proof of
// identity from the last ten minutes. Administrators cannot take over a colleague's account. Affected users and
// administrators get mails about these actions.
import { expect, test } from 'vitest'
import { type SqlStatement, sql } from '#server/database/database.ts'
import { asCaller } from '#server/database/scope.ts'
import { becomeAuthenticationService } from '#server/functions/local-access.ts'
import { createUserStatements } from '#server/people/users.ts'
import { setBankSettings } from '#server/settings/bank-settings.ts'
import { letPass, use } from './counters.ts'
import { createBatch, postAll } from './batches.ts'
import { useBank } from './database.ts'
import {
  type Person,
  addPerson,
  ageProof,
  balanceOf,
  charge,
  closeAccount,
  correct,
  deposit,
  record,
  run,
  setRole,
} from './people.ts'

const bank = useBank()

const unproven = { sqlState: '42501', hint: 'reauthentication_needed' }
const addAdministrator = () => addPerson(bank.database, 'admin')

/** Adds an administrator who proved their password eleven minutes ago. */
async function staleAdministrator(): Promise<Person> {
  const administrator = await addAdministrator()
  await ageProof(administrator, 11)
  return administrator
}

const rolesOf = async (id: string) =>
  bank.owner.query(sql`select raw_app_meta_data ->> 'role' as role from auth.users where id = ${id}`)

async function noticesAbout(person: Person) {
  const notices = await bank.owner.query(sql<{ notice: Notice }>`
    select m.notice from auth.outgoing_mails m where m.notice is not null order by m.created_at, m.id`)
  return notices
    .map(({ notice }) => notice)
    .filter(({ to, facts }) => to === addressOf(person) || facts['target_id'] === person.id)
}
type Notice = {
  to: string
  topic: string
  facts: Record<string, string | boolean | null>
}
const addressOf = ({ id }: Person) => `${id}@banco.example`

const rules = (proofAbove: number, selfDealing: 'allow' | 'refuse', asksProof = true) =>
  setBankSettings(bank.database, {
    staff_proof_above: proofAbove,
    staff_self_dealing: selfDealing,
    staff_proof: asksProof ? 'on' : 'off',
  })

/** Runs a statement with the service key on behalf of an administrator, as functions on a hosted project do. */
const asHostedFunction = (statement: SqlStatement) =>
  bank.database.transaction(asCaller({ role: 'service_role' }, 'write'), [statement])

/** Creates batches as another administrator, posts them, and returns their ids. */
async function posted(...batches: readonly object[][]): Promise<string[]> {
  const created = await Promise.all(batches.map((lines) => createBatch(bank.administrator, lines)))
  await postAll(bank)
  return created.map(({ id }) => id)
}
const reverse = (id: string) => sql`select public.reverse_batch(${id}, 'Monto equivocado')`
const line = (number: number, person: Person, amount: number) => ({
  line: number,
  user_id: person.id,
  amount,
  description: 'Nómina',
})

const acts: Readonly<Record<string, (target: Person) => SqlStatement>> = {
  'assign a role': (target) => setRole(target, 'admin'),
  'delete a person': (target) => sql`select private.delete_user(${target.id})`,
}
test.for(Object.entries(acts))('staff cannot %s without recent re-authentication', async ([, act]) => {
  const [stale, customer] = [await staleAdministrator(), await bank.addCustomer()]

  await expect(run(stale, act(customer))).rejects.toMatchObject(unproven)

  expect(await rolesOf(customer.id)).toEqual([{ role: null }])
  await ageProof(stale, 9)
  await run(stale, act(customer))
})

test.for(Object.entries(acts))(
  'staff can %s without recent re-authentication if the bank asks for none',
  async ([, act]) => {
    const [stale, customer] = [await staleAdministrator(), await bank.addCustomer()]
    await rules(0, 'allow', false)
    try {
      await run(stale, act(customer))
      await run(stale, deposit(bank.administrator, '5000'))
      await expect(run(stale, sql`select private.require_proof()`)).rejects.toMatchObject(unproven)
      await expect(run(await bank.addCustomer(), act(customer))).rejects.toMatchObject({ sqlState: '42501' })
    } finally {
      await rules(10_000_000, 'allow')
    }
  },
)

test('if the bank asks for no proof, corrections and batches above the limit still require the password', async () => {
  const [stale, customer] = [await staleAdministrator(), await bank.addCustomer()]
  const mistake = await record(bank.administrator, deposit(customer, '50'))
  const [paid = ''] = await posted([line(1, customer, 50)])
  await rules(10, 'allow', false)
  try {
    await run(stale, deposit(customer, '20'))
    for (const act of [
      correct(customer, mistake),
      sql`select public.create_batch(gen_random_uuid(), 'nomina.csv', ${JSON.stringify([line(1, customer, 5)])}::json)`,
      reverse(paid),
    ])
      await expect(run(stale, act)).rejects.toMatchObject(unproven)
    expect(await balanceOf(customer)).toBe('120')
  } finally {
    await rules(10_000_000, 'allow')
  }
})

const actsOnAdministrators: Readonly<Record<string, (target: Person) => SqlStatement>> = {
  'demote an administrator': (target) => setRole(target, 'user'),
  'block an administrator': (target) => sql`select public.block_user(${target.id}, 'other')`,
  'unblock an administrator': (target) => sql`select public.unblock_user(${target.id})`,
  'end an administrator’s sessions': (target) => sql`select public.end_sessions(${target.id})`,
}
test.for(Object.entries(actsOnAdministrators))(
  'staff cannot %s without recent re-authentication',
  async ([, act]) => {
    const [stale, other] = [await staleAdministrator(), await addAdministrator()]

    await expect(run(stale, act(other))).rejects.toMatchObject(unproven)

    expect(await rolesOf(other.id)).toEqual([{ role: 'admin' }])
    expect(await run(other, sql`select 1 as one`)).toEqual([{ one: 1 }])
    await ageProof(stale, 9)
    await run(stale, act(other))
  },
)

test('an administrator cannot create an administrator without recent re-authentication', async () => {
  const stale = await staleAdministrator()
  const id = crypto.randomUUID()
  const creation = [
    becomeAuthenticationService,
    ...createUserStatements({
      id,
      email: `${id}@banco.example`,
      passwordHash: 'x',
      fullName: 'Eva',
      role: 'admin',
    }),
  ]

  await expect(bank.database.transaction(stale.as('write'), creation)).rejects.toMatchObject(unproven)
  await expect(
    asHostedFunction(sql`select public.begin_user_creation(${stale.id}, ${stale.sessionId}, ${id}, 'admin')`),
  ).rejects.toMatchObject(unproven)

  expect(await rolesOf(id)).toEqual([])
  await ageProof(stale, 9)
  await bank.database.transaction(stale.as('write'), creation)
  expect(await rolesOf(id)).toEqual([{ role: 'admin' }])
})

test('an administrator can block a customer without recent re-authentication', async () => {
  const [stale, customer] = [await staleAdministrator(), await bank.addCustomer()]

  await run(stale, sql`select public.block_user(${customer.id}, 'suspected_fraud')`)

  await expect(run(customer, sql`select 1`)).rejects.toMatchObject({ sqlState: 'FZ401' })
})

const registerFor = (by: Pick<Person, 'id' | 'sessionId'>, customer: Person) =>
  asHostedFunction(sql`
    select public.register_transaction(
      ${by.id}, ${by.sessionId}, ${customer.id}, 'deposit', 5, 'Nómina', now(), 'Deposito')`)

test('a call on behalf of an administrator has that administrator’s rights and is audited as their action', async () => {
  const customer = await bank.addCustomer()
  const { id, sessionId } = bank.administrator

  await registerFor(bank.administrator, customer)

  expect(
    await bank.owner.query(
      sql`select origin, actor, session_id, action from ledger.audit where target = ${customer.id}`,
    ),
  ).toEqual([{ origin: 'request', actor: id, session_id: sessionId, action: 'register_transaction' }])
})

test('a call that does not name an administrator is refused', async () => {
  const [customer, other] = [await bank.addCustomer(), await addAdministrator()]
  const { id, sessionId } = bank.administrator
  const ended = await addAdministrator()
  await bank.asService(sql`delete from auth.sessions where id = ${ended.sessionId}`)
  const refused = { sqlState: '42501', message: 'Solo un administrador puede hacer esto.' }

  for (const by of [
    customer,
    ended,
    { id, sessionId: crypto.randomUUID() },
    { id, sessionId: other.sessionId },
    { id: customer.id, sessionId },
  ])
    await expect(registerFor(by, customer)).rejects.toMatchObject(refused)
  expect(await balanceOf(customer)).toBe('0')
})

test('a deletion on behalf of an administrator requires recent re-authentication in the named session', async () => {
  const [stale, customer] = [await staleAdministrator(), await bank.addCustomer()]
  const erase = () =>
    asHostedFunction(sql`select public.delete_user(${stale.id}, ${stale.sessionId}, ${customer.id})`)

  await expect(erase()).rejects.toMatchObject(unproven)

  await ageProof(stale, 9)
  await erase()
  expect(await rolesOf(customer.id)).toEqual([])
})

test.for(
  Object.entries({
    'end the sessions of users': (id: string) => sql`select public.end_sessions(${id})`,
    'send users a link': (id: string) => sql`select private.begin_link_mail(${id})`,
    'change the addresses of users': (id: string) => sql`select private.begin_email_change(${id})`,
  }),
)('an administrator cannot %s more than 600 times in ten minutes', async ([, act]) => {
  const [busy, customer] = [await addAdministrator(), await bank.addCustomer()]
  const end = () => run(busy, act(customer.id))
  await use(bank, 'act of staff', busy.id, 600)
  await letPass(bank, 'act of staff', busy.id, 11)
  await use(bank, 'act of staff', busy.id, 599)

  await end()

  await expect(end()).rejects.toMatchObject({
    sqlState: 'PT429',
    message: 'Hiciste demasiadas solicitudes. Espera un momento e inténtalo de nuevo.',
  })
  await run(bank.administrator, sql`select public.end_sessions(${customer.id})`)
})

test('a deposit or charge above the bank’s limit requires re-authentication', async () => {
  const [stale, customer] = [await staleAdministrator(), await bank.addCustomer()]

  for (const statement of [deposit, charge])
    await expect(run(stale, statement(customer, '10000000.01'))).rejects.toMatchObject(unproven)

  expect(await balanceOf(customer)).toBe('0')
  await ageProof(stale, 9)
  await run(stale, deposit(customer, '10000000.01'))
  expect(await balanceOf(customer)).toBe('10000000.01')
})

test('an amount above the limit requires re-authentication even if the session splits the amount', async () => {
  const [stale, customer] = [await staleAdministrator(), await bank.addCustomer()]
  await run(stale, deposit(customer, '6000000'))
  await run(stale, charge(customer, '4000000'))

  await expect(run(stale, deposit(customer, '0.01'))).rejects.toMatchObject(unproven)
  await expect(createBatch(stale, [line(1, customer, 0.01)])).rejects.toMatchObject(unproven)
})

test('an amount above the limit requires re-authentication even if the session sends parts of it at the same time', async () => {
  const [stale, customer] = [await staleAdministrator(), await bank.addCustomer()]

  const attempts = await Promise.allSettled(
    Array.from({ length: 8 }, () => run(stale, deposit(customer, '4000000'))),
  )

  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect(await balanceOf(customer)).toBe('8000000')
})

test.for([
  [5, 'before the re-authentication expired', true],
  [3, 'after the re-authentication expired', false],
] as const)('the limit ignores a transaction made %i minutes ago, %s: %s', async ([minutes, , isFree]) => {
  const [stale, customer] = [await staleAdministrator(), await bank.addCustomer()]
  // The password was entered fourteen minutes ago, so the re-authentication expired four minutes ago.
  await ageProof(stale, 14)
  await bank.owner.query(sql`
    insert into private.orders (id, kind, asked_by, asked_in, asked_at, about, amount, counts)
    values (
      gen_random_uuid(), 'register_transaction', ${stale.id}, ${stale.sessionId},
      now() - make_interval(mins => ${minutes}), ${customer.id}, 10000000, true
    )`)

  const attempt = run(stale, deposit(customer, '1'))

  await (isFree ? attempt : expect(attempt).rejects.toMatchObject(unproven))
})

test('a correction or batch above the bank’s limit requires re-authentication', async () => {
  const [stale, customer] = [await staleAdministrator(), await bank.addCustomer()]
  const mistake = await record(bank.administrator, deposit(customer, '10000000.01'))

  const typo = await record(bank.administrator, deposit(customer, '6000000'))

  await expect(run(stale, correct(customer, mistake))).rejects.toMatchObject(unproven)
  await expect(run(stale, correct(customer, typo, 'Monto', '4000000.01'))).rejects.toMatchObject(unproven)
  await expect(
    createBatch(stale, [line(1, customer, 9_000_000), line(2, customer, 1_000_000.01)]),
  ).rejects.toMatchObject(unproven)

  await ageProof(stale, 9)
  await run(stale, correct(customer, mistake))
  await createBatch(stale, [line(1, customer, 9_000_000), line(2, customer, 1_000_000.01)])
})

test('a batch reversal requires re-authentication if its total and the session’s other amounts together exceed the limit', async () => {
  const [stale, customer] = [await staleAdministrator(), await bank.addCustomer()]
  const [large = '', small = ''] = await posted([line(1, customer, 10_000_000.01)], [line(1, customer, 10)])

  await expect(run(stale, reverse(large))).rejects.toMatchObject(unproven)
  await run(stale, reverse(small))
  await expect(run(stale, deposit(customer, '9999990.01'))).rejects.toMatchObject(unproven)

  await ageProof(stale, 9)
  await run(stale, reverse(large))
})

test('the database compares an amount with the limit that the bank has set', async () => {
  const [stale, customer] = [await staleAdministrator(), await bank.addCustomer()]
  await rules(100, 'allow')
  try {
    await expect(run(stale, deposit(customer, '100.01'))).rejects.toMatchObject(unproven)
    await run(stale, deposit(customer, '100'))
  } finally {
    await rules(10_000_000, 'allow')
  }
})

const powers: Readonly<Record<string, (target: Person) => SqlStatement>> = {
  'reset the second factor': (target) => sql`select public.reset_factor(${target.id})`,
  'change the address': (target) => sql`select private.begin_email_change(${target.id})`,
}
test.for(Object.entries(powers))(
  'staff cannot %s of a person who was an administrator in the last thirty days',
  async ([, take]) => {
    const former = await addAdministrator()
    await run(bank.administrator, setRole(former, 'user'))

    await expect(run(bank.administrator, take(former))).rejects.toMatchObject({ sqlState: 'PT403' })
  },
)

test('staff can reset the second factor of a user who ceased to be an administrator thirty-one days ago', async () => {
  const customer = await bank.addCustomer()
  await bank.owner.query(sql`
    insert into private.orders (id, kind, asked_by, asked_at, about, counts)
    values (gen_random_uuid(), 'demotion', ${bank.administrator.id}, now() - interval '31 days', ${customer.id}, false)`)

  await run(bank.administrator, sql`select public.reset_factor(${customer.id})`)
})

const accessActs: Readonly<Record<string, (target: Person) => SqlStatement>> = {
  'reset the second factor': (target) => sql`select private.reset_factor(${target.id})`,
  'changed the address': (target) => sql`select private.record_email_change(${target.id}, null)`,
}
test.for(Object.entries(accessActs))(
  'a person for whom the operator %s in the last 72 hours cannot become an administrator',
  async ([, change]) => {
    const customer = await bank.addCustomer()
    await bank.asService(sql`select private.act_as('operator')`, change(customer))

    await expect(run(bank.administrator, setRole(customer, 'admin'))).rejects.toMatchObject({
      sqlState: 'PT403',
      message: expect.stringContaining('72 horas'),
    })
  },
)

test.for(['admin', 'user'] as const)(
  'a change to the role %s deletes the person’s unused links',
  async (role) => {
    const person = await addPerson(bank.database, role === 'admin' ? 'user' : 'admin')
    await bank.asService(sql`
    select auth.store_one_time_token(
      ${person.id}, 'recovery', ${addressOf(person)}, ${`hash of ${person.id}`}, 3600, null, 600, null, null)`)

    await run(bank.administrator, setRole(person, role))

    expect(await bank.asService(sql`select from auth.one_time_tokens where user_id = ${person.id}`)).toEqual([
      [],
    ])
  },
)

test('a demotion cancels a pending address change', async () => {
  const other = await addAdministrator()
  await bank.asService(
    sql`update auth.users set email_change = ${`otra-${other.id}@banco.example`} where id = ${other.id}`,
  )

  await run(bank.administrator, setRole(other, 'user'))

  expect(await bank.owner.query(sql`select email_change from auth.users where id = ${other.id}`)).toEqual([
    { email_change: null },
  ])
})

const told = async (target: Person) =>
  (await noticesAbout(target)).map(({ to, topic, facts }) => ({
    to: to === addressOf(target) ? 'the person' : to === addressOf(bank.administrator) ? 'staff' : 'others',
    topic,
    role: facts['role'] ?? null,
    about: facts['target'] ?? null,
  }))

test('a promotion sends one mail to the promoted user and one to each administrator', async () => {
  const [customer, second] = [await bank.addCustomer(), await addAdministrator()]

  await run(bank.administrator, setRole(customer, 'admin'))

  const notices = await told(customer)
  expect(notices).toContainEqual({ to: 'the person', topic: 'change_role', role: 'admin', about: null })
  expect(notices.filter(({ to }) => to === 'staff')).toEqual([
    { to: 'staff', topic: 'staff_change_role', role: 'admin', about: 'Ana Pérez' },
  ])
  expect(notices.filter(({ to }) => to === 'the person')).toHaveLength(1)
  const toSecond = (await noticesAbout(customer)).filter(({ to }) => to === addressOf(second))
  expect(toSecond).toHaveLength(1)
  expect(toSecond[0]?.facts).toMatchObject({ actor: 'Marta Ríos', origin: 'request' })
})

test('a demoted administrator gets the mail about their own demotion but not the mail to staff', async () => {
  const other = await addAdministrator()

  await run(bank.administrator, setRole(other, 'user'))

  const notices = (await told(other)).filter(({ topic }) => topic.endsWith('change_role'))
  expect(notices.filter(({ to }) => to === 'the person')).toEqual([
    { to: 'the person', topic: 'change_role', role: 'user', about: null },
  ])
  expect(notices.filter(({ to }) => to === 'staff')).toHaveLength(1)
})

test('the existing administrators get a mail about a new administrator', async () => {
  const other = await addAdministrator()

  expect(await told(other)).toContainEqual({
    to: 'staff',
    topic: 'staff_create_user',
    role: null,
    about: 'Marta Ríos',
  })
  expect((await told(other)).filter(({ to }) => to === 'the person')).toEqual([])
})

test('a deletion sends mail to the deleted user and to the administrators', async () => {
  const customer = await bank.addCustomer()

  await run(bank.administrator, sql`select private.delete_user(${customer.id})`)

  const notices = await told(customer)
  const byReader = notices.toSorted((one, other) => one.to.localeCompare(other.to))
  expect(byReader.filter(({ to }) => to !== 'others')).toEqual([
    { to: 'staff', topic: 'staff_delete_user', role: null, about: 'Ana Pérez' },
    { to: 'the person', topic: 'delete_user', role: null, about: null },
  ])
})

test('a customer who closes their own account gets no mail', async () => {
  const customer = await bank.addCustomer()

  await closeAccount(customer)

  expect(await told(customer)).toEqual([])
})

test('a block sends mail to the blocked user, and to the administrators if the user is an administrator', async () => {
  const [other, customer] = [await addAdministrator(), await bank.addCustomer()]

  for (const { id } of [other, customer])
    await run(bank.administrator, sql`select public.block_user(${id}, 'other')`)

  const blocks = async (person: Person) =>
    (await told(person)).filter(({ topic, to }) => topic.endsWith('ban_user') && to !== 'others')
  expect((await blocks(other)).map(({ to }) => to).toSorted()).toEqual(['staff', 'the person'])
  expect((await blocks(customer)).map(({ to }) => to)).toEqual(['the person'])
})

const refused = {
  sqlState: 'PT403',
  message: 'El banco no permite registrar movimientos en la propia cuenta.',
}

test('every administrator gets a mail about a deposit or correction or batch for an administrator’s own account', async () => {
  const [self, customer] = [await addAdministrator(), await bank.addCustomer()]

  const mistake = await record(self, deposit(self, '100'))
  await run(self, correct(self, mistake))
  await createBatch(self, [line(1, self, 50), line(2, customer, 7), line(3, self, 25)])
  const [id = ''] = await posted([line(1, self, 8), line(2, customer, 1)])
  await run(self, reverse(id))
  await run(self, deposit(customer, '1'))

  const told = (await noticesAbout(self)).filter(
    ({ to, topic }) => to === addressOf(bank.administrator) && topic !== 'staff_create_user',
  )
  expect(told.map(({ topic, facts }) => [topic, facts['amount']])).toEqual([
    ['staff_register_transaction', '100.00'],
    ['staff_correct_transaction', '100.00'],
    ['staff_register_batch', '75.00'],
    ['staff_reverse_batch', '8.00'],
  ])
})

test('the audit entries about an administrator include entries for their own account, even from a batch', async () => {
  const [self, customer] = [await addAdministrator(), await bank.addCustomer()]
  const { id } = await createBatch(self, [line(1, self, 50), line(2, customer, 7), line(3, self, 25)])

  const entries = (person: Person) =>
    run(
      bank.administrator,
      sql`select actor, action, target, after from public.audit_of(${person.id}) where action <> 'create_user'`,
    )

  expect(await entries(self)).toEqual([
    { actor: self.id, action: 'register_batch', target: self.id, after: { id, lines: 2, amount: '75.00' } },
  ])
  expect(await entries(customer)).toEqual([
    {
      actor: self.id,
      action: 'register_batch',
      target: customer.id,
      after: { id, lines: 1, amount: '7.00' },
    },
  ])
  await run(bank.administrator, deposit(self, '1'))
  expect((await entries(self)).map(({ action }) => action)).toEqual([
    'register_transaction',
    'register_batch',
  ])
})

test('an administrator cannot record anything in their own account if the bank forbids self-dealing', async () => {
  const [self, customer] = [await addAdministrator(), await bank.addCustomer()]
  const mistake = await record(self, charge(self, '100'))
  const [own = '', sent = ''] = await posted([line(1, self, 50), line(2, customer, 1)], [line(1, self, 2)])
  await run(self, reverse(own))
  const { id } = await createBatch(self, [line(1, self, 50), line(2, customer, 7)])
  await rules(10_000_000, 'refuse')
  try {
    await expect(run(self, deposit(self, '1'))).rejects.toMatchObject(refused)
    await expect(run(self, charge(self, '1'))).rejects.toMatchObject(refused)
    await expect(run(self, correct(self, mistake))).rejects.toMatchObject(refused)
    await expect(createBatch(self, [line(1, customer, 1), line(2, self, 1)])).rejects.toMatchObject({
      sqlState: 'PT422',
      detail: expect.stringContaining('la propia cuenta'),
    })
    await expect(run(self, reverse(sent))).rejects.toMatchObject(refused)
    // A colleague continues the batch, but the line for the account of the batch's author is still refused.
    await run(self, sql`select public.stop_batch(${id})`)
    await run(bank.administrator, sql`select public.continue_batch(${id})`)
    await postAll(bank)
    // The reversal was started before the bank changed the rule. The reversal now covers only the line of the other
    // customer.
    expect(await balanceOf(self)).toBe('-48')
    expect(await balanceOf(customer)).toBe('7')
    await run(bank.administrator, deposit(self, '3'))
    expect(await balanceOf(self)).toBe('-45')
  } finally {
    await rules(10_000_000, 'allow')
  }
})

test.for(['dos\nlíneas', 'nómina\u202Evsc', '\u200B', 'Ano\u0308', 'x'.repeat(201), ''])(
  'a batch cannot have the title %j',
  async (title) => {
    const customer = await bank.addCustomer()

    await expect(createBatch(bank.administrator, [line(1, customer, 1)], { title })).rejects.toMatchObject({
      sqlState: '23514',
    })
  },
)
