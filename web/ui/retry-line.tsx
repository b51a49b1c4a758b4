import { useLayoutEffect, useRef } from 'react'
import { Button } from './button.tsx'
import { uiCopy } from './copy.ts'

const looks = {
  line: { text: 'flex flex-wrap items-center gap-x-2 text-sm text-muted', button: 'quiet' },
  block: {
    text: 'grid justify-items-center gap-2 rounded-lg bg-surface p-4 text-center text-muted',
    button: 'outline',
  },
} as const

type Props = { message?: string; look?: keyof typeof looks | undefined; onRetry: () => void }

/**
 * Line that is shown instead of content that could not be read. The line contains a retry button, and a dash or a
 * message. If the line has the focus when content replaces it, the focus moves to the nearest focusable element that
 * encloses the line.
 */
export function RetryLine({ message = '—', look = 'line', onRetry }: Props) {
  const line = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    const { current } = line
    return () => {
      if (current?.contains(document.activeElement))
        current.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true })
    }
  }, [])
  return (
    <p ref={line} className={looks[look].text}>
      <span>{message}</span>
      <Button variant={looks[look].button} size="touch" onClick={onRetry}>
        {uiCopy.retry}
      </Button>
    </p>
  )
}
