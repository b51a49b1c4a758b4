export const ledgerCopy = {
  notImplementedTitle: 'Función no implementada',
  notImplementedText: 'Estará disponible pronto.',
  recordedByBank: 'Registrado por el banco.',
  recordedByBankRemovable: 'Registrado por el banco. Eliminarlo no cambia tu saldo.',
  hiddenAmount: 'Cifra oculta',
  hideAmounts: 'Ocultar cifras',
  missingAmount: 'Escribe un monto.',
  amountNotPositive: 'El monto debe ser mayor que cero.',
  amountTooPrecise: 'Usa dos decimales como máximo.',
  amountTooLarge: 'El monto no puede pasar de 999.999.999.999,99.',
  amountUnreadable: 'Escribe el monto solo con números, por ejemplo 12500 o 12500,50.',
} as const
