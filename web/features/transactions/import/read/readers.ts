/** The formats that are read, in the order in which they are tried. Only the code of the file's own format is loaded. */
import { lazyCode } from '#lazy/lazy.ts'
import type { FileContent, Reading, Recognized } from './reader.ts'

const readers: readonly Recognized[] = [
  {
    recognizes: ({ text }) => /<OFX>|OFXHEADER/i.test(text),
    load: lazyCode(() => import('#features/transactions/import/read/formats/ofx.ts'), 'readOfx').load,
  },
  {
    recognizes: ({ text }) => /camt\.05[23]|BkToCstmr(?:Stmt|AcctRpt)/.test(text),
    load: lazyCode(() => import('#features/transactions/import/read/formats/camt.ts'), 'readCamt').load,
  },
  {
    recognizes: ({ text }) => /^\s*!(?:Type|Account|Option|Clear)/im.test(text),
    load: lazyCode(() => import('#features/transactions/import/read/formats/qif.ts'), 'readQif').load,
  },
  // Any other text is a table.
  {
    recognizes: () => true,
    load: lazyCode(() => import('#features/transactions/import/read/formats/csv.ts'), 'readCsvFile').load,
  },
]

/** Length of the beginning by which a format is recognized, in bytes and in characters. */
const beginningLength = 4000

/** Loads the reader of the file's format and begins to read. */
export async function openFile({ bytes, text }: FileContent): Promise<Reading> {
  const beginning = { bytes: bytes.subarray(0, beginningLength), text: text.slice(0, beginningLength) }
  for (const { recognizes, load } of readers)
    if (recognizes(beginning)) return (await load())({ bytes, text })
  throw new Error('The last reader recognizes every file.')
}
