import { expect, test } from 'vitest'
import { DatabaseUnavailable, FollowsAnother, NoAnswer, SqlError } from '#database/database.ts'
import { addressOf, describeOutage, explainDatabase } from './explain-failure.ts'

const url = 'postgres://banco:geheim@db.example/finanzas'
const socketUrl = 'postgres://banco:geheim@%2Frun%2Fpostgresql/finanzas'

/**
 * Returns the message that the operator gets if a connection fails with this error from PostgreSQL or the operating system.
 */
const said = (message: string, code = '', at = url) =>
  explainDatabase(
    new DatabaseUnavailable('x', {
      cause: Object.assign(new Error(message), { code }),
      address: addressOf(at),
    }),
  ) ?? ''

test.each([
  ['Connection terminated due to connection timeout', '', 'PostgreSQL no responde en db.example:5432.'],
  ['timeout expired', '', 'PostgreSQL no responde en db.example:5432.'],
  ['sorry, too many clients already', '53300', 'max_connections'],
  ['the database system is starting up', '57P03', 'Prueba otra vez'],
  ['contraseña equivocada', '28P01', 'no acepta la contraseña de banco.'],
  [
    'no pg_hba.conf entry for host "10.0.0.9"',
    '28000',
    'no deja entrar a banco: "no pg_hba.conf entry for host',
  ],
  [
    'server login has been failing, cached error: x',
    '08P01',
    'no deja entrar a banco: "server login has been',
  ],
])('the operator gets a sentence without the password for the error %s (%s)', (message, code, expected) => {
  expect(said(message, code)).toContain(expected)
  expect(said(message, code)).not.toContain('geheim')
})

test.each([
  [new FollowsAnother(), 'es una réplica'],
  [new NoAnswer(7000), 'ha dejado de responder'],
])('%s is explained in Spanish', (cause, expected) => {
  expect(explainDatabase(new DatabaseUnavailable('x', { cause }))).toContain(expected)
})

test('if PostgreSQL refuses a peer login, the message contains the line to add to pg_hba.conf', () => {
  expect(said('Peer authentication failed for user "banco"', '28000', socketUrl)).toContain(
    '"local finanzas banco scram-sha-256"',
  )
  expect(said('connect ENOENT', 'ENOENT', socketUrl)).toContain('socket de PostgreSQL en /run/postgresql.')
})

test('the only refusals of statements that are explained to the operator are a full disk and a missing permission', () => {
  const refused = (sqlState: string) => explainDatabase(new SqlError({ sqlState, message: 'said' }))

  expect(refused('53100')).toContain('espacio en el disco')
  expect(refused('42501')).toContain('DATABASE_DIRECT_URL')
  expect(refused('42703')).toBeNull()
  expect(explainDatabase(new Error('a mistake'))).toBeNull()
})

test('the log line of an outage contains the address and the cause but not the login', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), { code: 'ECONNREFUSED' })
  // The host name resolves to two addresses, so Node.js reports two attempts.
  const cause = Object.assign(new AggregateError([refused, refused]), { code: 'ECONNREFUSED' })

  const fields = describeOutage(new DatabaseUnavailable('away', { cause }), url)

  expect(fields).toEqual({
    server: 'db.example:5432',
    database: 'finanzas',
    code: 'ECONNREFUSED',
    cause: 'connect ECONNREFUSED 10.0.0.5:5432',
  })
  expect(describeOutage(null)).toEqual({ server: null, database: null, code: null, cause: null })
})
