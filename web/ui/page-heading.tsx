import { useEffect, useRef, type ReactNode } from 'react'

let hasShownPage = false

type Props = {
  /** What the browser's tab shows. */
  documentTitle: string
  heading: string
  overline?: ReactNode
  children?: ReactNode
}

/** The page's title and its heading, which takes the focus when the page replaces another one. */
export function PageHeading({ documentTitle, heading, overline, children }: Props) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (hasShownPage) title.current?.focus({ preventScroll: true })
    hasShownPage = true
  }, [])
  return (
    <header className="mb-3 flex min-h-9 flex-wrap items-center justify-between gap-x-6 gap-y-3 sm:mb-8 sm:min-h-11">
      <title>{documentTitle}</title>
      <div className="min-w-0">
        {overline}
        <h1
          ref={title}
          tabIndex={-1}
          className="text-xl font-semibold tracking-tight wrap-anywhere sm:text-2xl"
        >
          {heading}
        </h1>
      </div>
      {children}
    </header>
  )
}
