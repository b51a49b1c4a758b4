export const accountsCopy = {
  documentTitle: 'Cuentas - Finanzas',
  heading: 'Cuentas',
  balance: 'Balance',
  debt: 'Deuda',
  close: 'Cerrar',
  submit: 'Añadir',
  missing: 'Completa este campo.',
  savings: {
    title: 'Cuenta de Ahorros',
    add: 'Añadir cuenta de ahorros',
  },
  credit: {
    title: 'Tarjeta de Crédito',
    add: 'Añadir tarjeta de crédito',
  },
  checking: {
    title: 'Cuenta Corriente',
    add: 'Añadir cuenta corriente',
  },
  fields: {
    bankName: 'Nombre del banco',
    accountHolder: 'Titular de la cuenta',
    accountNumber: 'Número de cuenta',
    nameOnCard: 'Nombre en la tarjeta',
    cardNumber: 'Número de tarjeta',
    expiry: 'Vence (MM/AA)',
    securityCode: 'CVC',
  },
} as const
