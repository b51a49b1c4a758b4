import type { ComponentProps } from 'react'

const inks = {
  blue: 'bg-vault',
  green: 'bg-plate-green',
  wine: 'bg-plate-wine',
} as const

type Props = ComponentProps<'section'> & {
  /** Colour of the plate. */
  ink?: keyof typeof inks
  /** Size and position of the rosette. */
  rosette: string
}

/**
 * A dark panel that resembles an engraved plate, with a rosette and a thin frame. The rosette fades towards the text on
 * its left.
 */
export function Plate({ ink = 'blue', rosette, className, children, ...props }: Props) {
  return (
    <section
      {...props}
      className={`relative isolate min-w-0 overflow-hidden rounded-lg text-on-vault ${inks[ink]} ${className ?? ''}`}
    >
      <Guilloche className={`[mask:linear-gradient(90deg,#0000_35%,#000_70%)] ${rosette}`} />
      <div
        aria-hidden="true"
        className="pointer-events-none absolute inset-2 -z-10 rounded-[0.5rem] border border-brass-bright/35"
      />
      {children}
    </section>
  )
}

type Ring = {
  radius: number
  /** Amplitude of the wave around the radius. */
  swing: number
  lobes: number
  /** Number of rotated copies of the wave that form the ring. */
  lines: number
  tone: string
}

const brass = 'stroke-brass-bright/55'
const paper = 'stroke-on-vault/22'

const rings: readonly (Ring & { path: string })[] = [
  { radius: 17, swing: 11, lobes: 8, lines: 3, tone: brass },
  { radius: 58, swing: 22, lobes: 12, lines: 4, tone: brass },
  { radius: 112, swing: 26, lobes: 10, lines: 6, tone: paper },
  { radius: 172, swing: 24, lobes: 16, lines: 5, tone: paper },
  { radius: 214, swing: 9, lobes: 60, lines: 2, tone: brass },
  { radius: 252, swing: 20, lobes: 24, lines: 4, tone: paper },
].map((ring) => ({ ...ring, path: ringPath(ring) }))

/**
 * Rosette that resembles the engravings on banknotes and is drawn from a formula. Each ring consists of copies of one
 * wave, rotated by a fraction of a lobe. The colours are suitable only for dark plates.
 */
export function Guilloche({ className }: { className: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="-274 -274 548 548"
      className={`pointer-events-none absolute -z-10 fill-none print:hidden ${className}`}
    >
      {rings.map(({ path, lobes, lines, radius, tone }) => (
        <g key={radius} className={tone} strokeWidth={0.8}>
          {Array.from({ length: lines }, (_, line) => (
            <path
              key={line}
              d={path}
              transform={`rotate(${(360 * line) / (lobes * lines)})`}
              vectorEffect="non-scaling-stroke"
            />
          ))}
        </g>
      ))}
    </svg>
  )
}

/** Returns the curve `r(θ) = radius + swing · sin(lobes · θ)` as a closed path of short lines. */
function ringPath({ radius, swing, lobes }: Ring): string {
  const steps = Math.max(lobes * 16, 160)
  const points = Array.from({ length: steps }, (_, step) => {
    const angle = (2 * Math.PI * step) / steps
    const distance = radius + swing * Math.sin(lobes * angle)
    return `${(distance * Math.cos(angle)).toFixed(1)} ${(distance * Math.sin(angle)).toFixed(1)}`
  })
  return `M${points.join('L')}Z`
}
