import { z } from 'zod'
import { plainIssues } from '#core/json/plain-issues.ts'
import { credentialsContext, toIsoTime } from '#core/verification/data-model.ts'
import { encodeBitstring, fewestEntries, setBits } from './bitstring.ts'

/** The two forms of an entry: W3C's recommendation, and its predecessor for older wallets. */
export const statusEntryTypes = ['BitstringStatusListEntry', 'StatusList2021Entry'] as const

type StatusEntryType = (typeof statusEntryTypes)[number]

/** An integer as a string in base 10, of any length (Bitstring Status List 1.0, 2.1). */
const zIndex = z
  .string()
  .regex(/^\d+$/)
  .transform((index) => Number(index))

/** `credentialStatus` of a credential that can be revoked. */
const zStatusEntry = z.looseObject({
  type: z.enum(statusEntryTypes),
  statusPurpose: z.string(),
  statusListIndex: zIndex,
  statusListCredential: z.string().max(2048),
  /** With more bits, the index counts groups of bits, and a status is a number. */
  statusSize: z.literal(1).optional(),
})

/** The payload of a status list credential, which is a JWT credential too. */
export const zStatusListCredential = z.looseObject({
  iss: z.string(),
  exp: z.number().optional(),
  nbf: z.number().optional(),
  vc: z.looseObject({
    type: z.array(z.string()),
    validFrom: z.string().optional(),
    validUntil: z.string().optional(),
    credentialSubject: z.looseObject({
      type: z.string(),
      statusPurpose: z.union([z.string(), z.array(z.string())]),
      encodedList: z.string(),
    }),
  }),
})

export type StatusEntry = z.infer<typeof zStatusEntry>
export type StatusListCredential = z.infer<typeof zStatusListCredential>

/**
 * Reads `credentialStatus`. A list with one entry means the same as the entry (W3C VC Data Model 2.0,
 * 4.10).
 *
 * @assumption A-23
 */
export const parseStatusEntry = (value: unknown) =>
  zStatusEntry.safeParse(Array.isArray(value) && value.length === 1 ? value[0] : value, plainIssues)

/** How a list of one of the two forms is written. */
export interface StatusListForm {
  readonly credentialType: string
  readonly subjectType: string
  readonly encoding: 'multibase' | 'base64url'
  /** Contexts after the first; the terms of Bitstring Status List are in the first one. */
  readonly furtherContexts: readonly string[]
}

/** The form of the list for each type of entry. */
export const statusListForms: Readonly<Record<StatusEntryType, StatusListForm>> = {
  BitstringStatusListEntry: {
    credentialType: 'BitstringStatusListCredential',
    subjectType: 'BitstringStatusList',
    encoding: 'multibase',
    furtherContexts: [],
  },
  StatusList2021Entry: {
    credentialType: 'StatusList2021Credential',
    subjectType: 'StatusList2021',
    encoding: 'base64url',
    furtherContexts: ['https://w3id.org/vc/status-list/2021/v1'],
  },
}

/** Returns the form of a list by its types; undefined if it has neither. */
export function findStatusListForm(types: readonly string[]): StatusListForm | undefined {
  return Object.values(statusListForms).find(({ credentialType }) => types.includes(credentialType))
}

export interface CreateStatusEntryOptions {
  /** Address of the list credential, below the credential issuer's own base. */
  readonly statusListUrl: string
  readonly index: number
  /** Default: BitstringStatusListEntry. */
  readonly type?: StatusEntryType
}

/**
 * The `credentialStatus` of a credential that can be revoked.
 *
 * @assumption A-23
 */
export function createStatusEntry({
  statusListUrl,
  index,
  type = 'BitstringStatusListEntry',
}: CreateStatusEntryOptions) {
  return {
    id: `${statusListUrl}#${index}`,
    type,
    statusPurpose: 'revocation',
    statusListIndex: String(index),
    statusListCredential: statusListUrl,
  }
}

export interface CreateStatusListCredentialOptions {
  /** The list's own address, where it is served. */
  readonly url: string
  /** DID whose assertionMethod key signs: the issuer of the credentials in the list. */
  readonly issuerDid: string
  /** Indexes of the revoked entries. */
  readonly revoked: Iterable<number>
  /** Unix seconds. */
  readonly now: number
  /** Unix seconds; verifiers reject the list afterwards. */
  readonly validUntil: number
  /** How long a verifier may keep the list; the specification's default is 300000. */
  readonly ttlMilliseconds?: number
  /** Entries in the list. Default and least: 131072. */
  readonly length?: number
  /** The form of the entries that point to it. Default: BitstringStatusListEntry. */
  readonly entryType?: StatusEntryType
}

/**
 * The JWT payload of a status list credential, to be signed as the credentials are. Throws a
 * RangeError for an index beyond the list's end.
 *
 * @see Bitstring Status List 1.0, BitstringStatusListCredential
 * @assumption A-23
 */
export function createStatusListCredential(options: CreateStatusListCredentialOptions) {
  const { url, issuerDid, revoked, now, validUntil, ttlMilliseconds } = options
  const { length = fewestEntries, entryType = 'BitstringStatusListEntry' } = options
  const form = statusListForms[entryType]
  const empty = new Uint8Array(Math.ceil(Math.max(length, fewestEntries) / 8))
  return {
    iss: issuerDid,
    sub: `${url}#list`,
    jti: url,
    nbf: now,
    iat: now,
    exp: validUntil,
    vc: {
      '@context': [credentialsContext, ...form.furtherContexts],
      id: url,
      type: ['VerifiableCredential', form.credentialType],
      issuer: issuerDid,
      validFrom: toIsoTime(now),
      validUntil: toIsoTime(validUntil),
      credentialSubject: {
        id: `${url}#list`,
        type: form.subjectType,
        statusPurpose: 'revocation',
        ...(ttlMilliseconds === undefined ? {} : { ttl: ttlMilliseconds }),
        encodedList: encodeBitstring(setBits(empty, revoked), form.encoding),
      },
    },
  }
}
