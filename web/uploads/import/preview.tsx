import { useQuery, useQueryClient } from '@tanstack/react-query'
import { importedOfNewAccountMax, importedPerDayMax, ownBalanceMin } from '@finanzas/contract/limits.ts'
import { minorFromDecimal } from '@finanzas/contract/money.ts'
import { configuration } from '#api/configuration.ts'
import { formatDateWithYear, noonInBogota } from '#ui/format/dates.ts'
import { balanceQuery } from '#data/queries.ts'
import { displayedMinor, sumOf } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { useUser } from '#people/session/session.ts'
import { Card } from '#ui/card.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { expenseCopy } from '#money/expense/copy.ts'
import type { ChosenFile } from '#uploads/choose-card.tsx'
import { uploadCopy } from '#uploads/copy.ts'
import { LineDetails } from '#uploads/named-lines.tsx'
import { Preview } from '#uploads/preview.tsx'
import type { BankTable } from '#uploads/import/read/judge/headings.ts'
import type { FileTransaction } from '#uploads/import/read/expenses-from-rows.ts'
import type { Skipped } from '#uploads/import/read/reader.ts'
import { importCopy as copy } from './copy.ts'
import { CurrencyQuestion } from './currency-question.tsx'
import { GroupList } from './group-list.tsx'
import { importsQuery, sendImport, type PastImport } from './imports.ts'
import { isIncomplete, MappingFields } from './mapping-fields.tsx'
import { FileQuestions } from './questions.tsx'
import { usePreview } from './use-preview.ts'

type Props = {
  file: ChosenFile<BankTable>
  onAnother: () => void
  onDone: (imported: PastImport) => void
}

/** Preview of a file before it is recorded: the new expenses in groups, and the lines that will not be recorded. */
export function ImportPreview({ file, onAnother, onDone }: Props) {
  const user = useUser()
  const client = useQueryClient()
  const preview = usePreview(file)
  const { judgement, answers, answer, lines, fresh, groups, doubts, expenses, own, choices, choose } = preview
  const { currencyAnswer, setCurrencyAnswer } = preview
  const { broken, incomes } = lines
  if (judgement === null) return <ReadingCard title={file.name} />
  const isOpen = judgement.questions.length > 0
  const suspected = isOpen ? null : preview.suspected
  return (
    <Preview
      title={file.name}
      copy={copy}
      fields={() => (
        <>
          <FileQuestions table={file.table} judgement={judgement} answers={answers} onChange={answer} />
          <MappingFields table={file.table} judgement={judgement} answers={answers} onChange={answer} />
          <CurrencyQuestion suspected={suspected} answer={currencyAnswer} onChange={setCurrencyAnswer} />
        </>
      )}
      lookup={{ isDone: preview.isCompared, retry: preview.compareAgain }}
      status={
        (fresh.length === 0 ? copy.nothingFresh : copy.fresh(fresh.length)) +
        (incomes.length === 0 ? '' : copy.incomesLeft(incomes.length))
      }
      broken={broken.map(({ line, fault, text }) => ({ line, words: copy.faults[fault], text }))}
      hasLines={fresh.length + doubts.length > 0}
      isAnswered={!isOpen && (suspected === null || currencyAnswer.isCurrencyAnswered)}
      isComplete={preview.isCurrent && !isIncomplete(judgement)}
      lines={expenses}
      lineOf={(place) => expenses[place - 1]?.line}
      send={async (id) => onDone(await sendImport(client, { userId: user.id, id, expenses }))}
      onAnother={onAnother}
      effect={expenses.length > 0 && <BalanceEffect expenses={expenses} />}
    >
      {incomes.length > 0 && <LeftOutIncomes incomes={incomes} />}
      {fresh.length > 0 && <p className="text-sm text-muted">{copy.effectOn(configuration().brandName)}</p>}
      {groups.length > 0 && <GroupList groups={groups} own={own} choices={choices} onChoose={choose} />}
      {doubts.length > 0 && (
        <section aria-label={copy.doubtful(doubts.length)}>
          <p className="font-semibold">{copy.doubtful(doubts.length)}</p>
          <p className="text-sm text-muted">{copy.doubtfulWhy}</p>
          <GroupList groups={doubts} own={own} choices={choices} onChoose={choose} />
        </section>
      )}
      <LineDetails title={copy.known(preview.known.length)} lines={preview.known}>
        {listItem}
      </LineDetails>
      <SkippedLines skipped={judgement.skipped} />
    </Preview>
  )
}

/** Stands for the preview while a long file is judged. */
function ReadingCard({ title }: { title: string }) {
  return (
    <Card title={title}>
      <p className="flex items-center gap-3 text-sm text-muted">
        <Spinner size="small" />
        <span role="status">{copy.lookingUp}</span>
      </p>
    </Card>
  )
}

/** Says how many incomes are left out, their sum, and why. */
function LeftOutIncomes({ incomes }: { incomes: readonly FileTransaction[] }) {
  return (
    <p className="text-sm text-muted">
      <span>{copy.incomesCount(incomes.length)}</span>
      <MoneyText>{displayedMinor(sumOf(incomes))}</MoneyText>
      <span>{copy.incomesKnown(incomes.length, configuration().brandName)}</span>
    </p>
  )
}

/** Lists the lines that are not booked transactions, with the reasons. Lines without any text are only counted. */
function SkippedLines({ skipped }: { skipped: readonly Skipped[] }) {
  const named = skipped.filter(({ reason }) => reason !== 'empty')
  const empty = skipped.filter(({ reason }) => reason === 'empty').map(({ line }) => line)
  return (
    <>
      <LineDetails title={copy.skipped(named.length)} lines={named}>
        {({ line, reason, text }) => (
          <li key={line} className="wrap-anywhere">
            <span>{uploadCopy.atLine(line, copy.skipReasons[reason])}</span>{' '}
            <span className="text-muted">{text}</span>
          </li>
        )}
      </LineDetails>
      {empty.length > 0 && <p className="text-sm text-muted">{copy.empty(empty)}</p>}
    </>
  )
}

/**
 * Shows the balance before and after the expenses, or the reason why the database would refuse the expenses. The page
 * only shows a warning, because the database enforces the limits.
 */
function BalanceEffect({ expenses }: { expenses: readonly FileTransaction[] }) {
  const user = useUser()
  const { data: balance } = useQuery(balanceQuery(user.id))
  const { data: imports = [] } = useQuery(importsQuery(user.id))
  const before = balance === undefined ? null : minorFromDecimal(balance ?? 0)
  if (before === null) return null
  const after = before - sumOf(expenses)
  const quota = quotaOf(imports, user.created_at)
  const refusal =
    after < ownBalanceMin * 100
      ? expenseCopy.balanceTooLow
      : expenses.length > quota.left
        ? copy.quota(quota.allowed, quota.left)
        : null
  return (
    <p role="status" className={`font-medium ${refusal !== null || after < 0 ? 'text-danger' : ''}`}>
      {refusal ?? (
        <>
          <MoneyText within={copy.balanceFrom}>{displayedMinor(before)}</MoneyText>
          <MoneyText within={copy.balanceTo}>{displayedMinor(after)}</MoneyText>
        </>
      )}
    </p>
  )
}

const dayMs = 24 * 60 * 60 * 1000

/**
 * Returns the number of expenses that the limit "imported line" of `private.limits` allows in 24 hours, and the number that the
 * customer may still import. Imports that were undone count too.
 */
function quotaOf(imports: readonly PastImport[], openedAt: string): { allowed: number; left: number } {
  const isToday = (moment: string) => Date.now() - Date.parse(moment) < dayMs
  const allowed = isToday(openedAt) ? importedOfNewAccountMax : importedPerDayMax
  const used = imports.reduce((sum, each) => (isToday(each.created_at) ? sum + each.entries : sum), 0)
  return { allowed, left: Math.max(0, allowed - used) }
}

function listItem({ line, day, description, amountMinor }: FileTransaction) {
  return (
    <li key={line}>
      <span className="text-muted">{copy.lineOf(line, formatDateWithYear(noonInBogota(day)))}</span>{' '}
      <span className="wrap-anywhere">{description}</span>{' '}
      <MoneyText className="figures">{displayedMinor(amountMinor)}</MoneyText>
    </li>
  )
}
