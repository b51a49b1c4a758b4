import type { ComponentProps } from 'react'
import { Guilloche } from './guilloche.tsx'

const inks = {
  blue: 'bg-vault',
  green: 'bg-plate-green',
  wine: 'bg-plate-wine',
} as const

type Props = ComponentProps<'section'> & {
  /** As banknotes of different values are printed in different inks. */
  ink?: keyof typeof inks
  rosette: string
}

/** An engraved plate: a dark panel with a rosette and a fine frame, lettered in paper. */
export function Plate({ ink = 'blue', rosette, className, children, ...props }: Props) {
  return (
    <section
      {...props}
      className={`relative isolate min-w-0 overflow-hidden rounded-lg text-on-vault ${inks[ink]} ${className ?? ''}`}
    >
      <Guilloche className={rosette} />
      <div
        aria-hidden="true"
        className="pointer-events-none absolute inset-2 -z-10 rounded-[0.5rem] border border-brass-bright/35"
      />
      {children}
    </section>
  )
}
