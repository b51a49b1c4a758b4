import { expect, test } from 'vitest'
import { refusedFileText } from './refused-file-text.ts'

const refusals = {
  empty: 'No hay filas.',
  formats: 'Excel y CSV',
  long: (rows: number) => `Son ${rows} filas.`,
}

test.for([
  [
    { reason: 'format', format: 'pdf' },
    'Es un PDF. Descarga tus movimientos en otro formato. Leemos Excel y CSV.',
  ],
  [
    { reason: 'format', format: 'oldExcel' },
    'Es un Excel de formato antiguo (.xls). Ábrelo y guárdalo como .xlsx o CSV. Leemos Excel y CSV.',
  ],
  [
    { reason: 'unpacked' },
    'El archivo es demasiado grande por dentro. Ábrelo y guarda solo la hoja de los movimientos.',
  ],
  [{ reason: 'damaged' }, 'El archivo está incompleto o dañado. Descárgalo otra vez.'],
  [{ reason: 'empty' }, 'No hay filas.'],
  [{ reason: 'long', rows: 12 }, 'Son 12 filas.'],
] as const)('a file that is refused for %o is answered with the way out', ([refusal, text]) => {
  expect(refusedFileText(refusal, refusals)).toBe(text)
})
