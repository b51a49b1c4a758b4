import { sheetCopy } from '#staff/batches/copy.ts'
import { countOf, counted } from '#ui/format/count.ts'
import type { ColumnRole, Fault } from './customers-from-rows.ts'

export const onboardingCopy = {
  ...sheetCopy,
  documentTitle: 'Clientes desde un archivo - Finanzas',
  chooseTitle: 'Clientes desde un archivo',
  formats:
    'Excel o CSV con 10.000 clientes como máximo: nombre y email; si los tienes, documento, teléfono y saldo inicial.',
  refusals: {
    empty: 'No encontramos clientes. Cada fila lleva un nombre y un email.',
    formats: sheetCopy.formatsRead,
    large: sheetCopy.large,
    long: (rows: number) => `Son unas ${countOf(rows)} filas, y cada archivo admite 10.000. Divídelo.`,
  },
  roles: {
    name: 'Nombre',
    email: 'Email',
    kind: 'Tipo de documento',
    number: 'Número de documento',
    phone: 'Teléfono',
    amount: 'Saldo inicial',
  } satisfies Record<ColumnRole, string>,
  missing: 'Elige la columna del nombre y la del email.',
  title: 'Nombre del archivo',
  lookingUp: 'Buscando si ya son clientes…',
  lookupFailed: 'No pudimos buscar si ya son clientes.',
  ready: (count: number) => `${counted(count, 'cliente', 'clientes')} para abrir`,
  nothing: 'No hay ninguna cuenta que abrir en estas filas.',
  faults: {
    name: { missing: 'Falta el nombre', invalid: 'Usa 120 caracteres como máximo' },
    email: {
      missing: 'Falta el email',
      invalid: 'No es un email',
      taken: 'Ya hay un usuario con este email',
      twin: 'Este email ya está en otra línea',
    },
    kind: { missing: 'Falta el tipo de documento', invalid: 'Usa CC, CE, NIT, PA, PPT, RC o TI' },
    number: {
      invalid: 'No es un número de ese tipo de documento',
      twin: 'Este documento ya está en otra línea',
    },
    phone: { invalid: 'Usa 10 dígitos, o el + de su país' },
    amount: { invalid: 'No es un saldo que se pueda depositar' },
  } satisfies Record<ColumnRole, Partial<Record<Fault, string>>> as Readonly<
    Record<ColumnRole, Partial<Record<Fault, string>>>
  >,
  without: 'Abrir las demás sin estas líneas',
  sentBefore: (when: string) => `Ya se envió un archivo con los mismos clientes y el mismo total: ${when}`,
  sendAgain: 'Enviarlo otra vez: son otros clientes',
  atLine: (line: number) => `Línea ${countOf(line)}`,
  of: (label: string, line: number) => `${label} de la línea ${countOf(line)}`,
  correct: 'Corregir',
  leaveOut: 'No abrir',
  leaveOutOf: (line: number) => `No abrir la línea ${countOf(line)}`,
  send: (count: number) => `Abrir ${counted(count, 'cuenta', 'cuentas')} · `,
  effect: 'Nadie recibe un correo todavía: las invitaciones se envían después, poco a poco.',
  failedText: 'Revisa tu conexión e inténtalo de nuevo: ninguna cuenta se abre dos veces.',
  refused: 'El banco no admite estas líneas. No se abrió ninguna cuenta.',
  purpose: 'abrir estas cuentas',
  unread: 'No se pudieron leer las líneas que faltan.',
} as const
