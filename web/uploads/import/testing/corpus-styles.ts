/** The ways in which the tables of the corpus show the direction of an amount. */

export type Style = {
  readonly name: string
  readonly headings: (language: number) => readonly string[]
  readonly cells: (minor: number, write: (minor: number) => string) => readonly string[]
  /** Whether only a column of balances shows the direction. */
  readonly needsBalance?: boolean
  readonly expenseSign?: 'positive'
  /** Whether the only debit of a file may also be a refund. */
  readonly isOnlyDebitOpen?: boolean
  readonly onlyExpenses?: boolean
}

const amountHeadings = ['Valor', 'Amount', 'Betrag', 'Monto', 'Importe']
const signed = (minor: number, sign: string, write: (minor: number) => string) =>
  minor < 0 ? `${sign}${write(minor)}` : write(minor)
const wordsStyle = (heading: string, out: string, into: string): Style => ({
  name: `words ${out}/${into}`,
  headings: (language) => [heading, amountHeadings[language] ?? 'Valor'],
  cells: (minor, write) => [minor < 0 ? out : into, write(minor)],
})
const one = (
  name: string,
  cell: (minor: number, write: (minor: number) => string) => string,
  more: Partial<Style> = {},
): Style => ({
  name,
  headings: (language) => [amountHeadings[language] ?? 'Valor'],
  cells: (minor, write) => [cell(minor, write)],
  ...more,
})

const pairs: readonly [string, string][] = [
  ['Débito', 'Crédito'],
  ['Withdrawals', 'Deposits'],
  ['Soll', 'Haben'],
  ['Retiros', 'Consignaciones'],
  ['Cargos', 'Abonos'],
]
export const styles: readonly [Style, ...Style[]] = [
  one('minus', (minor, write) => signed(minor, '-', write)),
  one('typographic minus', (minor, write) => signed(minor, '−', write)),
  one('minus and plus', (minor, write) => `${minor < 0 ? '-' : '+'}${write(minor)}`),
  one('trailing minus', (minor, write) => `${write(minor)}${minor < 0 ? '-' : ''}`),
  one('brackets', (minor, write) => (minor < 0 ? `(${write(minor)})` : write(minor))),
  one('minus and sign of currency', (minor, write) => signed(minor, '-', (each) => `$ ${write(each)}`)),
  one('currency behind', (minor, write) => `${signed(minor, '-', write)} $`),
  one('CR', (minor, write) => `${write(minor)}${minor < 0 ? '' : ' CR'}`),
  one('DR', (minor, write) => `${write(minor)}${minor < 0 ? ' DR' : ''}`),
  one('CR and DR', (minor, write) => `${write(minor)} ${minor < 0 ? 'DR' : 'CR'}`),
  one('only expenses with a minus', (minor, write) => `-${write(minor)}`, { onlyExpenses: true }),
  one('unsigned', (minor, write) => write(minor), { needsBalance: true, expenseSign: 'positive' }),
  one('expenses are positive', (minor, write) => (minor > 0 ? `-${write(minor)}` : write(minor)), {
    needsBalance: true,
    expenseSign: 'positive',
  }),
  {
    name: 'two columns',
    headings: (language) => pairs[language] ?? ['Débito', 'Crédito'],
    cells: (minor, write) => (minor < 0 ? [write(minor), ''] : ['', write(minor)]),
  },
  {
    name: 'two columns with zeros',
    headings: (language) => pairs[language] ?? ['Débito', 'Crédito'],
    cells: (minor, write) => (minor < 0 ? [write(minor), write(0)] : [write(0), write(minor)]),
  },
  {
    name: 'two columns with a minus',
    headings: (language) => pairs[language] ?? ['Débito', 'Crédito'],
    cells: (minor, write) => (minor < 0 ? [`-${write(minor)}`, ''] : ['', write(minor)]),
    expenseSign: 'positive',
    isOnlyDebitOpen: true,
  },
  wordsStyle('Tipo', 'Débito', 'Crédito'),
  wordsStyle('Debit/credit', 'Debit', 'Credit'),
  wordsStyle('D/C', 'D', 'C'),
  wordsStyle('D/K', 'D', 'K'),
  wordsStyle('D/H', 'D', 'H'),
  wordsStyle('Naturaleza', 'Cargo', 'Abono'),
  wordsStyle('Tipo de movimiento', 'Salida', 'Entrada'),
  wordsStyle('Af Bij', 'Af', 'Bij'),
  wordsStyle('+/-', '-', '+'),
  wordsStyle('Cargo/Abono', 'C', 'A'),
  wordsStyle('Soll/Haben', 'S', 'H'),
]
