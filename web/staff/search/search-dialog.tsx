import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Database } from '@finanzas/contract/database-types.ts'
import { numberFromMinor } from '@finanzas/contract/money.ts'
import type { TransactionType } from '@finanzas/contract/wire/rows.ts'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { searchCopy as copy } from './copy.ts'
import { customerKeys } from '#staff/customers/customer.ts'
import { handleListKey, handleTransactionKey, useOpenFirst } from '#staff/lists/list-keys.ts'
import { refusalText } from '#api/refusals.ts'
import { staffRefusals } from '#staff/forms/refusals.ts'
import { TransactionDialog } from '#staff/forms/transaction-dialog.tsx'
import { useDelayed } from '#staff/forms/typed-text.ts'
import { usersKey } from '#staff/users/users.ts'
import { formatDateShort } from '#ui/format/dates.ts'
import { displayedAmount, displayedMoney, readAmount } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { useGo } from '#ui/address/address.tsx'
import { Link } from '#ui/address/link.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import './search.css'

type Results = Database['public']['Functions']['search_bank']['Returns']
type Found = Results['transactions'][number]
type Acting = { user: { id: string; name: string }; type: TransactionType }

/**
 * Searches the whole bank. A result opens the customer's page. The keys D and G open the form for a new deposit or
 * expense of the customer.
 */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const go = useGo()
  const [typed, setTyped] = useState('')
  const wanted = useDelayed(typed.trim())
  const { data, error, isPlaceholderData, isFetching } = useQuery(searchQuery(wanted))
  const [acting, setActing] = useState<Acting | null>(null)
  const results = wanted === '' || error !== null ? undefined : data
  const isCurrent = wanted === typed.trim() && !isPlaceholderData && !isFetching
  const items = results === undefined ? [] : itemsOf(results)
  const openFirst = useOpenFirst(items[0], isCurrent, ({ to }) => {
    onClose()
    go(to)
  })

  if (acting !== null) {
    const { id } = acting.user
    const reload = () =>
      Promise.all([usersKey, customerKeys.all(id)].map((queryKey) => client.invalidateQueries({ queryKey })))
    return <TransactionDialog {...acting} onDone={reload} onClose={onClose} />
  }
  return (
    <Dialog title={copy.title} onClose={onClose}>
      <div className="bank-search" onKeyDown={(event) => handleListKey(event, openFirst)}>
        <SearchField label={copy.hint} placeholder={copy.hint} value={typed} onChange={setTyped} />
        <p role="status" className="text-sm text-muted">
          {error !== null
            ? refusalText(error, staffRefusals)
            : wanted === ''
              ? copy.begins
              : !isCurrent
                ? copy.searching
                : items[0] === undefined
                  ? copy.empty
                  : copy.opens(items[0].title)}
        </p>
        {results !== undefined && (
          <Groups results={results} isCurrent={isCurrent} onFollow={onClose} onAct={setActing} />
        )}
        <p className="bank-search-keys text-xs text-muted">{copy.keys}</p>
      </div>
    </Dialog>
  )
}

type GroupsProps = {
  results: Results
  isCurrent: boolean
  onFollow: () => void
  onAct: (acting: Acting) => void
}

function Groups({ results, isCurrent, onFollow, onAct }: GroupsProps) {
  return (
    <>
      <Group title={copy.customers}>
        {results.customers.map((customer) => (
          <Result
            key={customer.id}
            item={customerItem(customer)}
            isFirst={isCurrent && customer === results.customers[0]}
            onFollow={onFollow}
            onAct={onAct}
          />
        ))}
      </Group>
      <Group title={copy.transactions}>
        {results.transactions.map((found) => (
          <Result
            key={found.id}
            item={transactionItem(found)}
            isFirst={isCurrent && results.customers.length === 0 && found === results.transactions[0]}
            onFollow={onFollow}
            onAct={onAct}
          />
        ))}
      </Group>
    </>
  )
}

type Item = { to: string; user: Acting['user']; title: string; detail: string; money: string }

function itemsOf({ customers, transactions }: Results): Item[] {
  return [...customers.map(customerItem), ...transactions.map(transactionItem)]
}

function customerItem({ id, full_name, email, balance }: Results['customers'][number]): Item {
  const name = full_name?.trim() || email
  return {
    to: `/admin/clientes/${id}`,
    user: { id, name },
    title: name,
    detail: email,
    money: displayedMoney(balance),
  }
}

/** Returns an item that links to the customer's page, filtered so that the transaction is shown. */
function transactionItem({ user_id: id, full_name, email, type, description, amount, date }: Found): Item {
  const name = full_name?.trim() || email
  const only = new URLSearchParams({ buscar: description, minimo: String(amount), maximo: String(amount) })
  return {
    to: `/admin/clientes/${id}?${only}`,
    user: { id, name },
    title: description,
    detail: `${name} · ${formatDateShort(date)}`,
    money: displayedAmount({ type, amount }),
  }
}

function Group({ title, children }: { title: string; children: ReactNode[] }) {
  if (children.length === 0) return null
  return (
    <section aria-label={title}>
      <h3 className="text-xs font-medium text-muted">{title}</h3>
      <ul>{children}</ul>
    </section>
  )
}

type ResultProps = {
  item: Item
  /** Whether Enter in the search field opens this result. */
  isFirst: boolean
  onFollow: () => void
  onAct: (acting: Acting) => void
}

function Result({ item: { to, user, title, detail, money }, isFirst, onFollow, onAct }: ResultProps) {
  return (
    <li>
      <Link
        to={to}
        data-item=""
        data-first-result={isFirst || undefined}
        className="bank-search-result rounded-md"
        onClick={onFollow}
        onKeyDown={(event) => handleTransactionKey(event, (type) => onAct({ user, type }))}
      >
        <span className="truncate font-medium">{title}</span>
        <MoneyText className="text-right">{money}</MoneyText>
        <span className="col-span-full truncate text-sm text-muted">{detail}</span>
      </Link>
    </li>
  )
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
