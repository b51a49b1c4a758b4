import { expect, test } from 'vitest'
import { DatabaseUnavailable, SqlError } from '#database/database.ts'
import { wireErrorOf } from './database-errors.ts'

const message = 'as PostgreSQL says it'
const exposes = (name: string) => name === 'books'
const constraintMessage = (constraint: string) =>
  constraint === 'books_have_pages' ? 'Un libro tiene páginas.' : null
const context = { isAnonymous: false, exposes, constraintMessage }
const refusal = (sqlState: string, isAnonymous = false) =>
  wireErrorOf(new SqlError({ message, sqlState, detail: 'more' }), { ...context, isAnonymous })

test.each([
  ['22P02', 400],
  ['22003', 400],
  ['23502', 400],
  ['23514', 400],
  ['23503', 409],
  ['23505', 409],
  ['25006', 405],
  ['42501', 403],
  ['42703', 400],
  ['42846', 400],
  ['0A000', 400],
  ['55000', 400],
  ['42883', 404],
  ['42P01', 404],
  ['55P03', 500],
  ['57014', 500],
  ['42725', 400],
  ['42809', 400],
  ['42P16', 400],
  ['428C9', 400],
  ['FZ208', 400],
  ['MY001', 400],
  ['90001', 400],
  ['P0001', 400],
  ['PT418', 418],
])('%s is answered with %i and in the words of PostgreSQL', (sqlState, status) => {
  expect(refusal(sqlState)).toMatchObject({ status, code: sqlState, message, fields: { details: 'more' } })
})

test.each(['XX000', '42P17', '42601', '54001', '58030', 'F0000', 'HV000', '28000', '21000'])(
  '%s is a mistake of the database’s, and its words are kept',
  (sqlState) => {
    expect(refusal(sqlState)).toMatchObject({ status: 500, code: 'PGRSTX00' })
  },
)

test.each([
  ['42601', 'syntax error in tsvector: "\'"'],
  ['21000', 'ON CONFLICT DO UPDATE command cannot affect row a second time'],
])('%s is the client’s where it says: %s', (sqlState, said) => {
  const error = new SqlError({ message: said, sqlState })

  expect(wireErrorOf(error, context)).toMatchObject({
    status: 400,
    code: sqlState,
  })
})

test('a call that PostgreSQL cannot decide names the function, where requests can', () => {
  const undecided = (name: string) =>
    wireErrorOf(
      new SqlError({ message: `function public.${name}(a => integer) is not unique`, sqlState: '42725' }),
      context,
    )

  expect(undecided('books')).toMatchObject({ status: 300, code: 'PGRST203' })
  expect(undecided('secrets')).toMatchObject({ status: 400, code: '42725', message: 'Undefined object' })
})

test('a missing privilege asks somebody who is not signed in to sign in', () => {
  expect(refusal('42501', true)).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } })
})

test('who must wait is told for how long', () => {
  const error = new SqlError({ message, sqlState: 'PT429', detail: 'Retry-After: 90' })

  expect(wireErrorOf(error, context)).toMatchObject({
    status: 429,
    headers: { 'retry-after': '90' },
  })
})

test('a session that has ended is a token that is no longer good', () => {
  expect(refusal('FZ401')).toMatchObject({ status: 401, code: 'PGRST303' })
})

test('tests that take too long are the request’s own doing, and it is told what to do', () => {
  expect(refusal('FZ408')).toMatchObject({
    status: 400,
    code: '57014',
    fields: { hint: expect.stringContaining('by key') },
  })
})

test('a write of too many rows says how many there were', () => {
  expect(refusal('FZ413')).toMatchObject({ status: 400, code: 'PGRST124', fields: { details: 'more' } })
})

test.each(['40001', '40P01', '53300', '57P01', '08006'])(
  '%s passes: it is worth trying again',
  (sqlState) => {
    expect(refusal(sqlState)).toMatchObject({ status: 503, headers: { 'retry-after': '2' } })
  },
)

test('a database that is away is worth trying again', () => {
  expect(wireErrorOf(new DatabaseUnavailable('away'), context)).toMatchObject({
    status: 503,
    code: 'PGRST000',
  })
})

test.each(['42601', '42P17', 'XX000', '58030'])('%s is our mistake, and says nothing', (sqlState) => {
  const error = refusal(sqlState)

  expect(error).toMatchObject({ status: 500, code: 'PGRSTX00', message: 'Internal Server Error' })
  expect(JSON.stringify(error)).not.toContain(message)
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
])('%s %j is told as %j', (sqlState, said, told) => {
  expect(wireErrorOf(new SqlError({ message: said, sqlState }), context)).toMatchObject({
    message: told,
  })
})

test('details name no table that a request could not name, and guesses at names are kept back', () => {
  const error = (detail: string) =>
    wireErrorOf(new SqlError({ message, sqlState: '23503', detail, hint: 'none' }), context)

  expect(error('Key (id)=(1) is not present in table "users".')).toMatchObject({ fields: { details: null } })
  expect(error('Key (id)=(1) is not present in table "books".')).toMatchObject({
    fields: { details: 'Key (id)=(1) is not present in table "books".' },
  })
  expect(
    wireErrorOf(
      new SqlError({ message, sqlState: '42703', hint: 'Perhaps you meant "books.price".' }),
      context,
    ),
  ).toMatchObject({ fields: { hint: null } })
})

test('a write past what the client allows is undone in the words of PostgREST', () => {
  expect(refusal('FZ424')).toMatchObject({
    status: 400,
    code: 'PGRST124',
    message: 'Query result exceeds max-affected preference constraint',
  })
})

test('a check constraint is told by its comment', () => {
  const error = new SqlError({
    message: 'new row for relation "books" violates check constraint "books_have_pages"',
    sqlState: '23514',
    constraint: 'books_have_pages',
  })

  expect(wireErrorOf(error, context)).toMatchObject({
    status: 400,
    code: '23514',
    message: 'Un libro tiene páginas.',
  })
})

test('a row of a table that no request can name is not shown', () => {
  const error = new SqlError({
    message: 'null value in column "body_hash" of relation "kept_calls" violates not-null constraint',
    sqlState: '23502',
    detail: 'Failing row contains (1, secret).',
  })

  const answer = JSON.stringify(wireErrorOf(error, context))

  expect(answer).not.toContain('kept_calls')
  expect(answer).not.toContain('Failing row')
})
