import type { ReactNode } from 'react'
import { displayedCompact } from '#money/amounts.ts'
import { useAmountsHidden } from '#money/money-text.tsx'
import './charts.css'
import { chartsCopy } from './copy.ts'
import { side } from './geometry.ts'

type PlotProps = {
  /** Amount at the upper edge of the chart. */
  ceilingMinor: number
  className: string
  /** Text that replaces the chart if there is nothing to draw. */
  nothing?: string
  /** The drawing, in a square of `side` that is stretched over the chart. It is left out while amounts are hidden. */
  drawing: ReactNode
  children?: ReactNode
}

/** Background of a chart: lines at its top, middle and bottom, with their amounts. */
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

/** Values at the pointer as text, which also serves as the legend. */
export function Readings({ children }: { children: ReactNode }) {
  return <dl className="chart-readings">{children}</dl>
}

type ReadingProps = {
  /** Class of the line or bars that the value belongs to. It colours the sample before the label. */
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
