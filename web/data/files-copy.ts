export const filesCopy = {
  columns: ['Fecha', 'Descripción', 'Categoría', 'Tipo', 'Monto', 'Registrado por'],
  recorders: { customer: 'Cliente', bank: 'Banco' },
} as const
