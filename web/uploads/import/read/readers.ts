/** The formats that are read, in the order in which they are tried. Only the code of the file's own format is loaded. */
import { lazyCode } from '#ui/lazy/lazy.ts'
import type { FileContent } from '#uploads/content.ts'
import type { Reading, Recognized } from './reader.ts'

const readers: readonly Recognized[] = [
  {
    recognizes: /<OFX>|OFXHEADER/i,
    load: lazyCode(() => import('#uploads/import/read/formats/ofx.ts'), 'readOfx').load,
  },
  {
    recognizes: /camt\.05[2-4]|BkToCstmr(?:Stmt|AcctRpt|DbtCdtNtfctn)/,
    load: lazyCode(() => import('#uploads/import/read/formats/camt.ts'), 'readCamt').load,
  },
  {
    recognizes: /^\s*!(?:Type|Account|Option|Clear)/im,
    load: lazyCode(() => import('#uploads/import/read/formats/qif.ts'), 'readQif').load,
  },
  {
    recognizes: /^(?:\{[^\n]{0,200}\{4:)?\s{0,8}:(?:20|25P?|28C?|60[FM]):/m,
    load: lazyCode(() => import('#uploads/import/read/formats/mt940.ts'), 'readMt940').load,
  },
  {
    recognizes: /^(?:00[^\n]{0,78}\r?\n)?11\d{30}[12]\d{14}\d{3}/,
    load: lazyCode(() => import('#uploads/import/read/formats/norma43.ts'), 'readNorma43').load,
  },
  // Any other file is a table.
  {
    recognizes: /^/,
    load: lazyCode(() => import('#uploads/import/read/formats/sheet.ts'), 'readSheet').load,
  },
]

/** Number of characters in which a format is recognized. */
const beginningLength = 4000

/** Loads the reader of the file's format and begins to read. */
export async function openFile(file: FileContent, last: string): Promise<Reading> {
  const beginning = file.text.slice(0, beginningLength)
  for (const { recognizes, load } of readers)
    if (recognizes.test(beginning)) return (await load())(file, last)
  throw new Error('The last reader recognizes every file.')
}
