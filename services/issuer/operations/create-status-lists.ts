import type { PrivateJwk } from '#core/crypto/jwk.ts'
import { signJws } from '#core/crypto/jws.ts'
import { fewestEntries } from '#core/status-list/bitstring.ts'
import {
  createStatusEntry,
  createStatusListCredential,
} from '#core/status-list/status-list-credential.ts'
import { forgetOnRestore, type Runtime } from '#kit/runtime.ts'
import type { RecordStore } from '../adapters/record-store.ts'
import type { IssuerConfig } from '../config.ts'

export interface StatusLists {
  /** The credentialStatus for an index; undefined if this issuer does not use status lists. */
  entryOf(statusIndex: number): object | undefined
  /** The signed list with the given number, from 1; undefined if there is none. */
  read(listNumber: number): Promise<string | undefined>
}

interface SignedList {
  readonly revoked: number
  readonly signedAt: number
  readonly jwt: string
}

const lifetimeSeconds = 300
const renewedAfterSeconds = 60

/**
 * The issuer's status lists, created from its records. Revocation is permanent, so a signed list is
 * current as long as the number of revoked records is the same.
 *
 * @assumption A-23
 */
export function createStatusLists(
  config: IssuerConfig,
  signingKey: PrivateJwk,
  records: RecordStore,
  { clock, snapshots }: Runtime,
): StatusLists {
  const { baseUrl, issuerDid, issuerVMethodId, statusEntryType, statusListTtlSeconds } = config
  if (statusEntryType === 'none') return { entryOf: () => undefined, read: async () => undefined }
  const urlOf = (listNumber: number) => `${baseUrl}/credentials/status/${listNumber}`
  const signed = new Map<number, SignedList>()
  // After the restore, other records may be revoked, but the same number.
  forgetOnRestore(snapshots, () => signed.clear())

  return {
    entryOf: (statusIndex) =>
      createStatusEntry({
        statusListUrl: urlOf(Math.floor(statusIndex / fewestEntries) + 1),
        index: statusIndex % fewestEntries,
        type: statusEntryType,
      }),
    async read(listNumber) {
      const from = (listNumber - 1) * fewestEntries
      const to = from + fewestEntries
      if (listNumber !== 1 && !(await records.hasStatusIndexes(from, to))) return undefined
      const revoked = await records.countRevoked(from, to)
      const now = clock.seconds()
      const before = signed.get(listNumber)
      if (before?.revoked === revoked && isFresh(before, now)) return before.jwt
      const indexes = await records.revokedIndexes(from, to)
      const payload = createStatusListCredential({
        url: urlOf(listNumber),
        issuerDid,
        revoked: indexes.map((index) => index - from),
        now,
        validUntil: now + lifetimeSeconds,
        ttlMilliseconds: statusListTtlSeconds * 1000,
        entryType: statusEntryType,
      })
      const jwt = signJws({
        header: { alg: 'ES256K', typ: 'JWT', kid: `${issuerDid}#${issuerVMethodId}` },
        payload,
        privateKey: signingKey,
      })
      signed.set(listNumber, { revoked: indexes.length, signedAt: now, jwt })
      return jwt
    },
  }
}

/** The clock may have gone back. */
function isFresh({ signedAt }: SignedList, now: number): boolean {
  const age = now - signedAt
  return age >= 0 && age < renewedAfterSeconds
}
