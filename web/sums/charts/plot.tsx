import type { ReactNode } from 'react'
import { displayedCompact } from '#money/amounts.ts'
import { useAmountsHidden } from '#money/money-text.tsx'
import './charts.css'
import { chartsCopy } from './copy.ts'
import { side } from './geometry.ts'

type PlotProps = {
  /** The amount at its upper edge. */
  ceilingMinor: number
  className: string
  /** Stands there while there is nothing to be drawn. */
  nothing?: string
  /** The drawing, in a square of `side` that is stretched over the plot; empty while amounts are hidden. */
  drawing: ReactNode
  children?: ReactNode
}

/** The ground that a picture is drawn on: lines at its top, middle and foot, with their amounts. */
export function Plot({ ceilingMinor, className, nothing, drawing, children }: PlotProps) {
  const [isHidden] = useAmountsHidden()
  const note = isHidden ? chartsCopy.hidden : nothing
  return (
    <div className={`plot ${className}`}>
      {note !== undefined ? (
        <p>{note}</p>
      ) : (
        <>
          {[1, 0.5].map((part) => (
            <span
              key={part}
              aria-hidden="true"
              className="plot-amount"
              style={{ top: `${(1 - part) * 100}%` }}
            >
              {displayedCompact(ceilingMinor * part)}
            </span>
          ))}
          <svg aria-hidden="true" viewBox={`0 0 ${side} ${side}`} preserveAspectRatio="none">
            {drawing}
          </svg>
        </>
      )}
      {children}
    </div>
  )
}

/** Values at the pointer in words, which serve as the legend too. */
export function Readings({ children }: { children: ReactNode }) {
  return <dl className="chart-readings">{children}</dl>
}

type ReadingProps = {
  /** The class of what it is about: its colour stands before the label. */
  of?: string
  label: string
  children: ReactNode
}

export function Reading({ of, label, children }: ReadingProps) {
  return (
    <div>
      <dt>
        {of !== undefined && (
          <span
            aria-hidden="true"
            className={`chart-sample ${of} ${of === 'chart-budget' ? 'chart-dashed' : ''}`}
          />
        )}
        <span>{label}</span>
      </dt>
      <dd>{children}</dd>
    </div>
  )
}
