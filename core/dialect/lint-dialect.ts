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

/** A member of a message, and the revisions that have it in this form. */
export interface DialectMember {
  /** For example `credentials.0`. */
  readonly path: string
  /** Its value where that is telling and no secret, else what it is: a text, a list, an object. */
  readonly found: string
  readonly follows: string
  readonly clause: string
}

/** A member that the profile has in another form, or not at all. */
interface DialectDeparture extends DialectMember {
  /** What the profile has instead, in a sentence. */
  readonly documents: string
}

export interface DialectReport {
  /** The revisions that the members follow, each once; several where the message mixes them. */
  readonly revisions: readonly string[]
  /** Every member that tells revisions apart. */
  readonly members: readonly DialectMember[]
  /** Where the message departs from the profile's dialect. */
  readonly departures: readonly DialectDeparture[]
}

/**
 * Tells which revision of OpenID4VCI or OpenID4VP each member of a message follows, and where that is
 * not the profile's dialect. `message` is its JSON value, of a form an object of its fields;
 * members
 * that are JSON texts themselves, as in links and forms, are looked into. Never throws for what the
 * message holds.
 */
export function lintDialect(kind: DialectKind, message: unknown): DialectReport {
  const entries: readonly DialectEntry[] = dialects[kind]
  const found = entries.flatMap((entry) =>
    find(message, entry.path.split('.'), [])
      .filter(({ value }) => entry.form?.(value) ?? true)
      .map(({ path, value }) => ({ entry, member: memberOf(entry, path, value) })),
  )
  return {
    revisions: [...new Set(found.map(({ member }) => member.follows))],
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

/** Links and forms carry objects and lists as JSON texts. */
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
  return typeof value === 'string' ? 'a text' : String(value)
}
