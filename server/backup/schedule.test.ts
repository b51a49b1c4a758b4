/** The tests mock only the clock. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type BackupReport, backupName, backupsDirectory } from './backups.ts'
import { firstWaitMs, readBackups, scheduleBackups, superfluousAmong } from './schedule.ts'

const hourMs = 3600_000
/** Timeout for waiting until files are removed. The removal takes real time, because only the clock is mocked. */
const patiently = { timeout: 15_000 }
let dataDir: string
let stop: () => void = () => undefined

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 12) })
  dataDir = mkdtempSync(join(tmpdir(), 'finanzas-schedule-'))
  mkdirSync(join(dataDir, 'postgres'))
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '18\n')
  utimesSync(join(dataDir, 'postgres', 'PG_VERSION'), new Date(), new Date())
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Starts a schedule whose backup function writes an empty file, or fails while `fails` returns true. */
function start(fails: () => boolean = () => false) {
  const made: string[] = []
  const failures: unknown[] = []
  const make = async () => {
    if (fails()) throw new Error('The disk is full.')
    const name = backupName(new Date())
    mkdirSync(backupsDirectory(dataDir), { recursive: true })
    writeFileSync(join(backupsDirectory(dataDir), name), '')
    return { file: name } as BackupReport
  }
  stop = scheduleBackups(
    { make },
    {
      dataDir,
      intervalMs: hourMs,
      keep: { newest: 2, days: 0 },
      onMade: ({ file }) => made.push(file),
      onFailure: (error) => failures.push(error),
    },
  )
  return { made, failures }
}

const there = () => readdirSync(backupsDirectory(dataDir))

test('an hourly schedule keeps the newest two backups and does not remove other files', async () => {
  const { made } = start()
  const others = [
    '.finanzas-2020-01-01T00-00-00Z.backup.unfinished',
    'before-the-audit.backup',
    'finanzas-2019',
    'finanzas-2020-01-01T00-00-00Z.backup.secrets.json',
  ]
  for (const name of others) mkdirSync(join(backupsDirectory(dataDir), name), { recursive: true })

  await vi.advanceTimersByTimeAsync(59 * 60_000)
  expect(made).toEqual([])
  await vi.advanceTimersByTimeAsync(3 * hourMs)

  await vi.waitFor(() => expect(made.length).toBe(3), patiently)
  await vi.waitFor(
    () => expect(there().toSorted()).toEqual([...others, ...made.slice(1)].toSorted()),
    patiently,
  )
  const [newest] = readBackups(backupsDirectory(dataDir))
  expect(newest).toEqual({ name: made[2], takenAt: new Date(Date.UTC(2026, 10, 21, 15)) })
})

test('a failed backup is reported and does not remove older backups', async () => {
  const { made, failures } = start(() => made.length === 2 && failures.length < 2)

  await vi.advanceTimersByTimeAsync(4 * hourMs)

  await vi.waitFor(
    () => expect(failures.map(String)).toEqual(['Error: The disk is full.', 'Error: The disk is full.']),
    patiently,
  )
  expect(there()).toEqual(made.slice(0, 2))
  await vi.advanceTimersByTimeAsync(hourMs)
  await vi.waitFor(() => expect(made.length).toBe(3), patiently)
})

test('a server that restarts often still makes scheduled backups', () => {
  const now = Date.now()

  expect(firstWaitMs(now - 10 * hourMs, hourMs, now)).toBe(60_000)
  expect(firstWaitMs(now - hourMs / 2, hourMs, now)).toBe(hourMs / 2)
  // Simulates that the clock was set back.
  expect(firstWaitMs(now + 24 * hourMs, hourMs, now)).toBe(hourMs)
})

const hourly = (hours: number) =>
  Array.from({ length: hours }, (_, ago) => ({
    takenAt: new Date(Date.UTC(2026, 10, 21, 12) - ago * 3600_000),
  }))

test('after a month of hourly backups, the newest 24 backups and the last backup of each of the last seven days remain', () => {
  const backups = hourly(30 * 24)

  const kept = new Set(backups)
  for (const backup of superfluousAmong(backups, { newest: 24, days: 7 })) kept.delete(backup)

  const moments = [...kept].map(({ takenAt }) => takenAt.toISOString())
  expect(moments.slice(0, 24)).toEqual(backups.slice(0, 24).map(({ takenAt }) => takenAt.toISOString()))
  // The last backups of today and yesterday are already among the 24 newest backups.
  expect(moments.slice(24)).toEqual([19, 18, 17, 16, 15].map((day) => `2026-11-${day}T23:00:00.000Z`))
})
