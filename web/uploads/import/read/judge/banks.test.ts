import { expect, test } from 'vitest'
import { readLines, summaryOf } from '#uploads/import/testing/read-lines.ts'

type Bank = {
  readonly currency: string
  readonly text: string
  readonly expenses: readonly string[]
  readonly incomes: number
  readonly questions?: readonly string[]
}

const lines = (...each: string[]) => `${each.join('\n')}\n`

/**
 * Files with the columns that public importers of these banks read (docs/decisions/0091 names the importers). Their rows
 * are invented: we have no file that a bank handed out.
 */
const banks: Readonly<Record<string, Bank>> = {
  'a Bancolombia account': {
    currency: 'COP',
    text: lines(
      'FECHA\tDOCUMENTO\tOFICINA\tDESCRIPCIÓN\tREFERENCIA\tVALOR\t',
      '2026/11/20\t\t\tCOMPRA EN EXITO\t\t-45,300.00\t',
      '2026/11/21\t0012\tMEDELLIN\tPAGO NOMINA ACME\t890900\t2,500,000.00\t',
    ),
    expenses: ['2 2026-11-20 45300.00 COMPRA EN EXITO'],
    incomes: 1,
  },
  'a Bancolombia card': {
    currency: 'COP',
    text: lines(
      'FRANQUICIA\tMONEDA\tCUPO',
      'MASTERCARD\tPESOS\t5000000.00',
      'Movimientos:',
      'Número de Autorización\tFecha de Transacción\tDescripción\tValor Original\tTasa Pactada\tTasa EA Facturada\tSaldo a Diferir\tCargos y Abonos\tCuotas',
      '000123\t2026/NOV/05\tRESTAURANTE\t50000.00\t0.0000\t0.0000\t0.00\t50000.00\t1/1',
      '000124\t2026/NOV/06\tALMACEN\t120000.00\t2.1200\t28.6200\t110000.00\t10000.00\t1/12',
      '000000\t2026/NOV/10\tABONO SUCURSAL VIRTUAL\t-60000.00\t0.0000\t0.0000\t0.00\t-60000.00\t',
    ),
    expenses: ['5 2026-11-05 50000.00 RESTAURANTE', '6 2026-11-06 10000.00 ALMACEN'],
    incomes: 1,
    questions: ['direction'],
  },
  Davivienda: {
    currency: 'COP',
    text: lines(
      'Fecha;Descripcion;Referencia;Debitos;Creditos;Saldo',
      '15/10/2026;Retiro Cajero;0012;200.000,00;0,00;1.500.000,00',
      '16/10/2026;Consignación;0013;0,00;350.000,00;1.850.000,00',
    ),
    expenses: ['2 2026-10-15 200000.00 Retiro Cajero'],
    incomes: 1,
  },
  Nequi: {
    currency: 'COP',
    text: lines(
      'Fecha,Concepto,Monto',
      '2026-11-12,Para CAMILA R,"$-50,000.00"',
      '2026-11-13,De PEDRO,"$100,000.00"',
    ),
    expenses: ['2 2026-11-12 50000.00 Para CAMILA R'],
    incomes: 1,
  },
  BBVA: {
    currency: 'USD',
    text: lines(
      'Últimos movimientos;;;;;;;;',
      'F.Valor;Fecha;Concepto;Movimiento;Importe;Divisa;Disponible;Divisa;Observaciones',
      '21/11/2026;20/11/2026;Mercado;Pago con tarjeta;-45,10;USD;954,90;USD;4940',
      '19/11/2026;19/11/2026;Acme;Abono por nómina;900,00;USD;1.000,00;USD;',
    ),
    expenses: ['3 2026-11-20 45.10 Mercado'],
    incomes: 1,
  },
  Revolut: {
    currency: 'USD',
    text: lines(
      'Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance',
      'CARD_PAYMENT,Current,2026-11-02 10:00:00,2026-11-03 08:00:00,Bar,-4.50,0.00,USD,COMPLETED,95.50',
      'TOPUP,Current,2026-11-04 10:00:00,2026-11-04 10:00:01,Payment from Ana,100.00,0.00,USD,COMPLETED,195.50',
      'ATM,Current,2026-11-05 10:00:00,2026-11-05 10:00:02,Cash,-20.00,1.50,USD,COMPLETED,174.00',
      'CARD_PAYMENT,Current,2026-11-06 10:00:00,,Hotel,-90.00,0.00,USD,REVERTED,',
    ),
    expenses: ['2 2026-11-02 4.50 Bar', '4 2026-11-05 21.50 Cash'],
    incomes: 1,
  },
  Wise: {
    currency: 'USD',
    text: lines(
      'TransferWise ID,Date,Date Time,Amount,Currency,Description,Payment Reference,Running Balance,Exchange From,Exchange To,Exchange Rate,Payer Name,Payee Name,Payee Account Number,Merchant,Card Last Four Digits,Card Holder Full Name,Attachment,Note,Total fees,Exchange To Amount,Transaction Type,Transaction Details Type',
      'CARD-2,20-11-2026,20-11-2026 11:42:43.898,-12.50,USD,Card transaction at Cafe,,987.50,,,,,,,Cafe,1234,Ana,,,0.00,,DEBIT,CARD',
      'TRANSFER-1,19-11-2026,19-11-2026 09:00:00.000,500.00,USD,Received money from Ana,,1000.00,,,,Ana,,,,,,,,0.00,,CREDIT,DEPOSIT',
    ),
    expenses: ['2 2026-11-20 12.50 Card transaction at Cafe'],
    incomes: 1,
  },
  PayPal: {
    currency: 'USD',
    text: lines(
      '"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","From Email Address","Transaction ID","Balance"',
      '"11/14/2026","10:00:00","America/Bogota","Tienda","Express Checkout Payment","Completed","USD","-20.00","0.00","-20.00","a@example.org","T1","80.00"',
      '"11/15/2026","10:00:00","America/Bogota","Ana","Mobile Payment","Completed","USD","100.00","-3.20","96.80","b@example.org","T2","176.80"',
      '"11/16/2026","10:00:00","America/Bogota","Hotel","General Authorization","Pending","USD","-90.00","0.00","-90.00","c@example.org","T3","176.80"',
    ),
    expenses: ['2 2026-11-14 20.00 Tienda'],
    incomes: 1,
  },
}

test.for(Object.entries(banks))(
  'a file with the columns of %s needs no question that it answers itself',
  async ([, { currency, text, expenses, incomes, questions = [] }]) => {
    expect(summaryOf(await readLines(text, { currency })).questions).toEqual(questions)
    const answers = questions.length === 0 ? {} : { expenseSign: 'positive' as const }
    const read = summaryOf(await readLines(text, { currency, answers }))

    expect(read).toMatchObject({ expenses, broken: [], questions: [] })
    expect(read.incomes).toHaveLength(incomes)
  },
)
