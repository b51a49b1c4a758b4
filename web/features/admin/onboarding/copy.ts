import { countOf } from '#upload/copy.ts'
import type { ColumnRole, Fault } from './customers-from-rows.ts'

const customers = (count: number) => `${countOf(count)} ${count === 1 ? 'cliente' : 'clientes'}`
const lines = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${countOf(count)} ${many}`

export const onboardingCopy = {
  documentTitle: 'Clientes desde un archivo - Finanzas',
  chooseTitle: 'Clientes desde un archivo',
  formats:
    'CSV con 10.000 clientes como máximo: nombre y email; si los tienes, documento, teléfono y saldo inicial.',
  privacy: 'Se lee en tu dispositivo. Nada se envía antes de que lo confirmes.',
  refusals: {
    empty: 'No encontramos clientes. Cada fila lleva un nombre y un email.',
    binary: 'Es una hoja de cálculo o un PDF. Guarda la hoja como CSV.',
    large: 'El archivo pesa más de 20 MB. Divídelo.',
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
  ready: (count: number) => `${customers(count)} para abrir`,
  nothing: 'No hay ninguna cuenta que abrir en estas filas.',
  broken: (count: number) => lines(count, 'línea con fallas', 'líneas con fallas'),
  faults: { missing: 'Falta', invalid: 'No es válido', taken: 'Ya está', twin: 'Repetido' },
  faultOf: (role: ColumnRole, fault: Fault): string =>
    faultWords[role]?.[fault] ?? onboardingCopy.faults[fault],
  without: 'Abrir las demás sin estas líneas',
  sentBefore: (when: string) => `Ya se envió un archivo con los mismos clientes y el mismo total: ${when}`,
  sendAgain: 'Enviarlo otra vez: son otros clientes',
  allLines: (count: number) => lines(count, 'línea', 'líneas'),
  atLine: (line: number) => `Línea ${countOf(line)}`,
  of: (label: string, line: number) => `${label} de la línea ${countOf(line)}`,
  correct: 'Corregir',
  leaveOut: 'No abrir',
  leaveOutOf: (line: number) => `No abrir la línea ${countOf(line)}`,
  more: 'Mostrar más',
  send: (count: number) => `Abrir ${lines(count, 'cuenta', 'cuentas')} · `,
  effect: 'Nadie recibe un correo todavía: las invitaciones se envían después, poco a poco.',
  answerFirst: 'Para enviar, corrige lo señalado en rojo o márcalo.',
  sending: 'Enviando…',
  failedTitle: 'No se envió nada',
  failedText: 'Revisa tu conexión e inténtalo de nuevo: ninguna cuenta se abre dos veces.',
  refused: 'El banco no admite estas líneas. No se abrió ninguna cuenta.',
  purpose: 'abrir estas cuentas',
  unread: 'No se pudieron leer las líneas que faltan.',
} as const

const faultWords: Partial<Record<ColumnRole, Partial<Record<Fault, string>>>> = {
  name: { missing: 'Falta el nombre', invalid: 'Usa 120 caracteres como máximo' },
  email: {
    missing: 'Falta el email',
    invalid: 'No es un email',
    taken: 'Ya hay un usuario con este email',
    twin: 'Este email ya está en otra línea',
  },
  kind: { invalid: 'Usa CC, CE, NIT, PA, PPT, RC o TI' },
  number: {
    invalid: 'No es un número de ese tipo de documento',
    twin: 'Este documento ya está en otra línea',
  },
  phone: { invalid: 'Usa 10 dígitos, o el + de su país' },
  amount: { invalid: 'No es un saldo que se pueda depositar' },
}
