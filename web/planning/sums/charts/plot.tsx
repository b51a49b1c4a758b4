import type { CSSProperties, ReactNode } from 'react'
import { displayedCompact } from '#amounts/amounts.ts'
import { useAmountsHidden } from '#amounts/money-text.tsx'
import './charts.css'
import { chartsCopy } from './copy.ts'
import { side, zeroOf } from './geometry.ts'

type PlotProps = {
  /** Amount at the upper edge of the chart. */
  ceilingMinor: number
  /** The amount by which the chart extends below zero. */
  floorMinor?: number
  className: string
  /** Text that is shown in place of the drawing if the chart has no data. */
  nothing?: string
  /**
   * SVG content that is drawn in a square. The square's sides have the length `side`, and the square is stretched over
   * the chart. The drawing is left out while amounts are hidden.
   */
  drawing: ReactNode
  children?: ReactNode
}

/**
 * Returns the style for a `chart-ground` element, which leaves space next to the drawing for the longest amount at a
 * grid line.
 */
export function gutterFor(ceilingMinor: number, floorMinor = 0): CSSProperties {
  const lengths = linesOf(ceilingMinor, floorMinor).map(({ minor }) => displayedCompact(minor).length)
  return { '--figures': Math.max(...lengths) } as CSSProperties
}

/**
 * Returns the grid lines that are labelled with an amount: the top and the middle, or the top, zero and the bottom if
 * the chart extends below zero.
 */
function linesOf(ceiling: number, floor: number): { minor: number; y: number }[] {
  const top = { minor: ceiling, y: 0 }
  if (floor === 0) return [top, { minor: ceiling / 2, y: 0.5 }]
  return [top, { minor: 0, y: zeroOf({ ceiling, floor }) }, { minor: -floor, y: 1 }]
}

/** Plot area of a chart: the drawing, with grid lines that are labelled with amounts. */
export function Plot({ ceilingMinor, floorMinor = 0, className, nothing, drawing, children }: PlotProps) {
  const [isHidden] = useAmountsHidden()
  const note = isHidden ? chartsCopy.hidden : nothing
  const lines = linesOf(ceilingMinor, floorMinor)
  return (
    <div
      className={`plot ${className}`}
      style={{ '--middle': `${(lines[1]?.y ?? 0) * 100}%` } as CSSProperties}
    >
      {note !== undefined ? (
        <p>{note}</p>
      ) : (
        <>
          {lines.map(({ minor, y }) => (
            <span key={y} aria-hidden="true" className="plot-amount" style={{ top: `${y * 100}%` }}>
              {displayedCompact(minor)}
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

/** Shows the selected values as text, which also serves as the legend. */
export function Readings({ children }: { children: ReactNode }) {
  return <dl className="chart-readings">{children}</dl>
}

type ReadingProps = {
  /**
   * Class of the line or bars to which the value belongs. The class also sets the colour of the sample in front of the
   * label.
   */
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
