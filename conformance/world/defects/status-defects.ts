import { createStatusEntry } from '#core/status-list/status-list-credential.ts'
import type { Defect } from './defect.ts'

/**
 * Whether a credential has been revoked, and whether that can be told.
 *
 * @assumption A-23
 */
export const statusDefects: readonly Defect[] = [
  {
    name: 'revoked',
    description: 'The issuer has revoked it: its bit in the status list is set.',
    rule: 'credential.status',
    revoked: true,
    change: ({ revokedStatus }) => ({ vc: { credentialStatus: revokedStatus } }),
  },
  {
    name: 'status-list-missing',
    description: 'There is no status list at the address that it names.',
    rule: 'credential.status',
    change: ({ statusListUrl }) => ({
      vc: {
        credentialStatus: createStatusEntry({
          statusListUrl: statusListUrl(999_999),
          index: 7,
        }),
      },
    }),
  },
  {
    name: 'status-list-foreign',
    description: 'Its status list is not below the credential issuer.',
    rule: 'credential.status',
    change: () => ({
      vc: {
        credentialStatus: createStatusEntry({
          statusListUrl: 'https://lists.example/credentials/status/1',
          index: 7,
        }),
      },
    }),
  },
  {
    name: 'status-index-beyond',
    description: 'Its index is beyond the end of the status list.',
    rule: 'credential.status',
    change: ({ statusListUrl }) => ({
      vc: {
        credentialStatus: createStatusEntry({
          statusListUrl: statusListUrl(1),
          index: 131_072,
        }),
      },
    }),
  },
  {
    name: 'status-unreadable',
    description: 'Its credentialStatus is of no known kind.',
    rule: 'credential.status',
    change: () => ({ vc: { credentialStatus: { type: 'SomeOtherStatus' } } }),
  },
  {
    name: 'status-list-of-another-issuer',
    description: 'The status list that it names is signed by another issuer.',
    rule: 'credential.status',
    issuer: 'accredited',
    change: ({ statusListUrl }) => ({
      vc: {
        credentialStatus: createStatusEntry({ statusListUrl: statusListUrl(1), index: 7 }),
      },
    }),
  },
  {
    name: 'status-absent',
    description:
      'Nothing is wrong: it carries no credentialStatus, of which the documents know none.',
  },
]
