// These tests build chains with a second implementation, which uses Node's hash functions, and then tamper with the
// entries.
import fc from 'fast-check'
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import type { JournalEntry } from '#data/read-journal.ts'
import type { BalanceExplanation } from './explanation.ts'
import { verifyBalance, type Verdict } from './verification.ts'

const customer = '0d9b1c2e-7a35-4a7e-9f10-3a1b5c7d9e2f'

test('the page computes the same hash as PostgreSQL', async () => {
  // The expected hash was computed by ledger.entry_hash on PostgreSQL 15 and copied here. The hash does not depend on
  // this test's own code.
  const entry: JournalEntry = {
    user_id: customer,
    seq: 1,
    kind: 'expense',
    origin: 'batch',
    origin_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    transaction_id: null,
    delta: -0.5,
    balance_after: -0.5,
    actor: null,
    dated_at: '2026-11-20T04:59:59.999999+00:00',
    recorded_at: '2026-11-21T16:00:00.00012+00:00',
    previous_hash: '0'.repeat(64),
    is_note: false,
    hash: '7ce873c4272a7b811ef8ed9a44e01ad8128481944dbeed22dc9a082674a74acb',
  }

  expect(await verify([entry])).toEqual({ holds: true, entries: 1 })
})

describe('a chain with entries of every kind', () => {
  const entry = fc.record({
    kind: fc.constantFrom('deposit', 'expense', 'note', 'reversal', 'removal', 'restoration'),
    deltaMinor: fc.integer({ min: -99_999_999_999_999, max: 99_999_999_999_999 }),
    byAdministrator: fc.boolean(),
    microsecond: fc.integer({ min: 0, max: 999_999 }),
  })
  const chains = fc.array(entry, { maxLength: 60 }).map(chainOf)

  test('an unchanged chain is verified', async () => {
    await fc.assert(
      fc.asyncProperty(chains, async (chain) => {
        expect(await verify(chain)).toEqual({ holds: true, entries: chain.length })
      }),
    )
  })

  test('the verification fails at the entry with a changed field', async () => {
    const tampered = fc
      .tuple(
        chains.filter(({ length }) => length > 0),
        fc.nat(),
        fc.constantFrom(...changes),
      )
      .map(([chain, any, change]) => ({ chain, position: any % chain.length, change }))
    await fc.assert(
      fc.asyncProperty(tampered, async ({ chain, position, change }) => {
        const answered = chain.map((one, index) => (index === position ? { ...one, ...change(one) } : one))

        expect(await verify(answered, explain(chain))).toMatchObject({
          holds: false,
          entry: { seq: position + 1 },
        })
      }),
      { numRuns: 300 },
    )
  })

  test('the verification fails if an entry is removed and the later entries are rehashed', async () => {
    const chain = chainOf(Array.from({ length: 9 }, (_, position) => posting(position)))
    const shorter = chainOf([0, 1, 2, 4, 5, 6, 7, 8].map(posting))

    expect(await verify(shorter, explain(chain))).toEqual({ holds: false, fault: 'missing', seq: 9 })
    expect(await verify(chain.toSpliced(3, 1), explain(chain))).toMatchObject({ fault: 'sequence' })
  })

  test('the verification fails at the entry after an entry that was rewritten and rehashed', async () => {
    const postings = Array.from({ length: 9 }, (_, position) => posting(position))
    const chain = chainOf(postings)
    const [rewritten] = chainOf(postings.with(4, { ...posting(4), byAdministrator: true })).slice(4)

    expect(await verify(chain.with(4, rewritten as JournalEntry))).toMatchObject({
      holds: false,
      fault: 'link',
      entry: { seq: 6 },
    })
  })

  test('the verification fails at an entry with a wrong balance, even if all hashes are correct', async () => {
    const chain = chainOf([posting(0), { ...posting(1), balanceMinor: 1_000_000 }, posting(2)])

    expect(await verify(chain)).toMatchObject({ holds: false, fault: 'sum', entry: { seq: 2 } })
  })

  test('the verification fails if the sums of the chain differ from the explanation', async () => {
    const chain = chainOf([posting(0), posting(1)])
    const explanation = explain(chain)
    const more = (minor: MinorUnits) => (minor + 1) as MinorUnits

    for (const part of [
      'balanceMinor',
      'openingMinor',
      'depositsMinor',
      'expensesMinor',
      'correctionsMinor',
      'bookedMinor',
      'notedMinor',
    ] as const)
      expect(await verify(chain, { ...explanation, [part]: more(explanation[part]) })).toEqual({
        holds: false,
        fault: 'total',
      })
  })

  test('void entries count as corrections, and the sum of all void entries must be zero', async () => {
    const pair = chainOf([posting(0), { ...posting(1), deltaMinor: -10_000 }])
    const zero = 0 as MinorUnits
    const voidIds = ['5e0f1a9c-1111-4222-8333-944455556666']
    const none = { ...explain(pair), depositsMinor: zero, expensesMinor: zero, correctionsMinor: zero }

    expect(await verify(pair, { ...none, voidIds })).toEqual({ holds: true, entries: 2 })
    expect(await verify(pair, none)).toEqual({ holds: false, fault: 'total' })
    const half = chainOf([posting(0)])
    const hidden = { ...explain(half), depositsMinor: zero, correctionsMinor: 10_000 as MinorUnits, voidIds }
    expect(await verify(half, hidden)).toEqual({ holds: false, fault: 'total' })
  })

  test('the verification finds a note that the bank counts as its own posting', async () => {
    const chain = chainOf([posting(0), { ...posting(1), kind: 'note' }])
    const { bookedMinor, notedMinor, ...explanation } = explain(chain)
    const moved = { bookedMinor: (bookedMinor + notedMinor) as MinorUnits, notedMinor: 0 as MinorUnits }

    expect(await verify(chain)).toEqual({ holds: true, entries: 2 })
    expect(await verify(chain, { ...explanation, ...moved })).toEqual({ holds: false, fault: 'total' })
  })

  test('a chain is verified if entries were added after the explanation was read', async () => {
    const chain = chainOf(Array.from({ length: 5 }, (_, position) => posting(position)))

    expect(await verify(chain, explain(chain.slice(0, 3)))).toEqual({ holds: true, entries: 3 })
  })

  test('a chain is read page by page with progress reports', async () => {
    const chain = chainOf(Array.from({ length: 700 }, (_, position) => posting(position)))
    const progress: number[] = []
    const pages = paged([chain.slice(0, 500), chain.slice(500)])

    const verdict = await verifyBalance({
      explanation: explain(chain),
      pages,
      onProgress: (entries) => progress.push(entries),
    })

    expect(verdict).toEqual({ holds: true, entries: 700 })
    expect(progress).toEqual(progress.toSorted((one, other) => one - other))
    expect(progress).toContain(500)
    expect(progress.at(-1)).toBe(700)
  })
})

type Posting = {
  kind: string
  deltaMinor: number
  byAdministrator: boolean
  microsecond: number
  /** A wrong balance to store in the entry. */
  balanceMinor?: number
}

function posting(position: number): Posting {
  return {
    kind: position % 3 === 0 ? 'deposit' : 'expense',
    deltaMinor: position % 3 === 0 ? 10_000 : -1 - position,
    byAdministrator: false,
    microsecond: position,
  }
}

/** Contains one change for each column. Each change sets a value that differs from the current value. */
const changes: readonly ((entry: JournalEntry) => Partial<JournalEntry>)[] = [
  () => ({ user_id: '00000000-0000-4000-8000-000000000000' }),
  ({ seq }) => ({ transaction_id: `ffffffff-0000-4000-8000-${String(seq).padStart(12, '0')}` }),
  ({ kind }) => ({ kind: kind === 'deposit' ? 'expense' : 'deposit' }),
  ({ origin }) => ({ origin: origin === 'clerk' ? 'batch' : 'clerk' }),
  ({ origin_id: id }) => ({ origin_id: id === null ? customer : null }),
  ({ delta }) => ({ delta: delta === 5 ? 6 : 5 }),
  ({ balance_after: balance }) => ({ balance_after: balance === 5 ? 6 : 5 }),
  ({ actor }) => ({ actor: actor === null ? customer : null }),
  () => ({ dated_at: '2026-11-19T15:59:59.999999+00:00' }),
  () => ({ recorded_at: '2026-11-21T15:59:59.999999+00:00' }),
  () => ({ previous_hash: 'a'.repeat(64) }),
  () => ({ hash: 'b'.repeat(64) }),
]

function chainOf(postings: readonly Posting[]): JournalEntry[] {
  let before = { hash: '0'.repeat(64), balanceMinor: 0 }
  return postings.map(
    ({ kind, deltaMinor, byAdministrator, microsecond, balanceMinor: answered }, position) => {
      // Keeps the balance small enough for every amount to be exact.
      const isTooMuch = Math.abs(before.balanceMinor + deltaMinor) > 9_000_000_000_000_000
      const signedMinor = isTooMuch ? -deltaMinor : deltaMinor
      const balanceMinor = answered ?? before.balanceMinor + signedMinor
      const fraction = String(microsecond).padStart(6, '0')
      const entry = {
        user_id: customer,
        seq: position + 1,
        kind,
        origin: byAdministrator ? 'clerk' : 'own',
        origin_id: byAdministrator ? '5e0f1a9c-1111-4222-8333-944455556666' : null,
        transaction_id: kind === 'removal' ? null : '5e0f1a9c-1111-4222-8333-944455556666',
        delta: signedMinor / 100,
        balance_after: balanceMinor / 100,
        actor: byAdministrator ? '11111111-2222-4333-8444-555555555555' : null,
        dated_at: kind === 'removal' ? null : '2026-11-20T15:00:00+00:00',
        // PostgreSQL omits trailing zeros, and also the decimal point if no digits follow it.
        recorded_at: `2026-11-21T16:00:00${`.${fraction}`.replace(/\.?0+$/, '')}+00:00`,
        previous_hash: before.hash,
        is_note: !['deposit', 'expense'].includes(kind),
      }
      const hash = createHash('sha256')
      const write = (field: string | null) => {
        const length = Buffer.alloc(4)
        length.writeInt32BE(field === null ? -1 : Buffer.byteLength(field))
        hash.update(length).update(field ?? '')
      }
      write(entry.user_id)
      write(`${entry.seq}`)
      write(entry.kind)
      write(entry.origin)
      write(entry.origin_id)
      write(entry.transaction_id)
      write(twoDecimals(signedMinor))
      write(twoDecimals(balanceMinor))
      write(entry.actor)
      write(entry.dated_at === null ? null : `${Date.parse(entry.dated_at)}000`)
      write(`${Date.parse('2026-11-21T16:00:00Z') / 1000}${fraction}`)
      write(entry.previous_hash)
      before = { hash: hash.digest('hex'), balanceMinor }
      return { ...entry, hash: before.hash }
    },
  )
}

function twoDecimals(minor: number): string {
  const digits = String(Math.abs(minor)).padStart(3, '0')
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

function explain(chain: readonly JournalEntry[]): BalanceExplanation {
  const sum = (kinds: readonly string[]) =>
    chain
      .filter(({ kind }) => kinds.includes(kind))
      .reduce((total, { delta }) => total + Math.round(delta * 100), 0) as MinorUnits
  const last = chain.at(-1)
  return {
    balanceMinor: Math.round((last?.balance_after ?? 0) * 100) as MinorUnits,
    openingMinor: 0 as MinorUnits,
    depositsMinor: sum(['deposit']),
    expensesMinor: sum(['expense', 'note']),
    correctionsMinor: sum(['reversal', 'removal', 'restoration']),
    bookedMinor: sum(['deposit', 'expense']),
    notedMinor: sum(['note', 'reversal', 'removal', 'restoration']),
    voidIds: [],
    entries: chain.length,
    last: last === undefined ? null : { kind: last.kind, recordedAt: last.recorded_at },
  }
}

function verify(chain: readonly JournalEntry[], explanation = explain(chain)): Promise<Verdict> {
  return verifyBalance({ explanation, pages: paged([chain]), onProgress: () => {} })
}

async function* paged(pages: readonly (readonly JournalEntry[])[]) {
  for (const page of pages) yield page
}
