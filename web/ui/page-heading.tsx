import { useEffect, useRef, type ReactNode } from 'react'

/** Of a link above the heading, to the page that this one belongs to. */
export const overlineLinkClass = 'inline-flex min-h-11 items-center text-sm text-primary hover:underline'

let hasShownPage = false

type Props = {
  /** What the browser's tab shows. */
  documentTitle: string
  heading: string
  overline?: ReactNode
  /** Stands beside the heading, or below it. */
  note?: ReactNode
  children?: ReactNode
}

/** The page's title and its heading, which takes the focus when the page replaces another one. */
export function PageHeading({ documentTitle, heading, overline, note, children }: Props) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (hasShownPage) title.current?.focus({ preventScroll: true })
    hasShownPage = true
  }, [])
  return (
    <header className="mb-3 flex min-h-9 flex-wrap items-center justify-between gap-x-6 gap-y-3 sm:mb-8 sm:min-h-11 low:mb-3">
      <title>{documentTitle}</title>
      <div
        className={
          note === undefined ? 'min-w-0' : 'flex min-w-0 flex-[1_1_9rem] flex-wrap items-baseline gap-x-3'
        }
      >
        {overline}
        <h1
          ref={title}
          tabIndex={-1}
          className="text-xl font-semibold tracking-tight wrap-anywhere sm:text-2xl"
        >
          {heading}
        </h1>
        {note}
      </div>
      {children}
    </header>
  )
}
