import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fold } from '@finanzas/contract/format/fold.ts'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { displayedAmount } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { backend } from '#api/client.ts'
import { hasFeature } from '#api/configuration.ts'
import { unwrap } from '#api/unwrap.ts'
import { customerEntries } from '#app/navigation.tsx'
import { dataKeys } from '#data/queries.ts'
import { moneyPages } from '#navigation/money-pages.tsx'
import { useUser } from '#people/session/session.ts'
import { transfersQuery, type Beneficiary } from '#transfers/transfers.ts'
import { formatDateShort } from '#ui/format/dates.ts'
import { Palette, type Found } from '#ui/palette/palette.tsx'
import { useDelayed } from '#ui/palette/use-delayed.ts'
import { searchCopy as copy } from './copy.ts'

/** Finds the pages, the beneficiaries and the transactions of a customer. */
export function CustomerSearch({ onClose }: { onClose: () => void }) {
  const user = useUser()
  const [typed, setTyped] = useState('')
  const wanted = useDelayed(typed.trim())
  const { data: transfers } = useQuery({
    ...transfersQuery(user.id),
    enabled: hasFeature('transferencias'),
  })
  const { data, isError, isPlaceholderData, isFetching } = useQuery(foundQuery(user.id, wanted))
  const rows = wanted === '' ? [] : (data ?? [])
  const isCurrent = wanted !== '' && wanted === typed.trim() && !isPlaceholderData && !isFetching
  const groups = [
    { title: copy.pages, items: pagesLike(wanted) },
    { title: copy.payees, items: payeesLike(wanted, transfers?.beneficiaries ?? []) },
    { title: copy.transactions, items: wanted === '' ? [] : [...rows.map(itemOf), historyItem(wanted)] },
  ]
  const [first] = groups.flatMap(({ items }) => items)
  return (
    <Palette
      title={copy.title}
      hint={copy.hint}
      typed={typed}
      onType={setTyped}
      status={
        wanted === ''
          ? copy.begins
          : isError
            ? copy.failed
            : isCurrent && first !== undefined
              ? copy.opens(first.title)
              : copy.searching
      }
      groups={groups}
      isCurrent={isCurrent}
      onClose={onClose}
    />
  )
}

/** Returns the pages with the typed text in their names, or all pages if the text is empty. */
function pagesLike(typed: string): Found[] {
  const pages = [...customerEntries, ...moneyPages()]
  return pages
    .filter(({ label }) => includes(label, typed))
    .map(({ to, label }) => ({ id: to, to, title: label }))
}

/** Maximum number of beneficiaries and of transactions among the results. */
const foundMax = 5

function payeesLike(typed: string, payees: readonly Beneficiary[]): Found[] {
  if (typed === '') return []
  return payees
    .filter(({ name }) => includes(name, typed))
    .slice(0, foundMax)
    .map(({ id, name }) => ({
      id,
      to: `/transferencias?nueva=${id}`,
      title: name,
      detail: copy.transferTo,
    }))
}

function includes(name: string, typed: string): boolean {
  return fold(name).includes(fold(typed))
}

type Row = Pick<Transaction, 'id' | 'type' | 'description' | 'amount' | 'date'>

/** Returns an item that opens the history, filtered so that it shows the transaction. */
function itemOf({ id, type, description, amount, date }: Row): Found {
  const only = new URLSearchParams({ buscar: description, minimo: String(amount), maximo: String(amount) })
  return {
    id,
    to: `/transacciones?${only}`,
    title: description,
    detail: formatDateShort(date),
    money: <MoneyText>{displayedAmount({ type, amount })}</MoneyText>,
  }
}

/** Returns an item that searches the whole history, which also finds other accents and parts of words. */
function historyItem(typed: string): Found {
  return {
    id: 'history',
    to: `/transacciones?${new URLSearchParams({ buscar: typed })}`,
    title: copy.allLike(typed),
  }
}

/** Reads the newest transactions with the typed text in their descriptions. */
function foundQuery(userId: string, typed: string) {
  return queryOptions({
    queryKey: [...dataKeys.all(userId), 'search', typed],
    enabled: typed !== '',
    gcTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Row[]> => {
      const client = await backend()
      return unwrap(
        await client
          .from('transactions')
          .select('id,type,description,amount,date')
          .eq('user_id', userId)
          .ilike('description', `%${literal(typed)}%`)
          .order('date', { ascending: false })
          .limit(foundMax)
          .abortSignal(signal),
      )
    },
  })
}

/** Returns a pattern that matches the text itself. The table API reads `*` as `%`, and `_` matches any character. */
function literal(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`).replaceAll('*', '_')
}
