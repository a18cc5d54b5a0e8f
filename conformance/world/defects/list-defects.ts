import { deflateSync, gzipSync } from 'node:zlib'
import { encodeBase64url } from '#core/crypto/base64url.ts'
import { encodeBitstring, fewestEntries } from '#core/status-list/bitstring.ts'
import { toIsoTime } from '#core/verification/data-model.ts'
import { closestMisses } from '../../kit/near-misses.ts'
import { addKey } from '../key-uses.ts'
import type { StatusListOptions } from '../publish-status-list.ts'
import { registerIssuer } from '../register-issuer.ts'
import {
  leaveUnsigned,
  signUnderLongerAlg,
  signWithIssuerKey,
  signWithKeyInHeader,
  signWithStrangeKey,
} from './defect.ts'
import { emptySignatures, flipBit, forgedForms } from './signature-defects.ts'

const lastIndex = fewestEntries - 1

/** The entry of the credential is revoked. */
export const revokedLists: Readonly<Record<string, StatusListOptions>> = {
  'The first entry of the list is revoked.': { revoked: [0], index: 0 },
  'The last entry of the list is revoked.': { revoked: [lastIndex], index: lastIndex },
  'The first entry of the second byte is revoked.': { revoked: [8], index: 8 },
  'The entry is revoked, and its index is a number.': {
    revoked: [7],
    entry: { statusListIndex: 7 },
  },
  // Read as octal, it is that of another entry.
  'The entry is revoked, and its index has leading zeros.': {
    revoked: [10],
    entry: { statusListIndex: '0010' },
  },
  'The entry is for a suspension, and its bit is set.': {
    revoked: [7],
    entry: { statusPurpose: 'suspension' },
    subject: { statusPurpose: 'suspension' },
  },
  'The entry is revoked, in the form StatusList2021.': {
    revoked: [7],
    type: 'StatusList2021Entry',
  },
}

const otherEntries = [0, 5, 6, 8, 9, 15, 16, 56, lastIndex]

/** Valid: other entries are revoked. */
export const intactLists: Readonly<Record<string, StatusListOptions>> = {
  'The bit of the credential is not set.': {},
  'All bits around that of the credential are set.': { revoked: otherEntries },
  'The list is for several purposes.': { subject: { statusPurpose: ['suspension', 'revocation'] } },
}

/** The status of the credential cannot be read. */
export const unknownEntries: Readonly<Record<string, StatusListOptions>> = {
  'Its index is negative.': { entry: { statusListIndex: '-1' } },
  'Its index has a fraction.': { entry: { statusListIndex: '7.5' } },
  'Its index is hexadecimal.': { entry: { statusListIndex: '0x7' } },
  'Its index is not a number.': { entry: { statusListIndex: 'seven' } },
  'Its index is an empty string.': { entry: { statusListIndex: '' } },
  'Its index is null.': { entry: { statusListIndex: null } },
  'Its index is missing.': { entry: { statusListIndex: undefined } },
  'Its index has a plus sign.': { entry: { statusListIndex: '+7' } },
  'Its index has a space before it.': { entry: { statusListIndex: ' 7' } },
  'Its index is a digit of another script.': { entry: { statusListIndex: '٧' } },
  'Its index is far beyond the end.': { entry: { statusListIndex: '4294967303' } },
  'Its index needs more than 64 bits.': { entry: { statusListIndex: '18446744073709551623' } },
  'Its type has one more character.': { entry: { type: 'BitstringStatusListEntry2' } },
  'The address of its list is missing.': { entry: { statusListCredential: undefined } },
  'It consists of two bits, and both are set.': { revoked: [14, 15], entry: { statusSize: 2 } },
  'Its purpose is not that of the list.': { entry: { statusPurpose: 'suspension' } },
}

/** The issuer of the credential did not sign the list. */
export const wrongSigners: Readonly<Record<string, StatusListOptions>> = {
  'The signature of the list has a flipped bit.': { afterwards: flipBit },
  'An unknown key signed the list under the kid of the issuer.': { sign: signWithStrangeKey },
  'An unknown key signed the list under the kid of the issuer, and is in its header as jwk.': {
    sign: signWithKeyInHeader,
  },
  'The list is not signed.': { sign: leaveUnsigned },
  'The list has an alg with one more character.': { sign: signUnderLongerAlg },
  'Another accredited issuer signed the list under its own kid.': { signer: registerIssuer },
  'The list names another organization in iss.': {
    claims: () => ({ iss: 'did:org:uc-pre:zAnotherOrganization' }),
  },
  ...Object.fromEntries(
    closestMisses.map(({ what, change }) => [
      `iss of the list ${what}.`,
      { claims: (_: number, { issuerDid }) => ({ iss: change(issuerDid) }) },
    ]),
  ),
  'The list has no kid.': { header: { kid: undefined } },
  'The list is signed with a key that is not for assertions.': {
    signer: (world) => addKey(world, world.issuer, { relationship: 'authentication' }),
  },
  'The list is signed with a key that had been revoked.': {
    signer: (world) =>
      addKey(world, world.issuer, { notAfter: Math.floor(Date.now() / 1000) - 3600 }),
  },
  ...Object.fromEntries([
    ...Object.entries(forgedForms).map(([what, sign]) => [`The list ${what}.`, { sign }] as const),
    ...Object.entries(emptySignatures).map(
      ([what, afterwards]) => [`The list ${what}.`, { afterwards }] as const,
    ),
  ]),
}

/** The list is not valid now. */
export const wrongPeriods: Readonly<Record<string, StatusListOptions>> = {
  'exp of the list was ten minutes ago.': { claims: (now) => ({ exp: now - 600 }) },
  'validUntil of the list was ten minutes ago.': {
    vc: (now) => ({ validUntil: toIsoTime(now - 600) }),
  },
  'validUntil of the list is not a time.': { vc: () => ({ validUntil: 'next year' }) },
  'nbf of the list is in ten minutes.': { claims: (now) => ({ nbf: now + 600 }) },
  'validFrom of the list is in ten minutes.': {
    vc: (now) => ({ validFrom: toIsoTime(now + 600) }),
  },
  'nbf of the list is a string.': { claims: (now) => ({ nbf: String(now - 60) }) },
  'validFrom of the list is a number.': { vc: (now) => ({ validFrom: now - 60 }) },
  'validFrom of the list is not a time.': { vc: () => ({ validFrom: 'yesterday' }) },
  'exp of the list was an hour ago, in milliseconds, and there is no validUntil.': {
    claims: (now) => ({ exp: (now - 3600) * 1000 }),
    vc: () => ({ validUntil: undefined }),
  },
  'exp of the list is a string.': { claims: (now) => ({ exp: String(now + 3600) }) },
}

const bits = new Uint8Array(fewestEntries / 8)

const encoded = (encodedList: unknown): StatusListOptions => ({ subject: { encodedList } })

/** The list is a different one, or cannot be read. */
export const wrongContents: Readonly<Record<string, StatusListOptions>> = {
  'The list is the one of another address.': { vc: () => ({ id: 'https://issuer.example/list' }) },
  ...Object.fromEntries(
    closestMisses.flatMap(({ what, change }): [string, StatusListOptions][] => [
      [`vc.id of the list ${what}.`, { vc: (_, { url }) => ({ id: change(url) }) }],
      [
        `The type of the list ${what}.`,
        {
          vc: () => ({ type: ['VerifiableCredential', change('BitstringStatusListCredential')] }),
        },
      ],
      [
        `The type of the subject of the list ${what}.`,
        { subject: { type: change('BitstringStatusList') } },
      ],
      [`The purpose of the list ${what}.`, { subject: { statusPurpose: change('revocation') } }],
    ]),
  ),
  'The list is for another purpose.': { subject: { statusPurpose: 'suspension' } },
  'The list is a credential of another type.': { vc: () => ({ type: ['VerifiableCredential'] }) },
  'The type of the list is a string.': {
    vc: () => ({ type: 'VerifiableCredential BitstringStatusListCredential' }),
  },
  'One purpose of the list is a number.': { subject: { statusPurpose: ['revocation', 5] } },
  'The purpose of the list is missing.': { subject: { statusPurpose: undefined } },
  'The subject of the list has another type.': { subject: { type: 'StatusList2021' } },
  'The list has no subject.': { vc: () => ({ credentialSubject: undefined }) },
  'The list has no vc.': {
    sign: (header, { vc: _, ...claims }: { vc?: unknown }, privateKey) =>
      signWithIssuerKey(header, claims, privateKey),
  },
  'The list has no entries.': encoded(undefined),
  'The entries of the list have no multibase prefix.': encoded(encodeBitstring(bits, 'base64url')),
  'The entries of the list are not compressed.': encoded(`u${encodeBase64url(bits)}`),
  'The entries of the list are compressed with zlib.': encoded(
    `u${encodeBase64url(deflateSync(bits))}`,
  ),
  'The entries of the list are cut off.': encoded(
    `u${encodeBase64url(gzipSync(bits).subarray(0, 20))}`,
  ),
  'The list has fewer entries than a list must have.': encoded(encodeBitstring(bits.subarray(1))),
  'The list is an HTML page.': { afterwards: () => '<h1>It works!</h1>' },
}

/** Decompresses to 32 MiB, 268 million entries. Created once, because compressing it takes long. */
let bomb: string | undefined

export function createBomb(): StatusListOptions {
  bomb ??= encodeBitstring(new Uint8Array(32 * 1024 * 1024))
  return encoded(bomb)
}

const day = 86_400
const longList = new Uint8Array(32 * 1024)
// One entry is revoked, and not the one in the credential.
longList[0] = 0x80

/** Valid: lists and entries that differ from the usual ones. */
export const validLists: Readonly<Record<string, StatusListOptions>> = {
  'The list ends only with exp.': {
    claims: (now) => ({ exp: now + day }),
    vc: () => ({ validUntil: undefined }),
  },
  'The list ends only with validUntil.': { claims: () => ({ exp: undefined }) },
  'The list has no nbf, no validFrom and no iat.': {
    claims: () => ({ nbf: undefined, iat: undefined }),
    vc: () => ({ validFrom: undefined }),
  },
  'The list is valid from in 45 seconds.': {
    claims: (now) => ({ nbf: now + 45 }),
    vc: (now) => ({ validFrom: toIsoTime(now + 45) }),
  },
  'The times of the list have fractions.': {
    claims: (now) => ({ nbf: now - 60.5, exp: now + day + 0.25 }),
  },
  'The list has more members and types.': {
    claims: () => ({ jti: 'urn:uuid:3c2a7c6e-5a0e-4f0f-9d53-0d6a1c1f2b11', note: 'list' }),
    vc: () => ({
      name: 'Revocations',
      type: ['VerifiableCredential', 'BitstringStatusListCredential', 'OtherCredential'],
    }),
    subject: { ttl: 1, name: 'Revocations' },
  },
  'The list has 262144 entries, and that of the credential is in its second half.': {
    subject: { encodedList: encodeBitstring(longList) },
    index: 200_000,
  },
  'The index is that of the first entry, and all others of its byte are revoked.': {
    index: 0,
    revoked: [1, 2, 3, 4, 5, 6, 7],
  },
  'The entry has an id and the size of a status.': {
    entry: { id: 'https://issuer.example/list#7', statusSize: 1 },
  },
}
