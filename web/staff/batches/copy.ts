import { countOf, counted, plural } from '#ui/format/count.ts'

const deposits = (count: number) => counted(count, 'abono', 'abonos')

/** Texts that are the same for every file or table that staff upload as a batch. */
export const sheetCopy = {
  privacy: 'Se lee en tu dispositivo. Nada se envía antes de que lo confirmes.',
  large: 'El archivo pesa más de 20 MB. Divídelo.',
  formatsRead: 'Excel (.xlsx), CSV y tablas HTML',
  broken: (count: number) => counted(count, 'línea con fallas', 'líneas con fallas'),
  allLines: (count: number) => counted(count, 'línea', 'líneas'),
  answerFirst: 'Para enviar, corrige lo señalado en rojo o márcalo.',
  sending: 'Enviando…',
  failedTitle: 'No se envió nada',
  more: 'Mostrar más',
} as const

export const batchCopy = {
  heading: 'Abonos por lote',
  progress: (done: number, all: number) => `${countOf(done)} de ${deposits(all)}`,
  posting: 'Abonando… Puedes cerrar esta página: el banco sigue hasta terminar.',
  unanswered:
    'Sin respuesta del banco. Preguntamos otra vez en un momento; el lote no depende de esta página.',
  stopped: 'El lote está detenido. Continúa donde quedó: nada se abona dos veces.',
  held: 'El lote espera a otro administrador. Todavía no se abonó nada.',
  go: 'Continuar',
  stop: 'Detener',
  holdFailed: 'El lote sigue como estaba',
  holdFailedText: 'Revisa tu conexión e inténtalo de nuevo.',
  postedFor: (count: number) => `${deposits(count)} por `,
  finished: 'Lote terminado',
  failed: (count: number) => counted(count, 'línea no se pudo abonar', 'líneas no se pudieron abonar'),
  result: 'Descargar resultado (CSV)',
  resultName: (id: string) => `abonos-${id.slice(0, 8)}.csv`,
  resultColumns: ['Línea', 'Email', 'Nombre', 'Monto', 'Descripción', 'Estado', 'Motivo'],
  resultFailed: 'No se pudo descargar',
  statuses: {
    waiting: 'Pendiente',
    posted: 'Abonado',
    failed: 'No abonado',
    reversing: 'Por revertir',
    reversed: 'Revertido',
  },
  gone: 'Cuenta eliminada',
  linesTitle: 'Líneas',
  columns: { line: 'Línea', customer: 'Cliente', amount: 'Monto', status: 'Estado', leaveOut: 'No enviar' },
  repeat: 'Repetir',
  repeatFailed: 'No se pudo repetir',
  another: 'Otro lote',
  unread: 'No se pudo leer este lote.',
  missingBatch: 'Este lote no existe.',

  accounts: {
    progress: (done: number, all: number) => `${countOf(done)} de ${counted(all, 'cuenta', 'cuentas')}`,
    posting: 'Abriendo las cuentas… Puedes cerrar esta página: el banco sigue hasta terminar.',
    stopped: 'La apertura está detenida. Continúa donde quedó: ninguna cuenta se abre dos veces.',
    held: 'El archivo espera a otro administrador. Todavía no se abrió ninguna cuenta.',
    finished: 'Cuentas abiertas',
    postedFor: (count: number) => `${counted(count, 'cuenta', 'cuentas')} con saldos por `,
    failed: (count: number) => counted(count, 'cuenta no se pudo abrir', 'cuentas no se pudieron abrir'),
    correct: 'Corregir las que faltan',
    statuses: { posted: 'Abierta', failed: 'Sin abrir' },
  },
  invitations: {
    title: 'Invitaciones',
    progress: (invited: number, accounts: number, taken: number) =>
      `${countOf(invited)} de ${countOf(accounts)} invitados · ${countOf(taken)} ya entraron`,
    expired: (count: number) =>
      counted(count, 'invitación venció sin usarse', 'invitaciones vencieron sin usarse'),
    refused: (count: number) =>
      `${counted(count, 'invitación no llegó', 'invitaciones no llegaron')}: el servidor de correo dice que esas direcciones no existen. Corrígelas y envíalas otra vez.`,
    inviting: 'El banco envía unas pocas cada minuto, aunque cierres esta página.',
    orphaned: 'Se detuvieron: quien las inició ya no es administrador, o está bloqueado.',
    start: 'Enviar invitaciones',
    goOn: 'Continuar las invitaciones',
    again: 'Enviar otra vez',
    stop: 'Detener las invitaciones',
    purpose: 'enviar estas invitaciones',
    failedTitle: 'Las invitaciones siguen como estaban',
    failedText: 'Revisa tu conexión e inténtalo de nuevo.',
  },

  reversal: {
    title: 'Revertir lote',
    purpose: 'revertir este lote',
    explained: (count: number) => (money: string) =>
      `${plural(count, 'El abono', `Los ${deposits(count)}`)} por ${money} se anula${plural(count, '', 'n')} con una corrección para cada cliente, que ve el motivo y tu nombre. Lo que ya se corrigió queda igual.`,
    unposted: 'Lo que falta por abonar ya no se abona.',
    orderedTitle: 'Reversión ordenada',
    orderedText: 'Puedes cerrar esta página: el banco sigue hasta terminar.',
    failedTitle: 'No se revirtió nada',
    posting: 'Revirtiendo… Puedes cerrar esta página: el banco sigue hasta terminar.',
    stopped: 'La reversión está detenida. Continúa donde quedó: nada se revierte dos veces.',
    finished: 'Lote revertido',
    reversedFor: (count: number) => `${deposits(count)} ${plural(count, 'revertido', 'revertidos')} por `,
    kept: (count: number) => counted(count, 'abono sin revertir', 'abonos sin revertir'),
    because: (reason: string, name: string | null) =>
      name === null ? `Motivo: ${reason}` : `Motivo: ${reason}. Lo revirtió ${name}.`,
  },

  pastTitle: 'Lotes anteriores',
  by: (name: string) => `enviado por ${name}`,
  states: {
    held: 'Espera a otro administrador',
    finished: 'Terminado',
    withFailures: (count: number) => `Terminado, ${countOf(count)} sin abonar`,
    reversed: 'Revertido',
    reversing: (done: number, all: number) => `Revirtiendo: ${countOf(done)} de ${countOf(all)}`,
    unfinished: (done: number, all: number) => `Sin terminar: ${countOf(done)} de ${countOf(all)}`,
  },
} as const
