import { expect, test } from 'vitest'
import { type BankState, alarmsOf, factsOf, isAllWell } from './facts.ts'

const server = {
  name: 'vm:3000',
  version: '0.3.0',
  engine: 'pglite',
  started_at: '2026-11-26T12:00:00Z',
  seen_at: '2026-11-27T11:59:40Z',
  is_gone: false,
  disk_free_bytes: 12_300_000_000,
  backup_interval_minutes: 60,
  last_backup_at: '2026-11-27T11:26:00Z',
}
const sound: BankState = {
  read_at: '2026-11-27T12:00:00Z',
  serving_since: '2026-11-20T12:00:00Z',
  migration: '20261201000000_0_4_0',
  database_version: '18.6',
  database_bytes: 13_900_000,
  last_backup_at: '2026-11-27T11:26:00Z',
  ledger_checked_at: '2026-11-27T02:00:00Z',
  is_ledger_broken: false,
  needs_administrator: false,
  mails_waiting: 3,
  oldest_mail_at: '2026-11-27T11:55:00Z',
  servers: [server],
  alarms: [],
}
const hosted: BankState = {
  ...sound,
  servers: [],
  serving_since: null,
  last_backup_at: null,
  mails_waiting: null,
}
const words = (state: BankState) => factsOf(state).map(({ label, lines }) => [label, ...lines])

test('the list of facts about a bank shows ages and sizes in words', () => {
  expect(words(sound)).toEqual([
    ['Funciona desde', '20 de noviembre de 2026, 7:00 a. m. (hora de Bogotá), hace 7 días'],
    ['Versión', '0.3.0'],
    ['Migración', '20261201000000_0_4_0'],
    ['Base de datos', 'PostgreSQL 18.6 (incluida)'],
    ['Tamaño de la base', '13,9 MB'],
    ['Última copia de seguridad', '27 de noviembre de 2026, 6:26 a. m. (hora de Bogotá), hace 34 minutos'],
    ['Libro verificado', '26 de noviembre de 2026, 9:00 p. m. (hora de Bogotá), hace 10 horas: correcto'],
    ['Correos en espera', '3, el más antiguo hace 5 minutos'],
    ['Servidores', 'vm:3000: versión 0.3.0, iniciado hace 24 horas, 12,3 GB libres en su disco'],
  ])
})

test('a release whose newest migration is missing in the database says which one waits', () => {
  const migrationOf = (newest: string) =>
    factsOf(sound, newest).find(({ label }) => label === 'Migración')?.lines

  expect(migrationOf('20261201000000_0_4_0')).toEqual(['20261201000000_0_4_0'])
  expect(migrationOf('20270115000000_0_5_0')).toEqual([
    '20261201000000_0_4_0. Falta 20270115000000_0_5_0: la aplica esta versión de Finanzas cuando inicia',
  ])
  // A later release has already migrated the database.
  expect(migrationOf('20261130000000_0_3_9')).toEqual(['20261201000000_0_4_0'])
})

test('a hosted project shows the facts from its database, and marks all other facts as unknown', () => {
  const facts = new Map(factsOf(hosted).map(({ label, lines }) => [label, lines[0]]))

  expect(facts.get('Base de datos')).toBe('PostgreSQL 18.6')
  expect(facts.get('Libro verificado')).toContain('correcto')
  for (const unknown of [
    'Funciona desde',
    'Versión',
    'Última copia de seguridad',
    'Correos en espera',
    'Servidores',
  ])
    expect(facts.get(unknown)).toBe('Aquí no se sabe: lo dice el panel del proyecto')
})

test('the bank is healthy only if a server is running, the ledger is correct and no alarm is open', () => {
  const alarm = { code: 'disk-low', server: null, begun_at: '2026-11-27T11:00:00Z', ended_at: null }

  expect(isAllWell(sound)).toBe(true)
  expect(isAllWell(hosted)).toBe(true)
  expect(isAllWell({ ...sound, servers: [{ ...server, is_gone: true }] })).toBe(false)
  expect(isAllWell({ ...sound, alarms: [alarm] })).toBe(false)
  expect(isAllWell({ ...sound, is_ledger_broken: true })).toBe(false)
  expect(isAllWell({ ...hosted, is_ledger_broken: true })).toBe(false)
  expect(isAllWell({ ...sound, alarms: [{ ...alarm, ended_at: '2026-11-27T11:10:00Z' }] })).toBe(true)
})

test('the list of alarms shows titles, and omits an alarm whose code this release does not know', () => {
  const alarms = ['disk-low', 'of-tomorrow', 'mails-wait'].map((code) => ({
    code,
    server: 'vm:3000',
    begun_at: '2026-11-27T11:00:00Z',
    ended_at: code === 'mails-wait' ? '2026-11-27T11:30:00Z' : null,
  }))

  expect(alarmsOf({ ...sound, alarms })).toMatchObject([
    {
      title: 'Queda poco espacio en el disco',
      server: 'vm:3000',
      begun: '27 de noviembre de 2026, 6:00 a. m. (hora de Bogotá), hace 60 minutos',
      ended: null,
    },
    {
      title: 'Los correos no salen',
      begun: '27 de noviembre de 2026, 6:00 a. m. (hora de Bogotá)',
      ended: '27 de noviembre de 2026, 6:30 a. m. (hora de Bogotá), hace 30 minutos',
    },
  ])
})
