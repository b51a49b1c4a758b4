import { describe, expect, test, vi } from 'vitest'
import { paperReasons } from '@finanzas/contract/database-types.ts'
import { pdfRowsMax } from '@finanzas/contract/limits.ts'
import { readStatementCsv } from '@finanzas/contract/papers/csv.ts'
import { checkSignature, newSigningKey, openSigningKey } from '@finanzas/contract/papers/signature.ts'
import { type FunctionName, answerCall } from './call.ts'
import { type DatabaseError, FunctionError, errorOfDatabase, notSignedIn } from './errors.ts'
import type { Denied, FunctionRuntime } from './runtime.ts'

const id = '6f1de5a0-3f0e-4b68-8d3a-2d1c1b0a9f8e'
const deposit = (amount: unknown = '10') => ({
  action: 'create',
  transactionData: { user_id: id, amount, description: 'Nómina', type: 'deposit' },
})

test.each(['10.000000000000000001', '0.0099999999999999999999', '100.00999999999999999e0'])(
  'an amount of %s is refused and not rounded',
  async (amount) => {
    // JavaScript rounds each of these literals to a number with at most two decimals.
    const body = JSON.stringify(deposit('AMOUNT')).replace('"AMOUNT"', amount)
    const { answer, recorded } = await call('manage-transactions', body)

    expect([answer.status, recorded]).toEqual([400, []])
  },
)

test('a body that is not JSON is refused', async () => {
  const { answer } = await call('manage-users', '{"action":')

  expect(answer.status).toBe(400)
  expect(await answer.json()).toEqual({ error: 'El cuerpo no es JSON.' })
})

test('an account cannot be deleted without its password', async () => {
  const erase = async (body: object) => (await call('delete-account', body)).answer.status

  expect(await erase({ password: 'correcta' })).toBe(200)
  expect(await erase({ password: 'otra' })).toBe(403)
  expect(await erase({})).toBe(400)
  expect(await erase({ password: '' })).toBe(400)
  expect(await erase({ password: 'correcta', userId: id })).toBe(400)
  expect(await erase({ password: 12345678 })).toBe(400)
  expect(await erase({ password: 'x'.repeat(500) })).toBe(400)
})

describe('an idempotency key', () => {
  const withKey = (key: string) => call('manage-transactions', deposit(), {}, key)

  test.each(['', 'a b', 'a'.repeat(256), 'clave-número'])('%j is refused', async (key) => {
    const { answer, recorded } = await withKey(key)

    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({ error: 'La clave de idempotencia no es válida.' })
    expect(recorded).toEqual([])
  })

  test('may have 255 visible characters', async () => {
    expect((await withKey('~'.repeat(255))).answer.status).toBe(200)
  })

  test('of an earlier call that is still in progress gets 409', async () => {
    expect((await call('manage-transactions', deposit(), failing('55P03'))).answer.status).toBe(409)
  })
})

test('the answer to an administrator’s order has a status only if the order waits for another administrator', async () => {
  const { answer: recorded } = await call('manage-transactions', deposit())
  const { answer: waiting } = await call('manage-users', { action: 'delete', userId: id })

  expect([await recorded.json(), await waiting.json()]).toEqual([{ id }, { id, status: 'waiting' }])
})

test('the log of a refusal contains the action, the user concerned and the code', async () => {
  const { answer, denied } = await call('manage-transactions', deposit(), failing('42501'))

  expect(answer.status).toBe(403)
  expect(denied).toEqual([{ action: 'register_transaction', target: id, code: '42501' }])
})

test('an unreadable body, an unknown caller and an outage are not logged as refusals', async () => {
  const malformed = await call('manage-users', {})
  const outage = await call('manage-transactions', deposit(), {
    recordTransaction: () => Promise.reject(new FunctionError(503, 'x')),
  })
  const anonymous = await call('manage-users', {}, { admit: () => Promise.reject(notSignedIn()) })

  expect([malformed, outage, anonymous].map(({ answer }) => answer.status)).toEqual([400, 503, 401])
  expect([malformed, outage, anonymous].flatMap(({ denied }) => denied)).toEqual([])
})

test('a refusal because the user must enter the password again has the code to which the page reacts', async () => {
  const refused = { ...failing('42501'), databaseErrorOf: () => raised({ hint: 'reauthentication_needed' }) }
  const { answer } = await call('manage-transactions', deposit(), refused)

  expect([answer.status, await answer.json()]).toEqual([
    403,
    { error: 'No.', code: 'reauthentication_needed' },
  ])
})

test('a refusal because the user must enter the password again has the same code through the table API', () => {
  expect(errorOfDatabase(raised({ sqlState: 'reauthentication_needed' }), null)).toMatchObject({
    status: 403,
    code: 'reauthentication_needed',
  })
})

test.each(['22008', '22003', '22P02', '22P05'])(
  'a value that a column cannot store (%s) is refused',
  (sqlState) => {
    expect(errorOfDatabase(raised({ sqlState }), null)).toMatchObject({
      status: 400,
      message: 'Un dato de la solicitud no es válido.',
    })
  },
)

test('an answer that is too long is not an internal error', () => {
  expect(errorOfDatabase(raised({ sqlState: 'FZ431' }), null)).toMatchObject({
    status: 400,
    message: 'La respuesta es demasiado larga.',
  })
})

test('a balance that a number cannot represent exactly is refused with a Spanish sentence', () => {
  const refused = raised({ sqlState: '23514', constraint: 'budgets_balance_exact' })

  expect(errorOfDatabase(refused, null)).toMatchObject({
    status: 400,
    message: 'El saldo quedaría fuera de lo que el banco puede registrar.',
  })
})

describe('a statement', () => {
  const csvOf = async (runtime: Partial<FunctionRuntime>) =>
    ((await (await call('statement', { month: '2026-11' }, runtime)).answer.json()) as { csv: string }).csv

  test('names the bank and the holder, and is unsigned if the bank has no key', async () => {
    expect(readStatementCsv(await csvOf({}))).toMatchObject({
      bankName: 'Banco',
      particulars: { taxNumber: '890903938-8', accountNumber: '4821 9033 7771' },
      customer: 'Ana (nombre declarado) · ana@banco.example',
      currency: 'COP',
      signature: null,
    })
  })

  test('is signed with the runtime’s key', async () => {
    const key = await openSigningKey(await newSigningKey())
    const statement = readStatementCsv(await csvOf({ openStatementKey: () => Promise.resolve(key) }))

    expect(statement && (await checkSignature(statement, { keys: [key.publicKey] }))).toBe('valid')
  })

  test('in PDF is refused by a bank that does not write PDF files', async () => {
    const { answer } = await call('statement', { month: '2026-11', format: 'pdf' })

    expect([answer.status, await answer.json()]).toEqual([
      501,
      { error: 'Este banco entrega los extractos y comprobantes solo en CSV.' },
    ])
  })

  test('in PDF is refused if it is too long for a PDF', async () => {
    const entries = Array.from({ length: pdfRowsMax + 1 }, (_, index) => ({
      seq: index,
      kind: 'deposit',
      is_note: false,
      amount: 1,
      balance: 1,
      recorded_at: '2026-11-01T05:00:00Z',
      date: '2026-11-01T05:00:00Z',
      description: 'Nómina',
      category: null,
    }))
    const { answer } = await call(
      'statement',
      { month: '2026-11', format: 'pdf' },
      {
        readStatement: ({ month }) => Promise.resolve({ ...emptyMonth(month), entries }),
        writePdf: () => Promise.reject(new Error('No PDF is expected.')),
      },
    )

    expect([answer.status, await answer.json()]).toEqual([
      413,
      { error: 'El mes tiene demasiados movimientos para un PDF. Descárgalo en CSV.' },
    ])
  })

  test.for([
    ['rows', () => ({ seq: 1, kind: 'deposit', description: 'Nómina' })],
    ['letters', (index: number) => ({ seq: index, kind: 'deposit', description: 'N'.repeat(200) })],
  ] as const)('of too many %s is refused before it fills the memory', async ([, entry]) => {
    let pages = 0
    const { answer } = await call(
      'statement',
      { month: '2026-11' },
      {
        readStatement({ month }) {
          pages += 1
          const rest = {
            is_note: false,
            amount: 1,
            balance: 1,
            recorded_at: '2026-11-01T05:00:00Z',
            date: '2026-11-01T05:00:00Z',
            category: null,
          }
          const entries = Array.from({ length: 5000 }, (_, index) => ({ ...entry(index), ...rest }))
          return Promise.resolve({
            ...emptyMonth(month),
            entries,
            next_after_row: pages < 1000 ? pages : null,
          })
        },
      },
    )

    expect(answer.status).toBe(413)
    expect(pages).toBeLessThan(20)
  })
})

test.for([
  ['statement', { month: '2026-11' }],
  ['receipt', { transaction_id: id }],
] as const)('a %s of a customer that cannot be signed is not recorded in the audit', async ([, asked]) => {
  const recorded = vi.fn(() => Promise.reject(new Error('No paper is expected.')))
  const { answer } = await call(
    'statement',
    { ...asked, user_id: id, reason: paperReasons[0] },
    {
      openStatementKey: () => Promise.reject(new FunctionError(503, 'El certificado venció.')),
      recordStatement: recorded,
      readReceipt: recorded,
    },
  )

  expect(answer.status).toBe(503)
  expect(recorded).not.toHaveBeenCalled()
})

function emptyMonth(month: string) {
  return {
    account: id,
    month,
    opening: 0,
    noted: 0,
    closing: 0,
    last_seq: 0,
    hash: '0'.repeat(64),
    is_whole: true,
    next_after_row: null,
    entries: [],
  }
}

/** Returns a database error with the given fields. By default, the error reports a missing privilege. */
function raised(fields: Partial<DatabaseError>): DatabaseError {
  return { sqlState: '42501', message: 'No.', detail: null, hint: null, constraint: null, ...fields }
}

/** Returns a runtime whose database calls fail with this SQLSTATE. */
function failing(sqlState: string, detail: string | null = null): Partial<FunctionRuntime> {
  return {
    recordTransaction: () => Promise.reject(new Error('the database')),
    databaseErrorOf: (error) => (error instanceof FunctionError ? null : raised({ sqlState, detail })),
  }
}

async function call(
  name: FunctionName,
  body: object | string,
  runtime: Partial<FunctionRuntime> = {},
  idempotencyKey: string | null = null,
): Promise<{ answer: Response; recorded: unknown[]; denied: Denied[] }> {
  const recorded: unknown[] = []
  const denied: Denied[] = []
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
  const answer = await answerCall(
    name,
    { idempotencyKey, body: bytes },
    {
      admit: () => Promise.resolve(),
      fingerprint: () => '11'.repeat(32),
      recordTransaction(transaction) {
        recorded.push(transaction)
        return Promise.resolve({ id })
      },
      createUser: () => Promise.resolve({ id }),
      deleteUser: () => Promise.resolve({ id, status: 'waiting' }),
      resendLink: () => Promise.resolve(),
      changeEmail: () => Promise.resolve(),
      isOwnPassword: (password) => Promise.resolve(password === 'correcta'),
      eraseOwnAccount: () => Promise.resolve(),
      bank: { bankName: 'Banco', currency: 'COP', particulars: { taxNumber: '890903938-8' } },
      inTurn: (work) => work(),
      readHolder: () =>
        Promise.resolve({
          fullName: 'Ana',
          isVerified: false,
          email: 'ana@banco.example',
          particulars: { accountNumber: '4821 9033 7771' },
        }),
      readCertificate: () => Promise.reject(new Error('No certificate is expected.')),
      recordStatement: () => Promise.reject(new Error('No statement for a customer is expected.')),
      readStatement: ({ month }) => Promise.resolve(emptyMonth(month)),
      readReceipt: () => Promise.reject(new Error('No receipt is expected.')),
      openStatementKey: () => Promise.resolve(null),
      writePdf: null,
      databaseErrorOf: () => null,
      errorOf: () => null,
      logDenied: (each) => denied.push(each),
      ...runtime,
    },
  )
  return { answer, recorded, denied }
}
