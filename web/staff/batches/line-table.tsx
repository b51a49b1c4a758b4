import { useInfiniteQuery } from '@tanstack/react-query'
import { MoreRows } from '#staff/lists/more-rows.tsx'
import { displayedMoney } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { Cell, Row, Table } from '#ui/table.tsx'
import { emailOf, linesQuery, type Batch, type BatchLine } from './batches.ts'
import { batchCopy as copy } from './copy.ts'

/** The lines of a batch, with the result of each line. Faulty lines come first. */
export function LineTable({ batch }: { batch: Batch }) {
  const { id, failed, kept, opens_accounts } = batch
  const statuses = opens_accounts ? { ...copy.statuses, ...copy.accounts.statuses } : copy.statuses
  return (
    <>
      {failed + kept > 0 && <Lines id={id} statuses={statuses} isFaulty title={faultsInWords(batch)} />}
      <Lines id={id} statuses={statuses} isFaulty={false} title={copy.linesTitle} />
    </>
  )
}

/** Describes how many lines were not posted, and how many posted lines a reversal did not reverse. */
export function faultsInWords({ failed, kept, opens_accounts }: Batch): string {
  const words = opens_accounts ? copy.accounts : copy
  return [failed > 0 ? words.failed(failed) : '', kept > 0 ? copy.reversal.kept(kept) : '']
    .filter((each) => each !== '')
    .join(' · ')
}

type Statuses = Readonly<Record<BatchLine['status'], string>>

type LinesProps = { id: string; statuses: Statuses; isFaulty: boolean; title: string }

function Lines({ id, statuses, isFaulty, title }: LinesProps) {
  const lines = useInfiniteQuery(linesQuery(id, isFaulty))
  const rows = lines.data?.pages.flat() ?? []
  return (
    <>
      {rows.length > 0 && (
        <Table
          className="batch-lines"
          caption={<caption>{title}</caption>}
          columns={[
            { name: copy.columns.line },
            { name: copy.columns.customer },
            { name: copy.columns.amount, className: 'batch-amount' },
            { name: copy.columns.status },
          ]}
        >
          {rows.map((line) => (
            <Line key={line.line} line={line} statuses={statuses} />
          ))}
        </Table>
      )}
      <MoreRows pages={lines} unread={copy.unread} />
    </>
  )
}

function Line({ line: ordered, statuses }: { line: BatchLine; statuses: Statuses }) {
  const { line, amount, description, status, fault, ...person } = ordered
  const email = emailOf(person) ?? copy.gone
  const name = (person.profiles ?? person.new_accounts)?.full_name?.trim() ?? ''
  return (
    <Row>
      <Cell className="batch-line figures">
        <span className="batch-word">{`${copy.columns.line} `}</span>
        {line}
      </Cell>
      <Cell className="wrap-anywhere">
        {name === '' ? email : name}
        <span className="block text-muted">
          {[name === '' ? '' : email, description ?? ''].filter((word) => word !== '').join(' · ')}
        </span>
      </Cell>
      <Cell className="batch-amount">
        <MoneyText className="figures">{displayedMoney(amount)}</MoneyText>
      </Cell>
      <Cell className={`batch-status ${status === 'failed' ? 'text-danger' : 'text-muted'}`}>
        {statuses[status]}
        {fault !== null && <span className="block">{fault}</span>}
      </Cell>
    </Row>
  )
}
