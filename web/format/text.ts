/** Removes accents and converts to lower case, for searching: `Pensión Ñuñoa` becomes `pension nunoa`. */
export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/**
 * Returns up to two capital letters: the initials of a name's first and last words, or the first letter of an e-mail
 * address.
 */
export function initials(nameOrEmail: string): string {
  const [beforeAt = ''] = nameOrEmail.trim().split('@')
  const words = beforeAt.split(/\s+/).filter((word) => word !== '')
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toLocaleUpperCase('es')
}
