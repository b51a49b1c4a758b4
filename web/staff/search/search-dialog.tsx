import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Database } from '@finanzas/contract/database-types.ts'
import { numberFromMinor } from '@finanzas/contract/money.ts'
import type { TransactionType } from '@finanzas/contract/wire/rows.ts'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { searchCopy as copy } from './copy.ts'
import { customerKeys } from '#staff/customers/customer.ts'
import { handleTransactionKey } from '#staff/lists/list-keys.ts'
import { refusalText } from '#api/refusals.ts'
import { staffRefusals } from '#staff/forms/refusals.ts'
import { TransactionDialog } from '#staff/forms/transaction-dialog.tsx'
import { usersKey } from '#staff/users/users.ts'
import { formatDateShort } from '#ui/format/dates.ts'
import { displayedAmount, displayedMoney, readAmount } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { Palette, type Found, type FoundGroup } from '#ui/palette/palette.tsx'
import { useDelayed } from '#ui/palette/use-delayed.ts'

type Results = Database['public']['Functions']['search_bank']['Returns']
type FoundTransaction = Results['transactions'][number]
type Acting = { user: { id: string; name: string }; type: TransactionType }

/**
 * Searches the whole bank. A result opens the customer's page. The keys D and G open the form for a new deposit or
 * expense of the customer.
 */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const wanted = useDelayed(typed.trim())
  const { data, error, isPlaceholderData, isFetching } = useQuery(searchQuery(wanted))
  const [acting, setActing] = useState<Acting | null>(null)
  const results = wanted === '' || error !== null ? undefined : data
  const isCurrent = wanted === typed.trim() && !isPlaceholderData && !isFetching
  const groups = results === undefined ? [] : groupsOf(results)
  const [first] = groups.flatMap(({ items }) => items)

  if (acting !== null) {
    const { id } = acting.user
    const reload = () =>
      Promise.all([usersKey, customerKeys.all(id)].map((queryKey) => client.invalidateQueries({ queryKey })))
    return <TransactionDialog {...acting} onDone={reload} onClose={onClose} />
  }
  return (
    <Palette
      title={copy.title}
      hint={copy.hint}
      typed={typed}
      onType={setTyped}
      status={
        error !== null
          ? refusalText(error, staffRefusals)
          : wanted === ''
            ? copy.begins
            : !isCurrent
              ? copy.searching
              : first === undefined
                ? copy.empty
                : copy.opens(first.title)
      }
      groups={groups}
      isCurrent={isCurrent}
      keys={copy.keys}
      onItemKey={(event, { user }) => handleTransactionKey(event, (type) => setActing({ user, type }))}
      onClose={onClose}
    />
  )
}

type Item = Found & { user: Acting['user'] }

function groupsOf({ customers, transactions }: Results): FoundGroup<Item>[] {
  return [
    { title: copy.customers, items: customers.map(customerItem) },
    { title: copy.transactions, items: transactions.map(transactionItem) },
  ]
}

function customerItem({ id, full_name, email, balance }: Results['customers'][number]): Item {
  const name = full_name?.trim() || email
  return {
    id,
    to: `/admin/clientes/${id}`,
    user: { id, name },
    title: name,
    detail: email,
    money: <MoneyText>{displayedMoney(balance)}</MoneyText>,
  }
}

/** Returns an item that links to the customer's page, filtered so that the transaction is shown. */
function transactionItem({
  id: rowId,
  user_id: id,
  full_name,
  email,
  type,
  description,
  amount,
  date,
}: FoundTransaction): Item {
  const name = full_name?.trim() || email
  const only = new URLSearchParams({ buscar: description, minimo: String(amount), maximo: String(amount) })
  return {
    id: rowId,
    to: `/admin/clientes/${id}?${only}`,
    user: { id, name },
    title: description,
    detail: `${name} · ${formatDateShort(date)}`,
    money: <MoneyText>{displayedAmount({ type, amount })}</MoneyText>,
  }
}

function searchQuery(search: string) {
  return queryOptions({
    queryKey: ['bank-search', search],
    enabled: search !== '',
    gcTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Results> => {
      const client = await backend()
      const amount = readAmount(search)
      return unwrap(
        await client
          .rpc('search_bank', {
            search,
            ...(amount.ok && { amount: numberFromMinor(amount.amountMinor) }),
          })
          .abortSignal(signal),
      )
    },
  })
}
