/** The kinds of objects in a random schema: the forms of each kind, and an object that was made. */
import { identifier } from './table-api.ts'

export type Spec =
  | { kind: 'table'; word: string; columns: readonly [string, string][]; form: TableForm; to: number }
  | { kind: 'view'; word: string; form: ViewForm; of: number }
  | {
      kind: 'function'
      word: string
      form: FunctionForm
      parameters: readonly [string, string][]
      of: number
    }
export type TableForm = (typeof tableForms)[number]
export type ViewForm = (typeof viewForms)[number]
export type FunctionForm = (typeof functionForms)[number]
export const tableForms = [
  'keyed',
  'keyless',
  'pair',
  'self',
  'partitioned',
  'inheriting',
  'foreign',
  'generated',
  'wide',
] as const
export const viewForms = [
  'whole',
  'twice',
  'expression',
  'materialized',
  'circle',
  'two in a circle',
  'without columns',
] as const
export const functionForms = [
  ...([
    'void',
    'value',
    'values',
    'row',
    'rows',
    'table',
    'one out',
    'two outs',
    'unnamed out',
    'inout',
  ] as const),
  ...([
    'record',
    'variadic',
    'polymorphic',
    'unnamed',
    'procedure',
    'trigger',
    'overloaded',
    'defaults',
  ] as const),
]

/** An object to create. The object does not exist if PostgreSQL refused `sql`. */
export type Made = {
  readonly name: string
  readonly sql: string
  readonly columns: readonly string[]
  readonly is: 'relation' | 'function' | 'hidden'
}

/** Returns the quoted name of an object of the schema `public`. */
export const q = (name: string) => `public.${identifier(name)}`

export function relationsOf(made: readonly Made[]): Made[] {
  return made.filter(({ is }) => is === 'relation')
}
