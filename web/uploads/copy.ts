import { countOf } from '#ui/format/count.ts'

export const uploadCopy = {
  choose: 'Elige un archivo',
  orDrop: 'o suéltalo aquí',
  reading: 'Leyendo el archivo…',
  unreadable: 'No pudimos leer el archivo. Elígelo otra vez.',
  another: 'Otro archivo',
  sheets: 'El libro tiene tablas distintas. ¿Cuál hoja quieres usar?',
  mappingTitle: 'Cómo se leyó el archivo',
  none: 'No está',
  decimal: 'Decimales',
  decimals: { ',': 'Coma: 1.234,56', '.': 'Punto: 1,234.56' },
  sample: 'Primeras líneas del archivo',
  line: 'Línea',
  atLine: (line: number, words: string) => `Línea ${countOf(line)}: ${words}`,
  moreLines: (count: number) => `y ${countOf(count)} más`,
} as const
