import type { Texts } from '#kit/language.ts'

const article = (word: string) => (/^[aeiou]/i.test(word) ? 'an' : 'a')

/** The sentences about what happened. */
const english = {
  offered: 'A credential was offered to a wallet',
  offerRejected: 'The issuer rejected a wallet that opened an offer',
  received: (person: string, type: string) => `${person} received ${article(type)} ${type}`,
  deferred: 'The issuer asked a wallet to collect its credential later',
  credentialRejected: 'The issuer rejected a wallet’s request for a credential',
  requestRejected: 'The issuer rejected a request of the portal',
  revoked: (of?: { readonly person: string; readonly organization: string }) =>
    of === undefined
      ? 'A credential was revoked'
      : `${of.organization} revoked the credential of ${of.person}`,
  revocationRejected: 'The issuer rejected a revocation',
  mailed: (address: string, subject?: string) =>
    subject === undefined ? `Email sent to ${address}` : `Email sent to ${address}: ${subject}`,
  mailFailed: (address: string) => `An email to ${address} could not be sent`,
  loggedIn: (person = 'A holder', client?: string) =>
    client === undefined ? `${person} logged in` : `${person} logged in at ${client}`,
  loginRejected: (person?: string, client?: string) =>
    `Login${person === undefined ? '' : ` of ${person}`}${client === undefined ? '' : ` at ${client}`} rejected`,
  cancelled: (client?: string) =>
    client === undefined ? 'A login was cancelled' : `A login at ${client} was cancelled`,
  signedIn: (user: string) => `${user} logged in at the token issuer`,
  signInRejected: (user: string) => `Login of ${user} at the token issuer rejected`,
  registered: (did: string) => `${did} was registered`,
  accredited: (did: string, type: string, by: string) => `${by} accredited ${did} as ${type}`,
  accreditationRevoked: (did: string, by: string) => `${by} revoked the accreditation of ${did}`,
  unavailable: (part: string, status: number, caller: string) =>
    `The service ${part} returned ${status} to the ${caller}`,
  unchecked: 'a registry or status list did not respond',
  /** Short reasons by the name of the broken rule. */
  reasons: {
    'credential.status': 'credential revoked',
    'credential.expiry': 'credential expired',
    'credential.not-before': 'credential not valid yet',
    'credential.signature': 'signature of the credential not valid',
    'credential.holder': 'credential of another holder',
    'credential.type': 'credential of another type',
    'credential.power': 'credential without powers',
    'trust.not-revoked': 'accreditation of the issuer revoked',
    'trust.accredited-for': 'issuer not accredited for this type',
    'presentation.signature': 'signature of the presentation not valid',
    'presentation.nonce': 'presentation for another request',
    'presentation.audience': 'presentation for another verifier',
    'presentation.expiry': 'presentation expired',
  } as Readonly<Record<string, string>>,
}

export type ActivityTexts = typeof english

export const activityTexts: Texts<typeof english> = {
  en: english,
  es: {
    offered: 'Se ha ofrecido una credencial a una cartera',
    offerRejected: 'El emisor ha rechazado una cartera que abría una oferta',
    received: (person, type) => `${person} ha recibido una credencial ${type}`,
    deferred: 'El emisor ha pedido a una cartera que recoja su credencial más tarde',
    credentialRejected: 'El emisor ha rechazado la petición de credencial de una cartera',
    requestRejected: 'El emisor ha rechazado una petición del portal',
    revoked: (of) =>
      of === undefined
        ? 'Se ha revocado una credencial'
        : `${of.organization} ha revocado la credencial de ${of.person}`,
    revocationRejected: 'El emisor ha rechazado una revocación',
    mailed: (address, subject) =>
      subject === undefined
        ? `Correo enviado a ${address}`
        : `Correo enviado a ${address}: ${subject}`,
    mailFailed: (address) => `No se ha podido enviar un correo a ${address}`,
    loggedIn: (person = 'Un titular', client) =>
      client === undefined
        ? `${person} ha iniciado sesión`
        : `${person} ha iniciado sesión en ${client}`,
    loginRejected: (person, client) =>
      `Inicio de sesión${person === undefined ? '' : ` de ${person}`}${client === undefined ? '' : ` en ${client}`} rechazado`,
    cancelled: (client) =>
      client === undefined
        ? 'Se ha cancelado un inicio de sesión'
        : `Se ha cancelado un inicio de sesión en ${client}`,
    signedIn: (user) => `${user} ha iniciado sesión en el emisor de tokens`,
    signInRejected: (user) => `Inicio de sesión de ${user} en el emisor de tokens rechazado`,
    registered: (did) => `Se ha registrado ${did}`,
    accredited: (did, type, by) => `${by} ha acreditado a ${did} como ${type}`,
    accreditationRevoked: (did, by) => `${by} ha revocado la acreditación de ${did}`,
    unavailable: (part, status, caller) =>
      `El servicio ${part} ha respondido ${status} a ${caller}`,
    unchecked: 'no ha respondido un registro o una lista de estado',
    reasons: {
      'credential.status': 'credencial revocada',
      'credential.expiry': 'credencial caducada',
      'credential.not-before': 'credencial aún no válida',
      'credential.signature': 'firma de la credencial no válida',
      'credential.holder': 'credencial de otro titular',
      'credential.type': 'credencial de otro tipo',
      'credential.power': 'credencial sin poderes',
      'trust.not-revoked': 'acreditación del emisor revocada',
      'trust.accredited-for': 'emisor no acreditado para este tipo',
      'presentation.signature': 'firma de la presentación no válida',
      'presentation.nonce': 'presentación para otra petición',
      'presentation.audience': 'presentación para otro verificador',
      'presentation.expiry': 'presentación caducada',
    },
  },
}
