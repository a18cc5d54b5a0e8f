import type { Language } from '../frame/language.ts'

type Meaning = Readonly<Record<Language, string>>

/** The claims of ID tokens, explained (OpenID Connect Core 1.0, 2 and 5.1; profile/idp, Claims). */
const meanings: Readonly<Record<string, Meaning>> = {
  iss: {
    en: 'Issuer: the identity provider that signed this token.',
    es: 'Emisor: el proveedor de identidad que firmó este token.',
  },
  aud: {
    en: 'Audience: the client that this token is for. The relying party rejects tokens for other clients.',
    es: 'Destinatario: el cliente para el que es este token. La parte usuaria rechaza los tokens de otros clientes.',
  },
  sub: {
    en: 'Subject: a stable identifier of this person in this organization. It reveals neither name nor email address.',
    es: 'Sujeto: identificador estable de esta persona en esta organización. No revela ni el nombre ni el correo.',
  },
  iat: {
    en: 'Issued at: when the provider created this token.',
    es: 'Emitido: cuándo creó el proveedor este token.',
  },
  exp: {
    en: 'Expires: from then on, clients must not accept this token.',
    es: 'Caduca: a partir de entonces los clientes no deben aceptar este token.',
  },
  auth_time: {
    en: 'When the user authenticated.',
    es: 'Cuándo se autenticó la persona.',
  },
  nonce: {
    en: 'The random value of the login request. It proves that the token answers this request and is not replayed.',
    es: 'El valor aleatorio de la petición. Demuestra que el token responde a esta petición y no es una repetición.',
  },
  at_hash: {
    en: 'Hash of the access token, which binds the two tokens to each other.',
    es: 'Resumen del token de acceso, que vincula los dos tokens.',
  },
  amr: {
    en: 'How the user authenticated.',
    es: 'Cómo se autenticó la persona.',
  },
  sid: {
    en: 'The session at the provider.',
    es: 'La sesión en el proveedor.',
  },
  name: {
    en: 'Full name, from the credential.',
    es: 'Nombre completo, de la credencial.',
  },
  given_name: {
    en: 'Given name, from the credential (mandatee).',
    es: 'Nombre de pila, de la credencial (mandatario).',
  },
  family_name: {
    en: 'Family name, from the credential (mandatee).',
    es: 'Apellidos, de la credencial (mandatario).',
  },
  preferred_username: {
    en: 'User name to display. Clients must not identify a person by it.',
    es: 'Nombre de usuario para mostrar. Los clientes no deben identificar a la persona por él.',
  },
  email: {
    en: 'Email address, from the credential.',
    es: 'Dirección de correo, de la credencial.',
  },
  organization: {
    en: 'Name of the organization that the person acts for (mandator).',
    es: 'Nombre de la organización en cuyo nombre actúa la persona (mandante).',
  },
  organization_identifier: {
    en: 'Registered identifier of the organization (ETSI EN 319 412-1), here its VAT number.',
    es: 'Identificador registrado de la organización (ETSI EN 319 412-1); aquí, su NIF-IVA.',
  },
  user_identifier: {
    en: 'Identifier of the person within the organization.',
    es: 'Identificador de la persona dentro de la organización.',
  },
  power: {
    en: 'What the person may do for the organization: the powers of the mandate, as JSON.',
    es: 'Qué puede hacer la persona en nombre de la organización: los poderes del mandato, como JSON.',
  },
}

const ownMapping: Meaning = {
  en: 'A claim that an administrator of the provider has added.',
  es: 'Un dato que ha añadido un administrador del proveedor.',
}

/** What a claim of an ID token means. */
export function explainClaim(name: string, language: Language): string {
  const meaning = Object.hasOwn(meanings, name) ? meanings[name] : undefined
  return (meaning ?? ownMapping)[language]
}

/** A claim in NumericDate, Unix seconds (RFC 7519, 2). */
export const isTime = (name: string): boolean => ['iat', 'exp', 'auth_time', 'nbf'].includes(name)
