import type { Language, Texts } from '#kit/language.ts'

/** A member of a token, with its value as text and what it means. */
export interface ExplainedClaim {
  /** `vc.credentialSubject.mandate.power[0].action` */
  readonly path: string
  readonly value: string
  /** Undefined for members that the profile does not describe. */
  readonly explanation: string | undefined
}

/** By the path without indexes; a path stands for everything below it that has no own entry. */
const claimTexts: Texts<Readonly<Record<string, string>>> = {
  en: {
    alg: 'Algorithm of the signature',
    typ: 'Type of the token',
    kid: 'DID URL of the key that signed',
    iss: 'Who issued and signed the token',
    sub: 'Subject of the token: for a credential, the DID of the holder; at a login, a stable id of the person',
    aud: 'Recipient of the token; all others must reject it',
    exp: 'Expires at this time',
    nbf: 'Not valid before this time',
    iat: 'Issued at this time',
    auth_time: 'When the person logged in',
    jti: 'Unique id of the token',
    nonce: 'Random value from the request, so that the token works only for that request',
    azp: 'Client to which the token was issued',
    at_hash: 'Hash of the access token that was issued with it',
    sid: 'ID of the login session',
    scope: 'What the token may be used for',
    client_id: 'Client to which the token was issued',
    email: 'Email address of the person',
    email_verified: 'Whether the provider has verified the email address',
    name: 'Name of the person',
    given_name: 'First name of the person',
    preferred_username: 'User name to display; not an identifier',
    user_identifier: 'Identifier of the person in the organization',
    family_name: 'Last name of the person',
    organization: 'Name of the organization',
    organization_identifier: 'Official identifier of the organization',
    organizationIdentifier: 'Official identifier of the organization',
    power: 'What the person may do for the organization',
    vc: 'The credential itself, in the W3C data model',
    'vc.@context': 'Vocabulary of the members',
    'vc.id': 'ID of the credential; the issuer needs it to revoke the credential',
    'vc.type': 'Types of the credential, from the general to the specific one',
    'vc.issuer': 'DID of the issuer',
    'vc.validFrom': 'Start of the validity',
    'vc.validUntil': 'End of the validity',
    'vc.credentialSubject.id': 'DID of the holder: only the wallet with its key can present it',
    'vc.credentialSubject.mandate': 'The mandate: what the organization permits the person to do',
    'vc.credentialSubject.mandate.mandator': 'The organization that grants the mandate',
    'vc.credentialSubject.mandate.mandator.organizationIdentifier':
      'Official identifier of the organization',
    'vc.credentialSubject.mandate.mandator.organization': 'Name of the organization',
    'vc.credentialSubject.mandate.mandator.commonName': 'Name of its representative',
    'vc.credentialSubject.mandate.mandator.serialNumber': 'Identifier of its representative',
    'vc.credentialSubject.mandate.mandator.email': 'Email address of its representative',
    'vc.credentialSubject.mandate.mandator.country': 'Country of the organization',
    'vc.credentialSubject.mandate.mandatee': 'The person who acts for the organization',
    'vc.credentialSubject.mandate.mandatee.employeeId': 'Identifier of the person',
    'vc.credentialSubject.mandate.mandatee.email': 'Email address of the person',
    'vc.credentialSubject.mandate.mandatee.firstName': 'First name of the person',
    'vc.credentialSubject.mandate.mandatee.lastName': 'Last name of the person',
    'vc.credentialSubject.mandate.power': 'A power of the mandate',
    'vc.credentialSubject.mandate.power.domain': 'Area in which the power applies',
    'vc.credentialSubject.mandate.power.function': 'What the power is about',
    'vc.credentialSubject.mandate.power.action': 'What the person may do',
    'vc.termsOfUse': "Where the issuer's accreditation is published in the TIR",
    'vc.credentialSchema': 'JSON Schema that the credential follows',
    'vc.credentialStatus': 'Entry in the status list that shows whether it is revoked',
    'vc.credentialStatus.statusListIndex': 'Number of its bit in the status list',
    'vc.credentialStatus.statusListCredential': 'Address of the status list',
    'vc.credentialStatus.statusPurpose': 'What the bit means',
    state: 'Value that returns unchanged to its sender',
    response_type: 'What the verifier asks for',
    response_mode: 'How the wallet sends its response',
    response_uri: 'Where the wallet posts its response',
    dcql_query: 'Which credentials the verifier asks for',
    client_metadata: 'What the verifier supports',
    jwk: 'Public key of the signer',
    'vp.@context': 'Vocabulary of the members',
    'vp.type': 'Type of the presentation',
    'vc.credentialSubject.encodedList': 'The status list: compressed bits, one for each credential',
    'vc.credentialSubject.ttl': 'Milliseconds for which a copy of the list may be used',
    'vc.credentialSubject.accreditedFor':
      'What the organization may issue, or accredit other organizations for',
    'vc.credentialSubject.reservedAttributeId': 'Id of the accreditation in the TIR',
    credential_issuer: 'Address of the issuer',
    credentials: 'Ids of the offered credentials in the metadata of the issuer',
    grants: 'How the wallet gets an access token',
    credential_endpoint: 'Where the wallet requests the credential',
    token_endpoint: 'Where the wallet gets its access token',
    credentials_supported: 'The credentials that the issuer issues',
    verificationMethod: 'The public keys',
    assertionMethod: 'Keys that may sign credentials',
    authentication: 'Keys that may sign as this DID',
    controller: 'DIDs that may change the document',
    vp: 'The presentation itself, with the credentials',
    'vp.verifiableCredential': 'The presented credential, as a token',
  },
  es: {
    alg: 'Algoritmo de la firma',
    typ: 'Tipo del token',
    kid: 'URL DID de la clave que firmó',
    iss: 'Quién emitió y firmó el token',
    sub: 'De quién trata el token: en una credencial, el DID del titular; en un inicio de sesión, un identificador estable de la persona',
    aud: 'A quién va dirigido el token; los demás deben rechazarlo',
    exp: 'Caduca en este momento',
    nbf: 'No es válido antes de este momento',
    iat: 'Emitido en este momento',
    auth_time: 'Cuándo inició sesión la persona',
    jti: 'Identificador único del token',
    nonce: 'Valor aleatorio de la petición, para que el token solo sirva para ella',
    azp: 'Cliente para el que se emitió el token',
    at_hash: 'Hash del token de acceso que se emitió con él',
    sid: 'Identificador de la sesión',
    scope: 'Para qué se puede usar el token',
    client_id: 'Cliente para el que se emitió el token',
    email: 'Correo electrónico de la persona',
    email_verified: 'Si el proveedor ha verificado el correo electrónico',
    name: 'Nombre de la persona',
    given_name: 'Nombre de pila de la persona',
    preferred_username: 'Nombre de usuario para mostrar; no identifica a la persona',
    user_identifier: 'Identificador de la persona en la organización',
    family_name: 'Apellidos de la persona',
    organization: 'Nombre de la organización',
    organization_identifier: 'Identificador oficial de la organización',
    organizationIdentifier: 'Identificador oficial de la organización',
    power: 'Qué puede hacer la persona en nombre de la organización',
    vc: 'La credencial en sí, en el modelo de datos del W3C',
    'vc.@context': 'Vocabulario de los miembros',
    'vc.id': 'Identificador de la credencial, con el que el emisor la revoca',
    'vc.type': 'Tipos de la credencial, del más general al más concreto',
    'vc.issuer': 'DID del emisor',
    'vc.validFrom': 'Inicio de la validez',
    'vc.validUntil': 'Fin de la validez',
    'vc.credentialSubject.id':
      'DID del titular: solo la cartera que tiene su clave puede presentarla',
    'vc.credentialSubject.mandate': 'El mandato: qué permite la organización a la persona',
    'vc.credentialSubject.mandate.mandator': 'La organización que otorga el mandato',
    'vc.credentialSubject.mandate.mandator.organizationIdentifier':
      'Identificador oficial de la organización',
    'vc.credentialSubject.mandate.mandator.organization': 'Nombre de la organización',
    'vc.credentialSubject.mandate.mandator.commonName': 'Nombre de su representante',
    'vc.credentialSubject.mandate.mandator.serialNumber': 'Identificador de su representante',
    'vc.credentialSubject.mandate.mandator.email': 'Correo electrónico de su representante',
    'vc.credentialSubject.mandate.mandator.country': 'País de la organización',
    'vc.credentialSubject.mandate.mandatee': 'La persona que actúa en nombre de la organización',
    'vc.credentialSubject.mandate.mandatee.employeeId': 'Identificador de la persona',
    'vc.credentialSubject.mandate.mandatee.email': 'Correo electrónico de la persona',
    'vc.credentialSubject.mandate.mandatee.firstName': 'Nombre de pila de la persona',
    'vc.credentialSubject.mandate.mandatee.lastName': 'Apellidos de la persona',
    'vc.credentialSubject.mandate.power': 'Un poder del mandato',
    'vc.credentialSubject.mandate.power.domain': 'Ámbito en el que se aplica el poder',
    'vc.credentialSubject.mandate.power.function': 'Sobre qué trata el poder',
    'vc.credentialSubject.mandate.power.action': 'Qué puede hacer la persona',
    'vc.termsOfUse': 'Dónde está publicada la acreditación del emisor en el TIR',
    'vc.credentialSchema': 'JSON Schema que cumple la credencial',
    'vc.credentialStatus': 'Entrada de la lista de estado que indica si está revocada',
    'vc.credentialStatus.statusListIndex': 'Número de su bit en la lista de estado',
    'vc.credentialStatus.statusListCredential': 'Dirección de la lista de estado',
    'vc.credentialStatus.statusPurpose': 'Qué significa el bit',
    state: 'Valor que vuelve sin cambios a quien lo envió',
    response_type: 'Qué pide el verificador',
    response_mode: 'Cómo envía la cartera su respuesta',
    response_uri: 'Dirección a la que la cartera envía su respuesta',
    dcql_query: 'Qué credenciales pide el verificador',
    client_metadata: 'Qué admite el verificador',
    jwk: 'Clave pública de quien firma',
    'vp.@context': 'Vocabulario de los miembros',
    'vp.type': 'Tipo de la presentación',
    'vc.credentialSubject.encodedList': 'La lista de estado: bits comprimidos, uno por credencial',
    'vc.credentialSubject.ttl': 'Milisegundos durante los que se puede usar una copia de la lista',
    'vc.credentialSubject.accreditedFor':
      'Qué puede emitir la organización, o para qué puede acreditar',
    'vc.credentialSubject.reservedAttributeId': 'Identificador de la acreditación en el TIR',
    credential_issuer: 'Dirección del emisor',
    credentials: 'Identificadores de las credenciales ofrecidas, en los metadatos del emisor',
    grants: 'Cómo obtiene la cartera un token de acceso',
    credential_endpoint: 'Dónde pide la cartera la credencial',
    token_endpoint: 'Dónde obtiene la cartera su token de acceso',
    credentials_supported: 'Las credenciales que emite el emisor',
    verificationMethod: 'Las claves públicas',
    assertionMethod: 'Claves que pueden firmar credenciales',
    authentication: 'Claves que pueden firmar en nombre de este DID',
    controller: 'DID que pueden cambiar el documento',
    vp: 'La presentación en sí, con las credenciales',
    'vp.verifiableCredential': 'La credencial presentada, como token',
  },
}

/** The meanings of members by their path without indexes, for example `vc.credentialSubject.id`. */
export const claimMeanings = (language: Language): Readonly<Record<string, string>> =>
  claimTexts[language]

const times = new Set(['exp', 'nbf', 'iat', 'auth_time'])
const mostClaims = 500

/**
 * Lists the members of a token's header or payload, each with its meaning. Lists of plain values
 * stay together. Times also show their date.
 */
export function explainClaims(content: unknown, language: Language): readonly ExplainedClaim[] {
  const claims: ExplainedClaim[] = []
  const visit = (value: unknown, path: string): void => {
    if (claims.length >= mostClaims) return
    const isPlain = typeof value !== 'object' || value === null
    const isPlainList = Array.isArray(value) && value.every((each) => typeof each !== 'object')
    if (!isPlain && !isPlainList) {
      for (const [name, member] of Object.entries(value)) {
        const step = Array.isArray(value) ? `[${name}]` : path === '' ? name : `.${name}`
        visit(member, `${path}${step}`)
      }
      return
    }
    const text = isPlainList ? (value as unknown[]).join(', ') : String(value)
    const isTime = times.has(path) && typeof value === 'number'
    const date = isTime ? new Date(value * 1000) : undefined
    const isDate = date !== undefined && !Number.isNaN(date.getTime())
    claims.push({
      path,
      value: isDate ? `${text} (${date.toISOString().replace('.000Z', 'Z')})` : text,
      explanation: explanationOf(path, language),
    })
  }
  visit(content, '')
  return claims
}

/** The text of the nearest member around a path, but not that of the whole `vc` or `vp`. */
function explanationOf(path: string, language: Language): string | undefined {
  const texts = claimTexts[language]
  const parts = path.replace(/\[\d+\]/g, '').split('.')
  do {
    const known = parts.join('.')
    if (Object.hasOwn(texts, known)) return texts[known]
    parts.pop()
  } while (parts.length > 1)
  return undefined
}
