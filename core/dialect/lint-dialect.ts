import type { DialectEntry } from './dialect-entry.ts'
import {
  credentialOfferDialect,
  credentialRequestDialect,
  credentialResponseDialect,
  deferredRequestDialect,
  issuerMetadataDialect,
  tokenRequestDialect,
  tokenResponseDialect,
} from './oid4vci-messages.ts'
import { authorizationRequestDialect, presentationResponseDialect } from './oid4vp-messages.ts'

/** The messages whose form has changed from revision to revision. */
const dialects = {
  'credential-offer': credentialOfferDialect,
  'issuer-metadata': issuerMetadataDialect,
  'token-request': tokenRequestDialect,
  'token-response': tokenResponseDialect,
  'credential-request': credentialRequestDialect,
  'credential-response': credentialResponseDialect,
  'deferred-request': deferredRequestDialect,
  'deferred-response': credentialResponseDialect,
  'authorization-request': authorizationRequestDialect,
  'presentation-response': presentationResponseDialect,
} as const satisfies Readonly<Record<string, readonly DialectEntry[]>>

export type DialectKind = keyof typeof dialects

/** A member of a message, and the revisions with this form. */
export interface DialectMember {
  /** For example `credentials.0`. */
  readonly path: string
  /** Its value, if it is useful and not secret; otherwise its type: a string, a list, an object. */
  readonly found: string
  readonly follows: string
  readonly clause: string
}

/** A member that has a different form in the profile, or does not exist there. */
interface DialectDeparture extends DialectMember {
  /** The form in the profile, in plain text. */
  readonly documents: string
}

export interface DialectReport {
  /** Every member that distinguishes revisions; a message may mix them. */
  readonly members: readonly DialectMember[]
  /** Where the message differs from the profile's dialect. */
  readonly departures: readonly DialectDeparture[]
}

/**
 * Determines which revision of OpenID4VCI or OpenID4VP each member of a message follows, and where
 * it differs from the profile's dialect. `message` is its JSON value, or an object with the fields
 * of a form. Members that contain JSON text, as in links and forms, are parsed. Never throws
 * because of the message's content.
 */
export function lintDialect(kind: DialectKind, message: unknown): DialectReport {
  const entries: readonly DialectEntry[] = dialects[kind]
  const found = entries.flatMap((entry) =>
    find(message, entry.path.split('.'), [])
      .filter(({ value }) => entry.form?.(value) ?? true)
      .map(({ path, value }) => ({ entry, member: memberOf(entry, path, value) })),
  )
  return {
    members: found.map(({ member }) => member),
    departures: found.flatMap(({ entry: { documents }, member }) =>
      documents === undefined ? [] : [{ ...member, documents }],
    ),
  }
}

function memberOf({ follows, clause, show }: DialectEntry, path: string, value: unknown) {
  return { path, found: describe(value, show ?? false), follows, clause }
}

interface FoundValue {
  readonly path: string
  readonly value: unknown
}

const mostPlaces = 64

function find(value: unknown, names: readonly string[], path: readonly string[]): FoundValue[] {
  const parsed = readJsonText(value)
  const [name, ...rest] = names
  if (name === undefined) return [{ path: path.join('.'), value: parsed }]
  if (typeof parsed !== 'object' || parsed === null) return []
  const members = name === '*' ? Object.keys(parsed).slice(0, mostPlaces) : [name]
  return members.flatMap((member) => {
    const own = Object.getOwnPropertyDescriptor(parsed, member)
    return own?.value === undefined ? [] : find(own.value, rest, [...path, member])
  })
}

/** Links and forms contain objects and lists as JSON text. */
function readJsonText(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

const longestShown = 100

function describe(value: unknown, show: boolean): string {
  if (show) {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
  }
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  return typeof value === 'string' ? 'a string' : String(value)
}
