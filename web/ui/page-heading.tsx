import { ChevronLeft } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { Link } from '#ui/address/link.tsx'
import { buttonClass } from './button.tsx'

/** Styles of a link that is not inside a sentence. */
export const linkClass = 'inline-flex min-h-11 items-center text-sm text-primary hover:underline'

let hasShownPage = false

type Props = {
  /** Title of the browser tab. */
  documentTitle: string
  heading: string
  /** Whether the heading is a name, which a browser must not translate. */
  isName?: boolean
  /** The parent page. */
  back?: { to: string; label: string }
  /** Content beside or below the heading. */
  note?: ReactNode
  /** A small spinner, shown after the heading while the page reads its data. */
  reading?: ReactNode
  /** Links to the pages of the same subject, which take a line of their own below the heading. */
  below?: ReactNode
  children?: ReactNode
}

/** Title and heading of a page. The heading takes the focus when the page replaces another one. */
export function PageHeading({
  documentTitle,
  heading,
  isName = false,
  back,
  note,
  reading,
  below,
  children,
}: Props) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (hasShownPage) title.current?.focus({ preventScroll: true })
    hasShownPage = true
  }, [])
  return (
    // The title and the content below the title have the same vertical positions on every page. The title is the
    // topmost element, and its line is as high as an action button.
    <header className="mb-3 flex flex-wrap items-start justify-between gap-x-6 gap-y-3 sm:mb-8 low:mb-3">
      <title>{documentTitle}</title>
      <div
        className={`relative min-h-11 min-w-0 pt-[7px] ${back === undefined ? '' : 'pl-8'} ${note === undefined ? '' : 'flex flex-[1_1_9rem] flex-wrap items-baseline gap-x-3'}`}
      >
        {back !== undefined && (
          <Link
            to={back.to}
            aria-label={back.label}
            title={back.label}
            className={`absolute inset-x-0 top-0 -ml-3 ${buttonClass({ variant: 'quiet', size: 'icon' })}`}
          >
            <ChevronLeft aria-hidden="true" className="size-5" />
          </Link>
        )}
        <h1
          ref={title}
          tabIndex={-1}
          translate={isName ? 'no' : undefined}
          className="text-xl font-semibold tracking-tight wrap-anywhere sm:text-2xl"
        >
          {heading}
        </h1>
        {note}
        {/* The spinner stands in the gap before the actions, so that nothing moves when it appears or disappears. */}
        <span className="absolute top-3 left-full ml-0.5 max-[18rem]:sr-only">{reading}</span>
      </div>
      {children}
      {below}
    </header>
  )
}
