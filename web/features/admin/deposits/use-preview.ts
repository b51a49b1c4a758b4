import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import { minorFromDecimal } from '@finanzas/contract/money.ts'
import type { ChosenFile } from '#upload/choose-card.tsx'
import { sumOf } from '#money/amounts.ts'
import {
  isFaulty,
  isFound,
  isLeftOut,
  judgeDeposits,
  readDeposits,
  type ColumnMapping,
  type Deposit,
  type Edit,
  type Edits,
  type JudgedDeposit,
} from '#features/admin/deposits/read/deposits-from-rows.ts'
import { lookupQuery, type FoundUser } from '#features/admin/users/users.ts'
import { batchesQuery } from './batches.ts'
import { batchCopy } from './copy.ts'

/** Holds the state of a sheet before it is ordered, including the user's changes and decisions. */
export function usePreview({ table, mapping: guessed }: ChosenFile<ColumnMapping>) {
  const [mapping, setMapping] = useState(guessed)
  const [common, setCommon] = useState<string>(batchCopy.commonDefault)
  const [edits, setEdits] = useState<Edits>(new Map())
  const [isAgain, setIsAgain] = useState(false)
  const description = useDeferredValue(common.trim())
  const original = useMemo(() => readDeposits(table, mapping, description), [table, mapping, description])
  const edited = useMemo(
    () => readDeposits(table, mapping, description, edits),
    [table, mapping, description, edits],
  )
  const file = useCustomers(original)
  // Looks up only the corrected e-mail addresses. The file may contain thousands of other addresses, which have been
  // looked up before.
  const corrected = useCustomers(edited.filter(({ line }) => edits.get(line)?.customer !== undefined))
  const order = useMemo(
    () => (file.found === undefined ? null : faultyFirst(judgeDeposits(original, file.found))),
    [original, file.found],
  )
  const lines = useMemo(() => {
    if (order === null) return null
    const judged = judgeDeposits(edited, [...(file.found ?? []), ...(corrected.found ?? [])])
    const byLine = new Map(judged.map((deposit) => [deposit.line, deposit]))
    return order.flatMap((line) => byLine.get(line) ?? [])
  }, [order, edited, file.found, corrected.found])
  const deposits = useMemo(
    () =>
      (lines ?? [])
        .filter(isFound)
        .filter((deposit) => !isLeftOut(deposit))
        .sort((one, other) => one.line - other.line),
    [lines],
  )
  const { data: past = [] } = useQuery(batchesQuery)
  const sumMinor = sumOf(deposits)
  const isMapped = mapping.customer !== null && mapping.amount !== null
  const edit = (changed: readonly number[], change: Edit) =>
    setEdits(
      (all) => new Map([...all, ...changed.map((line) => [line, { ...all.get(line), ...change }] as const)]),
    )
  return {
    mapping,
    setMapping,
    common,
    setCommon,
    /** All lines, or `null` until the customers have been found. Lines that are faulty in the file come first. */
    lines: isMapped ? lines : [],
    edit,
    isSearching: corrected.found === undefined,
    findAgain: file.retry ?? corrected.retry,
    /** An earlier batch with the same number of deposits and the same total amount, unless it was reversed. */
    twin: past.find(
      ({ lines: count, amount, reversed_at }) =>
        count === deposits.length && minorFromDecimal(amount) === sumMinor && reversed_at === null,
    ),
    isAgain,
    setIsAgain,
    /** The lines that would be sent now. */
    deposits,
    isMapped,
    isComplete: isMapped && description !== '',
  }
}

const nobody: readonly FoundUser[] = []

/** Looks up the lines' customers. `found` is `undefined` until the server has answered. */
function useCustomers(deposits: readonly Deposit[]) {
  const names = useMemo(
    () =>
      [
        ...new Set(
          deposits.flatMap(({ customer, customerFault }) => (customerFault === null ? [customer] : [])),
        ),
      ].sort(),
    [deposits],
  )
  const customers = useQuery(lookupQuery(names))
  return {
    found: names.length === 0 ? nobody : customers.data,
    retry: customers.isError ? () => void customers.refetch() : null,
  }
}

/** Returns the line numbers: first the faulty lines, then the doubtful lines, then all others. */
function faultyFirst(deposits: readonly JudgedDeposit[]): readonly number[] {
  const rank = (deposit: JudgedDeposit) => (isFaulty(deposit) ? 0 : deposit.doubt === null ? 2 : 1)
  return deposits
    .map((deposit) => ({ line: deposit.line, rank: rank(deposit) }))
    .sort((one, other) => one.rank - other.rank || one.line - other.line)
    .map(({ line }) => line)
}
