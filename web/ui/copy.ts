export const uiCopy = {
  discardQuestion: '¿Quieres descartar lo que escribiste?',
} as const
