export const transferQueueCopy = {
  documentTitle: 'Transferencias - Finanzas',
} as const
