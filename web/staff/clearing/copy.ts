import { countOf, counted, plural } from '#ui/format/count.ts'

const transfersInWords = (count: number) => counted(count, 'transferencia', 'transferencias')

const returnedWords = (count: number) => counted(count, 'devuelta', 'devueltas')

export const clearingCopy = {
  title: 'Archivo de compensación',
  loading: 'Cargando la compensación…',
  unread: 'No se pudo cargar la compensación.',
  about:
    'Las transferencias a otros bancos ya salieron de las cuentas. El archivo las entrega a la compensación, y cada una va en uno solo.',
  none: 'No hay transferencias por enviar.',
  waiting: (count: number, since: string) => (money: string) =>
    `${transfersInWords(count)} por enviar: ${money}, desde el ${since}`,
  handed: (money: string) => `Entregado y sin devolver: ${money}`,
  close: (number: number) => `Cerrar el archivo ${number}`,
  purpose: 'cerrar este archivo',
  closedTitle: (number: number) => `Archivo ${number} cerrado`,
  closedText: (count: number) => `Tiene ${transfersInWords(count)}. Descárgalo y entrégalo.`,
  noAccount:
    'El archivo no dirá la cuenta del banco, porque falta CLEARING_ACCOUNT. Antes de cerrarlo, confirma que la compensación ya la conoce.',
  closeFailedTitle: 'No se cerró el archivo',
  files: 'Archivos cerrados',
  noFiles: 'Todavía no hay archivos.',
  file: (number: number) => `Archivo ${number}`,
  details: (count: number, at: string, name: string | null, returned: number) =>
    `${transfersInWords(count)} · ${at}${name === null ? '' : ` · ${name}`}${returned === 0 ? '' : ` · ${returnedWords(returned)}`}`,
  unreturned: (id: string, reason: string) => (money: string) => `Sin devolver ${id}: ${money}. ${reason}`,
  giveBack: {
    act: 'Devolver todo el archivo',
    actFor: (number: number) => `Devolver todo el archivo ${number}`,
    title: (number: number) => `Devolver todo el archivo ${number}`,
    explained:
      'Cada transferencia del archivo que no se haya devuelto vuelve a quien la pagó, que ve el motivo. Hazlo solo si la compensación rechazó el archivo entero o no lo recibió: si ya pagó alguna, el banco paga dos veces.',
    purpose: 'devolver este archivo',
    doneTitle: (count: number) => (count === 0 ? 'No quedaba nada por devolver' : 'Devolución ordenada'),
    doneText: 'Puedes cerrar esta página: el banco sigue hasta terminar.',
    left: (count: number) =>
      `${countOf(count)} no se ${plural(count, 'pudo', 'pudieron')} devolver: el archivo dice por qué.`,
    waitingTitle: 'La devolución espera',
    waitingText: 'Otra persona debe aprobarla en Pendientes.',
    failedTitle: 'No se devolvió nada',
  },
  formats: { csv: 'CSV', xml: 'pain.001' },
  download: (number: number, format: string) => `Descargar el archivo ${number} en ${format}`,
  fileName: (number: number, format: string) => `compensacion-${String(number).padStart(6, '0')}.${format}`,
  downloadFailedTitle: 'No se pudo descargar el archivo',
  tryAgain: 'Inténtalo de nuevo en un momento.',
} as const
