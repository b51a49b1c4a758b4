/** The meanings of a column or a field. */
export const columnRoles = [
  'date',
  'description',
  'amount',
  'debit',
  'credit',
  'direction',
  'currency',
  'fee',
  'balance',
  'state',
  'category',
  'reference',
] as const
export type ColumnRole = (typeof columnRoles)[number]
