import { useAmountsHidden } from '#amounts/money-text.tsx'

type Props = {
  label: string
  limitMinor: number
  spentMinor: number
  /** The part of the month that has passed, from 0 to 1. A tick marks it on the bar. */
  passed?: number
}

/** The part of a limit from which the bar warns. */
const nearPart = 0.9

export function isNearLimit({ limitMinor, spentMinor }: Pick<Props, 'limitMinor' | 'spentMinor'>): boolean {
  return spentMinor >= limitMinor * nearPart
}

/** Bar that shows how much of a spending limit has been used. Its colour warns near the limit and above it. */
export function LimitMeter({ label, limitMinor, spentMinor, passed }: Props) {
  const percent = limitMinor <= 0 ? 100 : Math.min(100, Math.round((spentMinor / limitMinor) * 100))
  const [isHidden] = useAmountsHidden()
  const isNear = isNearLimit({ limitMinor, spentMinor })
  const colour = spentMinor > limitMinor ? 'bg-danger' : isNear ? 'bg-brass' : 'bg-primary'
  const track = 'bar mt-3 h-2 rounded-full bg-line'
  // While amounts are hidden, the bar is empty: its length would reveal the amount to a person who knows the limit.
  if (isHidden) return <div aria-hidden="true" className={track} />
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className={`${track} relative`}
    >
      <div
        className={`h-full rounded-full transition-[width] duration-300 ease-out ${colour}`}
        style={{ width: `${percent}%` }}
      />
      {passed !== undefined && (
        <div className="limit-today" style={{ insetInlineStart: `${passed * 100}%` }} />
      )}
    </div>
  )
}
