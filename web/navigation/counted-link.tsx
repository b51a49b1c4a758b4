import type { ComponentProps } from 'react'
import { Link } from '#ui/address/link.tsx'
import { useNews } from './news.ts'

/**
 * A link with the number of news on a `page`. The number is not part of the link's name, because the specification
 * gives the name. A screen reader reads the number in words, as the link's description.
 */
export function CountedLink({ page, children, ...rest }: ComponentProps<typeof Link> & { page: string }) {
  const news = useNews()[page]
  return (
    <Link {...rest} aria-describedby={news?.id}>
      {children}
      {news?.figure}
    </Link>
  )
}
