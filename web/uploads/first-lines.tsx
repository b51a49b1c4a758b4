import { useState, type ReactNode } from 'react'
import { Button } from '#ui/button.tsx'

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
  const [shownMax, setShownMax] = useState(step)
  const left = lines.length - shownMax
  return (
    <>
      {children(lines.slice(0, shownMax))}
      {left > 0 && (
        <Button variant="quiet" className={className} onClick={() => setShownMax(shownMax + step)}>
          {more(Math.min(left, step))}
        </Button>
      )}
    </>
  )
}
