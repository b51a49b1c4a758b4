/**
 * The fixed texts of a statement. These texts are part of the file format (docs/decisions/0059), because issued files
 * contain them.
 */
export const statementCopy = {
  title: (month: string) => `Extracto de ${month}`,
  bank: 'Banco',
  customer: 'Cliente',
  account: 'Cuenta',
  period: 'Periodo',
  currency: 'Moneda',
  currencies: { USD: 'Dólares (USD)', COP: 'Pesos colombianos (COP)' },
  issued: 'Emitido',
  opening: 'Saldo inicial',
  moneyIn: 'Entradas',
  moneyOut: 'Salidas',
  closing: 'Saldo final',
  unlistedTotal: 'Fuera de tu lista',
  booked: 'Saldo según el banco',
  noted: 'Tus anotaciones',
  entry: 'Último registro',
  hash: 'Huella',
  note: 'Nota',
  signature: 'Firma',
  columns: [
    'Registro',
    'Registrado',
    'Fecha',
    'Descripción',
    'Según los clientes',
    'Categoría',
    'Movimiento',
    'Origen',
    'Monto',
    'Saldo',
  ],
  declaredWords: (words: string) => `Según los clientes: ${words}`,
  origins: { bank: 'Banco', note: 'Anotación' },
  kinds: {
    deposit: 'Depósito',
    expense: 'Gasto',
    corrected: 'Corregido',
    correction: 'Corrección',
    unlisted: 'Fuera de la lista',
  } as Readonly<Record<string, string>>,
  unlisted: 'Movimiento retirado de la lista',
  movements: 'Movimientos',
  days: (lastDay: number, month: string) => `${lastDay === 1 ? '1' : `1 al ${lastDay}`} de ${month}`,
  type: 'Tipo',
  typeMarks: { bank: 'B', note: 'A' },
  types: 'Tipo: B, lo registró el banco; A, lo anotó el cliente, y el banco no lo comprobó.',
  none: 'Sin movimientos este mes.',
  basis:
    'Los movimientos van por su fecha, en hora de Bogotá. «Registro» es su número en el libro del banco, y «Registrado», cuándo quedó en él.',
  origin:
    '«Banco» es un movimiento que registró el banco. «Anotación» es un gasto que escribió el cliente y que el banco no comprobó. El saldo según el banco y las anotaciones suman el saldo final.',
  cancelled:
    'Un movimiento corregido y su corrección llevan la misma fecha, se anulan y no cuentan en los totales.',
  late: 'Registrados después del cierre',
  lateBasis:
    'Tienen fecha de este mes y el banco los registró después de que terminó. Cuentan en los totales y en el saldo final.',
  verify: 'Para verificar este extracto',
  signed:
    'El banco firmó este extracto, letra por letra. Se verifica en Extractos, en la página del banco, o sin cuenta con la clave pública que el banco publica en su página, en /.well-known/finanzas-statement-keys.json.',
  anybody: (site: string | undefined) =>
    `Cualquiera puede verificar este archivo sin cuenta en ${site === undefined ? 'la página del banco, en /verificar' : `${site}/verificar`}.`,
  pdfSigned:
    'El PDF lleva además una firma digital (PAdES) sobre todo el archivo. Adobe Acrobat y otros lectores de PDF la comprueban sin la página del banco, y dicen si el archivo cambió.',
  unsigned:
    'Este extracto no lleva la firma del banco: se puede comparar con el libro, pero no prueba el nombre del banco, el cliente, la moneda ni las palabras.',
  declared:
    'Un nombre marcado «nombre declarado», las categorías y las palabras de los gastos propios son los que escribió el cliente. En una transferencia y en su devolución, lo que está «Según los clientes» lo escribieron los clientes, y el banco no lo comprobó.',
  signatureField: 'Firma digital del banco',
  code: (address: string) => `Código QR que abre ${address}`,
  signedBy: (kid: string) => `Firma del banco, con la clave ${kid}:`,
  head: (last: number) => `Huella del registro ${last}:`,
  page: (page: number, pages: number) => `Página ${page} de ${pages}`,
  months: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(
    ' ',
  ),
  monthsShort: 'ene feb mar abr may jun jul ago sep oct nov dic'.split(' '),
} as const

/** The fixed texts of a receipt, which are also part of its file format. */
export const receiptCopy = {
  titles: { deposit: 'Comprobante de depósito', expense: 'Comprobante de gasto' },
  transaction: 'Comprobante',
  type: 'Movimiento',
  amount: 'Monto',
  day: 'Fecha del movimiento',
  recordedAt: 'Registrado',
  recordedBy: 'Lo registró',
  recorders: { bank: 'El banco', customer: 'El cliente' },
  description: 'Concepto',
  state: 'Estado',
  states: {
    valid: 'Vigente',
    corrected: 'Anulado: el banco lo corrigió',
    correction: 'Corrección: anula otro movimiento',
    cancelled: 'Corrección anulada: ya no anula otro movimiento',
    unlisted: 'Vigente, y el cliente lo quitó de su lista',
    returned: 'Devuelta por el banco',
    return: 'Devolución: anula una transferencia',
    deleted: 'Eliminado por el cliente',
    amended: 'Cambiado después por el cliente',
  },
  reason: 'Motivo',
  seq: 'Registro',
  verify: 'Para verificar este comprobante',
  signed:
    'El banco firmó este comprobante, letra por letra. Se verifica en Extractos, en la página del banco, o sin cuenta con la clave pública que el banco publica en su página, en /.well-known/finanzas-statement-keys.json.',
  unsigned:
    'Este comprobante no lleva la firma del banco: se puede comparar con el libro, pero no prueba el nombre del banco, el cliente ni la moneda.',
  declared:
    'Un nombre marcado «nombre declarado» y las palabras de los gastos propios son los que escribió el cliente.',
  transfer: {
    titles: {
      sent: 'Comprobante de transferencia enviada',
      received: 'Comprobante de transferencia recibida',
      return: 'Comprobante de devolución',
    },
    descriptions: {
      sent: 'Transferencia enviada',
      received: 'Transferencia recibida',
      return: 'Devolución de una transferencia',
    },
    id: 'Transferencia',
    payer: 'De',
    payee: 'Para',
    concept: 'Concepto declarado',
    description: 'Descripción',
    return: 'Devolución',
    masked: (name: string) => `en el banco: ${name}`,
    other: 'Otro cliente del banco',
    inWords: ({ payer, payee, concept }: { payer: string; payee: string; concept: string }) =>
      `Transferencia de ${payer} para ${payee}.${concept === '' ? '' : ` Concepto declarado: «${concept}»`}`,
    declared:
      'Los nombres marcados «nombre declarado» y el concepto de la transferencia son los que escribieron los clientes, y el banco no los comprobó.',
  },
  done: {
    deposit: 'Depósito registrado por el banco',
    expense: 'Gasto registrado por el banco',
    note: 'Gasto anotado por el cliente',
    sent: 'Transferencia hecha',
    received: 'Transferencia recibida',
    return: 'Devolución: anula una transferencia',
  },
  moment: (day: string, time: string) => `${day}, ${time} (hora de Bogotá)`,
  check: {
    title: 'Compruébalo sin cuenta',
    text: (site: string | undefined) =>
      site === undefined
        ? 'Entra a la página del banco, en /verificar, y elige este archivo. El banco lo firmó; una foto o un papel no se pueden comprobar.'
        : `Escanea el código o entra a ${site}/verificar y elige este archivo. El banco lo firmó; una foto o un papel no se pueden comprobar.`,
  },
  proofOnPage: 'La huella y la firma completas están en la página 2.',
  own: 'El cliente anotó este gasto. El banco no comprobó a quién se pagó.',
  code: (kid: string) => `Código de verificación (firma del banco, con la clave ${kid}):`,
} as const

/** The fixed texts of a certificate of the balance, which are also part of its file format. */
export const certificateCopy = {
  kind: 'Documento del banco',
  title: 'Certificado de saldo',
  certifies: 'El banco certifica este saldo',
  of: 'Qué es este saldo',
  meaning:
    'Lo que el banco tiene registrado en esta cuenta en ese momento. No incluye los gastos que el cliente anota por su cuenta. Después pudo cambiar.',
  verify: 'Para verificar este certificado',
  signed:
    'El banco firmó este certificado, letra por letra. Se verifica en Extractos, en la página del banco, o sin cuenta con la clave pública que el banco publica en su página, en /.well-known/finanzas-statement-keys.json.',
  unsigned:
    'Este certificado no lleva la firma del banco: se puede comparar con el libro, pero no prueba el nombre del banco, el cliente ni la moneda.',
  declared: 'Un nombre marcado «nombre declarado» es el que escribió el cliente, y el banco no lo comprobó.',
} as const

/** `noviembre de 2026` */
export function monthInWords(month: string): string {
  return `${statementCopy.months[Number(month.slice(5)) - 1]} de ${month.slice(0, 4)}`
}

/**
 * Returns a row's origin, kind and category, for example `Anotación · Gasto · Comida`. Omits a category that only
 * repeats the kind.
 */
export function filedAs(row: { isNote: boolean; kind: string; category: string }): string {
  const { kind, category } = row
  const word = statementCopy.kinds[kind] ?? kind
  const isRepeated = plain(category) === plain(word)
  return [originOf(row), word, ...(category === '' || isRepeated ? [] : [category])].join(' · ')
}

export function originOf({ isNote }: { isNote: boolean }): string {
  return isNote ? statementCopy.origins.note : statementCopy.origins.bank
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
