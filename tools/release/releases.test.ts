import { expect, test } from 'vitest'
import { type Release, releasedMigrations } from '#server/database/migrate.ts'
import { type Candidate, refusalsOf } from './release.ts'
import { changedMigrations, hashedMigrations, laterMigrations, readReleases } from './releases.ts'

const now = releasedMigrations()
const release = { migrations: hashedMigrations(now) }

/** Returns the migrations of this tree with another text of the newest one. */
function edited(edit: (text: string) => string): Release {
  const [newest, ...earlier] = now.product.toReversed()
  if (newest === undefined) throw new Error('No migration exists.')
  return { ...now, product: [...earlier.toReversed(), { ...newest, text: edit(newest.text) }] }
}

test('a migration of a release is never edited', () => {
  expect(readReleases().flatMap((one) => changedMigrations(one))).toEqual([])
})

test('a changed comment, another name and a removed file count as an edited migration', () => {
  const newest = now.product.at(-1)
  const name = `${newest?.version}_${newest?.name}`

  expect(changedMigrations(release)).toEqual([])
  expect(
    changedMigrations(
      release,
      edited((text) => text.replace('-- ', '--  ')),
    ),
  ).toEqual([name])
  expect(changedMigrations(release, { ...now, product: now.product.slice(0, -1) })).toEqual([name])
  expect(
    changedMigrations(release, { ...now, product: now.product.map((one) => ({ ...one, name: 'other' })) }),
  ).toHaveLength(now.product.length)
})

test('migrations after a release are listed', () => {
  const later = { version: '29990101000000', name: 'later', text: 'select 1' }

  expect(laterMigrations(release)).toEqual([])
  expect(laterMigrations(release, { ...now, product: [...now.product, later] })).toEqual([later])
})

test('a release needs a clean tree, a dated changelog and migrations that create the schemas', () => {
  const good: Candidate = {
    version: '0.5.0',
    uncommitted: '',
    changelog: '# Changelog\n\n## [0.5.0] – 2026-12-24\n\n### Upgrading from 0.4.0\n',
    differences: [],
    migrated: ['0.4.0', '0.5.0'],
    isThere: false,
  }
  const faults: [Partial<Candidate>, RegExp][] = [
    [{ uncommitted: ' M README.md\n' }, /not committed:\n M README/],
    [{ changelog: '## [Unreleased]\n\n## [0.4.0] – 2026-12-01\n' }, /no section "## \[0\.5\.0\]/],
    [{ changelog: '## [0.5.0]\n' }, /no section/],
    [{ differences: ['- column public.budgets.balance'] }, /do not create the schemas:\n- column/],
    [{ migrated: ['0.4.0', '0.10.0'] }, /later release exist: 0\.10\.0/],
    [{ isThere: true }, /never written twice/],
  ]

  expect(refusalsOf(good)).toEqual([])
  for (const [fault, refusal] of faults) {
    const refused = refusalsOf({ ...good, ...fault })
    expect(refused).toHaveLength(1)
    expect(refused[0]).toMatch(refusal)
  }
})
