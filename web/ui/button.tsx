import type { ComponentProps } from 'react'
import { Spinner } from './spinner.tsx'

const shape =
  'inline-flex items-center justify-center gap-2 rounded-md border font-medium transition-colors duration-150 disabled:opacity-60 aria-disabled:opacity-60'

/** Styles of the variants. Every variant has a border, because only borders stay visible in forced-colours mode. */
const variants = {
  primary: 'border-transparent bg-primary text-on-primary hover:bg-primary-strong',
  outline: 'border-control bg-surface text-ink hover:bg-sunken',
  quiet: 'border-transparent text-primary hover:bg-primary-soft',
  muted: 'border-transparent text-muted hover:bg-sunken hover:text-ink',
  destructive: 'border-transparent bg-danger-solid text-on-danger hover:opacity-90',
  danger: 'border-transparent text-danger hover:bg-danger-soft',
  'muted-danger': 'border-transparent text-muted hover:bg-danger-soft hover:text-danger',
  'quiet-plate':
    'border-transparent text-on-vault underline decoration-on-vault/40 underline-offset-4 hover:bg-on-vault/10',
  'outline-plate': 'border-on-vault-muted text-on-vault hover:bg-on-vault/10',
  plate: 'border-transparent bg-on-vault text-on-vault-ink hover:bg-on-vault/85',
} as const

const sizes = {
  regular: 'min-h-11 px-4 py-2 text-sm',
  small: 'min-h-9 px-3 py-1.5 text-sm',
  /** The button is small on screens for a mouse, and has the full height of a touch target on a phone or tablet. */
  touch: 'min-h-9 px-3 py-1.5 text-sm max-lg:min-h-11',
  icon: 'size-11 shrink-0',
} as const

type Look = { variant?: keyof typeof variants; size?: keyof typeof sizes }

type Props = ComponentProps<'button'> & Look & { isBusy?: boolean }

/**
 * A button that uses `aria-disabled` instead of `disabled`. A disabled element would lose the focus, and a dialog could
 * not return the focus to a disabled button.
 */
export function Button({
  variant,
  size,
  isBusy = false,
  disabled,
  onClick,
  className,
  children,
  ...props
}: Props) {
  const isInert = disabled === true || isBusy
  return (
    <button
      type="button"
      {...props}
      onClick={isInert ? undefined : onClick}
      aria-disabled={isInert || undefined}
      aria-busy={isBusy || undefined}
      className={`${buttonClass({ ...(variant && { variant }), ...(size && { size }) })} ${className ?? ''}`}
    >
      {isBusy && <Spinner size="small" />}
      {children}
    </button>
  )
}

export function buttonClass({ variant = 'primary', size = 'regular' }: Look = {}): string {
  return `${shape} ${variants[variant]} ${sizes[size]}`
}
