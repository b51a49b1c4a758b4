import { useId, type ReactNode } from 'react'
import { configuration } from '#backend/configuration.ts'
import { displayedMinor } from '#money/amounts.ts'
import { MoneyText } from '#money/money-text.tsx'
import { readFigure, type DecimalMark } from '#upload/figures.ts'
import { textsOf, type Table } from '#upload/table.ts'
import { importCopy } from './copy.ts'
import { withColumn, type ColumnMapping } from '#features/transactions/import/read/column-mapping.ts'

type Props = { table: Table; mapping: ColumnMapping; onChange: (mapping: ColumnMapping) => void }

const { questions: copy } = importCopy

/** Number of example figures that are shown for a column. */
const exampleFigures = 2

/** Asks which column contains the amounts and which separators they use, unless the file is unambiguous. */
export function AmountQuestions({ table, mapping, onChange }: Props) {
  const { amount, amountChoices, isAmountAnswered, openFigure, decimal, isDecimalAnswered } = mapping
  const bankCurrency = configuration().displayCurrency
  return (
    <>
      {amountChoices.length > 0 && (
        <Question
          title={copy.amount}
          options={amountChoices}
          chosen={isAmountAnswered ? amount : null}
          onChoose={(place) => onChange(withColumn(table, mapping, { role: 'amount', place, bankCurrency }))}
        >
          {(place) =>
            copy.column(table.columns[place] ?? '', textsOf(table.rows, place).slice(0, exampleFigures))
          }
        </Question>
      )}
      {openFigure !== '' && (
        <Question
          title={copy.decimal(openFigure)}
          options={[',', '.'] as const}
          chosen={isDecimalAnswered ? decimal : null}
          onChoose={(mark) => onChange({ ...mapping, decimal: mark, isDecimalAnswered: true })}
        >
          {(mark) => <Reading figure={openFigure} mark={mark} />}
        </Question>
      )}
    </>
  )
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
  /** Content below the options. */
  below?: ReactNode
  children: (option: Option) => ReactNode
}

/** A question that must be answered before the import is recorded. The question is red until it is answered. */
export function Question<Option extends string | number>(props: QuestionProps<Option>) {
  const { title, options, chosen, onChoose, below, children } = props
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
