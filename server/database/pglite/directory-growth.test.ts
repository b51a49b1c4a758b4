import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DirectoryGrowth, type GrowthReport, growthBytesMax } from './directory-growth.ts'

const minute = 60_000
const megabyte = 1024 * 1024

/** Creates a directory that contains one sparse file. `measureAt` sets the size of this file. */
async function watchedDirectory() {
  const path = await mkdtemp(join(tmpdir(), 'finanzas-growth-'))
  const growth = new DirectoryGrowth(path)
  onTestFinished(() => {
    growth.close()
    return rm(path, { recursive: true, force: true })
  })
  const reports: GrowthReport[] = []
  growth.onAlarm((report) => reports.push(report))
  const file = join(path, 'table')
  await writeFile(file, '')
  const measureAt = async (minutes: number, bytes: number) => {
    await truncate(file, bytes)
    await growth.measure(minutes * minute)
  }
  return { growth, reports, measureAt }
}

test('a directory that grows beyond the limit within an hour is reported once', async () => {
  const { reports, measureAt } = await watchedDirectory()

  await measureAt(0, 10 * megabyte)
  await measureAt(30, 10 * megabyte + growthBytesMax)
  expect(reports).toEqual([])
  await measureAt(31, 11 * megabyte + growthBytesMax)
  await measureAt(32, 12 * megabyte + growthBytesMax)

  expect(reports).toEqual([{ grownMb: 501, sizeMb: 511 }])
})

test('a directory that needs two hours to grow beyond the limit is not reported', async () => {
  const { growth, reports, measureAt } = await watchedDirectory()

  await measureAt(0, 0)
  await measureAt(59, growthBytesMax / 2)
  await measureAt(118, growthBytesMax + megabyte)

  expect(growth.bytes).toBe(growthBytesMax + megabyte)
  expect(reports).toEqual([])
})
