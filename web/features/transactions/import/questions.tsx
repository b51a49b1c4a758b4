import { useId, useState, type ReactNode } from 'react'
import { numberFromMinor } from '@finanzas/contract/money.ts'
import { configuration } from '#backend/configuration.ts'
import { displayedMinor, readAmount } from '#money/amounts.ts'
import { MoneyText } from '#money/money-text.tsx'
import { Button } from '#ui/button.tsx'
import { InputField } from '#ui/form/field.tsx'
import { countOf } from '#upload/copy.ts'
import { readFigure, type DecimalMark } from '#upload/figures.ts'
import { textsOf, type Table } from '#upload/table.ts'
import { importCopy } from './copy.ts'
import { withColumn, type ColumnMapping } from '#features/transactions/import/read/column-mapping.ts'
import type { Operation } from '#features/transactions/import/read/conversion.ts'

type Props = { table: Table; mapping: ColumnMapping; onChange: (mapping: ColumnMapping) => void }

const { questions: copy, conversions } = importCopy

/** Number of example figures that are shown for a column. */
const exampleFigures = 2

/** Asks which column contains the amounts and what their separators mean, unless the file makes this clear. */
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
 * because two kinds would not be ambiguous.
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
  children: (option: Option) => ReactNode
}

function Question<Option extends string | number>(props: QuestionProps<Option>) {
  const { title, options, chosen, onChoose, children } = props
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
        <label key={option} className="file-accept wrap-anywhere">
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
    </div>
  )
}

/** Offers to convert amounts that seem to be in another currency, and offers to undo the conversion afterwards. */
export function CurrencyQuestion({
  suspected,
  mapping,
  onChange,
}: Omit<Props, 'table'> & { suspected: Operation | null }) {
  const { conversion } = mapping
  const [typed, setTyped] = useState<string>(conversions.rate)
  const [error, setError] = useState<string>()
  const operation = conversion?.operation ?? suspected
  if (operation === null) return null
  const words = conversions[operation]
  const convert = () => {
    const rate = readAmount(typed)
    setError(rate.ok ? undefined : rate.error)
    if (rate.ok) onChange({ ...mapping, conversion: { operation, rateMinor: rate.amountMinor } })
  }
  return (
    <div className="import-currency bg-warning-soft text-warning">
      <p role="status" className="font-semibold">
        {conversion === null ? words.suspected : words.done(countOf(numberFromMinor(conversion.rateMinor)))}
      </p>
      {conversion === null && (
        <InputField
          label={words.rate}
          inputMode="decimal"
          autoComplete="off"
          maxLength={12}
          value={typed}
          error={error}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
      {/* Both states use the same element, so that it keeps the focus. */}
      <Button
        variant="outline"
        onClick={conversion === null ? convert : () => onChange({ ...mapping, conversion: null })}
      >
        {conversion === null ? words.convert : conversions.back}
      </Button>
    </div>
  )
}
