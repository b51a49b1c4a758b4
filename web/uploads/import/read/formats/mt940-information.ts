/** Reads `:86:` of MT940, in which each country has its own notation. */

/** Returns the payee and the purpose of a transaction. */
export function informationText(lines: readonly string[]): string {
  const [first = ''] = lines
  // Germany, Poland and others: three digits, and subfields such as `?20` or `<20`.
  const [, mark] = /^\d{3}([^\w\s])\d\d/.exec(first) ?? /^([?<~^])\d\d/.exec(first) ?? []
  if (mark !== undefined) return subfieldText(lines.join(''), mark)
  // Banks that write codes also break a line within a code or a word.
  return (codeText(lines.join('')) || joinedLines(lines)).replace(/\s+/g, ' ').trim()
}

/** Length of a full line of `:86:`. A bank breaks a longer text within a word. */
const fullLine = 65

function joinedLines(lines: readonly string[]): string {
  return lines.reduce((text, line, index) => {
    const isBroken = (lines[index - 1] ?? '').length === fullLine
    return index === 0 ? line : `${text}${isBroken ? '' : ' '}${line}`
  }, '')
}

/** Length of a full subfield of a purpose. */
const fullSubfield = 27

/** Returns the name (`?32`, `?33`), and the purpose (`?20` to `?29`, `?60` to `?63`), or the kind of the booking (`?00`). */
function subfieldText(text: string, mark: string): string {
  const subfields = text
    .split(mark)
    .slice(1)
    .map((part) => ({ code: part.slice(0, 2), value: part.slice(2) }))
  const joined = (pattern: RegExp) =>
    subfields
      .filter(({ code }) => pattern.test(code))
      .reduce((sum, { value }) => `${sum}${value}${value.length < fullSubfield ? ' ' : ''}`, '')
      .replace(/\s+/g, ' ')
      .trim()
  const name = joined(/^3[23]$/)
  const purpose = sepaPurpose(joined(/^(?:2\d|6[0-3])$/))
  return [name, purpose].filter(Boolean).join(' · ') || joined(/^00$/)
}

/** Matches the labels of SEPA within a purpose, such as `EREF+` and `SVWZ+`. `SVWZ` is the purpose itself. */
const sepaLabel = /(?:^|\s)?(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|IBAN|BIC)\+/

function sepaPurpose(text: string): string {
  const parts = text.split(sepaLabel)
  if (parts.length === 1) return text
  const place = parts.indexOf('SVWZ')
  return (place === -1 ? (parts[0] ?? '') : (parts[place + 1] ?? '')).trim()
}

/** Matches the codes of Dutch banks, such as `/NAME/` and `/REMI/`. */
const dutchCode =
  /\/(TRTP|IBAN|BIC|NAME|REMI|EREF|ORDP|BENM|CNTP|CSID|MARF|RTRN|ACCW|ADDR|ISDT|PURP|ULTD|ULTB|ULTC|PREF|SVCL|SWOC|OCMT|CHGS|EXCH|TRCD|IREF|NRTX|BUSP)\//

/** Returns the name and the purpose from codes, or an empty string if the text does not begin with a code. */
function codeText(text: string): string {
  const [before = '', ...parts] = text.split(dutchCode)
  if (before.trim() !== '' || parts.length < 2) return ''
  const valueOf = (code: string) => {
    const place = parts.findIndex((part, index) => index % 2 === 0 && part === code)
    return place === -1 ? '' : (parts[place + 1] ?? '').trim()
  }
  // `/CNTP/account/bic/name/city/`
  const name = valueOf('NAME') || (valueOf('CNTP').split('/')[2] ?? '')
  const purpose = valueOf('REMI')
    .replace(/^(?:USTD|STRD)\/\/?/, '')
    .replace(/\/+$/, '')
  return (
    [name.replace(/\/+$/, ''), purpose]
      .map((each) => each.trim())
      .filter(Boolean)
      .join(' · ') || valueOf('TRTP')
  )
}
