import { deflateSync, gzipSync } from 'node:zlib'
import { encodeBase64url } from '#core/crypto/base64url.ts'
import { encodeBitstring, fewestEntries } from '#core/status-list/bitstring.ts'
import { toIsoTime } from '#core/verification/data-model.ts'
import {
  leaveUnsigned,
  signUnderLongerAlg,
  signWithPublicKeyAsSecret,
  signWithStrangeKey,
} from '../../../world/defects/defect.ts'
import { flipBit } from '../../../world/defects/signature-defects.ts'
import { addKey } from '../../../world/key-uses.ts'
import { publishStatusList, type StatusListOptions } from '../../../world/publish-status-list.ts'
import { registerIssuer } from '../../../world/register-issuer.ts'
import type { VerifierContext } from '../context.ts'
import {
  acceptances,
  type PresentationCase,
  refusals,
  requireStatusRead,
  withDefect,
  withDefects,
} from '../presentation-checks.ts'

const lastIndex = fewestEntries - 1

const revokedLists: Readonly<Record<string, StatusListOptions>> = {
  'The first entry of the list is revoked.': { revoked: [0], index: 0 },
  'The last entry of the list is revoked.': { revoked: [lastIndex], index: lastIndex },
  'The first entry of the second byte is revoked.': { revoked: [8], index: 8 },
  'The entry is revoked, and its index is a number.': {
    revoked: [7],
    entry: { statusListIndex: 7 },
  },
  'The entry is revoked, in the form StatusList2021.': {
    revoked: [7],
    type: 'StatusList2021Entry',
  },
}

const otherEntries = [0, 5, 6, 8, 9, 15, 16, 56, lastIndex]

const intactLists: Readonly<Record<string, StatusListOptions>> = {
  'The bit of the credential is not set.': {},
  'All bits around that of the credential are set.': { revoked: otherEntries },
  'The list is for several purposes.': { subject: { statusPurpose: ['suspension', 'revocation'] } },
}

const unknownEntries: Readonly<Record<string, StatusListOptions>> = {
  'Its index is negative.': { entry: { statusListIndex: '-1' } },
  'Its index has a fraction.': { entry: { statusListIndex: '7.5' } },
  'Its index is not a number.': { entry: { statusListIndex: 'seven' } },
  'Its index is an empty string.': { entry: { statusListIndex: '' } },
  'Its index is null.': { entry: { statusListIndex: null } },
  'Its index is missing.': { entry: { statusListIndex: undefined } },
  'Its index is far beyond the end.': { entry: { statusListIndex: '4294967303' } },
  'The address of its list is missing.': { entry: { statusListCredential: undefined } },
  'Its purpose is not that of the list.': { entry: { statusPurpose: 'suspension' } },
}

const wrongSigners: Readonly<Record<string, StatusListOptions>> = {
  'The signature of the list has a flipped bit.': { afterwards: flipBit },
  'An unknown key signed the list under the kid of the issuer.': { sign: signWithStrangeKey },
  'The list is not signed.': { sign: leaveUnsigned },
  'The list has an alg with one more character.': { sign: signUnderLongerAlg },
  'The list has a MAC with the public key as the secret.': { sign: signWithPublicKeyAsSecret },
  'Another accredited issuer signed the list under its own kid.': { signer: registerIssuer },
  'The list names another organization in iss.': {
    claims: () => ({ iss: 'did:org:uc-pre:zAnotherOrganization' }),
  },
  'The list has no kid.': { header: { kid: undefined } },
  'The list is signed with a key that is not for assertions.': {
    signer: (world) => addKey(world, world.issuer, { relationship: 'authentication' }),
  },
  'The list is signed with a key that has been revoked since.': {
    signer: (world) =>
      addKey(world, world.issuer, { notAfter: Math.floor(Date.now() / 1000) - 3600 }),
  },
}

const wrongPeriods: Readonly<Record<string, StatusListOptions>> = {
  'exp of the list was ten minutes ago.': { claims: (now) => ({ exp: now - 600 }) },
  'validUntil of the list was ten minutes ago.': {
    vc: (now) => ({ validUntil: toIsoTime(now - 600) }),
  },
  'validUntil of the list is not a time.': { vc: () => ({ validUntil: 'next year' }) },
  'nbf of the list is in ten minutes.': { claims: (now) => ({ nbf: now + 600 }) },
  'validFrom of the list is in ten minutes.': {
    vc: (now) => ({ validFrom: toIsoTime(now + 600) }),
  },
  'exp of the list is a string.': { claims: (now) => ({ exp: String(now + 3600) }) },
}

const bits = new Uint8Array(fewestEntries / 8)

const encoded = (encodedList: unknown): StatusListOptions => ({ subject: { encodedList } })

const wrongContents: Readonly<Record<string, StatusListOptions>> = {
  'The list is the one of another address.': { vc: () => ({ id: 'https://issuer.example/list' }) },
  'The list is for another purpose.': { subject: { statusPurpose: 'suspension' } },
  'The list is a credential of another type.': { vc: () => ({ type: ['VerifiableCredential'] }) },
  'The subject of the list has another type.': { subject: { type: 'StatusList2021' } },
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

function createBomb(): StatusListOptions {
  bomb ??= encodeBitstring(new Uint8Array(32 * 1024 * 1024))
  return encoded(bomb)
}

/** Whether a credential is revoked, according to its status list. */
export const checks = {
  ...refusals({
    'V43-revoked-credential': {
      title: 'A credential that is revoked in its status list is rejected',
      level: 'practice',
      clauses: ['Bitstring Status List 1.0, 3.2', 'docs/assumptions.md, A-23'],
      description:
        'The credentials of people who leave are revoked before they expire. The profile does not define credentialStatus, so this is an extension.',
      sends: `A revoked credential. ${Object.keys(revokedLists).join(' ')} The second of two entries is revoked.`,
      fix: 'Fetch the list in credentialStatus.statusListCredential, verify it, and read the bit at statusListIndex. If the bit is set, reject the presentation.',
      presentations: ({ trust: { world } }) => [
        ...withDefects('revoked'),
        ...Object.entries(revokedLists).map(([what, options]) =>
          withStatus(what, publishStatusList(world, options)),
        ),
        withStatus('The second of two entries is revoked.', [
          publishStatusList(world, {}),
          publishStatusList(world, { revoked: [7] }),
        ]),
      ],
    },
    'V81-status-unknown': {
      title: 'A credential whose revocation status is unavailable is rejected',
      level: 'practice',
      clauses: ['docs/assumptions.md, A-23', 'docs/assumptions.md, A-29'],
      description: 'An attacker who blocks the status list would otherwise hide revocations.',
      sends: `Credentials whose status list is missing, whose index is beyond its end, or whose credentialStatus cannot be read. ${Object.keys(unknownEntries).join(' ')}`,
      fix: 'If the status list is missing, invalid or has no bit at statusListIndex, reject the presentation. An unknown status does not count as valid.',
      presentations: async (context) => [
        ...withDefects(
          'status-list-missing',
          'status-list-foreign',
          'status-index-beyond',
          'status-unreadable',
        ),
        withStatus('Its credentialStatus is null.', null),
        withStatus('Its credentialStatus is an address.', 'https://issuer.example/list#7'),
        ...(await withLists(context, unknownEntries)),
      ],
    },
    'V102-status-list-signer': {
      title: 'A status list that the issuer did not sign is not used',
      level: 'practice',
      clauses: ['Bitstring Status List 1.0, 3.2', 'docs/assumptions.md, A-23'],
      description:
        'An attacker who can replace the list at its address, or serve another one, would otherwise undo every revocation.',
      sends: `Credentials whose bit is not set, in lists with a wrong signature. ${Object.keys(wrongSigners).join(' ')}`,
      fix: 'Verify the signature of the status list with an assertionMethod key that its issuer has now. Require the issuer of the credential as its iss and as the DID in its kid. Otherwise reject the presentation.',
      presentations: async (context) => [
        ...(await withLists(context, wrongSigners)),
        ...withDefects('status-list-of-another-issuer'),
      ],
    },
    'V103-status-list-period': {
      title: 'A status list that is not valid now is not used',
      level: 'practice',
      clauses: ['Bitstring Status List 1.0, 3.2', 'docs/assumptions.md, A-23'],
      description:
        'An old list does not contain the latest revocations. Without its period, an attacker can show one from before the revocation forever.',
      sends: `Credentials whose bit is not set, in lists that are not valid now. ${Object.keys(wrongPeriods).join(' ')}`,
      fix: 'Compare exp, validUntil, nbf and validFrom of the status list with the current time. If it has ended or has not begun, reject the presentation.',
      presentations: (context) => withLists(context, wrongPeriods),
    },
    'V104-status-list-content': {
      title: 'A status list that is not the named one, or cannot be read, is not used',
      level: 'practice',
      clauses: ['Bitstring Status List 1.0, 3.2', 'docs/assumptions.md, A-23'],
      description:
        'A list of the same issuer for another purpose or address, without the revoked bit, would otherwise undo a revocation. A small text can decompress to gigabytes.',
      sends: `Credentials whose bit is not set, in other lists. ${Object.keys(wrongContents).join(' ')} The list decompresses to 32 MiB.`,
      fix: 'Require the address as id of the list, its type, the purpose of the entry and 131072 entries or more. Limit the decompressed size, such as to 2 MiB. Otherwise reject the presentation.',
      presentations: (context) =>
        withLists(context, { ...wrongContents, 'The list decompresses to 32 MiB.': createBomb() }),
    },
  }),
  ...acceptances({
    'V60-status-bit-unset': {
      title: 'A credential that is not revoked in its status list is accepted',
      level: 'practice',
      clauses: ['Bitstring Status List 1.0, 3.2'],
      description: 'A status list must separate the revoked credentials from all others.',
      sends: `Credentials without a status, and with one. ${Object.keys(intactLists).join(' ')}`,
      fix: 'Count the bits of the decompressed list from the most significant bit of the first byte. If the bit at statusListIndex is 0, accept the presentation.',
      presentations: ({ trust: { world } }) => [
        ...withDefects('status-absent'),
        ...Object.entries(intactLists).map(([what, options]) =>
          withStatus(what, publishStatusList(world, options)),
        ),
      ],
    },
    'V105-status-list-2021': {
      title: 'A credential with an entry in a StatusList2021 is accepted',
      level: 'practice',
      clauses: ['docs/assumptions.md, A-23'],
      description:
        'StatusList2021 is the predecessor of the Bitstring Status List. Issuers use it for older wallets, and the profile names neither.',
      sends: 'A credential with a StatusList2021Entry, whose bit is not set.',
      fix: 'Read StatusList2021Entry like BitstringStatusListEntry. Its list has the types StatusList2021Credential and StatusList2021, and encodedList has no multibase prefix.',
      presentations: ({ trust: { world } }) => [
        withStatus(
          'The entry is a StatusList2021Entry.',
          publishStatusList(world, { type: 'StatusList2021Entry' }),
        ),
      ],
    },
  }),
}

function withStatus(what: string, credentialStatus: unknown): PresentationCase {
  return withDefect(what, { change: () => ({ vc: { credentialStatus } }) })
}

/** Credentials whose bit is not set, each in a list with one defect. */
async function withLists(
  context: VerifierContext,
  lists: Readonly<Record<string, StatusListOptions>>,
): Promise<PresentationCase[]> {
  await requireStatusRead(context)
  return Object.entries(lists).map(([what, options]) =>
    withStatus(what, publishStatusList(context.trust.world, options)),
  )
}
