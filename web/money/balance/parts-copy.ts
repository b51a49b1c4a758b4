export const partsCopy = {
  inBank: (money: string) => `En el banco ${money}`,
  noted: (money: string) => `anotaste ${money} de gastos`,
} as const
