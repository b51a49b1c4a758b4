export const documentsCopy = {
  documentTitle: 'Documentos - Finanzas',
  heading: 'Documentos Financieros',
  upload: 'Subir documento',
  samples: [
    { name: 'Extracto bancario - Octubre 2026.pdf', kind: 'PDF', detail: '1,2 MB · 1 de nov de 2026' },
    { name: 'Declaración de renta 2025.pdf', kind: 'PDF', detail: '845 KB · 12 de ago de 2026' },
  ],
} as const
