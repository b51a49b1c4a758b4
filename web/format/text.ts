/** The text without accents and capitals, for searching: `Pensión Ñuñoa` answers `pension nunoa`. */
export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Up to two capital letters: of the first and the last word of a name, or the first of an e-mail address. */
export function initials(nameOrEmail: string): string {
  const [beforeAt = ''] = nameOrEmail.trim().split('@')
  const words = beforeAt.split(/\s+/).filter((word) => word !== '')
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toLocaleUpperCase('es')
}
