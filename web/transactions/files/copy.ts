export const filesCopy = {
  columns: ['Fecha', 'Descripción', 'Categoría', 'Tipo', 'Monto', 'Registrado por'],
  recorders: { customer: 'Cliente', bank: 'Banco', correction: 'Banco, corregido' },
} as const
