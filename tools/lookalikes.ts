/**
 * Prints the rows of `private.lookalikes` (supabase/schemas/ground): the characters that look like a letter from a to z
 * or a digit. Usage: `node tools/lookalikes.ts confusables.txt`, with the file of Unicode Technical Standard 39 from
 * https://www.unicode.org/Public/security/ (Unicode License v3, https://www.unicode.org/license.txt). The rows in the
 * schema were derived from Unicode 10.0.
 */
import { readFileSync } from 'node:fs'

const letters = 'abcdefghijklmnopqrstuvwxyz'
/** The scripts whose letters fonts draw like Latin letters. Other scripts write no word that reads as a Latin one. */
const scripts =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}\p{Script=Canadian_Aboriginal}\p{Script=Georgian}\p{Script=Common}]$/u

if (import.meta.main) {
  const [path = ''] = process.argv.slice(2)
  const rows = lookalikesOf(readFileSync(path, 'utf8'))
  console.log(rows.map(([letter, characters]) => `  ('${letter}', '${characters}')`).join(',\n'))
}

/**
 * Returns each letter with the characters that look like it. Leaves out the characters that NFKC or the removal of
 * accents already turns into the letter, because `private.skeleton` does both.
 */
function lookalikesOf(confusables: string): [letter: string, characters: string][] {
  const found = new Map<string, Set<string>>()
  const add = (letter: string, character: string) => {
    found.set(letter, (found.get(letter) ?? new Set()).add(character))
  }
  for (const line of confusables.split('\n')) {
    const [from, to] = line.replace(/#.*/, '').split(';').map(textOf)
    if (from === undefined || to === undefined || from < '\u0080' || !scripts.test(from)) continue
    // The standard writes m as rn.
    const letter = folded(to).replaceAll('rn', 'm')
    if (/^[a-z0-9]$/.test(letter) && folded(from) === from.toLowerCase() && letter !== folded(from))
      add(letter, from)
  }
  // The standard leaves out these alphabets, which chats and phones write in place of letters.
  for (const [index, character] of [...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘ'].entries()) add(letters[index] ?? '', character)
  for (const [letter, character] of Object.entries({
    r: 'ʀ',
    s: 'ꜱ',
    t: 'ᴛ',
    u: 'ᴜ',
    v: 'ᴠ',
    w: 'ᴡ',
    y: 'ʏ',
    z: 'ᴢ',
  }))
    add(letter, character)
  for (const first of [0x1f150, 0x1f170, 0x1f1e6])
    for (const [index, letter] of [...letters].entries()) add(letter, String.fromCodePoint(first + index))
  return Array.from(
    found,
    ([letter, characters]) => [letter, [...characters].sort().join('')] as [string, string],
  ).sort(([one], [other]) => (one < other ? -1 : 1))
}

function textOf(field: string): string {
  return field
    .trim()
    .split(/\s+/)
    .map((point) => (/^[0-9A-F]{4,6}$/.test(point) ? String.fromCodePoint(Number.parseInt(point, 16)) : ''))
    .join('')
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '')
}
