import { useAmountsHidden } from '#amounts/money-text.tsx'

type Props = { label: string; limitMinor: number; spentMinor: number }

/** Bar that shows how much of a spending limit has been used. */
export function LimitMeter({ label, limitMinor, spentMinor }: Props) {
  const percent = limitMinor <= 0 ? 100 : Math.min(100, Math.round((spentMinor / limitMinor) * 100))
  const [isHidden] = useAmountsHidden()
  const track = 'bar mt-3 h-2 overflow-hidden rounded-full bg-line'
  // While amounts are hidden, the bar is empty: its length would reveal the amount to a person who knows the limit.
  if (isHidden) return <div aria-hidden="true" className={track} />
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className={track}
    >
      <div
        className={`h-full rounded-full transition-[width] duration-300 ease-out ${spentMinor > limitMinor ? 'bg-danger' : 'bg-primary'}`}
        style={{ width: `${percent}%` }}
      />
    </div>
  )
}
