export { fold } from '@finanzas/contract/format/fold.ts'

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
