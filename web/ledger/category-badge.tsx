import {
  Banknote,
  Bus,
  Clapperboard,
  GraduationCap,
  HeartPulse,
  Plane,
  ShoppingBag,
  Tag,
  Utensils,
  Zap,
  type LucideIcon,
} from 'lucide-react'
import { depositCategory } from '@finanzas/contract/categories.ts'

type Look = { icon: LucideIcon; colours: string }

const defaultLook: Look = { icon: Tag, colours: 'bg-otro-soft text-otro' }

const looks = new Map<string, Look>([
  ['Comida', { icon: Utensils, colours: 'bg-comida-soft text-comida' }],
  ['Transporte', { icon: Bus, colours: 'bg-transporte-soft text-transporte' }],
  ['Entretenimiento', { icon: Clapperboard, colours: 'bg-entretenimiento-soft text-entretenimiento' }],
  ['Compras', { icon: ShoppingBag, colours: 'bg-compras-soft text-compras' }],
  ['Servicios', { icon: Zap, colours: 'bg-servicios-soft text-servicios' }],
  ['Salud', { icon: HeartPulse, colours: 'bg-salud-soft text-salud' }],
  ['Educación', { icon: GraduationCap, colours: 'bg-educacion-soft text-educacion' }],
  ['Viajes', { icon: Plane, colours: 'bg-viajes-soft text-viajes' }],
  ['Otro', defaultLook],
  [depositCategory, { icon: Banknote, colours: 'bg-deposito-soft text-deposito' }],
])

/** The category under which a transaction is shown: its own, or `Deposito` when it has none (spec §3). */
export function shownCategory(category: string | null): string {
  return category === null || category === '' ? depositCategory : category
}

/** The category as a word on its colour; unknown ones in the default style. */
export function CategoryBadge({ category }: { category: string | null }) {
  const name = shownCategory(category)
  return (
    <span className={`truncate rounded-sm px-1.5 py-px text-xs font-medium ${lookOf(name).colours}`}>
      {name}
    </span>
  )
}

/** The category's picture: decoration beside its badge, which says the same in words. */
export function CategoryIcon({ category }: { category: string | null }) {
  const { icon: Icon, colours } = lookOf(shownCategory(category))
  return (
    <span
      aria-hidden="true"
      className={`grid size-9 shrink-0 place-items-center rounded-full sm:size-10 ${colours}`}
    >
      <Icon className="size-5" strokeWidth={1.75} />
    </span>
  )
}

function lookOf(category: string): Look {
  return looks.get(category) ?? defaultLook
}
