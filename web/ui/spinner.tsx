import { BrandMark } from './brand-mark.tsx'

type Props = {
  size?: keyof typeof sizes
  /** Label for screen readers. Without a label, screen readers ignore the spinner. */
  label?: string
}

const sizes = { small: 'text-[0.6rem] text-current', medium: 'text-sm', large: 'text-base' } as const

export function Spinner({ size = 'large', label }: Props) {
  const look = `spinner ${sizes[size]}`
  if (label === undefined) return <span className={look} aria-hidden="true" />
  return (
    <span role="status" className="inline-flex">
      <span className={look} />
      <span className="sr-only">{label}</span>
    </span>
  )
}

export function FullScreenSpinner({ label }: { label: string }) {
  return (
    <div className="full-screen">
      <BrandMark />
      <Spinner label={label} />
    </div>
  )
}
