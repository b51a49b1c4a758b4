import { useId, type ComponentProps } from 'react'
import { Link } from '#ui/address/link.tsx'
import { useNews } from './news.ts'

type Props = ComponentProps<typeof Link> & {
  /** Path of the page whose news the link counts. */
  page: string
  countClassName: string
}

/**
 * A link with the number of news on a page. The number is not part of the link's name, because the specification gives
 * the name. A screen reader reads the number in words, as the link's description.
 */
export function CountedLink({ page, countClassName, children, ...rest }: Props) {
  const id = useId()
  const news = useNews()[page]
  if (news === undefined) return <Link {...rest}>{children}</Link>
  return (
    <>
      <Link {...rest} aria-describedby={id}>
        {children}
        <span
          aria-hidden="true"
          className={`min-w-5 rounded-full bg-primary px-1.5 text-center text-xs font-semibold text-on-primary ${countClassName}`}
        >
          {news.figure}
        </span>
      </Link>
      <span id={id} hidden>
        {news.words}
      </span>
    </>
  )
}
