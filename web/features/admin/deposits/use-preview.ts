import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import { minorFromDecimal } from '@finanzas/contract/money.ts'
import type { ChosenFile } from '#upload/choose-card.tsx'
import { sumOf } from '#money/amounts.ts'
import {
  readDeposits,
  sortDeposits,
  type ColumnMapping,
  type Customer,
  type Found,
  type Sorted,
} from '#features/admin/deposits/read/deposits-from-rows.ts'
import { batchesQuery, customersQuery } from './batches.ts'
import { batchCopy } from './copy.ts'

const nobody: readonly Customer[] = []

/** The user's decisions about doubtful lines. */
export type Consent = Readonly<Record<'blocked' | 'twins' | 'again', boolean>>

/** State of a sheet before it is ordered, with the user's decisions. */
export function usePreview({ table, mapping: guessed }: ChosenFile<ColumnMapping>) {
  const [mapping, setMapping] = useState(guessed)
  const [common, setCommon] = useState<string>(batchCopy.commonDefault)
  const [consent, setConsent] = useState<Consent>({ blocked: false, twins: false, again: false })
  const description = useDeferredValue(common.trim())
  const read = useMemo(() => readDeposits(table, mapping, description), [table, mapping, description])
  const names = useMemo(() => [...new Set(read.deposits.map(({ customer }) => customer))].sort(), [read])
  const customers = useQuery({ ...customersQuery(names), enabled: names.length > 0 })
  const found = names.length === 0 ? nobody : customers.data
  const sorted = useMemo(
    () => (found === undefined ? null : sortDeposits(read.deposits, found)),
    [read, found],
  )
  const deposits = useMemo(() => (sorted === null ? [] : chosen(sorted, consent)), [sorted, consent])
  const { data: past = [] } = useQuery(batchesQuery)
  const sumMinor = sumOf(deposits)
  const isMapped = mapping.customer !== null && mapping.amount !== null
  return {
    mapping,
    setMapping,
    common,
    setCommon,
    consent,
    consentTo: (what: keyof Consent, isGiven: boolean) => setConsent((all) => ({ ...all, [what]: isGiven })),
    broken: read.broken,
    /** `null` until the customers have been found. */
    sorted,
    findAgain: customers.isError ? () => void customers.refetch() : null,
    /** An earlier batch with the same number of deposits and the same sum. */
    twin: past.find(
      ({ lines, amount }) => lines === deposits.length && minorFromDecimal(amount) === sumMinor,
    ),
    /** The lines that would be sent now. */
    deposits,
    isMapped,
    isComplete: isMapped && description !== '',
  }
}

function chosen({ clear, blocked, twins }: Sorted, consent: Consent): readonly Found[] {
  const isSent = ({ person }: Found) => consent.blocked || !person.is_blocked
  return [...clear, ...(consent.blocked ? blocked : []), ...(consent.twins ? twins.filter(isSent) : [])].sort(
    (one, other) => one.line - other.line,
  )
}
