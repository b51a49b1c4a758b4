import { useId, type ReactNode } from 'react'

type Props = {
  /** Anchor for links to this card. */
  id?: string
  title: string
  /** A link, a count or a button to the right of the title. */
  action?: ReactNode
  className?: string
  children: ReactNode
}

export function Card({ id, title, action, className, children }: Props) {
  const titleId = useId()
  return (
    <section
      id={id}
      aria-labelledby={titleId}
      className={`flex min-w-0 flex-col rounded-lg border border-line bg-surface ${className ?? ''}`}
    >
      <header className="@container flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-0.5 has-[.border-control]:py-1.5 sm:min-h-15 sm:px-6 sm:py-2">
        <h2 id={titleId} className="flex-1 py-1 font-semibold">
          {title}
        </h2>
        {action}
      </header>
      {children}
    </section>
  )
}
