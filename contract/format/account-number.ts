/** Returns an account number in groups of four digits, as pages and documents show it. */
export function formatAccountNumber(digits: string): string {
  return digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
}
