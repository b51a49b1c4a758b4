import { ChevronLeft } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { Link } from '#ui/address/link.tsx'

/** Styles of a link that stands alone. */
export const linkClass = 'inline-flex min-h-11 items-center text-sm text-primary hover:underline'

let hasShownPage = false

type Props = {
  /** Title of the browser tab. */
  documentTitle: string
  heading: string
  /** The parent page. */
  back?: { to: string; label: string }
  overline?: ReactNode
  /** Content beside or below the heading. */
  note?: ReactNode
  /** Content below the whole heading: links to the pages of the same subject. */
  below?: ReactNode
  children?: ReactNode
}

/** Title and heading of a page. The heading takes the focus when the page replaces another one. */
export function PageHeading({ documentTitle, heading, back, overline, note, below, children }: Props) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (hasShownPage) title.current?.focus({ preventScroll: true })
    hasShownPage = true
  }, [])
  return (
    <header className="mb-3 flex min-h-9 flex-wrap items-end justify-between gap-x-6 gap-y-3 sm:mb-8 sm:min-h-11 low:mb-3">
      <title>{documentTitle}</title>
      <div
        className={
          note === undefined ? 'min-w-0' : 'flex min-w-0 flex-[1_1_9rem] flex-wrap items-baseline gap-x-3'
        }
      >
        {back !== undefined && (
          <div className="basis-full">
            <Link to={back.to} className={linkClass}>
              <ChevronLeft aria-hidden="true" className="-ml-1 size-4.5" />
              {back.label}
            </Link>
          </div>
        )}
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
      {below !== undefined && <div className="min-w-0 basis-full">{below}</div>}
    </header>
  )
}
