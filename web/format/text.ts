/** The text without accents and capitals, for searching: `Pensión Ñuñoa` answers `pension nunoa`. */
export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
