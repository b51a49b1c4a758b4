import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParameters } from '#ui/address/address.tsx'
import { dayInBogota } from '#ui/format/dates.ts'
import { formatMonthAndYear, monthOf } from '#ui/format/months.ts'
import { AmountsEye } from '#amounts/money-text.tsx'
import { useUser } from '#people/session/session.ts'
import { SelectField } from '#ui/form/field.tsx'
import { statementMonths } from '#amounts/statement-months.ts'
import { MoneyPages } from '#navigation/money-pages.tsx'
import { UnreadCard } from '#ui/ghost-rows.tsx'
import { PageHeading } from '#ui/page-heading.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { statementPageCopy as copy } from './copy.ts'
import { CertificateCard } from './certificate-card.tsx'
import { StatementCard } from './statement-card.tsx'
import { firstDateQuery, statementQuery } from './statements.ts'
import './statements.css'
import { VerifyCard } from './verify-card.tsx'

/**
 * Shows the statement of any month that has transactions. The URL may contain the month. By default, the page shows the
 * last full month.
 */
export function StatementsPage() {
  const user = useUser()
  const [parameters, setParameters] = useSearchParameters()
  const thisMonth = monthOf(dayInBogota())
  const first = useQuery(firstDateQuery(user.id)).data ?? user.created_at
  const months = statementMonths(first < user.created_at ? first : user.created_at)
  const asked = parameters.get('mes') ?? ''
  const month = months.includes(asked) ? asked : (months[1] ?? thisMonth)
  const statement = useQuery({
    ...statementQuery({ userId: user.id, month }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <PageHeading
        documentTitle={copy.documentTitle}
        heading={copy.heading}
        reading={statement.isPlaceholderData && <Spinner size="small" label={copy.loading} />}
        below={<MoneyPages />}
      >
        <div className="flex max-w-full flex-wrap items-center gap-2">
          <SelectField
            label={copy.month}
            isLabelHidden
            className="max-w-full"
            value={month}
            onChange={({ target }) => setParameters(() => new URLSearchParams({ mes: target.value }))}
          >
            {months.map((each) => (
              <option key={each} value={each}>
                {formatMonthAndYear(each)}
              </option>
            ))}
          </SelectField>
          <AmountsEye />
        </div>
      </PageHeading>
      <div className="grid grid-cols-1 gap-4 sm:gap-6">
        {statement.data !== undefined ? (
          <StatementCard
            // The key makes React create a new card for each month, so that each month is shown from the top.
            key={statement.data.month}
            statement={statement.data}
            isSoFar={statement.data.month === thisMonth}
          />
        ) : (
          <UnreadCard query={statement} loading={copy.loading} message={copy.unread} />
        )}
        {/* These cards appear only after the statement above them, because the statement would otherwise move them when
            it loads. */}
        {!statement.isPending && (
          <>
            <CertificateCard />
            <VerifyCard />
          </>
        )}
      </div>
    </>
  )
}
