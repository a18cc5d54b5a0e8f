import { credentialsContext } from '#core/verification/data-model.ts'
import type { Defect } from './defect.ts'

const firstVersion = 'https://www.w3.org/2018/credentials/v1'

/** What a credential has to hold (Document 1, Credential schema rules 1 to 4 and 7). */
export const contentDefects: readonly Defect[] = [
  {
    name: 'context-order',
    description: 'Another context stands before that of the data model 2.0.',
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
    description: 'The type right above its own is missing in the chain of types.',
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
    description: 'It is a credential of another type than the one that was offered.',
    rule: 'credential.type',
    change: ({ inheritedTypes }) => ({ vc: { type: [...inheritedTypes, 'OtherCredential'] } }),
  },
  {
    name: 'type-below',
    description: 'It is of a type below the one that was offered.',
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
    description: 'mandate.power is a text that holds the list, not the list.',
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
    description: 'mandate.mandatee.employeeId is an empty text.',
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
    description: 'What is handed over is no JWT.',
    rule: 'credential.format',
    afterwards: (credential) => credential.replaceAll('.', '-'),
  },
  {
    name: 'subject-mismatch',
    description: 'sub and credentialSubject.id are the DID of somebody else.',
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
