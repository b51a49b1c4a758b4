import type { ComponentProps, MouseEvent } from 'react'
import { useGo } from './address.tsx'

/**
 * A link to a path of this site. A click does not reload the page, unless the link opens another tab or downloads a
 * file.
 */
export function Link({ to, onClick, ...rest }: { to: string } & Omit<ComponentProps<'a'>, 'href'>) {
  const go = useGo()
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const isElsewhere = event.metaKey || event.altKey || event.ctrlKey || event.shiftKey || event.button !== 0
    if (event.defaultPrevented || isElsewhere) return
    event.preventDefault()
    go(to)
  }
  return <a {...rest} href={to} onClick={follow} />
}
