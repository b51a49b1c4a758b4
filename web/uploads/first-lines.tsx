import type { ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
import { useFirstRows } from '#ui/use-first-rows.ts'

type Props<Line> = {
  lines: readonly Line[]
  /** Number of lines that are shown initially and added with each click. */
  step: number
  /** Label of the button, from the number of lines that it adds. */
  more: (count: number) => string
  /** CSS classes of the button. */
  className: string
  /** Renders the lines. */
  children: (shown: readonly Line[]) => ReactNode
}

/** Shows the first lines of a list, and a button that shows more of them. */
export function FirstLines<Line>({ lines, step, more, className, children }: Props<Line>) {
  const { shown, left, showMore } = useFirstRows(lines, { first: step, step })
  return (
    <>
      {children(shown)}
      {left > 0 && (
        <Button variant="quiet" className={className} onClick={showMore}>
          {more(Math.min(left, step))}
        </Button>
      )}
    </>
  )
}
