import { countOf } from '#ui/format/count.ts'

export const statementPageCopy = {
  documentTitle: 'Extractos - Finanzas',
  heading: 'Extractos',
  month: 'Mes',
  loading: 'Cargando el extracto…',
  unread: 'No se pudo cargar el extracto.',
  soFar: 'Hasta hoy: el mes aún no termina.',
  opening: 'Saldo inicial',
  moneyIn: 'Entradas',
  moneyOut: 'Salidas',
  closing: 'Saldo final',
  download: 'Descargar ',
  pdf: 'PDF',
  csv: 'CSV',
  fileName: (month: string, kind: 'pdf' | 'csv') => `extracto-${month}.${kind}`,
  downloadFailedTitle: 'No se pudo descargar el extracto',
  downloadFailedText: 'Revisa tu conexión e inténtalo de nuevo.',
  certificate: {
    title: 'Certificado de saldo',
    about:
      'Dice cuánto tiene tu cuenta según el banco en este momento, sin tus anotaciones. El banco lo firma, y cualquiera lo puede verificar.',
    fileName: (day: string, kind: 'pdf' | 'csv') => `certificado-de-saldo-${day}.${kind}`,
    failedTitle: 'No se pudo descargar el certificado',
    holds: 'El certificado es auténtico: lo firmó el banco, y coincide con tu libro.',
    period: (facts: { money: string; issued: string }) =>
      `Saldo según el banco: ${facts.money}, el ${facts.issued}`,
    unsigned:
      'No lleva la firma del banco. El saldo y la huella coinciden con tu libro; el cliente y la fecha de emisión no se pueden comparar.',
    partOfMonth: 'Después de emitirlo, el banco registró otros movimientos.',
  },
  none: 'No tienes movimientos con fecha de este mes.',
  basis: 'Por la fecha de cada movimiento, con los mismos saldos de tu Resumen.',
  origin:
    '«Banco» lo registró el banco; «Anotación» es un gasto que escribiste tú. El saldo según el banco no cambia con tus anotaciones.',
  columns: { seq: 'Registro', day: 'Fecha', description: 'Descripción', amount: 'Monto', balance: 'Saldo' },
  recorded: (day: string) => `registrado el ${day}`,
  showAll: (rows: number) => `Mostrar los ${countOf(rows)} registros`,
  verifyTitle: 'Verificar un extracto, comprobante o certificado',
  verifyText: 'Se comprueba la firma del banco y se compara con tu libro registro por registro.',
  wholeLedger: 'Libro completo (para verificar)',
  wholeLedgerText:
    'Todos los registros en el orden en que el banco los hizo, con sus huellas, vienen en la descarga de tus datos.',
  formats: 'Un extracto, comprobante o certificado tuyo en PDF o CSV, tal como se descargó',
  holds: 'El extracto es auténtico: lo firmó el banco, y coincide con tu libro.',
  period: (month: string) => `Periodo: ${month}`,
  signed: (facts: { bankName: string; customer: string; period: string; currency: string }) =>
    `Banco: ${facts.bankName}. Cliente: ${facts.customer}. ${facts.period}. Moneda: ${facts.currency}.`,
  falseSignature: 'No es auténtico: la firma del banco no es la de este texto, que alguien cambió.',
  unknownKey: 'No es auténtico: la clave que lo firmó no es de este banco.',
  unsigned:
    'No lleva la firma del banco. Registros, fechas, montos, saldos y huella coinciden con tu libro; el cliente, los datos del banco y de la cuenta, la fecha de emisión y las categorías no se pueden comprobar.',
  otherWords: (rows: readonly number[]) => {
    const named = rows.slice(0, 20).map((row) => countOf(row))
    return `Su descripción no es la de tu lista de hoy: registro ${named.join(', ')}${rows.length > named.length ? '…' : ''}.`
  },
  partOfMonth: 'Después de emitirlo, el libro cambió movimientos con fecha de ese mes o anterior.',
  receipt: {
    holds: 'El comprobante es auténtico: lo firmó el banco, y coincide con tu libro.',
    period: (facts: { kind: string; money: string; day: string; state: string }) =>
      `Movimiento: ${facts.kind} de ${facts.money} del ${facts.day}. Estado al emitirlo: ${facts.state}`,
    unsigned:
      'No lleva la firma del banco. Registro, fechas, monto, estado y huella coinciden con tu libro; el cliente y la fecha de emisión no se pueden comparar.',
    partOfMonth:
      'Después de emitirlo, el movimiento se corrigió o se devolvió, o salió de tu lista o volvió a ella.',
  },
  faults: {
    account: 'Es de otra cuenta. Aquí solo se verifican los tuyos.',
    bank: 'No coincide: no lleva el nombre de este banco.',
    currency: 'No coincide: no está en la moneda de este banco.',
    sum: 'No coincide: sus montos no suman su saldo final.',
    head: 'No coincide: su huella no es la de tu libro.',
    opening: 'No coincide: su saldo inicial no es el de tu libro.',
    notes: 'No coincide: sus anotaciones no suman lo que suman en tu libro.',
    booked: 'No coincide: su saldo no es el que el banco tenía en tu libro.',
    row: (seq: number) => `No coincide: el registro ${countOf(seq)} no es lo que dice tu libro.`,
  },
  unreadable:
    'No es un extracto, comprobante ni certificado de este banco tal como se descargó: es otro archivo, o lo cambiaron.',
  tooLarge: 'El archivo es demasiado grande para ser un extracto.',
  insecure: 'El navegador solo comprueba firmas en una página segura, con https.',
  verifyFailed: 'No se pudo comparar con tu libro. Inténtalo de nuevo.',
} as const
