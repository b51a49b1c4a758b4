import { useQuery } from '@tanstack/react-query'
import { deviceName } from '@finanzas/contract/people/device-name.ts'
import { displayedMoney } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { TransactionRow } from '#money/transaction-row.tsx'
import { Link } from '#ui/address/link.tsx'
import { buttonClass } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { formatAgo, formatDateTimeShort, formatDateWithYear } from '#ui/format/dates.ts'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { customersCopy } from './copy.ts'
import { CustomerFailure } from './customer-failure.tsx'
import { CustomerParts, CustomerStates } from './customer-lines.tsx'
import { customerLatestQuery, customerQuery, type Customer } from './customer.ts'

const copy = customersCopy.glance

type Props = { id: string; name: string; onClose: () => void }

/**
 * A customer above the list that the administrator reads: balance, access and latest transactions. Opening the dialog
 * adds an entry to the audit log, as the customer's page does.
 */
export function GlanceDialog({ id, name, onClose }: Props) {
  const { data: customer, error, isError, refetch } = useQuery(customerQuery(id))
  return (
    <Dialog title={name} onClose={onClose}>
      {customer !== undefined ? (
        <Glance customer={customer} />
      ) : isError ? (
        <CustomerFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <Spinner label={customersCopy.loading} />
      )}
      <p className="mt-6 grid">
        <Link to={`/admin/clientes/${id}`} className={buttonClass({ variant: 'outline' })}>
          {copy.open}
        </Link>
      </p>
    </Dialog>
  )
}

function Glance({ customer }: { customer: Customer }) {
  const { balance, created_at, document_kind, document_number, last_sign_in_at, sessions } = customer
  const [latest] = sessions
  return (
    <>
      <div className="@container">
        <MoneyText className={`text-3xl font-semibold ${balance < 0 ? 'text-danger' : ''}`}>
          {displayedMoney(balance)}
        </MoneyText>
        <p>
          <CustomerParts customer={customer} />
        </p>
      </div>
      <div className="mt-3">
        <CustomerStates customer={customer} />
      </div>
      <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
        <dt className="text-muted">{customersCopy.holder.document}</dt>
        <dd>
          {document_number === null ? customersCopy.holder.missing : `${document_kind} ${document_number}`}
        </dd>
        <dt className="text-muted">{customersCopy.access.since}</dt>
        <dd>{formatDateWithYear(created_at)}</dd>
        <dt className="text-muted">{customersCopy.access.lastSignIn}</dt>
        <dd className="min-w-0 wrap-anywhere">
          {last_sign_in_at === null ? customersCopy.access.never : formatDateTimeShort(last_sign_in_at)}
          {latest !== undefined && (
            <span className="block text-muted">
              {latest.user_agent === null
                ? customersCopy.access.unknownDevice
                : deviceName(latest.user_agent)}
              {`, ${formatAgo(latest.used_at)}`}
            </span>
          )}
        </dd>
      </dl>
      <Latest id={customer.id} />
    </>
  )
}

function Latest({ id }: { id: string }) {
  const { data: rows, isError, refetch } = useQuery(customerLatestQuery(id))
  return (
    <section aria-label={copy.latest} className="mt-4 border-t border-line pt-3">
      <h3 className="text-sm font-semibold">{copy.latest}</h3>
      {rows === undefined ? (
        isError ? (
          <RetryLine onRetry={() => void refetch()} />
        ) : (
          <Spinner size="small" label={copy.latest} />
        )
      ) : rows.length === 0 ? (
        <p className="mt-2 text-sm text-muted">{copy.noTransactions}</p>
      ) : (
        <div className="rows">
          <ul className="divide-y divide-line">
            {rows.map((transaction) => (
              <li key={transaction.id}>
                <TransactionRow transaction={transaction} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}
