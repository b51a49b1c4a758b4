import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { countsLine, missingFolders, noTests, playwrightCounts, sum, vitestCounts } from './test-counts.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'finanzas-reports-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A list that nobody wrote, as where nothing was tried again. */
const noList = path.join(folder, 'no-list.json')

test('tests are counted by outcome, and a file that broke before its first test as one failed', () => {
  const report = write('vitest.json', {
    testResults: [
      fileResult('contract/money.test.ts', 'failed', ['passed', 'passed', 'failed', 'skipped', 'todo']),
      fileResult('server/app.test.ts', 'failed', []),
    ],
  })

  expect(vitestCounts(report, noList)).toEqual({ passed: 2, failed: 2, skipped: 2, retried: [] })
})

test('a test that passed when tried again has passed, and is named', () => {
  const report = write('again.json', {
    testResults: [fileResult('contract/money.test.ts', 'passed', ['passed', 'passed'])],
  })
  const list = write('again-list.json', ['unit: contract/money.test.ts › a sum'])

  expect(vitestCounts(report, list)).toEqual({
    passed: 2,
    failed: 0,
    skipped: 0,
    retried: ['unit: contract/money.test.ts › a sum'],
  })
})

test('a folder whose tests were all skipped counts as one where no test ran', () => {
  const report = write('folders.json', {
    testResults: [
      fileResult('contract/money.test.ts', 'passed', ['passed']),
      fileResult('web/app.test.tsx', 'passed', ['skipped']),
    ],
  })

  expect(missingFolders(report, ['contract', 'web', 'tests/wire'])).toEqual(['web', 'tests/wire'])
})

test('a browser test that passed when tried again has passed and is named; an error outside of tests has failed', () => {
  const stats = { expected: 3, flaky: 1, unexpected: 1, skipped: 2 }
  const spec = (title: string, status: string) => ({ title, file: 'login.test.ts', tests: [{ status }] })
  const suites = [
    { specs: [spec('signs in', 'expected')], suites: [{ specs: [spec('signs up', 'flaky')] }] },
    { specs: [spec('leaves', 'unexpected')] },
  ]
  const report = write('playwright.json', { stats, errors: [{ message: 'no server' }], suites })

  expect(playwrightCounts(report)).toEqual({
    passed: 4,
    failed: 2,
    skipped: 2,
    retried: ['browser: login.test.ts › signs up'],
  })
})

test('a tool that wrote no report ran no test', () => {
  expect(vitestCounts(path.join(folder, 'none.json'), noList)).toEqual(noTests)
  expect(playwrightCounts(path.join(folder, 'none.json'))).toEqual(noTests)
})

test('the last line adds up both runners and names skipped tests only where there are some', () => {
  const both = sum(
    { ...noTests, passed: 2, retried: ['one'] },
    { ...noTests, passed: 3, failed: 1, retried: ['other'] },
  )

  expect(both.retried).toEqual(['one', 'other'])
  expect(countsLine(both)).toBe('5 passed, 1 failed')
  expect(countsLine({ ...both, skipped: 4 })).toBe('5 passed, 1 failed, 4 skipped')
})

function write(name: string, report: unknown): string {
  const file = path.join(folder, name)
  writeFileSync(file, JSON.stringify(report))
  return file
}

function fileResult(name: string, status: string, outcomes: string[]) {
  return {
    name: path.resolve(name),
    status,
    assertionResults: outcomes.map((outcome) => ({ status: outcome })),
  }
}
