import { queryOptions, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import { filingQuery, rulingOf, type Filing } from '#ledger/filing/filing.ts'
import type { History } from '#ledger/history.ts'
import { historyQuery } from '#ledger/queries.ts'
import { expenseDays } from '#ledger/transaction/expense-days.ts'
import { useUser } from '#session/session.ts'
import type { ChosenFile } from './file-card.tsx'
import { chosenExpenses, groupExpenses, type Choice } from './groups.ts'
import { splitKnown } from './match.ts'
import { isDayOrderOpen } from './read/days.ts'
import { readLines } from './read/lines.ts'

/** The latest expenses of their own that proposals look at. */
const rememberedMax = 5000

/** Its code comes with the first file, as it comes with the first expense elsewhere. */
const proposalsCode = queryOptions({
  queryKey: ['code of proposals'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => (await import('#ledger/transaction/proposals.ts')).createProposals,
})

/** Everything that is known of a file before it is recorded, and what a person said about it. */
export function usePreview(file: ChosenFile) {
  const user = useUser()
  const history = useQuery(historyQuery(user.id))
  const [layout, setLayout] = useState(file.layout)
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map())
  const rows = useDeferredValue(wholeHistory(history.data))

  const lines = useMemo(() => readLines(file.table, layout, expenseDays()), [file.table, layout])
  const { fresh, known } = useMemo(() => splitKnown(lines.expenses, rows ?? []), [lines, rows])
  const { data: createProposals } = useQuery(proposalsCode)
  const filing = useQuery(filingQuery(user.id)).data ?? noFiling
  const filed = useMemo(() => {
    const own = (rows ?? []).filter(({ type }) => type === 'expense').slice(0, rememberedMax)
    return { ruling: rulingOf(filing.rules), propose: createProposals?.(own, filing) ?? (() => '') }
  }, [createProposals, rows, filing])
  const groups = useMemo(() => groupExpenses(fresh, filed), [fresh, filed])
  const expenses = useMemo(() => chosenExpenses(groups, choices), [groups, choices])
  const isOrderOpen = useMemo(
    () => isDayOrderOpen(file.table.rows.map(({ fields }) => fields[layout.date ?? -1] ?? '')),
    [file.table, layout.date],
  )
  const choose = (key: string, choice: Choice) =>
    setChoices((before) => new Map(before).set(key, { ...before.get(key), ...choice }))

  return {
    layout,
    setLayout,
    isDayOrderOpen: isOrderOpen,
    lines,
    known,
    groups,
    /** Categories of the customer's own. */
    own: filing.categories,
    choices,
    choose,
    /** What would be recorded now. */
    expenses,
    isCompared: rows !== null,
    compareAgain: history.isError ? () => void history.refetch() : null,
  }
}

const noFiling: Filing = { categories: [], rules: [] }

/** Every row, newest first; `null` while some are missing. */
function wholeHistory(history: History | undefined) {
  return history?.isComplete === true ? history.pages.flat() : null
}
