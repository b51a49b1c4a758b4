export const verifyCopy = {
  documentTitle: (bank: string) => `Verificar un documento - ${bank}`,
  heading: 'Verifica un extracto, comprobante o certificado',
  about:
    'Comprueba si el banco firmó un documento y si alguien lo cambió después. No necesitas cuenta. El archivo se lee en tu navegador y no se envía a nadie.',
  choose: 'Elige un archivo',
  orDrop: 'o suéltalo aquí',
  formats: 'Extracto, comprobante o certificado en PDF o CSV, tal como lo emitió el banco',
  reading: 'Leyendo el archivo…',
  holds: 'Es auténtico: lo firmó el banco y nadie lo cambió.',
  compare:
    'Compara estos datos con el documento que te dieron. Si alguno no es igual, el documento es falso.',
  movementsInFile: 'Aquí no se muestran los movimientos: léelos en el archivo que elegiste, no en una copia.',
  signatureOnly: (issued: string) =>
    `Se comprobó la firma, no el libro del banco: dice lo que era cierto al emitirlo (${issued}). El banco pudo corregir un movimiento después.`,
  falseSignature: 'No es auténtico: la firma del banco no es la de este texto, que alguien cambió.',
  unknownKey: (bank: string) => `No es auténtico: la clave que lo firmó no es de ${bank}.`,
  unsigned: 'No lleva la firma del banco: aquí no se puede saber si es auténtico. Pide uno firmado.',
  unreadable:
    'No es un extracto, comprobante ni certificado de un banco tal como se descargó: es otro archivo, o lo cambiaron. Una foto o un papel escaneado no se puede comprobar: pide el archivo.',
  tooLarge: 'El archivo es demasiado grande para ser un extracto.',
  insecure: 'El navegador solo comprueba firmas en una página segura, con https.',
  failed: 'No se pudieron leer las claves del banco. Revisa tu conexión e inténtalo de nuevo.',
  address: (host: string) =>
    `Estás en ${host}. Comprueba que es la dirección de tu banco: en la página de otro, cualquier documento puede parecer auténtico.`,
  login: 'Entrar a tu banco',
  facts: {
    kind: 'Tipo',
    statement: (month: string) => `Extracto de ${month}`,
    code: 'Firma',
  },
} as const
