import { Eye, EyeOff } from 'lucide-react'
import { useAmountsHidden } from './amounts-hidden.ts'
import { ledgerCopy } from './copy.ts'

/** An amount that was formatted already, in tabular figures, covered at a fixed length while amounts are hidden. */
export function MoneyText({ children, className }: { children: string; className?: string }) {
  const [isHidden] = useAmountsHidden()
  if (!isHidden) return <span className={`figures ${className ?? ''}`}>{children}</span>
  return (
    <span className={`figures ${className ?? ''}`}>
      <span aria-hidden="true">{'••••••'}</span>
      <span className="sr-only">{ledgerCopy.hiddenAmount}</span>
    </span>
  )
}

/** The eye that covers and uncovers every amount. */
export function AmountsEye({ className }: { className?: string }) {
  const [isHidden, toggle] = useAmountsHidden()
  const Icon = isHidden ? EyeOff : Eye
  return (
    <button
      type="button"
      aria-label={ledgerCopy.hideAmounts}
      aria-pressed={isHidden}
      onClick={toggle}
      className={`grid size-11 place-items-center rounded-md transition-colors ${className ?? ''}`}
    >
      <Icon aria-hidden="true" className="size-5" />
    </button>
  )
}
