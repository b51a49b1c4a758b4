// Tests the table of the slices, and that the proofs that no slice holds were run since the last release.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { missedOf } from '#nightly/missed.ts'
import { proofs } from '#nightly/proofs.ts'
import { automaticSlice, beyondSlices, inTurn, sliceOf, slices } from '#nightly/slices.ts'
import { counted, metricWithoutThreshold, none, withoutSpeed, atMost } from '#testing/report.ts'
import { root } from './tree.ts'

const sliceSecondsMax = 20 * 60
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8')

/** A row of the table in docs/reliability.md: the proof, its command, and the day of its last full run. */
type Row = { readonly proof: string; readonly command: string; readonly day: string }

function rowsOf(page: string): Row[] {
  const section = page.split('\n## Outside the slices\n')[1]?.split('\n## ')[0] ?? ''
  return [...section.matchAll(/^\| `([a-z-]+)` \| `([^`]+)` \| [^|]+ \| (\d{4}-\d\d-\d\d)\b[^|]*\|$/gm)].map(
    ([, proof = '', command = '', day = '']) => ({ proof, command, day }),
  )
}

/** Returns the day of the newest release in a change log, or `null`. The first release is 0.4.0. */
function dayOfRelease(changeLog: string): string | null {
  const [, major = '', minor = '', day = ''] =
    /^## \[(\d+)\.(\d+)\.\d+\] – (\d{4}-\d\d-\d\d)$/m.exec(changeLog) ?? []
  return major === '' || (major === '0' && Number(minor) < 4) ? null : day
}

const olderThan = (release: string | null, rows: readonly Row[]) =>
  rows.filter(({ day }) => release !== null && day < release).map(({ proof }) => proof)

describe('the slices', () => {
  test('each proof is in one of the slices or has its row in docs/reliability.md', () => {
    const inSlices = Object.values(slices).flatMap((parts) => parts.map(({ proof }) => proof))

    expect(new Set([...inSlices, ...beyondSlices])).toEqual(new Set(Object.keys(proofs)))
    expect(inSlices).toEqual([...new Set(inSlices)])
  })

  test.each(Object.entries(slices))('the slice %s took at most twenty minutes', (_, parts) => {
    expect(parts.reduce((sum, { seconds }) => sum + (seconds ?? 0), 0)).toBeLessThanOrEqual(sliceSecondsMax)
    expect(parts.filter(({ scale }) => scale <= 0 || scale > 1)).toEqual([])
  })

  test('successive commits run all slices in turn, and one commit always runs the same slice', () => {
    const commits = inTurn.map((_, index) => index.toString(16).padStart(8, '0').padEnd(40, 'a'))

    expect(commits.map(automaticSlice).toSorted()).toEqual([...inTurn].toSorted())
    expect(inTurn.flatMap((name) => slices[name] ?? []).filter(({ seconds }) => seconds === null)).toEqual([])
    expect(inTurn.filter((name) => !(name in slices))).toEqual([])
    expect(sliceOf('auto')).toEqual(sliceOf('auto'))
    expect(() => sliceOf('afternoon')).toThrow('The slice afternoon does not exist')
  })
})

describe('the verdict on a proof', () => {
  test('a proof that counted nothing fails', () => {
    expect(missedOf([counted('acknowledged writes', 0), none('lost', [])])).toEqual([
      'acknowledged writes is 0, threshold ≥ 1',
    ])
    expect(missedOf([counted('disk images', 3, 3), none('lost', [])])).toEqual([])
  })

  test('a proof that could not run fails', () => {
    expect(missedOf([metricWithoutThreshold('not run', 'HAProxy is not installed')])).toEqual([
      'it judged nothing',
    ])
  })

  test('a slice judges counts, but not durations', () => {
    const metrics = [counted('kills', 0, 5), atMost('recovery, longest', 9, 5, 's')]

    expect(missedOf(metrics)).toHaveLength(2)
    expect(missedOf(withoutSpeed(metrics))).toEqual(['kills is 0, threshold ≥ 5'])
  })
})

describe('the proofs outside the slices', () => {
  const rows = rowsOf(textOf('docs/reliability.md'))

  test('docs/reliability.md names the command of each proof that no slice holds at its full size', () => {
    expect(rows.map(({ proof }) => proof)).toEqual(beyondSlices)
    expect(rows.map(({ command }) => command)).toEqual(
      beyondSlices.map((proof) => `npm run nightly -- ${proof}`),
    )
  })

  test('each of these proofs was run at its full size since the last release', () => {
    expect(olderThan(dayOfRelease(textOf('CHANGELOG.md')), rows)).toEqual([])
  })

  test('a run before the day of the last release is too old', () => {
    const release = dayOfRelease('## [Unreleased]\n\n## [0.4.0] – 2026-12-04\n\n## [0.3.0] – 2026-11-27\n')
    const runs = [
      { proof: 'cluster', command: '', day: '2026-12-03' },
      { proof: 'scaling', command: '', day: '2026-12-04' },
    ]

    expect(olderThan(release, runs)).toEqual(['cluster'])
    expect(dayOfRelease('## [Unreleased]\n\n## [0.3.0] – 2026-11-27\n')).toBeNull()
  })
})
