export const dataCopy = {
  received: (money: string) => `Recibiste ${money}`,
  receivedHidden: 'Recibiste un depósito',
} as const
