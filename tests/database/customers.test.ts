// For each line of a file of customers, the bank opens an account with an opening balance. The batches that post the
// lines have their own tests.
import { afterEach, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { asCaller } from '#server/database/scope.ts'
import { createPasswords } from '#server/people/password/passwords.ts'
import { redeem } from '#server/people/session/redeem.ts'
import { signIn } from '#server/people/session/sign-in.ts'
import { signUp } from '#server/people/sign-up.ts'
import { verifyLedger } from '#server/ledger/verify.ts'
import { settings } from './bank-settings.ts'
import { useBank } from './database.ts'
import { type Person, addPerson, ageProof, run } from './people.ts'

const bank = useBank()

type Line = Record<string, unknown>
type Batch = { id: string; lines: number; amount: number; posted: number; failed: number; is_held: boolean }

let last = 0
const line = (given: Line = {}): Line => {
  last += 1
  return {
    line: last,
    full_name: `Cliente ${last}`,
    email: `cliente${last}@correo.example`,
    document_kind: 'CC',
    document_number: String(10_000_000 + last),
    phone: '+573001234567',
    amount: 1000.5,
    ...given,
  }
}
/** Returns an address of this length. Its parts are as long as an address allows. */
const addressOf = (length: number) =>
  `${'a'.repeat(64)}@${`${'b'.repeat(63)}.`.repeat(2)}${'c'.repeat(length - 193 - 8)}.example`
async function order(
  lines: unknown,
  { id = crypto.randomUUID(), by = bank.administrator } = {},
): Promise<Batch> {
  const [answer] = await run(
    by,
    sql<{ batch: Batch }>`
      select to_jsonb(b) as batch from public.create_customers(${id}, 'clientes.csv', ${JSON.stringify(lines)}::json) b`,
  )
  return answer?.batch as Batch
}
async function postPiece(lines = 1000): Promise<boolean> {
  const [[piece]] = await bank.database.transaction(asCaller({ role: 'service_role' }, 'write'), [
    sql<{ isPosted: boolean }>`select private.post_batch_piece(${lines}) as "isPosted"`,
  ])
  return piece?.isPosted === true
}
async function postAll(): Promise<void> {
  while (await postPiece());
}
const opened = (email: unknown) =>
  bank.owner.query(sql<Record<string, unknown>>`
    select u.id, u.encrypted_password, u.email_confirmed_at, p.full_name, p.role, b.balance::text,
      h.document_kind, h.document_number, h.phone, h.account_number
    from auth.users u join public.profiles p using (id) join public.budgets b on b.user_id = u.id
    join public.account_holders h on h.user_id = u.id
    where u.email = ${String(email)}`)
const linesOf = (id: string) =>
  run(
    bank.administrator,
    sql<{ line: number; status: string; fault: string | null }>`
      select line, status, fault from public.batch_lines where batch_id = ${id} order by line`,
  )
const setApprovalAbove = (sum: number | null) => bank.asService(settings({ staff_approval_above: sum }))

afterEach(postAll)

test('a file opens an account for each line with its opening balance', async () => {
  const [ana, luis] = [
    line({ full_name: 'Ana Gómez' }),
    line({ amount: null, document_kind: null, document_number: null, phone: null }),
  ]

  const ordered = await order([ana, luis])
  expect(await opened(ana['email'])).toEqual([])
  await postAll()

  expect(ordered).toMatchObject({ lines: 2, amount: 1000.5, opens_accounts: true })
  expect(await opened(ana['email'])).toMatchObject([
    {
      full_name: 'Ana Gómez',
      role: 'user',
      balance: '1000.5',
      document_kind: 'CC',
      document_number: ana['document_number'],
      phone: '+573001234567',
    },
  ])
  expect(await opened(luis['email'])).toMatchObject([{ balance: '0', document_kind: null, phone: null }])
  const [{ id } = { id: '' }] = await opened(ana['email'])
  expect(
    await bank.owner.query(sql`select kind, delta::text from ledger.journal where user_id = ${String(id)}`),
  ).toEqual([{ kind: 'deposit', delta: '1000.5' }])
  expect(
    await bank.owner.query(sql`
      select description, recorded_by from public.transactions where user_id = ${String(id)}`),
  ).toEqual([{ description: 'Saldo inicial', recorded_by: 'bank' }])
  expect(await bank.owner.query(sql`select from public.new_accounts where batch_id = ${ordered.id}`)).toEqual(
    [],
  )
  expect(await verifyLedger(bank.database)).toMatchObject({ broken: null })
})

test('a customer of a file is shown by the verified name, even if customers cannot type it', async () => {
  const customer = line({ full_name: 'Banco Amigo' })
  await order([customer])
  await postAll()

  expect(await opened(customer['email'])).toMatchObject([{ full_name: 'Banco Amigo' }])
})

test('a new account has no password and no confirmed address', async () => {
  const invited = line()
  await order([invited])
  await postAll()

  expect(await opened(invited['email'])).toMatchObject([
    { encrypted_password: null, email_confirmed_at: null },
  ])
})

test('a stranger who signs up with the address of a new account cannot sign in to it', async () => {
  const invited = line()
  await order([invited])
  await postAll()
  const passwords = createPasswords({
    lengthMin: 8,
    brandName: 'Banco',
    cost: { memoryCost: 8, timeCost: 1, parallelism: 1 },
  })
  const email = String(invited['email'])
  const guess = { email, password: 'la clave del extraño' }
  const device = { userAgent: null, ip: '127.0.0.1' }
  const wrong = { kind: 'wrong credentials' }

  const { database } = bank
  const outcome = await signUp(database, passwords, { ...guess, userMetadata: {}, challenge: null })
  expect(await signIn(database, passwords, { ...guess, device })).toMatchObject(wrong)

  // The customer follows the link in the mail that the stranger's sign-up caused.
  const token = outcome.kind === 'to confirm' ? outcome.token : ''
  const credential = { token, email: null }
  const followed = await redeem(database, { credential, types: ['signup'], device, canAnswerCode: false })
  expect(followed).toMatchObject({ kind: 'signed in', method: 'recovery' })
  expect(await signIn(database, passwords, { ...guess, device })).toMatchObject(wrong)
})

test('an unconfirmed sign-up by a stranger does not hold its address against a file of customers', async () => {
  const wanted = line()
  const email = String(wanted['email'])
  const passwords = createPasswords({
    lengthMin: 8,
    brandName: 'Banco',
    cost: { memoryCost: 8, timeCost: 1, parallelism: 1 },
  })
  const guess = { email, password: 'la clave del extraño' }
  const device = { userAgent: null, ip: '127.0.0.1' }
  const { database } = bank
  const outcome = await signUp(database, passwords, {
    ...guess,
    userMetadata: { full_name: 'Un Extraño' },
    challenge: null,
  })

  const { id } = await order([wanted])
  await postAll()

  expect(await linesOf(id)).toMatchObject([{ status: 'posted', fault: null }])
  expect(await opened(email)).toMatchObject([
    { full_name: wanted['full_name'], encrypted_password: null, balance: '1000.5' },
  ])
  const token = outcome.kind === 'to confirm' ? outcome.token : ''
  const credential = { token, email: null }
  const followed = await redeem(database, { credential, types: ['signup'], device, canAnswerCode: false })
  expect(followed).toMatchObject({ kind: 'signed in', method: 'recovery' })
  expect(await signIn(database, passwords, { ...guess, device })).toMatchObject({ kind: 'wrong credentials' })
})

test('an account from a file that was not opened yet still holds its address against another file', async () => {
  const first = line()
  await order([first])
  await postAll()

  await expect(order([{ ...line(), email: first['email'] }])).rejects.toMatchObject({ sqlState: 'PT422' })
})

test('an account that was opened from a file is kept even if its address is never confirmed', async () => {
  const invited = line({ amount: null })
  await order([invited])
  await postAll()
  await bank.owner.query(
    sql`update auth.users set created_at = now() - interval '30 days' where email = ${String(invited['email'])}`,
  )

  await bank.asService(sql`select private.purge_expired(1000)`)

  expect(await opened(invited['email'])).toHaveLength(1)
})

test.for<[string, (taken: Line) => Line, string]>([
  ['no name', () => ({ full_name: '' }), 'Falta el nombre, o pasa de 120 caracteres.'],
  [
    'a name that is too long',
    () => ({ full_name: 'a'.repeat(121) }),
    'Falta el nombre, o pasa de 120 caracteres.',
  ],
  [
    'a reserved name and no document',
    () => ({ full_name: 'Banco Amigo', document_kind: null, document_number: null }),
    'El nombre está reservado para el banco. Con el documento del cliente se puede usar.',
  ],
  ['no address', () => ({ email: 'ana@correo' }), 'El email no es válido.'],
  ['an address of 255 characters', () => ({ email: addressOf(255) }), 'El email no es válido.'],
  ['an address in capitals', () => ({ email: 'ANA@correo.example' }), 'El email no es válido.'],
  ['the address of a user', ({ email }) => ({ email }), 'Ya hay un usuario con este email.'],
  [
    'the document of a customer',
    ({ document_number }) => ({ document_number }),
    'Ya hay un cliente con este documento.',
  ],
  [
    'a wrong check digit',
    () => ({ document_kind: 'NIT', document_number: '890903938-7' }),
    'El número de documento no es válido.',
  ],
  ['an unknown document', () => ({ document_kind: 'DNI' }), 'El tipo de documento no se conoce.'],
  ['half a document', () => ({ document_kind: null }), 'El documento necesita un tipo y un número.'],
  ['a telephone without country', () => ({ phone: '3001234567' }), 'El teléfono no es válido.'],
  ['a text as the balance', () => ({ amount: 'mil' }), 'El saldo inicial no es un monto.'],
  [
    'a negative balance',
    () => ({ amount: -1 }),
    'El monto debe ser mayor que cero, con dos decimales como máximo.',
  ],
])('a line with %s is refused and nothing of its file is opened', async ([, fault, message]) => {
  const taken = line()
  await order([taken])
  await postAll()
  const [good, bad] = [line(), line(fault(taken))]

  await expect(order([good, bad])).rejects.toMatchObject({
    sqlState: 'PT422',
    detail: `[{"line": ${String(bad['line'])}, "message": "${message}"}]`,
  })

  await postAll()
  expect(await opened(good['email'])).toEqual([])
})

test('a line may have an address of 254 characters', async () => {
  const invited = line({ email: addressOf(254) })
  await order([invited])
  await postAll()

  expect(await opened(invited['email'])).toHaveLength(1)
})

test('two lines of a file cannot have the same address or the same document', async () => {
  const one = line()
  const twice = (given: Line) => order([one, line(given)])

  await expect(twice({ email: one['email'] })).rejects.toMatchObject({
    detail: expect.stringContaining('El email está repetido'),
  })
  await expect(twice({ document_number: one['document_number'] })).rejects.toMatchObject({
    detail: expect.stringContaining('El documento está repetido'),
  })
})

test('a file has at most 10,000 customers', async () => {
  await expect(order(Array.from({ length: 10_001 }, () => ({})))).rejects.toMatchObject({
    sqlState: 'PT413',
    message: 'Un archivo tiene entre 1 y 10000 clientes.',
  })
})

test('a file that is sent again opens no account twice', async () => {
  const id = crypto.randomUUID()
  const lines = [line()]
  await order(lines, { id })
  await postAll()

  expect(await order(lines, { id })).toMatchObject({ id, posted: 1 })
  await expect(order([line()], { id })).rejects.toMatchObject({ sqlState: 'PT409' })
})

test('the accounts in a file are opened in several database transactions, each of which opens complete accounts', async () => {
  const lines = Array.from({ length: 5 }, () => line())
  const { id } = await order(lines)

  // One new account counts as ten lines of deposits, so this piece opens two accounts.
  await postPiece(20)
  expect((await linesOf(id)).map(({ status }) => status)).toEqual([
    'posted',
    'posted',
    'waiting',
    'waiting',
    'waiting',
  ])
  expect(await opened(lines[1]?.['email'])).toMatchObject([{ balance: '1000.5' }])
  expect(await opened(lines[2]?.['email'])).toEqual([])
  await postAll()

  expect((await linesOf(id)).map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'posted'))
})

test('a line fails and keeps its data if its address was taken after the order, and the other lines are posted', async () => {
  const [taken, good] = [line(), line()]
  const { id } = await order([taken, good])
  await bank.asService(
    sql`insert into auth.users (email, email_confirmed_at) values (${String(taken['email'])}, now())`,
  )

  await postAll()

  expect(await linesOf(id)).toMatchObject([
    { status: 'failed', fault: 'Ya hay un usuario con este email.' },
    { status: 'posted', fault: null },
  ])
  expect(await opened(good['email'])).toMatchObject([{ balance: '1000.5' }])
  const kept = await run(
    bank.administrator,
    sql`select full_name from public.new_accounts where batch_id = ${id}`,
  )
  expect(kept).toEqual([{ full_name: taken['full_name'] }])
})

test('each read of the document of an account that could not be opened adds an audit entry', async () => {
  const taken = line()
  const { id } = await order([taken])
  const failed = sql<{ line: number }>`select line from public.read_failed_accounts(${id})`
  await bank.asService(
    sql`insert into auth.users (email, email_confirmed_at) values (${String(taken['email'])}, now())`,
  )
  expect(await run(bank.administrator, failed)).toEqual([])
  await postAll()

  for (const column of ['document_kind', 'document_number', 'phone'])
    await expect(
      run(bank.administrator, { text: `select ${column} from public.new_accounts`, values: [] }),
    ).rejects.toMatchObject({ sqlState: '42501' })
  expect(
    await run(
      bank.administrator,
      sql`select line, document_number, phone, amount::text from public.read_failed_accounts(${id})`,
    ),
  ).toEqual([
    {
      line: taken['line'],
      document_number: taken['document_number'],
      phone: '+573001234567',
      amount: '1000.5',
    },
  ])
  expect(
    await bank.owner.query(
      sql`select action, actor, after from ledger.audit where action = 'read_failed_accounts'`,
    ),
  ).toEqual([{ action: 'read_failed_accounts', actor: bank.administrator.id, after: { id } }])
  await expect(
    run(await bank.addCustomer(), sql`select public.read_failed_accounts(${id})`),
  ).rejects.toMatchObject({ sqlState: '42501' })
})

test('staff read the accounts that could not be opened 1,000 at a time', async () => {
  const taken = line()
  const { id } = await order([taken])
  await bank.asService(
    sql`insert into auth.users (email, email_confirmed_at) values (${String(taken['email'])}, now())`,
  )
  await postAll()
  for (const table of ['batch_lines', 'new_accounts'])
    await bank.owner.script(`
      insert into public.${table}
      select (jsonb_populate_record(r, jsonb_build_object('line', r.line + n))).*
      from public.${table} r, generate_series(1, 1000) n where r.batch_id = '${id}'`)
  const read = (after: number) =>
    run(
      bank.administrator,
      sql<{ line: number }>`select line from public.read_failed_accounts(${id}, ${after})`,
    )

  const first = await read(0)

  expect(first).toHaveLength(1000)
  expect(await read(first.at(-1)?.line ?? 0)).toHaveLength(1)
})

test('the data of a customer whose account was not opened are removed after 30 days', async () => {
  const taken = line()
  const { id } = await order([taken])
  const failed = sql<{ line: number }>`select line from public.read_failed_accounts(${id})`
  await bank.asService(
    sql`insert into auth.users (email, email_confirmed_at) values (${String(taken['email'])}, now())`,
  )
  expect(await run(bank.administrator, failed)).toEqual([])
  await postAll()
  const count = async () =>
    (await bank.owner.query(sql`select from public.new_accounts where batch_id = ${id}`)).length
  const purge = async (days: number) => {
    await bank.owner.query(sql`
      update public.batches set finished_at = now() - make_interval(days => ${days}) where id = ${id}`)
    await bank.asService(sql`select private.purge_expired(1000)`)
  }

  await purge(29)
  expect(await count()).toBe(1)
  await purge(31)
  expect(await count()).toBe(0)
})

test('a file whose balances exceed the bank’s limit waits for another administrator', async () => {
  await setApprovalAbove(1500)
  const other = await addPerson(bank.database, 'admin')
  const lines = [line(), line()]
  try {
    const { id, is_held } = await order(lines)
    await postAll()
    expect(is_held).toBe(true)
    expect(await opened(lines[0]?.['email'])).toEqual([])

    await run(other, sql`select public.decide_requests(array[${id}::uuid], true)`)
    await postAll()

    expect(await opened(lines[0]?.['email'])).toMatchObject([{ balance: '1000.5' }])
  } finally {
    await setApprovalAbove(null)
  }
})

test.for([
  ['of which one has no opening balance', [5, 0]],
  ['without opening balances', [0]],
] as const)('the reversal of a file %s ends without deleting the accounts', async ([, amounts]) => {
  const lines = amounts.map((amount) => line({ amount }))
  const { id } = await order(lines)
  await postAll()

  await run(bank.administrator, sql`select public.reverse_batch(${id}, 'Error')`)
  await postAll()

  expect(await linesOf(id)).toEqual(
    lines.map(({ line: number }) => ({ line: number, status: 'reversed', fault: null })),
  )
  expect(
    await bank.owner.query(sql`
      select reversed, kept, finished_at is not null as "isOver" from public.batches where id = ${id}`),
  ).toEqual([{ reversed: lines.length, kept: 0, isOver: true }])
  for (const { email } of lines) expect(await opened(email)).toMatchObject([{ balance: '0' }])
  expect(await verifyLedger(bank.database)).toMatchObject({ broken: null })
})

test('an order to open accounts without balances is also refused without a recent proof of the password', async () => {
  const office = await addPerson(bank.database, 'admin')
  await ageProof(office, 11)

  await expect(order([line({ amount: null })], { by: office })).rejects.toMatchObject({
    sqlState: '42501',
    hint: 'reauthentication_needed',
  })
})

test('the audit has one entry for a file, which appears in the register of each new customer', async () => {
  const invited = line()
  const { id } = await order([invited, line({ amount: null })])
  const [entry] = await bank.owner.query(sql`select action, after from ledger.audit order by id desc limit 1`)
  await postAll()
  const [{ id: user } = { id: '' }] = await opened(invited['email'])

  expect(entry).toMatchObject({
    action: 'register_batch',
    after: { id, lines: 2, accounts: 2, amount: '1000.50' },
  })
  const about = await run(
    bank.administrator,
    sql<{ action: string; after: unknown }>`select action, after from public.audit_of(${String(user)})`,
  )
  expect(about).toEqual([{ action: 'register_batch', after: { id, lines: 1, amount: '1000.50' } }])
})

const correct = (
  by: Person,
  person: string,
  {
    name = 'Ana Gómez',
    kind = null as string | null,
    number = null as string | null,
    phone = null as string | null,
  } = {},
) => run(by, sql`select public.correct_holder(${person}, ${name}, ${kind}, ${number}, ${phone})`)

test('staff correct a name, a document and a telephone', async () => {
  const customer = await bank.addCustomer()

  await correct(bank.administrator, customer.id, {
    name: 'Ana María Pérez',
    kind: 'CE',
    number: '345678',
    phone: '+576012345678',
  })

  const [data] = await bank.owner.query(sql`select private.holder_data(${customer.id}) as data`)
  expect(data).toEqual({
    data: {
      full_name: 'Ana María Pérez',
      document_kind: 'CE',
      document_number: '345678',
      phone: '+576012345678',
    },
  })
  expect(await run(customer, sql`select before, after, corrected_by from public.holder_corrections`)).toEqual(
    [
      {
        before: { full_name: 'Ana Pérez', document_kind: null, document_number: null, phone: null },
        after: {
          full_name: 'Ana María Pérez',
          document_kind: 'CE',
          document_number: '345678',
          phone: '+576012345678',
        },
        corrected_by: 'Marta Ríos',
      },
    ],
  )
})

test('the audit of a correction names the fields but not the data', async () => {
  const customer = await bank.addCustomer()
  await correct(bank.administrator, customer.id, { name: 'Eulalia Única', phone: '+573009998877' })

  const [entry] = await bank.owner.query(sql`
    select action, target, before, after -> 'fields' as fields from ledger.audit order by id desc limit 1`)
  expect(entry).toEqual({
    action: 'correct_holder',
    target: customer.id,
    before: null,
    fields: ['full_name', 'phone'],
  })
})

test('an administrator cannot correct the data of a customer without a recent proof of the password', async () => {
  const [customer, office] = [await bank.addCustomer(), await addPerson(bank.database, 'admin')]
  await ageProof(office, 11)

  await expect(correct(office, customer.id)).rejects.toMatchObject({
    sqlState: '42501',
    hint: 'reauthentication_needed',
  })
})

test('a correction that changes nothing is not recorded', async () => {
  const customer = await bank.addCustomer()
  await correct(bank.administrator, customer.id, { name: 'Ana Pérez' })

  expect(await run(customer, sql`select from public.holder_corrections`)).toEqual([])
})

test('a document of another customer and an invalid name are refused', async () => {
  const [ana, luis] = [await bank.addCustomer(), await bank.addCustomer()]
  await correct(bank.administrator, ana.id, { kind: 'CC', number: '52999999' })

  await expect(
    correct(bank.administrator, luis.id, { kind: 'CC', number: '52999999' }),
  ).rejects.toMatchObject({
    sqlState: 'PT409',
  })
  await expect(correct(bank.administrator, luis.id, { name: ' ' })).rejects.toMatchObject({
    sqlState: 'PT422',
  })
  await expect(correct(bank.administrator, bank.administrator.id)).rejects.toMatchObject({
    sqlState: 'PT403',
  })
})

test('staff read the corrections only after they have opened the customer’s page', async () => {
  const customer = await bank.addCustomer()
  await correct(bank.administrator, customer.id)
  const read = () =>
    run(bank.administrator, sql`select after from public.read_holder_corrections(${customer.id})`)

  await expect(read()).rejects.toMatchObject({ sqlState: '42501' })
  await run(bank.administrator, sql`select public.open_customer(${customer.id})`)
  expect(await read()).toEqual([{ after: { full_name: 'Ana Gómez' } }])
})

test('staff read the last 100 corrections of a customer', async () => {
  const customer = await bank.addCustomer()
  await correct(bank.administrator, customer.id)
  await bank.owner.query(sql`
    insert into public.holder_corrections
    select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'corrected_at', now()))).*
    from public.holder_corrections c, generate_series(1, 100) where c.user_id = ${customer.id}`)
  await run(bank.administrator, sql`select public.open_customer(${customer.id})`)

  const read = sql`select id from public.read_holder_corrections(${customer.id})`
  expect(await run(bank.administrator, read)).toHaveLength(100)
})
