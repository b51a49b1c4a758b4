/**
 * The bank of a release: a small bank in which every feature was used, so that every table has rows. A server of this
 * release serves the calls of its customers and administrators. The random bank of the tests adds awkward texts.
 */
import { randomUUID } from 'node:crypto'
import type { SupabaseClient } from '@supabase/supabase-js'
import { type Owner, type Row, sql } from '#server/database/database.ts'
import { openBesideServer } from '#testing/database.ts'
import { type Person, signIn, signUp } from '#testing/people.ts'
import type { Place } from '#testing/place.ts'
import { type TestServer, startServer, testEnvironment } from '#testing/server.ts'
import { fillRandomly } from '#tests/database/random-bank.ts'
import { addApp } from '#tests/wire/authenticator-app.ts'

/** The settings with which a server serves the bank. The secret protects nothing, because all its people are invented. */
export const bankEnvironment = {
  ...testEnvironment,
  AUTH_AUTOCONFIRM: 'true',
  AUTH_RATE_LIMITS: 'on',
  FEATURES: 'transferencias,notificaciones',
  JWT_SECRET: 'the secret of the bank in each release of Finanzas',
  BACKUP_INTERVAL_MINUTES: '0',
} as const

/** A customer whose papers a release contains. */
const customer = { email: 'ana@banco.example', password: 'una clave de Ana' } as const
const friend = { email: 'luis@banco.example', password: 'una clave de Luis' } as const

export const paperFiles = ['statement.csv', 'statement.pdf', 'receipt.csv'] as const
/** The signed papers of a customer, by the name of the file. */
export type Papers = Readonly<Record<(typeof paperFiles)[number], Uint8Array>>

/** Fills the empty bank of a place, and returns papers that it issued. */
export async function fillBank(place: Place): Promise<Papers> {
  const server = await startServer({ place, environment: bankEnvironment })
  try {
    const office = await signIn(server)
    const ana = await signUp(server, customer)
    const luis = await signUp(server, friend)
    await recordMoney(office, ana)
    await planMonth(ana)
    await orderBatches(office, luis)
    await transferMoney({ office, ana, luis })
    await changeAccess({ server, office, ana, luis })
    return await papersOf(ana)
  } finally {
    await server.remove()
    await fillBesideServer(place)
  }
}

/** Returns the answer of an SQL function that one person calls. */
async function call({ client }: Person, name: string, given: object = {}): Promise<Row> {
  const { data, error } = await client.rpc(name, given)
  if (error !== null) throw new Error(`The call of ${name} was refused.`, { cause: error })
  return data as Row
}

async function invoke<T = Row>({ client }: Person, name: string, body: object): Promise<T> {
  const { data, error } = await client.functions.invoke<T>(name, { body })
  if (error !== null || data === null) throw new Error(`The function ${name} refused.`, { cause: error })
  return data
}

const insert = async (client: SupabaseClient, table: string, row: object) => {
  await client.from(table).insert(row).throwOnError()
}

const register = (office: Person, id: string, { type = 'deposit', amount = '900', description = 'Nómina' }) =>
  invoke<{ id: string }>(office, 'manage-transactions', {
    action: 'create',
    transactionData: { user_id: id, type, amount, description },
  })

async function recordMoney(office: Person, ana: Person): Promise<void> {
  await register(office, ana.id, { amount: '1500.50' })
  const mistake = await register(office, ana.id, { type: 'expense', amount: '12', description: 'Cuota' })
  await call(office, 'correct_transaction', {
    user_id: ana.id,
    transaction_id: mistake.id,
    reason: 'Se registró dos veces',
    right_amount: '10',
  })
  const [eaten, gone] = [randomUUID(), randomUUID()]
  for (const id of [eaten, gone])
    await insert(ana.client, 'transactions', {
      id,
      user_id: ana.id,
      type: 'expense',
      amount: '8.75',
      description: 'Café San Alberto',
      category: 'Comida',
    })
  await call(ana, 'amend_expense', { id: eaten, changes: { amount: '9.25' } })
  await ana.client.from('transactions').delete().eq('id', gone).throwOnError()
  const rows = [{ date: dayBefore(3), amount: 30.1, description: 'Mercado' }]
  await call(ana, 'import_transactions', { id: randomUUID(), rows })
}

/** Returns the day in Bogotá that was `days` ago. */
function dayBefore(days: number): string {
  return new Date(Date.now() - (days * 24 + 5) * 3_600_000).toISOString().slice(0, 10)
}

async function planMonth({ client, id, ...ana }: Person): Promise<void> {
  await client.from('budgets').update({ monthly_limit: '700' }).eq('user_id', id).throwOnError()
  await insert(client, 'categories', { user_id: id, name: 'Mascotas' })
  await insert(client, 'category_rules', { user_id: id, contains: 'veterinaria', category: 'Mascotas' })
  await call({ client, id, ...ana }, 'set_category_budget', { category: 'Comida', monthly_limit: 200 })
}

/** Orders a batch of deposits and a file with a new customer. The server posts both. */
async function orderBatches(office: Person, luis: Person): Promise<void> {
  const [deposits, accounts] = [randomUUID(), randomUUID()]
  const lines = [{ line: 2, user_id: luis.id, amount: 640.2, description: 'Nómina' }]
  await call(office, 'create_batch', { id: deposits, title: 'nomina.csv', lines })
  const person = { line: 2, full_name: 'Sol Díaz', email: 'sol@banco.example', amount: 25 }
  const document = { document_kind: 'CC', document_number: '1020304050', phone: '+573001234567' }
  await call(office, 'create_customers', {
    id: accounts,
    title: 'clientes.csv',
    lines: [{ ...person, ...document }],
  })
}

type People = { readonly office: Person; readonly ana: Person; readonly luis: Person }

/**
 * Sends a transfer to another customer and two transfers to another bank, whose clearing file is then returned. The
 * administrator has changed the name of one payer, and therefore cannot return this payer's transfer.
 */
async function transferMoney({ office, ana, luis }: People): Promise<void> {
  await call(ana, 'set_alias', { alias: 'anita.p' })
  await call(ana, 'set_transfer_limits', { transfer_max: 900, day_max: 1000 })
  const friendId = randomUUID()
  await call(ana, 'add_beneficiary', { id: friendId, name: 'Luis', address: friend.email })
  await call(ana, 'confirm_beneficiary', { id: friendId })
  await requestTransfer(ana, friendId, '20')
  await requestTransfer(ana, friendId, '300')
  await until(async () => (await call(luis, 'transfer_account'))['balance'] === 660.2)
  for (const payer of [ana, luis]) {
    const elsewhere = randomUUID()
    await call(payer, 'add_account_beneficiary', {
      id: elsewhere,
      name: 'Lucía Ñañez',
      bank: '1007',
      account_kind: 'savings',
      account_number: '12345678901',
      document_kind: 'CC',
      document: '1020304050',
    })
    await call(payer, 'confirm_beneficiary', { id: elsewhere })
    await requestTransfer(payer, elsewhere, '15')
  }
  await call(office, 'correct_holder', {
    user_id: luis.id,
    full_name: 'Luis Mora',
    document_kind: 'CC',
    document_number: '52345678',
    phone: '+573007654321',
  })
  await call(office, 'open_customer', { user_id: ana.id })
  await call(office, 'close_clearing_file', { number: 1 })
  await call(office, 'search_bank', { search: 'Nómina' })
  await call(office, 'return_clearing_file', { number: 1, reason: 'La compensación lo rechazó' })
}

const requestTransfer = (payer: Person, beneficiary: string, amount: string) =>
  call(payer, 'request_transfer', {
    id: randomUUID(),
    beneficiary_id: beneficiary,
    amount,
    description: 'Regalo',
  })

async function changeAccess({ server, office, ana, luis }: People & { server: TestServer }): Promise<void> {
  await invoke(office, 'manage-users', {
    action: 'create',
    email: 'ines@banco.example',
    password: 'una clave de Inés',
    role: 'user',
    user_metadata: { full_name: 'Inés Mora' },
  })
  await invoke(office, 'manage-users', {
    action: 'change_email',
    userId: luis.id,
    email: 'luis.mora@banco.example',
  })
  const { factorId } = await addApp(ana)
  await ana.client.auth.mfa.challenge({ factorId })
  const { data } = await ana.client.auth.getSession()
  const codes = await fetch(`${server.url}/auth/v1/factors/recovery-codes`, {
    method: 'POST',
    headers: {
      apikey: await server.anonKey(),
      authorization: `Bearer ${data.session?.access_token ?? ''}`,
    },
  })
  if (!codes.ok) throw new Error(`No recovery codes were made: ${await codes.text()}`)
}

async function papersOf(ana: Person): Promise<Papers> {
  const month = dayBefore(0).slice(0, 7)
  const { data: deposits } = await ana.client.from('transactions').select('id').eq('description', 'Nómina')
  const paper = async (asked: object) =>
    new TextEncoder().encode((await invoke<{ csv: string }>(ana, 'statement', asked)).csv)
  const pdf = await invoke<Blob>(ana, 'statement', { month, format: 'pdf' })
  return {
    'statement.csv': await paper({ month }),
    'statement.pdf': new Uint8Array(await pdf.arrayBuffer()),
    'receipt.csv': await paper({ transaction_id: (deposits as { id: string }[])[0]?.id }),
  }
}

/** Adds random people, and the rows that exist only for a moment while the server works. */
async function fillBesideServer(place: Place): Promise<void> {
  const { owner, close } = await openBesideServer(place)
  try {
    await fillRandomly(owner, 31, 3)
    await owner.query(sql`
      insert into auth.flow_state
        (user_id, auth_code_hash, code_challenge, code_challenge_method, authentication_method, expires_at)
      select id, 'a code', 'a challenge', 'plain', 'recovery', now() from auth.users where email = ${friend.email}`)
    await owner.query(sql`
      insert into private.open_returns (file, request_id)
      select 1, id from public.requests where kind = 'file_return'`)
    // The server purges expired attempts.
    await owner.query(sql`select private.attempt('refresh from a network', 'a network')`)
    // The server removes a line when it has opened the account.
    await owner.query(sql`
      insert into public.new_accounts (batch_id, line, full_name, email)
      select id, 2, 'Sol Díaz', 'sol@banco.example' from public.batches where opens_accounts`)
  } finally {
    await close()
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error('The server did not post the batch.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Returns the tables without rows. */
export async function emptyTables(
  owner: Owner,
  tables: readonly { name: string; sql: string }[],
): Promise<string[]> {
  const empty: string[] = []
  for (const { name, sql: quoted } of tables) {
    const [row] = await owner.query<{ filled: boolean }>({
      text: `select exists (select from ${quoted}) as filled`,
      values: [],
    })
    if (row?.filled !== true) empty.push(name)
  }
  return empty
}
