import { useState } from 'react'
import { earliestDay } from '#ui/format/months.ts'
import type { Period } from '#planning/sums/sums.ts'
import { InputField } from '#ui/form/field.tsx'
import { useCurrentInView } from '#ui/use-current-in-view.ts'
import { overviewCopy } from './copy.ts'
import { periodOf, presets } from './period.ts'

type Props = { period: Period; today: string; onChange: (period: Period) => void }

/** Controls for choosing the period, either by name or by its first and last day. */
export function PeriodBar({ period, today, onChange }: Props) {
  const isChosen = ({ since, until }: Period) => since === period.since && until === period.until
  const chosen = presets.find((preset) => isChosen(periodOf(preset, today)))
  const row = useCurrentInView<HTMLFieldSetElement>('label:has(:checked)', chosen)
  return (
    <section aria-label={overviewCopy.period} className="period-bar">
      <fieldset ref={row} className="period-presets">
        <legend className="sr-only">{overviewCopy.period}</legend>
        {presets.map((preset) => (
          <label key={preset}>
            <input
              type="radio"
              name="periodo"
              checked={preset === chosen}
              onChange={() => onChange(periodOf(preset, today))}
              className="sr-only"
            />
            {overviewCopy.presets[preset]}
          </label>
        ))}
      </fieldset>
      <div className="period-days">
        <DayField
          label={overviewCopy.since}
          day={period.since}
          today={today}
          onChange={(since) => onChange({ since, until: since > period.until ? since : period.until })}
        />
        <DayField
          label={overviewCopy.until}
          day={period.until}
          today={today}
          onChange={(until) => onChange({ since: until < period.since ? until : period.since, until })}
        />
      </div>
    </section>
  )
}

type DayFieldProps = { label: string; day: string; today: string; onChange: (day: string) => void }

function DayField({ label, day, today, onChange }: DayFieldProps) {
  /** Holds the typed text until it is a valid day, because a date field's value is empty while the user types. */
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <InputField
      label={label}
      type="date"
      min={earliestDay(today)}
      max={today}
      value={typed ?? day}
      onChange={({ target: { value, validity } }) => {
        const isDay = value !== '' && validity.valid
        setTyped(isDay ? null : value)
        if (isDay) onChange(value)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}
