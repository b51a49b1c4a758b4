import { startTransition, useState } from 'react'
import { numberFromMinor } from '@finanzas/contract/money.ts'
import { readAmount } from '#amounts/amounts.ts'
import { InputField } from '#ui/form/field.tsx'
import { countOf } from '#ui/format/count.ts'
import { importCopy } from './copy.ts'
import { Question } from './questions.tsx'
import type { Conversion, Operation } from '#uploads/import/read/conversion.ts'

const { conversions: copy } = importCopy

export type CurrencyAnswer = {
  readonly conversion: Conversion | null
  /** Whether the user has answered the question about a conversion of the amounts. */
  readonly isCurrencyAnswered: boolean
}

type Props = {
  /** The conversion that the amounts seem to need, or `null`. */
  suspected: Operation | null
  answer: CurrencyAnswer
  onChange: (answer: CurrencyAnswer) => void
}

/**
 * Asks whether amounts that seem to be in another currency must be converted. The question counts as unanswered until
 * the exchange rate is valid.
 */
export function CurrencyQuestion({ suspected, answer, onChange }: Props) {
  const { conversion, isCurrencyAnswered } = answer
  const [typed, setTyped] = useState<string>(copy.rate)
  /** Whether the user chose to convert the amounts. The value is also true while the typed exchange rate is invalid. */
  const [isChosen, setIsChosen] = useState(false)
  const operation = conversion?.operation ?? suspected
  if (operation === null) return null
  const words = copy[operation]
  const rate = readAmount(typed)
  const isConverted = conversion !== null || (isChosen && !isCurrencyAnswered)
  const convertBy = (text: string) => {
    const read = readAmount(text)
    onChange({
      conversion: read.ok ? { operation, rateMinor: read.amountMinor } : null,
      isCurrencyAnswered: read.ok,
    })
  }
  const choose = (isConvertChosen: boolean) => {
    setIsChosen(isConvertChosen)
    if (isConvertChosen) convertBy(typed)
    else onChange({ conversion: null, isCurrencyAnswered: true })
  }
  return (
    <Question
      title={words.suspected}
      options={['convert', 'keep'] as const}
      chosen={isConverted ? 'convert' : isCurrencyAnswered ? 'keep' : null}
      onChoose={(option) => choose(option === 'convert')}
      below={
        isConverted && (
          <div className="import-rate">
            <InputField
              label={words.rate}
              inputMode="decimal"
              autoComplete="off"
              maxLength={12}
              value={typed}
              error={rate.ok ? undefined : rate.error}
              onChange={({ target: { value } }) => {
                setTyped(value)
                // The lines are converted in a transition. Without it, each typed digit would appear only after all
                // lines have been converted.
                startTransition(() => convertBy(value))
              }}
            />
            <p role="status" className="text-sm text-muted">
              {conversion !== null && words.done(countOf(numberFromMinor(conversion.rateMinor)))}
            </p>
          </div>
        )
      }
    >
      {(option) => (option === 'keep' ? copy.keep : words.convert)}
    </Question>
  )
}
