import { createStatusEntry } from '#core/status-list/status-list-credential.ts'
import { credentialsContext, toIsoTime } from '#core/verification/data-model.ts'
import type { Defect } from './defect.ts'

const firstVersion = 'https://www.w3.org/2018/credentials/v1'

/** What a credential must contain (profile/credential, Rules 1 to 4 and 7). */
export const contentDefects: readonly Defect[] = [
  {
    name: 'context-order',
    description: 'A different context precedes that of the data model 2.0.',
    rule: 'credential.context',
    change: () => ({ vc: { '@context': [firstVersion, credentialsContext] } }),
  },
  {
    name: 'context-absent',
    description: 'There is no @context.',
    rule: 'credential.context',
    change: () => ({ vc: { '@context': undefined } }),
  },
  {
    name: 'inherited-type-missing',
    description: 'The type directly above its own is missing in the chain of types.',
    rule: 'credential.type-chain',
    change: ({ type, inheritedTypes }) => ({
      vc: { type: [...inheritedTypes.slice(0, -1), type] },
    }),
  },
  {
    name: 'verifiable-credential-missing',
    description: 'VerifiableCredential is missing in the chain of types.',
    rule: 'credential.type-chain',
    change: ({ type, inheritedTypes }) => ({ vc: { type: [...inheritedTypes.slice(1), type] } }),
  },
  {
    name: 'type-other',
    description: 'The type of the credential is not the one that was offered.',
    rule: 'credential.type',
    change: ({ inheritedTypes }) => ({ vc: { type: [...inheritedTypes, 'OtherCredential'] } }),
  },
  {
    name: 'type-below',
    description: 'The type of the credential is a subtype of the one that was offered.',
    rule: 'credential.type',
    change: ({ type, inheritedTypes }) => ({
      vc: { type: [...inheritedTypes, type, 'SpecialCredential'] },
    }),
  },
  {
    name: 'power-empty',
    description: 'mandate.power has no element.',
    rule: 'credential.power',
    change: () => ({ mandate: { power: [] } }),
  },
  {
    name: 'power-absent',
    description: 'There is no mandate.power.',
    rule: 'credential.power',
    change: () => ({ mandate: { power: undefined } }),
  },
  {
    name: 'power-serialized',
    description: 'mandate.power is a string that contains the list, not a list.',
    rule: 'credential.power',
    change: () => ({ mandate: { power: '[{"type":"domain"}]' } }),
  },
  {
    name: 'employee-id-absent',
    description: 'mandate.mandatee has no employeeId.',
    rule: 'credential.employee-id',
    change: () => ({ mandate: { mandatee: { email: 'nobody@example.org' } } }),
  },
  {
    name: 'employee-id-empty',
    description: 'mandate.mandatee.employeeId is an empty string.',
    rule: 'credential.employee-id',
    change: () => ({ mandate: { mandatee: { employeeId: '', email: 'nobody@example.org' } } }),
  },
  {
    name: 'vc-claim-absent',
    description: 'The JWT has no vc claim.',
    rule: 'credential.format',
    change: () => ({ claims: { vc: undefined } }),
  },
  {
    name: 'no-jwt',
    description: 'The credential is not a JWT.',
    rule: 'credential.format',
    afterwards: (credential) => credential.replaceAll('.', '-'),
  },
  {
    name: 'subject-mismatch',
    description: 'sub and credentialSubject.id are the DID of another holder.',
    rule: 'credential.holder',
    change: ({ otherHolderDid }) => ({
      claims: { sub: otherHolderDid },
      subject: { id: otherHolderDid },
    }),
  },
  {
    name: 'sub-mismatch',
    description: 'sub is not credentialSubject.id.',
    rule: 'credential.holder',
    change: ({ otherHolderDid }) => ({ claims: { sub: otherHolderDid } }),
  },
  {
    name: 'subject-id-absent',
    description: 'credentialSubject has no id.',
    rule: 'credential.holder',
    change: () => ({ subject: { id: undefined } }),
  },
]

const day = 86_400

/** The validity period of a credential (profile/credential, Rules 5), and its begin. */
export const periodDefects: readonly Defect[] = [
  {
    name: 'expired',
    description: 'validUntil and exp were yesterday.',
    rule: 'credential.expiry',
    change: ({ now }) => ({
      claims: { nbf: now - 2 * day, exp: now - day },
      vc: { validFrom: toIsoTime(now - 2 * day), validUntil: toIsoTime(now - day) },
    }),
  },
  {
    name: 'exp-after-valid-until',
    description: 'validUntil was yesterday, exp is in the future.',
    rule: 'credential.expiry',
    change: ({ now }) => ({ vc: { validUntil: toIsoTime(now - day) } }),
  },
  {
    name: 'exp-before-valid-until',
    description: 'exp was yesterday, validUntil is in the future.',
    rule: 'credential.expiry',
    change: ({ now }) => ({ claims: { exp: now - day } }),
  },
  {
    name: 'end-absent',
    description: 'It has neither validUntil nor exp.',
    rule: 'credential.expiry',
    change: () => ({ claims: { exp: undefined }, vc: { validUntil: undefined } }),
  },
  {
    name: 'valid-until-unreadable',
    description: 'validUntil has no time zone.',
    rule: 'credential.expiry',
    change: ({ now }) => ({ vc: { validUntil: toIsoTime(now + day).replace('Z', '') } }),
  },
  {
    name: 'not-yet-valid',
    description: 'validFrom and nbf are tomorrow.',
    rule: 'credential.not-before',
    change: ({ now }) => ({ claims: { nbf: now + day }, vc: { validFrom: toIsoTime(now + day) } }),
  },
  {
    name: 'nbf-after-valid-from',
    description: 'nbf is tomorrow, validFrom is in the past.',
    rule: 'credential.not-before',
    change: ({ now }) => ({ claims: { nbf: now + day } }),
  },
  {
    name: 'issued-in-the-future',
    description: 'iat is tomorrow, so it is unknown which keys will be valid then.',
    rule: 'credential.issued-at',
    entails: ['credential.issuer-document', 'credential.issuer-key'],
    change: ({ now }) => ({ claims: { iat: now + day } }),
  },
  {
    name: 'iat-absent',
    description: 'There is no iat, so it is unknown which keys were valid at issuance.',
    rule: 'credential.issued-at',
    entails: ['credential.issuer-document', 'credential.issuer-key'],
    change: () => ({ claims: { iat: undefined } }),
  },
]

/**
 * Whether a credential has been revoked, and whether that can be determined.
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
    description: 'There is no status list at the address in the credential.',
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
    description: 'Its credentialStatus has an unknown type.',
    rule: 'credential.status',
    change: () => ({ vc: { credentialStatus: { type: 'SomeOtherStatus' } } }),
  },
  {
    name: 'status-list-of-another-issuer',
    description: 'Its status list is signed by another issuer.',
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
    description: 'Valid: it has no credentialStatus, which the profile does not define.',
  },
]
