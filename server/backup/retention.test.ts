import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { backupName, readBackups, removeOld, superfluousAmong } from './retention.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'finanzas-retention-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const hourly = (hours: number) =>
  Array.from({ length: hours }, (_, ago) => ({
    takenAt: new Date(Date.UTC(2026, 10, 21, 12) - ago * 3600_000),
  }))

test('of a month of hourly backups, the last 24 stay and the last of each of seven days', () => {
  const backups = hourly(30 * 24)

  const kept = new Set(backups)
  for (const backup of superfluousAmong(backups, { newest: 24, days: 7 })) kept.delete(backup)

  const moments = [...kept].map(({ takenAt }) => takenAt.toISOString())
  expect(moments.slice(0, 24)).toEqual(backups.slice(0, 24).map(({ takenAt }) => takenAt.toISOString()))
  // Today and yesterday are among the 24 already.
  expect(moments.slice(24)).toEqual([19, 18, 17, 16, 15].map((day) => `2026-11-${day}T23:00:00.000Z`))
})

test('what is not a regular backup is never removed', async () => {
  const names = [
    'before-the-audit.backup',
    '.finanzas-2020-01-01T00-00-00Z.backup.unfinished',
    'finanzas-2020-01-01T00-00-00Z.backup.secrets.json',
  ]
  for (const name of [...names, backupName(new Date(0)), backupName(new Date(1000))])
    writeFileSync(join(directory, name), '')
  mkdirSync(join(directory, 'finanzas-2019'))

  const removed = await removeOld(directory, { newest: 1, days: 0 })

  expect(removed).toEqual(['finanzas-1970-01-01T00-00-00Z.backup'])
  expect(readdirSync(directory)).toEqual(expect.arrayContaining([...names, backupName(new Date(1000))]))
})

test('a name tells its moment', () => {
  const moment = new Date('2026-11-21T23:59:07Z')
  writeFileSync(join(directory, backupName(moment)), '')

  expect(readBackups(directory)).toEqual([{ name: 'finanzas-2026-11-21T23-59-07Z.backup', takenAt: moment }])
})
