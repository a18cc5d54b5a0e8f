import { credentialsContext } from '#core/lear-credential/z-lear-credential.ts'
import { toIsoTime } from '#core/verification/iso-time.ts'
import { setBits } from './bit-at.ts'
import { encodeBitstring, fewestEntries } from './encode-bitstring.ts'
import { type StatusEntryType, statusListForms } from './z-status-list.ts'

export interface CreateStatusListCredentialOptions {
  /** The list's own address, where it is served. */
  readonly url: string
  /** DID whose assertionMethod key signs: the issuer of the credentials in the list. */
  readonly issuerDid: string
  /** Indexes of what is revoked. */
  readonly revoked: Iterable<number>
  /** Unix seconds. */
  readonly now: number
  /** Unix seconds; a verifier takes no list that is past it. */
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
