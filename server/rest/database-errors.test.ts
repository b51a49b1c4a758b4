import { expect, test } from 'vitest'
import { DatabaseUnavailable, SqlError } from '#database/database.ts'
import { wireErrorOf } from './database-errors.ts'

const context = {
  isAnonymous: false,
  exposes: (name: string) => name === 'books',
  constraintMessage: (constraint: string) =>
    constraint === 'books_have_pages' ? 'Un libro tiene páginas.' : null,
}
const message = 'as PostgreSQL says it'
const refusal = (sqlState: string, said: Partial<ConstructorParameters<typeof SqlError>[0]> = {}) =>
  wireErrorOf(new SqlError({ message, sqlState, detail: 'more', ...said }), context)

const statuses = {
  400: '22P02 22003 42703 42846 0A000 55000 42725 42809 42P16 428C9 FZ299 MY001 90001 P0001',
  403: '42501',
  404: '42883 42P01',
  405: '25006',
  409: '23503 23505',
  418: 'PT418',
  500: '55P03 57014',
}

test.each(
  Object.entries(statuses).flatMap(([status, states]) =>
    states.split(' ').map((sqlState) => [sqlState, Number(status)] as const),
  ),
)('%s is answered with %i and PostgreSQL’s message', (code, status) => {
  expect(refusal(code)).toMatchObject({ status, code, message, fields: { details: 'more' } })
})

test.each(['23502', '23514'])('the answer to %s does not show the values of the refused row', (code) => {
  expect(refusal(code, { detail: 'Failing row contains (1, secret).' })).toMatchObject({
    status: 400,
    code,
    message,
    fields: { details: null },
  })
})

test.each('XX000 42P17 42601 54001 58030 F0000 HV000 28000 21000'.split(' '))(
  '%s is an internal error and shows no details',
  (sqlState) => {
    const error = refusal(sqlState)

    expect(error).toMatchObject({ status: 500, code: 'PGRSTX00', message: 'Internal Server Error' })
    expect(JSON.stringify(error)).not.toContain(message)
  },
)

test.each([
  ['40001', { status: 503, headers: { 'retry-after': '2' } }],
  ['40P01', { status: 503, headers: { 'retry-after': '2' } }],
  ['53300', { status: 503, headers: { 'retry-after': '2' } }],
  ['57P01', { status: 503, headers: { 'retry-after': '2' } }],
  ['08006', { status: 503, headers: { 'retry-after': '2' } }],
  // SQLSTATEs that the database's own functions raise.
  ['FZ401', { status: 401, code: 'PGRST303' }],
  ['FZ406', { status: 406, code: 'PGRST116', fields: { details: 'more' } }],
  ['FZ408', { status: 400, code: '57014', fields: { hint: expect.stringContaining('by key') } }],
  ['FZ413', { status: 400, code: 'PGRST124', message: 'One write may touch at most 500 rows' }],
  ['FZ431', { status: 400, code: '54000', message: 'The answer is longer than 8388608 bytes' }],
  ['FZ424', { status: 400, code: 'PGRST124', message: expect.stringContaining('max-affected preference') }],
])('%s has its own answer', (sqlState, answer) => {
  expect(refusal(sqlState)).toMatchObject(answer)
})

test.each([
  ['42601', 'syntax error in tsvector: "\'"', 400],
  ['21000', 'ON CONFLICT DO UPDATE command cannot affect row a second time', 400],
])('%s with the message %s is a client error', (code, said, status) => {
  expect(refusal(code, { message: said })).toMatchObject({ status, code })
})

test('an unavailable database is reported as a retryable error', () => {
  expect(wireErrorOf(new DatabaseUnavailable('away'), context)).toMatchObject({
    status: 503,
    code: 'PGRST000',
  })
})

test('a caller without a token gets 401 for a missing privilege', () => {
  const error = wireErrorOf(new SqlError({ message, sqlState: '42501' }), { ...context, isAnonymous: true })

  expect(error).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } })
})

test('the answer to an exceeded quota states the wait from the error’s detail in the header Retry-After', () => {
  expect(refusal('PT429', { detail: 'Retry-After: 90' })).toMatchObject({
    status: 429,
    headers: { 'retry-after': '90' },
  })
})

test.each([
  ['42501', 'permission denied for table books', 'permission denied for table books'],
  ['42501', 'permission denied for table journal', 'permission denied'],
  ['42501', 'permission denied for schema ledger', 'permission denied'],
  ['42P01', 'relation "ledger.journal" does not exist', 'Undefined object'],
  [
    '23514',
    'new row for relation "journal" violates check constraint "known"',
    'A constraint of the database does not allow this',
  ],
  ['42725', 'function public.secrets(a => integer) is not unique', 'Undefined object'],
])('the message of %s %j becomes %j', (sqlState, said, told) => {
  expect(refusal(sqlState, { message: said })).toMatchObject({ message: told })
})

test('the refusal of an ambiguous call contains the function’s name if requests can call that function', () => {
  expect(refusal('42725', { message: 'function public.books(a => integer) is not unique' })).toMatchObject({
    status: 300,
    code: 'PGRST203',
  })
})

test.each([
  ['a row of an exposed table', { detail: 'Key (id)=(1) is not present in table "books".' }, true],
  ['a row of another table', { detail: 'Key (id)=(1) is not present in table "users".' }, false],
  [
    'a row of a hidden table',
    {
      message: 'null value in column "hash" of relation "kept" violates not-null constraint',
      detail: '(1, x)',
    },
    false,
  ],
])('details show %s only if requests can name the table', (_what, said, isShown) => {
  expect(refusal('23503', said)).toMatchObject({ fields: { details: isShown ? said.detail : null } })
})

test('PostgreSQL’s hints that guess at names are not sent', () => {
  expect(refusal('42703', { hint: 'Perhaps you meant "books.price".' })).toMatchObject({
    fields: { hint: null },
  })
})

test('the error message for a violated check constraint is the comment on the constraint', () => {
  const said = 'new row for relation "books" violates check constraint "books_have_pages"'

  expect(refusal('23514', { message: said, constraint: 'books_have_pages' })).toMatchObject({
    status: 400,
    code: '23514',
    message: 'Un libro tiene páginas.',
  })
})
