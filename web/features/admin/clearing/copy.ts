const counted = (count: number) =>
  `${count.toLocaleString('es-CO')} ${count === 1 ? 'transferencia' : 'transferencias'}`

export const clearingCopy = {
  title: 'Archivo de compensación',
  loading: 'Cargando la compensación…',
  unread: 'No se pudo cargar la compensación.',
  about:
    'Las transferencias a otros bancos ya salieron de las cuentas. El archivo las entrega a la compensación, y cada una va en uno solo.',
  none: 'No hay transferencias por enviar.',
  waiting: (count: number, since: string) => (money: string) =>
    `${counted(count)} por enviar: ${money}, desde el ${since}`,
  handed: (money: string) => `Entregado y sin devolver: ${money}`,
  close: (number: number) => `Cerrar el archivo ${number}`,
  purpose: 'cerrar este archivo',
  closedTitle: (number: number) => `Archivo ${number} cerrado`,
  closedText: (count: number) => `Tiene ${counted(count)}. Descárgalo y entrégalo.`,
  closeFailedTitle: 'No se cerró el archivo',
  files: 'Archivos cerrados',
  noFiles: 'Todavía no hay archivos.',
  file: (number: number) => `Archivo ${number}`,
  details: (count: number, at: string, name: string | null) =>
    `${counted(count)} · ${at}${name === null ? '' : ` · ${name}`}`,
  formats: { csv: 'CSV', xml: 'pain.001' },
  download: (number: number, format: string) => `Descargar el archivo ${number} en ${format}`,
  fileName: (number: number, format: string) => `compensacion-${String(number).padStart(6, '0')}.${format}`,
  downloadFailedTitle: 'No se pudo descargar el archivo',
  tryAgain: 'Inténtalo de nuevo en un momento.',
} as const
