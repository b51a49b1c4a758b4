import type { Refusal } from './refused-file.ts'
import type { UnreadFormat } from './unread-formats.ts'

type Refusals = {
  readonly empty: string
  readonly formats: string
  readonly long: (rows: number) => string
}

/** Says why a file was not read, and what the user can do. The card itself asks for one of several sheets. */
export function refusedFileText(refusal: Exclude<Refusal, { reason: 'sheets' }>, refusals: Refusals): string {
  if (refusal.reason === 'empty') return refusals.empty
  if (refusal.reason === 'long') return refusals.long(refusal.rows)
  if (refusal.reason === 'format') return `${unread[refusal.format]} Leemos ${refusals.formats}.`
  return refusal.reason === 'unpacked'
    ? 'El archivo es demasiado grande por dentro. Ábrelo y guarda solo la hoja de los movimientos.'
    : 'El archivo está incompleto o dañado. Descárgalo otra vez.'
}

/** Names a format that is not read, and the way to a format that is. */
const unread: Readonly<Record<UnreadFormat, string>> = {
  pdf: 'Es un PDF. Descarga tus movimientos en otro formato.',
  oldExcel: 'Es un Excel de formato antiguo (.xls). Ábrelo y guárdalo como .xlsx o CSV.',
  binaryExcel: 'Es un Excel binario (.xlsb). Ábrelo y guárdalo como .xlsx o CSV.',
  encrypted: 'El archivo tiene contraseña. Ábrelo y guárdalo sin ella.',
  openDocument: 'Es una hoja de OpenDocument (.ods). Ábrela y guárdala como .xlsx o CSV.',
  numbers: 'Es una hoja de Numbers. Ábrela y expórtala como Excel o CSV.',
  word: 'Es un documento de texto. Descarga tus movimientos en otro formato.',
  archive: 'Es un archivo comprimido. Descomprímelo y elige el archivo que contiene.',
  image: 'Es una imagen. Descarga tus movimientos en otro formato.',
  json: 'Es un archivo JSON. Descarga tus movimientos en otro formato.',
  mt942: 'Es un MT942, con movimientos que todavía pueden cambiar. Descarga el extracto (MT940).',
  bai2: 'Es un archivo BAI2. Descarga tus movimientos en otro formato.',
  webArchive: 'Es una página web guardada (.mht). Ábrela en Excel y guárdala como .xlsx o CSV.',
  mail: 'Es un correo. Guarda el archivo adjunto y elígelo aquí.',
  xml: 'Es un XML que no es un extracto. Descarga tus movimientos en otro formato.',
  binary: 'No es un archivo con movimientos.',
}
