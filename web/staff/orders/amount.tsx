import { displayedMinor } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { requestQueueCopy as copy } from './copy.ts'

/** The amount of a request, or a text for an act that has no amount. */
export function Amount({ className, children }: { className?: string; children: MinorUnits | null }) {
  if (children === null) return <span className="font-normal text-muted">{copy.noAmount}</span>
  return <MoneyText {...(className !== undefined && { className })}>{displayedMinor(children)}</MoneyText>
}
