import { ChoiceField, DecimalField, MappingDetails } from '#uploads/mapping-details.tsx'
import type { Table } from '#uploads/table.ts'
import { importCopy } from './copy.ts'
import type { DayOrder } from '#uploads/import/read/days.ts'
import type { ExpenseSign } from '#uploads/import/read/judge/direction.ts'
import { withColumn, type Answers } from '#uploads/import/read/judge/answers.ts'
import type { Judgement } from '#uploads/import/read/judge/judge.ts'
import type { ColumnRole } from '#uploads/import/read/roles.ts'

type Props = {
  table: Table
  judgement: Judgement
  answers: Answers
  onChange: (answers: Answers) => void
}

const copy = importCopy.mapping

/** Fields with which the user corrects the columns, the date format and the amount format. */
export function MappingFields({ table, judgement, answers, onChange }: Props) {
  const { places, days, decimal, evidence, questions, openDirections } = judgement
  const nameOf = (role: ColumnRole) => table.columns[places[role] ?? -1] ?? ''
  const nameOfEvidence = { columns: 'debit', words: 'direction', balance: 'balance' } as const
  const canChooseSign =
    places.amount !== null && (openDirections.length > 0 || answers.expenseSign !== undefined)
  return (
    <>
      <MappingDetails
        table={table}
        roles={copy.roles}
        mapping={places}
        onChoose={(role, place) => onChange(withColumn(answers, role, place))}
        missing={isIncomplete(judgement) ? copy.missing : null}
      >
        <ChoiceField<DayOrder>
          label={copy.dayOrder}
          options={copy.dayOrders}
          value={days.order}
          onChange={(dayOrder) => onChange({ ...answers, dayOrder })}
        />
        <DecimalField value={decimal} onChange={(mark) => onChange({ ...answers, decimal: mark })} />
        {canChooseSign && !questions.includes('direction') && (
          <ChoiceField<ExpenseSign>
            label={copy.sign}
            options={copy.signs}
            value={answers.expenseSign ?? 'negative'}
            onChange={(expenseSign) => onChange({ ...answers, expenseSign })}
          />
        )}
      </MappingDetails>
      {evidence.length > 0 && (
        <p className="text-sm text-muted">
          {evidence.map((each) => (
            <span key={each}>
              {copy.evidence[each](
                each in nameOfEvidence ? nameOf(nameOfEvidence[each as keyof typeof nameOfEvidence]) : '',
                nameOf('credit'),
              )}{' '}
            </span>
          ))}
        </p>
      )}
    </>
  )
}

export function isIncomplete({ places: { date, amount, debit, credit } }: Judgement): boolean {
  return date === null || (amount === null && debit === null && credit === null)
}
