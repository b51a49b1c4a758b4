export const transferCopy = {
  documentTitle: 'Transferencias - Finanzas',
  heading: 'Transferencias',
} as const
