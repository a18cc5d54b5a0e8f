import { setBody } from './change-call.ts'
import { setMembers } from './set-members.ts'
import type { FaultContext, WalletFault } from './wallet-fault.ts'

const refused = (error: string) => ({ at: 'credential', status: 400, error }) as const
const invalidRequest = refused('invalid_request')

/** Returns the types of an entry in the metadata that is not in the offer. */
function otherTypes(types: unknown, { issuance }: FaultContext): unknown {
  const { metadata, entry } = issuance ?? {}
  const other = metadata?.credentialsSupported.find(({ id }) => id !== entry?.id)
  return other ? [...other.types] : types
}

/** Deviations of the body of the credential request, except for the content of the proof. */
export const credentialRequestFaults: readonly WalletFault[] = [
  {
    name: 'proof-missing',
    description: 'The credential request has no proof of possession.',
    expected: refused('invalid_proof'),
    apply: { credentialRequest: setMembers({ proof: undefined }) },
  },
  {
    name: 'proof-no-jwt',
    description: 'The proof of possession is not a JWT.',
    expected: { ...refused('invalid_proof'), rule: 'proof.format' },
    apply: { credentialRequest: setMembers({ 'proof.jwt': 'this is not a JWT' }) },
  },
  {
    name: 'proof-wrong-proof-type',
    description: 'The proof_type is ldp_vp.',
    expected: refused('invalid_proof'),
    apply: { credentialRequest: setMembers({ 'proof.proof_type': 'ldp_vp' }) },
  },
  {
    name: 'proof-no-object',
    description: 'The proof is the JWT itself instead of an object.',
    expected: refused('invalid_proof'),
    apply: {
      credentialRequest: setMembers({ proof: (proof: unknown) => (proof as { jwt: string }).jwt }),
    },
  },
  {
    name: 'credential-body-array',
    description: 'The body of the credential request is an array that contains the request.',
    expected: invalidRequest,
    apply: { credentialCall: setBody((body) => `[${body}]`) },
  },
  {
    name: 'credential-body-cut-off',
    description: 'The body of the credential request ends before its last brace.',
    expected: invalidRequest,
    apply: { credentialCall: setBody((body) => body.slice(0, -1)) },
  },
  {
    name: 'credential-other-type',
    description: 'The request is for a type of the issuer that is not in the offer.',
    needs: ['second-type'],
    expected: refused('unsupported_credential_type'),
    apply: { credentialRequest: setMembers({ types: otherTypes }) },
  },
  {
    name: 'credential-unknown-type',
    description: 'The request is for a type that the issuer does not have.',
    expected: refused('unsupported_credential_type'),
    apply: {
      credentialRequest: setMembers({ types: ['VerifiableCredential', 'UnheardOfCredential'] }),
    },
  },
  {
    name: 'credential-other-format',
    description: 'The request is for the format ldp_vc.',
    expected: refused('unsupported_credential_format'),
    apply: { credentialRequest: setMembers({ format: 'ldp_vc' }) },
  },
  {
    name: 'credential-incomplete-types',
    description: 'VerifiableCredential is not among the types.',
    expected: invalidRequest,
    apply: {
      credentialRequest: setMembers({
        types: (types: unknown) =>
          (types as string[]).filter((type) => type !== 'VerifiableCredential'),
      }),
    },
  },
]
