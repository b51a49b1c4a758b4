/** Weights of the digits of a tax number, from the last digit to the first (DIAN, Orden Administrativa 4 of 1989). */
const weights = [3, 7, 13, 17, 19, 23, 29, 37, 41, 43]

/** Returns whether a text is a Colombian tax number (NIT) with its check digit, such as `890903938-8`. */
export function isTaxNumber(text: string): boolean {
  if (!/^[1-9]\d{7,9}-\d$/.test(text)) return false
  const [digits = '', checkDigit] = text.split('-')
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, place) => total + Number(digit) * (weights[place] ?? 0), 0)
  const rest = sum % 11
  return Number(checkDigit) === (rest > 1 ? 11 - rest : rest)
}
