import { expect, test } from 'vitest'
import { readLines, summaryOf } from '#features/transactions/import/testing/read-lines.ts'

/** Files as the banks and services hand them out, as public importers describe them. */
const banks: readonly [string, string, string, readonly string[], number][] = [
  [
    'Davivienda',
    'COP',
    'Fecha;Descripción;Documento;Oficina;Débitos;Créditos;Saldo\n15/10/2026;Retiro Cajero;0012;Bogotá;200.000,00;0,00;1.500.000,00\n16/10/2026;Consignación;0013;Bogotá;0,00;350.000,00;1.850.000,00\n',
    ['2 2026-10-15 200000.00 Retiro Cajero'],
    1,
  ],
  [
    'Nequi',
    'COP',
    'Fecha del movimiento,Descripción,Valor,Saldo\n12/11/2026,Para CAMILA R,"$-50.000,00","$150.000,00"\n13/11/2026,De PEDRO,"$100.000,00","$250.000,00"\n',
    ['2 2026-11-12 50000.00 Para CAMILA R'],
    1,
  ],
  [
    'BBVA',
    'USD',
    'Últimos movimientos;;;;;;;;\nF.Valor;Fecha;Concepto;Movimiento;Importe;Divisa;Disponible;Divisa;Observaciones\n21/11/2026;20/11/2026;Mercado;Pago con tarjeta;-45,10;USD;954,90;USD;4940\n19/11/2026;19/11/2026;Acme;Abono por nómina;900,00;USD;1.000,00;USD;\n',
    ['3 2026-11-20 45.10 Mercado'],
    1,
  ],
  [
    'Wise',
    'USD',
    'TransferWise ID,Date,Amount,Currency,Description,Payment Reference,Running Balance,Exchange From,Exchange To,Exchange Rate,Payer Name,Payee Name,Payee Account Number,Merchant,Total fees\nCARD-2,20-11-2026,-12.50,USD,Card transaction at Cafe,,987.50,,,,,,,Cafe,0.00\nTRANSFER-1,19-11-2026,500.00,USD,Received money from Ana,,1000.00,,,,Ana,,,,0.00\n',
    ['2 2026-11-20 12.50 Card transaction at Cafe'],
    1,
  ],
  [
    'PayPal',
    'USD',
    '"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","From Email Address","Transaction ID","Balance"\n"11/14/2026","10:00:00","America/Bogota","Tienda","Express Checkout Payment","Completed","USD","-20.00","0.00","-20.00","a@example.org","T1","80.00"\n"11/15/2026","10:00:00","America/Bogota","Ana","Mobile Payment","Completed","USD","100.00","-3.20","96.80","b@example.org","T2","176.80"\n"11/16/2026","10:00:00","America/Bogota","Hotel","General Authorization","Pending","USD","-90.00","0.00","-90.00","c@example.org","T3","176.80"\n',
    ['2 2026-11-14 20.00 Tienda'],
    1,
  ],
]

test.for(banks)('a file of %s is read without a question', async ([, currency, text, expenses, incomes]) => {
  const read = summaryOf(await readLines(text, { currency }))

  expect(read).toMatchObject({ expenses, broken: [], questions: [] })
  expect(read.incomes).toHaveLength(incomes)
})
