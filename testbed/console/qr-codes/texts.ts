import type { Texts } from '#kit/language.ts'
import type { CodeGroup } from './test-codes.ts'

const english = {
  lead: 'QR codes for a wallet or verifier under test. Choose one and scan it with the wallet. Each code says what is wrong with it and what a conformant system does.',
  groups: {
    offers: 'Offers',
    credentials: 'Credentials with a defect',
    requests: 'Requests',
  } satisfies Record<CodeGroup, string>,
  aboutGroups: {
    offers: 'Valid offers of each kind, and offers that a wallet must reject.',
    credentials:
      'Offers of credentials with one defect each. A strict wallet rejects them on receipt. If it keeps them, present them to the verifier under test.',
    requests: "Presentation requests of this environment's verifier, each with one deviation.",
  } satisfies Record<CodeGroup, string>,
  filter: 'Filter',
  none: 'No code matches.',
  choose: 'Choose a code to see its QR code here.',
  working: 'Creating the code…',
  accept: 'accept',
  reject: 'reject',
  /** What a conforming system does. */
  behaviour: 'A conformant system',
  accepts: {
    offers: 'The wallet receives the credential.',
    credentials:
      'The credential is unusual but valid. The wallet keeps it, and the verifier accepts it.',
    requests: 'The wallet asks the holder and presents the credential.',
  } satisfies Record<CodeGroup, string>,
  rejects: {
    offers: 'The wallet shows an error and stores nothing.',
    credentials:
      'The wallet does not keep the credential. The verifier rejects a presentation with it.',
    requests: 'The wallet shows an error and sends nothing to the verifier.',
  } satisfies Record<CodeGroup, string>,
  problem: 'What it is',
  rule: 'Rule',
  entails: 'These rules then fail too: {rules}.',
  qr: 'QR code: {title}',
  pin: 'PIN',
  link: 'Deep link',
  copy: 'Copy link',
  openHere: 'Open on this device',
  inWallet: 'Try with a wallet of the testbed',
  again: 'Create a new code',
  once: 'Each code works once. It expires within a few minutes.',
  answers: {
    PENDING: 'No wallet has answered yet.',
    posted: 'A wallet has answered.',
    wrong: 'A wallet has answered this request. A conformant wallet does not.',
  },
}

export const qrCodesTexts: Texts<typeof english> = {
  en: english,
  es: {
    lead: 'Códigos QR para una cartera o un verificador en prueba. Elige uno y escanéalo con la cartera. Cada código indica qué tiene de malo y qué hace un sistema correcto.',
    groups: {
      offers: 'Ofertas',
      credentials: 'Credenciales con un defecto',
      requests: 'Peticiones',
    },
    aboutGroups: {
      offers: 'Ofertas válidas de cada tipo y ofertas que una cartera debe rechazar.',
      credentials:
        'Ofertas de credenciales con un defecto cada una. Una cartera estricta las rechaza al recibirlas. Si las guarda, preséntalas al verificador en prueba.',
      requests:
        'Peticiones de presentación del verificador de este entorno, cada una con una desviación.',
    },
    filter: 'Filtrar',
    none: 'Ningún código coincide.',
    choose: 'Elige un código para ver aquí su QR.',
    working: 'Creando el código…',
    accept: 'aceptar',
    reject: 'rechazar',
    behaviour: 'Un sistema correcto',
    accepts: {
      offers: 'La cartera recibe la credencial.',
      credentials:
        'La credencial es inusual pero válida. La cartera la guarda y el verificador la acepta.',
      requests: 'La cartera pregunta al titular y presenta la credencial.',
    },
    rejects: {
      offers: 'La cartera muestra un error y no guarda nada.',
      credentials:
        'La cartera no guarda la credencial. El verificador rechaza una presentación con ella.',
      requests: 'La cartera muestra un error y no envía nada al verificador.',
    },
    problem: 'Qué es',
    rule: 'Regla',
    entails: 'Entonces tampoco se cumplen estas reglas: {rules}.',
    qr: 'Código QR: {title}',
    pin: 'PIN',
    link: 'Enlace',
    copy: 'Copiar enlace',
    openHere: 'Abrir en este dispositivo',
    inWallet: 'Probar con una cartera del banco de pruebas',
    again: 'Crear otro código',
    once: 'Cada código sirve una sola vez y caduca en pocos minutos.',
    answers: {
      PENDING: 'Ninguna cartera ha respondido todavía.',
      posted: 'Una cartera ha respondido.',
      wrong: 'Una cartera ha respondido a esta petición. Una cartera correcta no lo hace.',
    },
  },
}
