import type { Texts } from '../frame/language.ts'

/** The texts of the registries room. Names in braces are values. */
export interface RegistriesTexts {
  readonly title: string
  readonly lead: string
  readonly backToRegistries: string
  readonly trustChain: string
  readonly events: string
  readonly history: string
  readonly noHistory: string
  readonly silent: { readonly tir: string; readonly didRegistry: string }
  readonly columns: Readonly<
    Record<
      | 'time'
      | 'event'
      | 'did'
      | 'what'
      | 'transaction'
      | 'block'
      | 'issuer'
      | 'role'
      | 'state'
      | 'accreditation'
      | 'revisions'
      | 'published'
      | 'revoked',
      string
    >
  >
  readonly states: { readonly active: string; readonly revoked: string }
  readonly pages: {
    readonly total: string
    readonly position: string
    readonly previous: string
    readonly next: string
  }
  /** By name of the event; those of a revocation as `AttributeRevoked`. */
  readonly sentences: Readonly<Record<string, string>>
}

export const registriesTexts: Texts<RegistriesTexts> = {
  en: {
    title: 'Registries: {environment}',
    lead: 'Who may accredit and issue, and which keys each DID has. The registries are contracts on a chain: every entry is a transaction.',
    backToRegistries: 'All registries: {environment}',
    trustChain: 'Trust chain',
    events: 'DID registry events',
    history: 'History',
    noHistory: 'The DID registry has no events of this DID.',
    silent: {
      tir: 'The TIR does not answer.',
      didRegistry: 'The DID registry does not answer.',
    },
    columns: {
      time: 'Time',
      event: 'Event',
      did: 'DID',
      what: 'What happened',
      transaction: 'Transaction',
      block: 'Block',
      issuer: 'Organization',
      role: 'Role',
      state: 'State',
      accreditation: 'Accreditation',
      revisions: 'Revisions',
      published: 'Published',
      revoked: 'Revoked',
    },
    states: { active: 'Active', revoked: 'Revoked' },
    pages: {
      total: '{total} in all',
      position: 'page {page} of {pages}',
      previous: 'previous',
      next: 'next',
    },
    sentences: {
      FirstDidDocumentInserted:
        'Registered as {alsoKnownAs}. Key {vMethodId} controls it from {notBefore} until {notAfter}.',
      DidDocumentInserted:
        'Document replaced. Key {vMethodId} controls it from {notBefore} until {notAfter}.',
      BaseDocumentUpdated: 'The @context of the document changed.',
      AlsoKnownAsUpdated: 'Now also known as {alsoKnownAs}.',
      ControllerAdded: '{controller} became a controller.',
      ControllerRevoked: '{controller} is no longer a controller.',
      VerificationMethodAdded: 'Key {vMethodId} added, as {publicKeyType}.',
      VerificationMethodRevoked:
        'Key {vMethodId} revoked. Signatures after {notAfter} are not valid.',
      VerificationMethodExpired: 'Key {vMethodId} expires at {notAfter}.',
      VerificationMethodRolled:
        'Key {vMethodId} replaces key {oldVMethodId}, which ends at {oldNotAfter}.',
      VerificationRelationshipAdded:
        'Key {vMethodId} is valid for {relationship} from {notBefore} until {notAfter}.',
      OnboardingNodeAuthorized: '{node} may register DIDs.',
      OnboardingNodeWithdrawn: '{node} may no longer register DIDs.',
      AttributeMetadataSet: '{taoDid} accredited it as {issuerType}: {attributeId}.',
      AttributeRevoked: 'The accreditation {attributeId} by {taoDid} was revoked.',
      AttributeDataSet: 'Revision {revision} of the accreditation {attributeId} was stored.',
    },
  },
  es: {
    title: 'Registros: {environment}',
    lead: 'Quién puede acreditar y emitir, y qué claves tiene cada DID. Los registros son contratos en una cadena de bloques: cada entrada es una transacción.',
    backToRegistries: 'Todos los registros: {environment}',
    trustChain: 'Cadena de confianza',
    events: 'Eventos del registro de DID',
    history: 'Historial',
    noHistory: 'El registro de DID no tiene eventos de este DID.',
    silent: {
      tir: 'El TIR no responde.',
      didRegistry: 'El registro de DID no responde.',
    },
    columns: {
      time: 'Hora',
      event: 'Evento',
      did: 'DID',
      what: 'Qué ha pasado',
      transaction: 'Transacción',
      block: 'Bloque',
      issuer: 'Organización',
      role: 'Función',
      state: 'Estado',
      accreditation: 'Acreditación',
      revisions: 'Revisiones',
      published: 'Publicada',
      revoked: 'Revocada',
    },
    states: { active: 'Activa', revoked: 'Revocada' },
    pages: {
      total: '{total} en total',
      position: 'página {page} de {pages}',
      previous: 'anterior',
      next: 'siguiente',
    },
    sentences: {
      FirstDidDocumentInserted:
        'Dado de alta como {alsoKnownAs}. La clave {vMethodId} lo controla desde {notBefore} hasta {notAfter}.',
      DidDocumentInserted:
        'Documento sustituido. La clave {vMethodId} lo controla desde {notBefore} hasta {notAfter}.',
      BaseDocumentUpdated: 'Ha cambiado el @context del documento.',
      AlsoKnownAsUpdated: 'Ahora también se conoce como {alsoKnownAs}.',
      ControllerAdded: '{controller} es un nuevo controlador.',
      ControllerRevoked: '{controller} ya no es controlador.',
      VerificationMethodAdded: 'Clave {vMethodId} añadida, como {publicKeyType}.',
      VerificationMethodRevoked:
        'Clave {vMethodId} revocada. Las firmas posteriores a {notAfter} no son válidas.',
      VerificationMethodExpired: 'La clave {vMethodId} caduca el {notAfter}.',
      VerificationMethodRolled:
        'La clave {vMethodId} sustituye a la clave {oldVMethodId}, que termina el {oldNotAfter}.',
      VerificationRelationshipAdded:
        'La clave {vMethodId} es válida para {relationship} desde {notBefore} hasta {notAfter}.',
      OnboardingNodeAuthorized: '{node} puede dar de alta DID.',
      OnboardingNodeWithdrawn: '{node} ya no puede dar de alta DID.',
      AttributeMetadataSet: '{taoDid} lo ha acreditado como {issuerType}: {attributeId}.',
      AttributeRevoked: 'Se ha revocado la acreditación {attributeId} de {taoDid}.',
      AttributeDataSet: 'Se ha guardado la revisión {revision} de la acreditación {attributeId}.',
    },
  },
}
