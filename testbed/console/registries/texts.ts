import type { Texts } from '#kit/language.ts'

/** The texts of the registries room. Names in braces are values. */
export interface RegistriesTexts {
  readonly title: string
  readonly lead: string
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
      | 'until',
      string
    >
  >
  readonly states: Readonly<Record<'active' | 'revoked' | 'expired' | 'broken', string>>
  readonly pages: {
    readonly total: string
    readonly position: string
    readonly previous: string
    readonly next: string
  }
  readonly pagesOfRoom: string
  readonly links: Readonly<Record<'registries' | 'chain' | 'changes', string>>
  readonly validity: ValidityTexts
  readonly chain: ChainTexts
  /** By name of the event; those of a revocation as `AttributeRevoked`. */
  readonly sentences: Readonly<Record<string, string>>
}

/** The keys of a DID at a chosen time. */
interface ValidityTexts {
  readonly title: string
  readonly about: string
  readonly time: string
  readonly exactTime: string
  readonly stops: Readonly<Record<'before' | 'changed' | 'begins' | 'ends' | 'now', string>>
  readonly absent: string
  readonly controllers: string
  readonly keys: string
  readonly key: string
  readonly state: string
  readonly curve: string
  readonly uses: string
  readonly valid: string
  readonly invalid: string
  readonly noKeys: string
  readonly document: string
  readonly request: string
}

/** Blocks and transactions. */
interface ChainTexts {
  readonly title: string
  readonly titleOf: string
  readonly silent: string
  readonly empty: string
  readonly range: string
  readonly newer: string
  readonly older: string
  readonly from: string
  readonly method: string
  readonly events: string
  readonly noEvents: string
  readonly unknownCall: string
  readonly deployment: string
  readonly applied: string
  readonly reverted: string
  readonly reason: string
  readonly receipt: string
  readonly contract: string
  readonly contracts: Readonly<Record<'did-registry' | 'tir', string>>
  readonly gas: string
  readonly arguments: string
  readonly unknown: string
}

export const registriesTexts: Texts<RegistriesTexts> = {
  en: {
    title: 'Registries: {environment}',
    lead: 'Who may accredit and issue, and which keys each DID has. The registries are contracts on a chain: every entry is a transaction.',
    trustChain: 'Trust chain',
    events: 'DID registry events',
    history: 'History',
    noHistory: 'The DID registry has no events of this DID.',
    silent: {
      tir: 'The TIR does not respond.',
      didRegistry: 'The DID registry does not respond.',
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
      until: 'Valid until',
    },
    states: { active: 'Active', revoked: 'Revoked', expired: 'Expired', broken: 'Chain broken' },
    pages: {
      total: '{total} in all',
      position: 'page {page} of {pages}',
      previous: 'previous',
      next: 'next',
    },
    pagesOfRoom: 'Pages of the registries',
    links: { registries: 'Registries', chain: 'Chain', changes: 'Make changes' },
    validity: {
      title: 'Keys at a point in time',
      about:
        'Move the slider through the moments at which something changes. The DID registry returns the document for each of them (valid-at).',
      time: 'Moment',
      exactTime: 'Exact time (UTC)',
      stops: {
        before: 'before the registration',
        changed: 'a transaction changed the DID',
        begins: 'a validity begins',
        ends: 'a validity has ended',
        now: 'now',
      },
      absent: 'The DID was not registered at that time.',
      controllers: 'Controlled by',
      keys: 'Keys',
      key: 'Key',
      state: 'State',
      curve: 'Curve',
      uses: 'Valid for',
      valid: 'valid',
      invalid: 'not valid',
      noKeys: 'No key was valid at that time.',
      document: 'DID document',
      request: 'Response of the DID registry to {request}',
    },
    chain: {
      title: 'Blocks',
      titleOf: 'Chain: {environment}',
      silent: 'The chain does not respond.',
      empty: 'no transactions',
      range: 'Blocks {first} to {last} of {latest}',
      newer: 'newer',
      older: 'older',
      from: 'From',
      method: 'Method',
      events: 'Events',
      noEvents: 'The transaction emitted no events.',
      unknownCall: 'unknown',
      deployment: 'deployment',
      applied: 'Applied',
      reverted: 'Reverted',
      reason: 'Reason',
      receipt: 'Receipt',
      contract: 'Contract',
      contracts: { 'did-registry': 'DID registry', tir: 'Trusted issuers registry' },
      gas: 'Gas used',
      arguments: 'Arguments',
      unknown: 'The chain does not have this transaction, or it is still pending.',
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
      until: 'Válida hasta',
    },
    states: { active: 'Activa', revoked: 'Revocada', expired: 'Caducada', broken: 'Cadena rota' },
    pages: {
      total: '{total} en total',
      position: 'página {page} de {pages}',
      previous: 'anterior',
      next: 'siguiente',
    },
    pagesOfRoom: 'Páginas de los registros',
    links: { registries: 'Registros', chain: 'Cadena de bloques', changes: 'Hacer cambios' },
    validity: {
      title: 'Claves en un momento',
      about:
        'Mueve el control por los momentos en los que algo cambia. El registro de DID devuelve el documento de cada uno (valid-at).',
      time: 'Momento',
      exactTime: 'Hora exacta (UTC)',
      stops: {
        before: 'antes del alta',
        changed: 'una transacción ha cambiado el DID',
        begins: 'empieza una validez',
        ends: 'ha terminado una validez',
        now: 'ahora',
      },
      absent: 'El DID no estaba dado de alta en ese momento.',
      controllers: 'Controlado por',
      keys: 'Claves',
      key: 'Clave',
      state: 'Estado',
      curve: 'Curva',
      uses: 'Válida para',
      valid: 'válida',
      invalid: 'no válida',
      noKeys: 'Ninguna clave era válida en ese momento.',
      document: 'Documento DID',
      request: 'Respuesta del registro de DID a {request}',
    },
    chain: {
      title: 'Bloques',
      titleOf: 'Cadena de bloques: {environment}',
      silent: 'La cadena de bloques no responde.',
      empty: 'sin transacciones',
      range: 'Bloques {first} a {last} de {latest}',
      newer: 'más recientes',
      older: 'anteriores',
      from: 'De',
      method: 'Método',
      events: 'Eventos',
      noEvents: 'La transacción no ha emitido eventos.',
      unknownCall: 'desconocido',
      deployment: 'despliegue',
      applied: 'Aplicada',
      reverted: 'Revertida',
      reason: 'Motivo',
      receipt: 'Recibo',
      contract: 'Contrato',
      contracts: { 'did-registry': 'Registro de DID', tir: 'Registro de emisores de confianza' },
      gas: 'Gas consumido',
      arguments: 'Argumentos',
      unknown: 'La cadena no tiene esta transacción, o todavía está pendiente.',
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
