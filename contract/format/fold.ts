/** The signs that phones and word processors write, and the sign of a plain keyboard that each of them stands for. */
const plainSigns = new Map(
  [
    "'\u2018\u2019\u201A\u201B\u2032\u02BC\u00B4",
    '"\u201C\u201D\u201E\u201F\u2033\u00AB\u00BB',
    '-\u2010\u2011\u2012\u2013\u2014\u2015\u2212',
    ' \u00A0\u2009\u202F',
  ].flatMap(([plain = '', ...others]) => others.map((sign) => [sign, plain] as const)),
)
const otherSigns = new RegExp(`[${[...plainSigns.keys()].join('')}]`, 'g')

/**
 * Removes accents, converts to lower case, and replaces typographic quotes, dashes and spaces by plain ones, for
 * searching: `Pensión ‘Ñuñoa’` becomes `pension 'nunoa'`. `private.folded` returns the same text.
 */
export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(otherSigns, plain)
}

function plain(sign: string): string {
  return plainSigns.get(sign) ?? sign
}
