import {
  createBomb,
  intactLists,
  revokedLists,
  unknownEntries,
  wrongContents,
  wrongPeriods,
  wrongSigners,
} from '../../../world/defects/list-defects.ts'
import { publishStatusList, type StatusListOptions } from '../../../world/publish-status-list.ts'
import type { VerifierContext } from '../context.ts'
import {
  acceptances,
  type PresentationCase,
  refusals,
  requireStatusRead,
  withDefects,
  withStatus,
} from '../presentation-checks.ts'

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
      fix: 'If credentialStatus is null or has an unknown form, statusListIndex is not a number in decimal digits, or the status list is missing, invalid or has no such bit, reject the presentation. An unknown status does not count as valid.',
      presentations: async (context) => [
        ...withDefects(
          'status-list-missing',
          'status-list-foreign',
          'status-index-beyond',
          'status-unreadable',
        ),
        withStatus('It is null.', null),
        withStatus('It is an address.', 'https://issuer.example/list#7'),
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
