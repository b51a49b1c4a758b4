export const supportCopy = {
  documentTitle: 'Soporte - Finanzas',
  heading: 'Soporte',
  cards: [
    {
      key: 'chat',
      title: 'Chat en vivo',
      text: 'Habla con una persona de nuestro equipo.',
      action: 'Iniciar chat',
    },
    {
      key: 'ticket',
      title: 'Crear ticket',
      text: 'Cuéntanos qué pasó y te respondemos por correo.',
      action: 'Crear ticket',
    },
    {
      key: 'knowledge',
      title: 'Base de conocimiento',
      text: 'Guías cortas para cada parte de la aplicación.',
      action: 'Ver artículos',
    },
  ],
  faqTitle: 'Preguntas frecuentes',
  faq: [
    {
      question: '¿Cómo añado una transacción?',
      answer:
        'Desde el panel de inicio, con el formulario «Añadir Nuevo Gasto». El gasto aparece al instante en tu historial.',
    },
    {
      question: '¿Puedo cambiar mi presupuesto mensual?',
      answer:
        'Sí. En el panel de inicio, toca el icono de editar de la tarjeta «Presupuesto Mensual» y escribe el nuevo límite.',
    },
    {
      question: '¿Qué pasa si elimino una transacción?',
      answer:
        'Si la registraste tú, el monto vuelve a tu saldo. Si la registró el banco, solo deja de aparecer en tu lista y tu saldo no cambia.',
    },
  ],
} as const
