import { useId, type ReactNode } from 'react'
import { formatDateWithYear, noonInBogota } from '#ui/format/dates.ts'
import { displayedMinor } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { readFigure, type DecimalMark } from '#uploads/figures.ts'
import { textsOf, type Row, type Table } from '#uploads/table.ts'
import { importCopy } from './copy.ts'
import { readDay, type DayOrder } from '#uploads/import/read/days.ts'
import { withColumn, type Answers } from '#uploads/import/read/judge/answers.ts'
import type { Judgement } from '#uploads/import/read/judge/judge.ts'

type Props = { table: Table; judgement: Judgement; answers: Answers; onChange: (answers: Answers) => void }

const { questions: copy } = importCopy

/** Number of example figures that are shown for a column. */
const exampleFigures = 2
/** Number of states that the question about them names. */
const shownStates = 8

/** Asks everything that the file does not show. A question stays on screen after its answer, so that it can be changed. */
export function FileQuestions(props: Props) {
  return (
    <>
      <AmountQuestion {...props} />
      <DecimalQuestion {...props} />
      <DirectionQuestion {...props} />
      <StateQuestion {...props} />
      <FeeQuestion {...props} />
      <DayOrderQuestion {...props} />
      <YearQuestion {...props} />
    </>
  )
}

function AmountQuestion({ table, judgement: { amountChoices, places }, answers, onChange }: Props) {
  if (amountChoices.length === 0) return null
  return (
    <Question
      title={copy.amount}
      options={amountChoices}
      chosen={answers.places?.amount === undefined ? null : places.amount}
      onChoose={(place) => onChange(withColumn(answers, 'amount', place))}
    >
      {(place) =>
        copy.column(table.columns[place] ?? '', textsOf(table.rows, place).slice(0, exampleFigures))
      }
    </Question>
  )
}

function DecimalQuestion({ judgement: { openFigure }, answers, onChange }: Props) {
  if (openFigure === '') return null
  return (
    <Question
      title={copy.decimal(openFigure)}
      options={[',', '.'] as const}
      chosen={answers.decimal ?? null}
      onChoose={(decimal) => onChange({ ...answers, decimal })}
    >
      {(mark) => <Reading figure={openFigure} mark={mark} />}
    </Question>
  )
}

function StateQuestion({ judgement: { openStates }, answers, onChange }: Props) {
  if (openStates.length === 0) return null
  return (
    <Question
      title={copy.state(openStates.slice(0, shownStates))}
      options={['booked', 'left'] as const}
      chosen={answers.areStatesBooked === undefined ? null : answers.areStatesBooked ? 'booked' : 'left'}
      onChoose={(state) => onChange({ ...answers, areStatesBooked: state === 'booked' })}
    >
      {(state) => copy.states[state]}
    </Question>
  )
}

function FeeQuestion({ table, judgement: { isFeeExtra, places }, answers, onChange }: Props) {
  if (isFeeExtra !== null && answers.isFeeExtra === undefined) return null
  return (
    <Question
      title={copy.fee(table.columns[places.fee ?? -1] ?? '')}
      options={['extra', 'included'] as const}
      chosen={answers.isFeeExtra === undefined ? null : answers.isFeeExtra ? 'extra' : 'included'}
      onChoose={(fee) => onChange({ ...answers, isFeeExtra: fee === 'extra' })}
    >
      {(fee) => copy.fees[fee]}
    </Question>
  )
}

function DayOrderQuestion({ judgement: { days }, answers, onChange }: Props) {
  if (!days.isOrderOpen) return null
  return (
    <Question
      title={copy.dayOrder(days.orderExamples)}
      options={['day-first', 'month-first'] as const}
      chosen={answers.dayOrder ?? null}
      onChoose={(dayOrder) => onChange({ ...answers, dayOrder })}
    >
      {(order) => dayReading(days.orderExamples, order)}
    </Question>
  )
}

function YearQuestion({ judgement: { days }, answers, onChange }: Props) {
  if (days.yearChoices.length === 0) return null
  return (
    <Question
      title={copy.year}
      options={days.yearChoices}
      chosen={answers.year ?? null}
      onChoose={(year) => onChange({ ...answers, year })}
    >
      {(year) => year}
    </Question>
  )
}

/** Number of rows that are shown as examples of amounts whose direction is open. */
const exampleRows = 3

/** Asks which amounts are expenses, with rows of the file as examples. */
function DirectionQuestion({ table, judgement, answers, onChange }: Props) {
  const { openDirections, areSignsMixed } = judgement
  if (openDirections.length === 0) return null
  return (
    <Question
      title={areSignsMixed ? copy.cardDirection : copy.direction}
      options={['positive', 'negative'] as const}
      chosen={answers.expenseSign ?? null}
      onChoose={(expenseSign) => onChange({ ...answers, expenseSign })}
      above={
        <ul className="text-sm text-muted">
          {examplesOf(judgement).map(({ line, fields }) => (
            <li key={line} className="wrap-anywhere">
              {table.columns.flatMap((_, place) => fields[place] || []).join(' · ')}
            </li>
          ))}
        </ul>
      }
    >
      {(sign) => (areSignsMixed ? copy.cardDirections : copy.directions)[sign]}
    </Question>
  )
}

/** Returns the first rows whose direction is open. If their signs are mixed, the examples contain both signs. */
function examplesOf({ openDirections, places, decimal }: Judgement): readonly Row[] {
  const isNegative = ({ fields }: Row) => (readFigure(fields[places.amount ?? -1] ?? '', decimal) ?? 0) < 0
  const negative = openDirections.find(isNegative)
  const positive = openDirections.filter((row) => !isNegative(row)).slice(0, exampleRows - 1)
  const mixed = negative === undefined ? [] : [...positive, negative]
  return (mixed.length === exampleRows ? mixed : openDirections.slice(0, exampleRows)).toSorted(
    (one, other) => one.line - other.line,
  )
}

/** Shows the dates of the question as they read in one order. */
function dayReading(written: readonly string[], order: DayOrder): string {
  const days = written.flatMap((text) => readDay(text, order) ?? [])
  return [
    importCopy.mapping.dayOrders[order],
    ...days.map((day) => formatDateWithYear(noonInBogota(day))),
  ].join(' · ')
}

/**
 * Shows one of the two possible readings of an ambiguous figure. The figure contains only one kind of separator,
 * because a figure with two kinds is not ambiguous.
 */
function Reading({ figure, mark }: { figure: string; mark: DecimalMark }) {
  const separator = figure.includes('.') ? '.' : ','
  const meaning = separator === mark ? copy.decimals : copy.grouping
  return (
    <span>
      <MoneyText isTyped>{displayedMinor(Math.abs(readFigure(figure, mark) ?? 0))}</MoneyText>
      <span className="text-muted">{` · ${meaning(copy.marks[separator])}`}</span>
    </span>
  )
}

type QuestionProps<Option extends string | number> = {
  title: string
  options: readonly Option[]
  /** The user's answer, or `null` if the user has not answered yet. */
  chosen: Option | null
  onChoose: (option: Option) => void
  /** Content above the options. */
  above?: ReactNode
  /** Content below the options. */
  below?: ReactNode
  children: (option: Option) => ReactNode
}

/** A question that must be answered before the import is recorded. The question is red until it is answered. */
export function Question<Option extends string | number>(props: QuestionProps<Option>) {
  const { title, options, chosen, onChoose, above, below, children } = props
  const id = useId()
  return (
    <div
      role="radiogroup"
      aria-labelledby={id}
      className="file-broken"
      data-answered={chosen !== null || undefined}
    >
      <p id={id} className="font-semibold">
        {title}
      </p>
      {above}
      {options.map((option) => (
        <label key={option} className="flex min-h-11 items-center gap-3 wrap-anywhere">
          <input
            type="radio"
            name={id}
            className="size-4.5 shrink-0"
            checked={option === chosen}
            onChange={() => onChoose(option)}
          />
          {children(option)}
        </label>
      ))}
      {below}
    </div>
  )
}
