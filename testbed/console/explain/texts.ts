import type { Texts } from '#kit/language.ts'

interface ExplainTexts {
  readonly title: string
  readonly lead: string
  /** Labels of the form. */
  readonly form: Readonly<
    Record<
      | 'message'
      | 'drop'
      | 'choose'
      | 'example'
      | 'explain'
      | 'more'
      | 'moreHint'
      | 'environment'
      | 'ownEnvironment'
      | 'audience'
      | 'nonce'
      | 'holder'
      | 'type'
      | 'queryId'
      | 'credentialIssuer'
      | 'at'
      | 'fetch',
      string
    >
  >
  /** Texts of the module. Names in braces are values. */
  readonly result: Readonly<Record<string, string>>
}

export const explainTexts: Texts<ExplainTexts> = {
  en: {
    title: 'Explain',
    lead: 'Paste or drop a token, an offer, a request, a link or an image with a QR code, and read the verdict of each rule that a service applies to it.',
    form: {
      message: 'Message',
      drop: 'Drop a file or paste an image anywhere on this page.',
      choose: 'Choose a file',
      example: 'Try an example',
      explain: 'Explain',
      more: 'What the receiver knows',
      moreHint:
        'Some rules compare the message with what its receiver expects. They are not checked without it.',
      environment: 'Environment',
      ownEnvironment: 'That of the signer',
      audience: 'Audience: client_id of the verifier, or the issuer of a proof',
      nonce: 'Nonce of the request, or c_nonce',
      holder: 'DID of the holder',
      type: 'Accepted credential type',
      queryId: 'ID of the query in the request',
      credentialIssuer: 'Issuer of the metadata',
      at: 'Time of the evaluation (UTC); empty: now',
      fetch: 'Fetch what a link refers to, if it is at this testbed',
    },
    result: {
      result: 'Result',
      working: 'Evaluating…',
      holds: 'Every rule passes.',
      broken: 'A rule is broken.',
      brokenCount: '{count} of {total} rules broken',
      'not-checked': 'No rule is broken, but some could not be checked.',
      unrecognised: 'This is not a known message.',
      recognised: 'Recognized as {by}.',
      evaluatedAt: 'Evaluated at {time} UTC.',
      tried: 'These kinds were tried:',
      brokenRules: 'Broken rules ({count})',
      uncheckedRules: 'Not checked ({count})',
      heldRules: 'Rules that pass ({count})',
      held: 'passes',
      brokenRule: 'broken',
      unchecked: 'not checked',
      at: 'at',
      provide: 'To check it:',
      note: 'Note:',
      content: 'Decoded content',
      header: 'Header',
      payload: 'Payload',
      dialect: 'Dialect',
      follows: 'follows {follows}',
      profile: 'The profile: {documents} ({clause}).',
      part: 'Part: {title}',
      readFromImage: 'Text of the QR code',
    },
  },
  es: {
    title: 'Explicar',
    lead: 'Pega o suelta un token, una oferta, una petición, un enlace o una imagen con un código QR, y lee el veredicto de cada regla que le aplica un servicio.',
    form: {
      message: 'Mensaje',
      drop: 'Suelta un archivo o pega una imagen en cualquier lugar de esta página.',
      choose: 'Elegir un archivo',
      example: 'Probar un ejemplo',
      explain: 'Explicar',
      more: 'Lo que sabe quien lo recibe',
      moreHint:
        'Algunas reglas comparan el mensaje con lo que espera quien lo recibe. Sin ese dato no se comprueban.',
      environment: 'Entorno',
      ownEnvironment: 'El de quien firma',
      audience: 'Audiencia: client_id del verificador, o el emisor de una prueba',
      nonce: 'Nonce de la petición, o c_nonce',
      holder: 'DID del titular',
      type: 'Tipo de credencial aceptado',
      queryId: 'Id de la consulta en la petición',
      credentialIssuer: 'Emisor de los metadatos',
      at: 'Momento de la evaluación (UTC); vacío: ahora',
      fetch: 'Descargar aquello a lo que apunta un enlace, si está en este banco de pruebas',
    },
    result: {
      result: 'Resultado',
      working: 'Evaluando…',
      holds: 'Se cumplen todas las reglas.',
      broken: 'Se incumple una regla.',
      brokenCount: '{count} de {total} reglas incumplidas',
      'not-checked': 'No se incumple ninguna regla, pero algunas no se pudieron comprobar.',
      unrecognised: 'No es un mensaje conocido.',
      recognised: 'Reconocido como: {by}.',
      evaluatedAt: 'Evaluado el {time} UTC.',
      tried: 'Se probaron estos tipos:',
      brokenRules: 'Reglas incumplidas ({count})',
      uncheckedRules: 'Sin comprobar ({count})',
      heldRules: 'Reglas que se cumplen ({count})',
      held: 'se cumple',
      brokenRule: 'incumplida',
      unchecked: 'sin comprobar',
      at: 'en',
      provide: 'Para comprobarla:',
      note: 'Nota:',
      content: 'Contenido decodificado',
      header: 'Cabecera',
      payload: 'Contenido',
      dialect: 'Dialecto',
      follows: 'sigue {follows}',
      profile: 'El perfil: {documents} ({clause}).',
      part: 'Parte: {title}',
      readFromImage: 'Texto del código QR',
    },
  },
}
