import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import { minorFromDecimal } from '@finanzas/contract/money.ts'
import { batchesQuery, customersQuery } from './batches.ts'
import type { ChosenSheet } from './choose-card.tsx'
import { batchCopy } from './copy.ts'
import { isIncomplete } from './mapping-fields.tsx'
import {
  readDeposits,
  sortDeposits,
  sumOf,
  type Customer,
  type Found,
} from '#features/admin/deposits/read/deposits-from-rows.ts'

const nobody: readonly Customer[] = []

/** The person's decisions about doubtful lines. */
export type Consent = Readonly<Record<'without' | 'blocked' | 'twins' | 'again', boolean>>

/** State of a sheet before it is sent, with the person's decisions. */
export function usePreview(sheet: ChosenSheet) {
  const [mapping, setLayout] = useState(sheet.mapping)
  const [common, setCommon] = useState<string>(batchCopy.commonDefault)
  const [consent, setConsent] = useState<Consent>({
    without: false,
    blocked: false,
    twins: false,
    again: false,
  })
  const description = useDeferredValue(common.trim())
  const read = useMemo(() => readDeposits(sheet.table, mapping, description), [sheet, mapping, description])
  const names = useMemo(() => [...new Set(read.deposits.map(({ customer }) => customer))].sort(), [read])
  const customers = useQuery({ ...customersQuery(names), enabled: names.length > 0 })
  const found = names.length === 0 ? nobody : customers.data
  const sorted = useMemo(
    () => (found === undefined ? null : sortDeposits(read.deposits, found)),
    [read, found],
  )
  const deposits = useMemo(() => (sorted === null ? [] : chosen(sorted, consent)), [sorted, consent])
  const amountMinor = sumOf(deposits)
  const { data: past = [] } = useQuery(batchesQuery)
  const twin = past.find(
    ({ lines, amount }) => lines === deposits.length && minorFromDecimal(amount) === amountMinor,
  )
  const isLeftOutSeen = read.broken.length + (sorted?.unknown.length ?? 0) === 0 || consent.without
  const isAnswered = isLeftOutSeen && (twin === undefined || consent.again)
  return {
    mapping,
    setLayout,
    common,
    setCommon,
    consent,
    consentTo: (what: keyof Consent, isGiven: boolean) => setConsent((all) => ({ ...all, [what]: isGiven })),
    broken: read.broken,
    /** `null` until the customers are found. */
    sorted,
    findAgain: customers.isError ? () => void customers.refetch() : null,
    /** A batch of before with as many deposits and the same sum. */
    twin,
    /** Whether what cannot be passed over in silence has been answered. */
    isAnswered,
    /** The lines to send now. */
    deposits,
    amountMinor,
    isReady: deposits.length > 0 && !isIncomplete(mapping) && description !== '' && isAnswered,
  }
}

function chosen(
  { clear, blocked, twins }: ReturnType<typeof sortDeposits>,
  consent: Consent,
): readonly Found[] {
  const isSent = ({ person }: Found) => consent.blocked || !person.is_blocked
  return [...clear, ...(consent.blocked ? blocked : []), ...(consent.twins ? twins.filter(isSent) : [])].sort(
    (one, other) => one.line - other.line,
  )
}
