export const formatCopy = {
  unsavable: 'Tiene caracteres que no se pueden guardar.',
  longText: (lengthMax: number) => `Usa ${lengthMax} caracteres como máximo.`,
} as const
