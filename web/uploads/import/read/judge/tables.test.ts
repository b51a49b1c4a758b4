import { expect, test } from 'vitest'
import { readLines, summaryOf } from '#uploads/import/testing/read-lines.ts'

type Case = {
  readonly rule: string
  readonly file: readonly string[]
  readonly currency?: string
  readonly expenses?: readonly string[]
  readonly incomes?: readonly string[]
  readonly skipped?: readonly string[]
  readonly broken?: readonly string[]
  readonly questions?: readonly string[]
}

const cases: readonly Case[] = [
  {
    rule: 'an amount with a letter for thousands is unreadable',
    file: ['Date,Description,Amount', '2026-11-03,A,1.5K', '2026-11-14,B,-11.00'],
    expenses: ['3 2026-11-14 11.00 B'],
    broken: ['2 amount'],
  },
  {
    rule: 'an amount that a decimal comma has cut is unreadable',
    file: ['Date,Description,Amount,Memo', '2026-11-03,A,-12,50', '2026-11-14,B,-3,75'],
    broken: ['2 long', '3 long'],
  },
  {
    rule: 'an amount that a decimal comma has cut into the balance is unreadable',
    file: ['Fecha,Concepto,Importe,Saldo', '2026-11-03,A,-12,50', '2026-11-14,B,-3,75'],
    broken: ['2 long', '3 long'],
  },
  {
    rule: 'a debit that a decimal comma has cut into the credit is unreadable',
    file: ['Fecha,Concepto,Débito,Crédito', '2026-11-03,A,12,50', '2026-11-14,B,,20'],
    incomes: ['3 2026-11-14 20.00 B'],
    broken: ['2 long'],
  },
  {
    rule: 'an amount that a thousands comma has cut is unreadable',
    file: ['Date,Description,Amount,Memo', '2026-11-03,A,-1,250.00', '2026-11-14,B,-3.75,'],
    expenses: ['3 2026-11-14 3.75 B'],
    broken: ['2 long'],
  },
  {
    rule: 'whole amounts beside whole balances are read',
    file: [
      'Fecha,Concepto,Importe,Saldo',
      '2026-11-03,A,-12,88',
      '2026-11-14,B,-38,50',
      '2026-11-15,C,-9,41',
    ],
    expenses: ['2 2026-11-03 12.00 A', '3 2026-11-14 38.00 B', '4 2026-11-15 9.00 C'],
  },
  {
    rule: 'whole amounts beside a number of installments are read',
    file: ['Fecha,Concepto,Valor,Cuotas', '2026-11-03,A,-12000,12', '2026-11-14,B,-38000,24'],
    expenses: ['2 2026-11-03 12000.00 A', '3 2026-11-14 38000.00 B'],
  },
  {
    rule: 'the net amount contains a fee with a minus sign',
    file: ['Date,Name,Gross,Fee,Net', '2026-11-03,A,-10.00,-0.50,-10.50', '2026-11-14,B,-20.00,-0.50,-20.50'],
    expenses: ['2 2026-11-03 10.50 A', '3 2026-11-14 20.50 B'],
  },
  {
    rule: 'the net amount contains a fee without a sign',
    file: [
      'Fecha;Concepto;Bruto;Comisión;Neto',
      '2026-11-03;Venta;100,00;3,00;97,00',
      '2026-11-14;Retiro;-50,00;1,00;-51,00',
    ],
    expenses: ['3 2026-11-14 51.00 Retiro'],
    incomes: ['2 2026-11-03 97.00 Venta'],
  },
  {
    rule: 'a fee that an unknown gross amount proves is part of the net amount',
    file: [
      'Date;Nom;Avant;Commission;Net',
      '2026-11-03;A;-20,00;-0,50;-20,50',
      '2026-11-14;B;100,00;-3,20;96,80',
    ],
    expenses: ['2 2026-11-03 20.50 A'],
    incomes: ['3 2026-11-14 96.80 B'],
  },
  {
    rule: 'two columns with the same amounts are one amount',
    file: ['Date,Name,Gross,Fee,Net', '2026-11-03,A,-10.00,0.00,-10.00', '2026-11-14,B,-20.00,0.00,-20.00'],
    expenses: ['2 2026-11-03 10.00 A', '3 2026-11-14 20.00 B'],
  },
  {
    rule: 'a net amount that the gross amount and the fee contradict is asked about',
    file: ['Date,Name,Gross,Fee,Net', '2026-11-03,A,-10.00,-0.50,-9.00', '2026-11-14,B,-20.00,-0.50,-7.00'],
    questions: ['amount', 'fee'],
  },
  {
    rule: 'two rows that happen to add up do not prove a balance',
    file: ['Fecha;Detalle;Cantidad;Valor', '2026-11-03;A;1;10,00', '2026-11-14;B;2;12,00'],
    questions: ['amount', 'direction'],
  },
  {
    rule: 'a second amount that differs by a quantity in each row is not its balance',
    file: [
      'Fecha;Detalle;Cantidad;Valor',
      ...['1;-10,00', '2;-12,00', '2;-14,00', '2;-16,00'].map((cells, row) => `2026-11-1${row};A;${cells}`),
    ],
    questions: ['amount', 'direction'],
  },
  {
    rule: 'a state with a negation is not booked',
    file: [
      'Date,Description,Amount,Status',
      '2026-11-03,A,-10.00,Completed',
      '2026-11-14,B,-20.00,Not completed',
      '2026-11-15,C,-30.00,Unsuccessful',
      '2026-11-16,D,-40.00,No aplicada',
      '2026-11-17,E,-50.00,Sin procesar',
      '2026-11-18,F,-60.00,Incompleta',
    ],
    expenses: ['2 2026-11-03 10.00 A'],
    skipped: ['3 refused', '4 refused', '5 refused', '6 pending', '7 refused'],
  },
  {
    rule: 'a state may begin with the word for the transaction',
    file: [
      'Fecha,Descripción,Valor,Estado',
      '2026-11-03,A,-10.00,Pago exitoso',
      '2026-11-14,B,-20.00,Pago rechazado',
      '2026-11-15,C,-30.00,Pago pendiente',
      '2026-11-16,D,-40.00,Transacción rechazada',
    ],
    expenses: ['2 2026-11-03 10.00 A'],
    skipped: ['3 refused', '4 pending', '5 refused'],
  },
  {
    rule: 'states in Portuguese and French and German are recognized',
    file: [
      'Date,Description,Amount,Status',
      '2026-11-03,A,-10.00,Recusada',
      '2026-11-14,B,-20.00,Estornada',
      '2026-11-15,C,-30.00,Em processamento',
      '2026-11-16,D,-40.00,Refusé',
      '2026-11-17,E,-50.00,En attente',
      '2026-11-18,F,-60.00,Annulé',
      '2026-11-19,G,-70.00,Concluída',
      '2026-11-20,H,-80.00,Effectué',
      '2026-11-21,I,-90.00,Abgebrochen',
      '2026-11-21,J,-95.00,Umsatz vorgemerkt',
      '2026-11-21,K,-96.00,Non effectué',
    ],
    expenses: ['8 2026-11-19 70.00 G', '9 2026-11-20 80.00 H'],
    skipped: [
      '2 refused',
      '3 reversed',
      '4 pending',
      '5 refused',
      '6 pending',
      '7 refused',
      '10 refused',
      '11 pending',
      '12 refused',
    ],
  },
  {
    rule: 'an unknown state is asked about',
    file: ['Fecha;Concepto;Valor;Estado', '2026-11-03;A;-10,00;Ejecutada', '2026-11-14;B;-20,00;Zurrada'],
    questions: ['state'],
  },
  {
    rule: 'a column of states with only unknown words is asked about',
    file: ['Date,Description,Amount,Status', '2026-11-03,A,-10.00,Lukket', '2026-11-14,B,-20.00,Ventende'],
    questions: ['state'],
  },
  {
    rule: 'a state of the United States is not the state of a transaction',
    file: ['Date,Description,Amount,State', '2026-11-03,A,-10.00,CA', '2026-11-14,B,-20.00,NY'],
    expenses: ['2 2026-11-03 10.00 A', '3 2026-11-14 20.00 B'],
  },
  {
    rule: 'a purchase that was refunded is asked about',
    file: [
      'Date,Description,Amount,Status',
      '2026-11-03,A,-10.00,Refunded',
      '2026-11-14,B,-11.00,Completed',
      '2026-11-15,C,-12.00,Partially refunded',
    ],
    questions: ['state'],
  },
  {
    rule: 'a purchase whose description begins with a balance word is offered',
    file: [
      'Fecha,Descripción,Valor',
      '2026-11-03,Saldo a favor celular,-10.00',
      '2026-11-14,Saldo en linea recarga,-20.00',
      '2026-11-15,Saldo total crédito pago,-30.00',
      '2026-11-16,Total pagos ETB,-35.00',
      '2026-11-16,Saldo al 30 de noviembre de 2026,-40.00',
      '2026-11-17,Saldo disponible cuenta de ahorros,-50.00',
      '2026-11-17,Total movimientos,-60.00',
      '2026-11-18,Saldo do dia,-70.00',
      '2026-11-18,Solde précédent,-80.00',
    ],
    expenses: [
      '2 2026-11-03 10.00 Saldo a favor celular',
      '3 2026-11-14 20.00 Saldo en linea recarga',
      '4 2026-11-15 30.00 Saldo total crédito pago',
      '5 2026-11-16 35.00 Total pagos ETB',
    ],
    skipped: ['6 balance', '7 balance', '8 total', '9 balance', '10 balance'],
  },
  {
    rule: 'a row that changes the balance by its amount is a transaction whatever its words are',
    file: ['Fecha;Concepto;Valor;Saldo', '2026-11-03;A;-10,00;90,00', '2026-11-14;Balance;-20,00;70,00'],
    expenses: ['2 2026-11-03 10.00 A', '3 2026-11-14 20.00 Balance'],
  },
  {
    rule: 'the rows of a second table with other columns are unreadable',
    file: [
      'Fecha;Concepto;Débito;Crédito',
      '2026-11-03;A;12,50;',
      '2026-11-14;B;;100,00',
      'Fecha;Concepto;Crédito;Débito',
      '2026-11-15;C;;30,00',
    ],
    expenses: ['2 2026-11-03 12.50 A'],
    incomes: ['3 2026-11-14 100.00 B'],
    broken: ['5 table'],
  },
  {
    rule: 'the table with the most rows is read',
    file: [
      'Fecha de corte;Cupo total;Pago mínimo',
      '2026-11-30;1.000,00;50,00',
      'Tarjeta 1234',
      'Fecha;Concepto;Valor;Saldo',
      '2026-11-03;A;-10,00;90,00',
      '2026-11-14;B;-20,00;70,00',
    ],
    expenses: ['5 2026-11-03 10.00 A', '6 2026-11-14 20.00 B'],
    broken: ['2 table'],
  },
  {
    rule: 'a second account with the same heading is unreadable',
    file: [
      'Cuenta;1;Moneda;COP',
      'Fecha;Concepto;Valor',
      '2026-11-03;A;-10,00',
      '2026-11-04;B;-11,00',
      'Cuenta;2;Moneda;EUR',
      'Fecha;Concepto;Valor',
      '2026-11-14;C;-12,00',
    ],
    currency: 'COP',
    expenses: ['3 2026-11-03 10.00 A', '4 2026-11-04 11.00 B'],
    broken: ['7 table'],
  },
  {
    rule: 'a heading that is repeated on the next page does not begin a table',
    file: [
      'Extracto de Ana',
      'Fecha;Concepto;Valor',
      '2026-11-03;A;-10,00',
      'Página 2 de 2',
      'Extracto de Ana',
      'Fecha;Concepto;Valor',
      '2026-11-14;B;-20,00',
    ],
    expenses: ['3 2026-11-03 10.00 A', '7 2026-11-14 20.00 B'],
    skipped: ['4 empty', '5 empty', '6 empty'],
  },
  {
    rule: 'the tables of a page with different widths are not mixed',
    file: [
      '<table><tr><th>Fecha<th>Concepto<th>Valor<tr><td>2026-11-03<td>A<td>-12,50<tr><td>2026-11-04<td>B<td>-2,50</table>',
      '<table><tr><th>Fecha<th>Cupo<th>Concepto<th>Valor<tr><td>2026-11-14<td>9,00<td>C<td>-30,00</table>',
    ],
    expenses: ['2 2026-11-03 12.50 A', '3 2026-11-04 2.50 B'],
    broken: ['5 table'],
  },
  {
    rule: 'the amounts in pesos are those of an account in pesos',
    file: [
      'Fecha;Comercio;Valor Pesos;Valor Dólares',
      '2026-11-03;A;-14.300,00;',
      '2026-11-14;B;-20.000,00;',
      '2026-11-15;C;;-9,99',
    ],
    currency: 'COP',
    expenses: ['2 2026-11-03 14300.00 A', '3 2026-11-14 20000.00 B'],
    broken: ['4 amount'],
  },
  {
    rule: 'the names of currencies in a column are read',
    file: ['Fecha;Concepto;Moneda;Valor', '2026-11-03;A;Pesos;-14.300,00', '2026-11-14;B;Dólares;-9,50'],
    currency: 'COP',
    expenses: ['2 2026-11-03 14300.00 A'],
    broken: ['3 currency'],
  },
  {
    rule: 'a comma in a description that leaves the last column of the heading empty makes the row unreadable',
    file: ['Date,Description,Amount,Memo', '2026-11-03,A,-10.00,', '2026-11-14,C, 12,-11.00,'],
    expenses: ['2 2026-11-03 10.00 A'],
    broken: ['3 long'],
  },
  {
    rule: 'a comma in a description that moves the amount into the last column makes the row unreadable',
    file: ['Date,Description,Amount,Memo', '2026-11-03,A,-10.00', '2026-11-14,C, 12,-11.00'],
    expenses: ['2 2026-11-03 10.00 A'],
    broken: ['3 long'],
  },
  {
    rule: 'a comma in a description that moves an unsigned debit into the last column makes the row unreadable',
    file: [
      'Date,Description,Debit,Credit,Memo',
      '2026-11-03,A,10.00,,',
      '2026-11-14,C, 12,,11.00',
      '2026-11-15,D,,20.00,',
    ],
    expenses: ['2 2026-11-03 10.00 A'],
    incomes: ['4 2026-11-15 20.00 D'],
    broken: ['3 long'],
  },
  {
    rule: 'a semicolon in a description that moves the amount makes the row unreadable',
    file: ['Fecha;Concepto;Importe;Nota', '2026-11-03;Calle 3; 12;-23,40', '2026-11-14;B;-5,00;'],
    expenses: ['3 2026-11-14 5.00 B'],
    broken: ['2 long'],
  },
  {
    rule: 'a comma in a description that moves the amount into unused balances makes the row unreadable',
    file: ['Fecha,Concepto,Valor,Saldo', '2026-11-03,A,-10.00,', '2026-11-14,C, 12,-11.00'],
    expenses: ['2 2026-11-03 10.00 A'],
    broken: ['3 long'],
  },
  {
    rule: 'a mark at the end of every row but the heading is not a field',
    file: ['Date,Description,Amount', '2026-11-03,A,-10.00,', '2026-11-14,B,-11.00,'],
    expenses: ['2 2026-11-03 10.00 A', '3 2026-11-14 11.00 B'],
  },
  {
    rule: 'an amount in a memo leaves a signed amount of its own readable',
    file: ['Date,Description,Amount,Memo', '2026-11-03,A,-10.00,', '2026-11-14,B,-11.00,-2.00'],
    expenses: ['2 2026-11-03 10.00 A', '3 2026-11-14 11.00 B'],
  },
  {
    rule: 'a tip in some of the rows is not a moved amount',
    file: ['Date,Description,Amount,Tip', '2026-11-03,A,-10,', '2026-11-14,B,-11,2.50', '2026-11-15,C,-12,'],
    expenses: ['2 2026-11-03 10.00 A', '3 2026-11-14 11.00 B', '4 2026-11-15 12.00 C'],
  },
  {
    rule: 'a row with a debit and a credit is unreadable',
    file: [
      'Fecha;Concepto;Débito;Crédito',
      '2026-11-03;A;12,00;11,00',
      '2026-11-14;B;9,00;',
      '2026-11-15;C;5,00;5,00',
    ],
    expenses: ['3 2026-11-14 9.00 B'],
    broken: ['2 amount', '4 amount'],
  },
  {
    rule: 'a row with a debit and a credit is read if its balance proves the sum',
    file: [
      'Fecha;Concepto;Débito;Crédito;Saldo',
      '2026-11-03;A;10,00;;90,00',
      '2026-11-14;B;12,00;2,00;80,00',
      '2026-11-15;C;5,00;;75,00',
    ],
    expenses: ['2 2026-11-03 10.00 A', '3 2026-11-14 10.00 B', '4 2026-11-15 5.00 C'],
  },
  {
    rule: 'a description that begins or ends with a state apart from its words is not offered',
    file: [
      'Fecha;Descripción;Valor',
      '2026-11-03;PENDING - AMAZON;-10,00',
      '2026-11-04;Pendiente: Rappi;-11,00',
      '2026-11-05;Cine (pendiente);-12,00',
      '2026-11-06;[RECHAZADA] Hotel;-13,00',
      '2026-11-07;Uber - Declined;-14,00',
      '2026-11-08;REVERSADA | Bar;-15,00',
      '2026-11-09;Vorgemerkt: Rewe;-16,00',
      '2026-11-10;Pending Purchase Lyft;-17,00',
      '2026-11-11;Pago pendiente cuota 3;-18,00',
      '2026-11-12;Pendientes de plata;-19,00',
      '2026-11-13;Anulación seguro;-20,00',
      '2026-11-14;Pendiente de pago agosto;-21,00',
      '2026-11-15;Pago rechazado - Codensa;-22,00',
      '2026-11-16;PREAUTH - SHELL;-23,00',
    ],
    expenses: [
      '10 2026-11-11 18.00 Pago pendiente cuota 3',
      '11 2026-11-12 19.00 Pendientes de plata',
      '12 2026-11-13 20.00 Anulación seguro',
      '13 2026-11-14 21.00 Pendiente de pago agosto',
    ],
    skipped: [
      '2 pending',
      '3 pending',
      '4 pending',
      '5 refused',
      '6 refused',
      '7 reversed',
      '8 pending',
      '9 pending',
      '14 refused',
      '15 pending',
    ],
  },
  {
    rule: 'a description that ends with a word for pending asks whether it took place',
    file: ['Fecha;Descripción;Valor', '2026-11-03;A;-10,00', '2026-11-14;COMPRA UBER PENDIENTE;-20,00'],
    questions: ['state'],
  },
  {
    rule: 'a description that ends with a word that only waiting purchases have is not offered',
    file: ['Date;Description;Amount', '2026-11-03;A;-10.00', '2026-11-14;TARGET PENDING;-20.00'],
    expenses: ['2 2026-11-03 10.00 A'],
    skipped: ['3 pending'],
  },
  {
    rule: 'a pending description is offered if the balance shows that it was booked',
    file: ['Fecha;Concepto;Valor;Saldo', '2026-11-03;A;-10,00;90,00', '2026-11-14;PENDING - B;-20,00;70,00'],
    expenses: ['2 2026-11-03 10.00 A', '3 2026-11-14 20.00 PENDING - B'],
  },
  {
    rule: 'a purchase at a shop with the name of a balance is offered between other purchases',
    file: [
      'Date,Description,Amount',
      '2026-11-03,Bakery,-10.00',
      '2026-11-14,Balance,-20.00',
      '2026-11-15,Cinema,-30.00',
    ],
    expenses: ['2 2026-11-03 10.00 Bakery', '3 2026-11-14 20.00 Balance', '4 2026-11-15 30.00 Cinema'],
  },
  {
    rule: 'a row with a minus and the name of a balance at the end of a file is asked about',
    file: ['Date,Description,Amount', '2026-11-03,Bakery,-10.00', '2026-11-14,NEW BALANCE,-85.40'],
    questions: ['state'],
  },
  {
    rule: 'a balance without a minus at the end of a file is not offered',
    file: ['Date,Description,Amount', '2026-11-03,Bakery,-10.00', '2026-11-14,Balance,85.40'],
    expenses: ['2 2026-11-03 10.00 Bakery'],
    skipped: ['3 balance'],
  },
  {
    rule: 'balances below each day are not offered',
    file: [
      'Fecha;Concepto;Valor',
      '2026-11-03;A;-10,00',
      '2026-11-03;Saldo;-90,00',
      '2026-11-14;B;-20,00',
      '2026-11-14;Saldo;-110,00',
      '2026-11-15;C;-5,00',
    ],
    expenses: ['2 2026-11-03 10.00 A', '4 2026-11-14 20.00 B', '6 2026-11-15 5.00 C'],
    skipped: ['3 balance', '5 balance'],
  },
  ...[
    ['behind an empty column', 'Fecha;Concepto;Valor;;Fecha;Detalle;Valor', ';;'],
    ['with the same headings', 'Fecha;Concepto;Valor;Fecha;Concepto;Valor', ';'],
    ['with the same first heading', 'Fecha;Concepto;Valor;Fecha;Ingreso;Importe', ';'],
    ['below titles of their own', 'Fecha;Concepto;Valor;;Fecha;Concepto;Valor', ';;'],
  ].map(([where, heading = '', gap = '']): Case => ({
    rule: `the rows of a table beside the other ${where} are unreadable`,
    file: [
      where === 'below titles of their own' ? 'Cargos;;;;Abonos;;' : 'Cuenta 1',
      heading,
      `2026-11-03;A;-10,00${gap}2026-11-04;C;-30,00`,
      `2026-11-14;B;-20,00${gap};;`,
      `2026-11-15;D;-25,00${gap}2026-11-16;E;-35,00`,
    ],
    expenses: ['3 2026-11-03 10.00 A', '4 2026-11-14 20.00 B', '5 2026-11-15 25.00 D'],
    broken: ['3 table', '5 table'],
  })),
  {
    rule: 'a letter in front of an amount is its mark',
    file: ['Date;Description;Amount', '2026-11-03;A;D 10.00', '2026-11-14;B;C 20.00', '2026-11-15;E;D5.25'],
    expenses: ['2 2026-11-03 10.00 A', '4 2026-11-15 5.25 E'],
    incomes: ['3 2026-11-14 20.00 B'],
  },
  {
    rule: 'the letters of a dollar are not a mark',
    file: ['Date;Description;Amount', '2026-11-03;A;-C$ 10.00', '2026-11-14;B;C$ 20.00'],
    expenses: ['2 2026-11-03 10.00 A'],
    incomes: ['3 2026-11-14 20.00 B'],
  },
  ...['Compra', 'Pago', 'POS'].map((type): Case => ({
    rule: `a column with only the type ${type} does not prove an expense`,
    file: ['Fecha;Concepto;Tipo;Importe', `2026-11-03;A;${type};10,00`, `2026-11-14;B;${type};12,00`],
    questions: ['direction'],
  })),
]

test.for(cases)('$rule', async ({ file, rule, currency = 'USD', ...expected }) => {
  const read = summaryOf(await readLines(file.join('\n'), { currency }))

  // The rows are offered only after the answers.
  const rows = expected.questions === undefined ? read : { ...read, expenses: [], incomes: [], skipped: [] }
  expect(rows, rule).toEqual({
    expenses: [],
    incomes: [],
    skipped: [],
    broken: [],
    questions: [],
    ...expected,
  })
})

test('the answer about unknown states decides whether their rows are offered', async () => {
  const file = 'Date,Description,Amount,Status\n2026-11-03,A,-10.00,Refunded\n2026-11-14,B,-11.00,Completed\n'
  const read = async (areStatesBooked: boolean) =>
    summaryOf(await readLines(file, { currency: 'USD', answers: { areStatesBooked } }))

  expect(await read(true)).toMatchObject({
    expenses: ['2 2026-11-03 10.00 A', '3 2026-11-14 11.00 B'],
    questions: [],
  })
  expect(await read(false)).toMatchObject({
    expenses: ['3 2026-11-14 11.00 B'],
    skipped: ['2 unknown'],
    questions: [],
  })
})
