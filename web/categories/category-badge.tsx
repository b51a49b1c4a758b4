import {
  ArrowDownLeft,
  ArrowUpRight,
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
import { depositCategory, type ExpenseCategory } from '@finanzas/contract/categories.ts'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { categorizationCopy } from './copy.ts'

type Look = { icon: LucideIcon; colours: string }

const defaultLook: Look = { icon: Tag, colours: 'bg-otro-soft text-otro' }

/** Icons and colours of the predefined categories. The compiler reports any category that lacks an icon or a colour. */
const productLooks = {
  Comida: { icon: Utensils, colours: 'bg-comida-soft text-comida' },
  Transporte: { icon: Bus, colours: 'bg-transporte-soft text-transporte' },
  Entretenimiento: { icon: Clapperboard, colours: 'bg-entretenimiento-soft text-entretenimiento' },
  Compras: { icon: ShoppingBag, colours: 'bg-compras-soft text-compras' },
  Servicios: { icon: Zap, colours: 'bg-servicios-soft text-servicios' },
  Salud: { icon: HeartPulse, colours: 'bg-salud-soft text-salud' },
  Educación: { icon: GraduationCap, colours: 'bg-educacion-soft text-educacion' },
  Viajes: { icon: Plane, colours: 'bg-viajes-soft text-viajes' },
  Otro: defaultLook,
  [depositCategory]: { icon: Banknote, colours: 'bg-deposito-soft text-deposito' },
} satisfies Record<ExpenseCategory | typeof depositCategory, Look>

const looks = new Map<string, Look>(Object.entries(productLooks))

const moneyIn: Look = { icon: ArrowDownLeft, colours: 'bg-deposito-soft text-deposito' }
const moneyOut: Look = { icon: ArrowUpRight, colours: 'bg-otro-soft text-otro' }

type Filed = Pick<Transaction, 'type' | 'category'>

/** Returns a transaction's label: the category, or the type if it has no category. */
export function shownCategory({ type, category }: Filed): string {
  if (hasCategory(category)) return category
  return type === 'deposit' ? categorizationCopy.types.deposit : categorizationCopy.types.expense
}

export function hasCategory(category: string | null): category is string {
  return category !== null && category !== ''
}

/**
 * Renders a transaction's category or type as a word on a coloured background. Unknown categories get the default
 * style.
 */
export function CategoryBadge({ transaction }: { transaction: Filed }) {
  return (
    <span className={`truncate rounded-sm px-1.5 py-px text-xs font-medium ${coloursOf(transaction)}`}>
      {shownCategory(transaction)}
    </span>
  )
}

/** Returns the classes for the text and background colours of the transaction's category. */
export function coloursOf(transaction: Filed): string {
  return lookByCategory(transaction).colours
}

export type IconSubject = 'type' | 'category'

/**
 * Icon for the transaction's type or category. The icon is only decorative, because the text next to it conveys the
 * same information.
 */
export function TransactionIcon({ transaction, by }: { transaction: Filed; by: IconSubject }) {
  const { icon: Icon, colours } = by === 'type' ? lookByType(transaction) : lookByCategory(transaction)
  return (
    <span
      aria-hidden="true"
      className={`grid size-9 shrink-0 place-items-center rounded-full sm:size-10 ${colours}`}
    >
      <Icon className="size-5" strokeWidth={1.75} />
    </span>
  )
}

function lookByCategory(transaction: Filed): Look {
  const { category } = transaction
  return hasCategory(category) ? (looks.get(category) ?? defaultLook) : lookByType(transaction)
}

function lookByType({ type }: Filed): Look {
  return type === 'deposit' ? moneyIn : moneyOut
}
