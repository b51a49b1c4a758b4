import { SlidersHorizontal } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from './button.tsx'
import { uiCopy } from './copy.ts'

type Props = Omit<ComponentProps<typeof Button>, 'children' | 'variant'> & {
  /** Number of active filters, which the button shows. */
  active: number
}

/** Button that shows a list's filters. On a phone, the button has only an icon. */
export function FiltersButton({ active, className = '', ...props }: Props) {
  return (
    <Button {...props} variant="outline" className={`relative shrink-0 px-3 ${className}`}>
      <SlidersHorizontal aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
      <span className="sr-only sm:not-sr-only">{uiCopy.filters}</span>
      {active > 0 && (
        <span className="absolute -top-1.5 -right-1.5 min-w-5 rounded-full bg-primary px-1 text-center text-xs font-semibold text-on-primary">
          {active}
          <span className="sr-only">{uiCopy.activeFilters(active)}</span>
        </span>
      )}
    </Button>
  )
}
