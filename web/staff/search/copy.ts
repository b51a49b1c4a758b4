export const searchCopy = {
  title: 'Buscar en el banco',
  hint: 'Cliente, monto o descripción',
  searching: 'Buscando…',
  empty: 'No hay clientes ni movimientos así.',
  customers: 'Clientes',
  transactions: 'Movimientos',
  opens: (result: string) => `Intro abre «${result}».`,
  begins: 'Las descripciones se buscan por su comienzo, y los montos por su valor exacto.',
  keys: 'Con un cliente elegido (↑ ↓), D registra un depósito y G un gasto.',
} as const
