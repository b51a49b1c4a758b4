import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from '#ui/button.tsx'

type Props = Pick<ComponentProps<typeof Button>, 'variant' | 'disabled' | 'onClick'> & {
  icon: LucideIcon
  label: string
  /** Direction in which the button moves its row. */
  step?: 'up' | 'down'
}

/** A button of a row, which shows only an icon. */
export function ToolButton({ icon: Icon, label, step, variant = 'muted', ...props }: Props) {
  return (
    <Button {...props} variant={variant} size="icon" aria-label={label} data-step={step}>
      <Icon aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
    </Button>
  )
}
