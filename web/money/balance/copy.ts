import { countOf, counted, plural } from '#ui/format/count.ts'

export const balanceCopy = {
  title: '¿Por qué este saldo?',
  explained: 'Todo lo que ha entrado y salido, hasta el último centavo.',
  parts: {
    opening: 'Saldo inicial',
    deposits: 'Depósitos',
    expenses: 'Gastos',
    corrections: 'Correcciones',
    balance: 'Saldo',
    booked: 'Saldo según el banco',
    noted: 'Tus anotaciones',
  },
  correctionsHint:
    'Gastos tuyos que eliminaste, recuperaste o corregiste. Lo que el banco corrigió suma cero.',
  bookedHint: 'Lo que registró el banco. No cambia con lo que tú anotas o eliminas.',
  notedHint: 'Gastos que escribiste, importaste o programaste tú.',
  journalEmpty: 'Tu libro aún no tiene registros.',
  journalCount: (entries: number) => `Tu libro tiene ${counted(entries, 'registro', 'registros')}.`,
  journalLast: (kind: string, time: string) => `El último es del ${time}: ${kind}.`,
  journalKinds: {
    deposit: 'depósito',
    expense: 'gasto',
    note: 'gasto anotado',
    amendment: 'gasto corregido',
    edit: 'movimiento editado',
    reversal: 'gasto anulado',
    removal: 'movimiento quitado de tu lista',
    restoration: 'movimiento recuperado',
    closing: 'cierre de la cuenta',
  } as Readonly<Record<string, string>>,
  edits: 'Cambios en tus movimientos',
  editsNone: 'No has cambiado la descripción ni la categoría de ningún movimiento.',
  editsMore: 'Mostrar más',
  editedDescription: (before: string, after: string) => `Descripción «${before}» → «${after}»`,
  editedText: (name: string, before: string | null, after: string | null) => {
    const column = name.toLowerCase()
    return `${column} ${before ?? `sin ${column}`} → ${after ?? `sin ${column}`}`
  },
  recurring: 'Movimientos recurrentes',
  recurringNone: 'Ningún movimiento se ha registrado solo.',
  recurringRecorded: (description: string, amount: string) => `${description}, ${amount}`,
  recurringRefused: (description: string, amount: string) => `${description}, ${amount}: no se registró`,
  verify: 'Verificar',
  verifyExplained:
    'Cada registro lleva una huella que depende de todos los anteriores. Tu navegador las calcula otra vez, sin confiar en el banco.',
  verifying: 'Verificando…',
  verifiedSoFar: (done: number, all: number) => `${countOf(done)} de ${countOf(all)}`,
  verified: (entries: number) =>
    plural(
      entries,
      'Todo coincide: el único registro está intacto y da tu saldo exacto.',
      `Todo coincide: los ${countOf(entries)} registros están intactos, cada uno sigue al anterior y suman tu saldo exacto.`,
    ),
  verifiedEmpty: 'Todo coincide: no hay registros y tu saldo es cero.',
  broken: (entry: string, fault: string) =>
    `No coincide en el registro ${entry}: ${fault}. Escríbele al banco con este número.`,
  brokenEntry: (seq: number, kind: string, date: string) => `${countOf(seq)} (${kind}, ${date})`,
  brokenFaults: {
    sequence: 'falta el anterior o se repite',
    link: 'no sigue al anterior',
    hash: 'no es lo que se registró',
    sum: 'su saldo no es la suma',
    missing: 'falta',
  },
  brokenTotal: 'No coincide: los registros están intactos, pero no suman tu saldo. Escríbele al banco.',
  verifyFailed: 'No se pudo leer tu libro hasta el final.',
  verifyNeedsHttps:
    'Tu navegador solo puede verificar cuando la dirección empieza por https. Tu saldo no cambia por eso.',

  loadFailed: 'No se pudo cargar.',
} as const

/** Type of the Spanish texts about the balance. The texts for staff have the same type but a different wording. */
export type BalanceCopy = Words<typeof balanceCopy>

type Words<Part> = {
  readonly [Key in keyof Part]: Part[Key] extends string
    ? string
    : Part[Key] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : Words<Part[Key]>
}
