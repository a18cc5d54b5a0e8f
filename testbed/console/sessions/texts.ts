import type { Texts } from '#kit/language.ts'

interface SessionTexts {
  readonly lead: string
  readonly adminPanel: string
  readonly adminPanelHint: string
  readonly filter: string
  readonly filters: Readonly<Record<'ALL' | 'PENDING' | 'SUCCESS' | 'FAILED', string>>
  readonly none: string
  readonly noneOfOutcome: string
  readonly newer: string
  readonly older: string
  readonly table: string
  readonly time: string
  readonly outcome: string
  readonly client: string
  readonly person: string
  readonly organization: string
  readonly reason: string
  readonly states: Readonly<Record<'PENDING' | 'SUCCESS' | 'FAILED' | 'expired', string>>
  readonly all: string
  readonly title: string
  readonly unverified: string
  /** {total} rules, {broken} of them failed. */
  readonly summary: string
  readonly noPresentation: string
  readonly noExplanation: string
  readonly noResponse: string
  readonly whyRejected: string
  readonly noValue: string
  readonly passedRules: string
  readonly passed: string
  readonly failed: string
  readonly hop: string
  readonly subjects: Readonly<Record<string, string>>
  readonly trustChain: string
  readonly noTrustChain: string
  readonly accreditedBy: string
  readonly attribute: string
  readonly lookups: string
  readonly noLookups: string
  readonly found: string
  readonly notFound: string
  readonly silent: string
  readonly data: string
  readonly holder: string
  readonly presentation: string
  readonly credential: string
}

export const sessionTexts: Texts<SessionTexts> = {
  en: {
    lead: 'Each QR code of a login is one session. Open a session to see every rule that was checked.',
    adminPanel: 'Open the IDP admin panel',
    adminPanelHint: 'Clients, claims and signing keys of the IDP',
    filter: 'Outcome',
    filters: { ALL: 'All', PENDING: 'Pending', SUCCESS: 'Accepted', FAILED: 'Rejected' },
    none: 'No sessions yet. Log in at the relying party, and the session appears here.',
    noneOfOutcome: 'No session has this outcome.',
    newer: 'Newer',
    older: 'Older',
    table: 'Logins',
    time: 'Time',
    outcome: 'Outcome',
    client: 'Application',
    person: 'Person',
    organization: 'Organization',
    reason: 'Reason',
    states: { PENDING: 'pending', SUCCESS: 'accepted', FAILED: 'rejected', expired: 'expired' },
    all: 'All logins',
    title: 'Login',
    unverified: 'Person and organization as the rejected credential states them.',
    summary: 'Rules checked: {total}. Failed: {broken}.',
    noPresentation: 'Nothing has been presented, so no rule was checked.',
    noExplanation: 'The verification service did not send an explanation. Try again later.',
    noResponse: 'No response from',
    whyRejected: 'Why it was rejected',
    noValue: 'not shown, or missing',
    passedRules: 'Passed rules',
    passed: 'passed',
    failed: 'failed',
    hop: 'Accreditation {n} above the issuer',
    subjects: {
      presentation: 'Presentation',
      submission: 'presentation_submission',
      response: 'Response',
      credential: 'Credential',
      trust: 'Trust chain',
    },
    trustChain: 'Trust chain',
    noTrustChain: 'The chain could not be determined.',
    accreditedBy: 'accredited by',
    attribute: 'attribute',
    lookups: 'Lookups',
    noLookups: 'None.',
    found: 'found',
    notFound: 'not found',
    silent: 'no response',
    data: 'Presented data',
    holder: 'Holder',
    presentation: 'Presentation without signature',
    credential: 'Credential without signature',
  },
  es: {
    lead: 'Cada código QR de un inicio de sesión es una sesión. Abre una para ver todas las reglas que se han comprobado.',
    adminPanel: 'Abrir el panel de administración del IDP',
    adminPanelHint: 'Clientes, claims y claves de firma del IDP',
    filter: 'Resultado',
    filters: { ALL: 'Todos', PENDING: 'Pendientes', SUCCESS: 'Aceptados', FAILED: 'Rechazados' },
    none: 'Todavía no hay sesiones. Inicia sesión en la parte usuaria y aparecerá aquí.',
    noneOfOutcome: 'Ninguna sesión tiene este resultado.',
    newer: 'Más recientes',
    older: 'Anteriores',
    table: 'Inicios de sesión',
    time: 'Hora',
    outcome: 'Resultado',
    client: 'Aplicación',
    person: 'Persona',
    organization: 'Organización',
    reason: 'Motivo',
    states: { PENDING: 'pendiente', SUCCESS: 'aceptado', FAILED: 'rechazado', expired: 'caducado' },
    all: 'Todos los inicios de sesión',
    title: 'Inicio de sesión',
    unverified: 'Persona y organización según la credencial rechazada.',
    summary: 'Reglas comprobadas: {total}. Incumplidas: {broken}.',
    noPresentation: 'No se ha presentado nada, así que no se ha comprobado ninguna regla.',
    noExplanation:
      'El servicio de verificación no ha enviado ninguna explicación. Vuelve a intentarlo más tarde.',
    noResponse: 'Sin respuesta de',
    whyRejected: 'Por qué se ha rechazado',
    noValue: 'no se muestra o falta',
    passedRules: 'Reglas cumplidas',
    passed: 'cumplida',
    failed: 'incumplida',
    hop: 'Acreditación {n} por encima del emisor',
    subjects: {
      presentation: 'Presentación',
      submission: 'presentation_submission',
      response: 'Respuesta',
      credential: 'Credencial',
      trust: 'Cadena de confianza',
    },
    trustChain: 'Cadena de confianza',
    noTrustChain: 'No se ha podido determinar la cadena.',
    accreditedBy: 'acreditado por',
    attribute: 'atributo',
    lookups: 'Consultas',
    noLookups: 'Ninguna.',
    found: 'encontrado',
    notFound: 'no encontrado',
    silent: 'sin respuesta',
    data: 'Datos presentados',
    holder: 'Titular',
    presentation: 'Presentación sin firma',
    credential: 'Credencial sin firma',
  },
}
