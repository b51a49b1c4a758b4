export const lazyCopy = {
  failed: 'Revisa tu conexión o vuelve a cargar la página.',
} as const
