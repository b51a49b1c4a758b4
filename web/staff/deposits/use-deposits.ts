import { useDeferredValue, useMemo, useState } from 'react'
import { inOrder, lineOrder, useLookup, useSheet } from '#staff/batches/sheet.ts'
import type { ChosenFile } from '#uploads/choose-card.tsx'
import { depositsCopy } from './copy.ts'
import {
  isFaulty,
  isFound,
  isLeftOut,
  judgeDeposits,
  readDeposits,
  type ColumnMapping,
  type Deposit,
  type Edit,
  type JudgedDeposit,
} from './deposits-from-rows.ts'

const none: readonly JudgedDeposit[] = []

/** Holds the state of a table of deposits before staff order it, including their changes and decisions. */
export function useDeposits(sheet: ChosenFile<ColumnMapping>) {
  const { table } = sheet
  const state = useSheet<ColumnMapping, Edit>(sheet)
  const { mapping, edits } = state
  const [common, setCommon] = useState<string>(depositsCopy.commonDefault)
  const description = useDeferredValue(common.trim())
  const original = useMemo(() => readDeposits(table, mapping, description), [table, mapping, description])
  const edited = useMemo(
    () => readDeposits(table, mapping, description, edits),
    [table, mapping, description, edits],
  )
  const file = useLookup(useMemo(() => namesIn(original), [original]))
  // Looks up only the corrected e-mail addresses. The other addresses, of which the file may contain thousands, have
  // been looked up before.
  const corrected = useLookup(
    useMemo(
      () => namesIn(edited.filter(({ line }) => edits.get(line)?.customer !== undefined)),
      [edited, edits],
    ),
  )
  const order = useMemo(
    () => (file.found === undefined ? [] : lineOrder(judgeDeposits(original, file.found), rankOf)),
    [original, file.found],
  )
  const lines = useMemo(
    () => inOrder(judgeDeposits(edited, [...(file.found ?? []), ...(corrected.found ?? [])]), order),
    [order, edited, file.found, corrected.found],
  )
  const deposits = useMemo(
    () =>
      lines
        .filter(isFound)
        .filter((deposit) => !isLeftOut(deposit))
        .sort((one, other) => one.line - other.line),
    [lines],
  )
  const isMapped = mapping.customer !== null && mapping.amount !== null
  const retry = file.retry ?? corrected.retry
  return {
    state,
    common,
    setCommon,
    isMapped,
    lookup: { isDone: file.found !== undefined && retry === null, retry },
    isSearching: corrected.found === undefined,
    /** All lines. The list is empty until the customers have been found. Lines that are faulty in the file come first. */
    lines: isMapped ? lines : none,
    /** The lines that would be sent now. */
    deposits,
  }
}

function namesIn(deposits: readonly Deposit[]): string[] {
  return deposits.flatMap(({ customer, customerFault }) => (customerFault === null ? [customer] : []))
}

/** Puts the faulty lines first, then the doubtful lines, then all others. */
function rankOf(deposit: JudgedDeposit): number {
  if (isFaulty(deposit)) return 0
  return deposit.doubt === null ? 2 : 1
}
