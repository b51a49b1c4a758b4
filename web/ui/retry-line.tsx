import { useLayoutEffect, useRef } from 'react'
import { Button } from './button.tsx'
import { uiCopy } from './copy.ts'

/**
 * Replaces content that could not be read. It shows a dash or a message, and a button that tries again. When content
 * replaces the line, the focus moves to the nearest focusable part of the page.
 */
export function RetryLine({ message = '—', onRetry }: { message?: string; onRetry: () => void }) {
  const line = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    const { current } = line
    return () => {
      if (current?.contains(document.activeElement))
        current.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true })
    }
  }, [])
  return (
    <p ref={line} className="flex flex-wrap items-center gap-x-2 text-sm text-muted">
      <span>{message}</span>
      <Button variant="quiet" size="small" onClick={onRetry}>
        {uiCopy.retry}
      </Button>
    </p>
  )
}
