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
    if (event.defaultPrevented || opensElsewhere(event)) return
    event.preventDefault()
    go(to)
  }
  return <a {...rest} href={to} onClick={follow} />
}

/** Returns whether a click on a link opens another tab or window, or downloads a file. */
export function opensElsewhere({ metaKey, altKey, ctrlKey, shiftKey, button }: MouseEvent): boolean {
  return metaKey || altKey || ctrlKey || shiftKey || button !== 0
}
