import { setBody } from './change-call.ts'
import { setMembers } from './set-members.ts'
import type { FaultContext, WalletFault } from './wallet-fault.ts'

const refused = (error: string) => ({ at: 'credential', status: 400, error }) as const
const invalidRequest = refused('invalid_request')

/** The types of an entry of the metadata that the offer does not name. */
function otherTypes(types: unknown, { issuance }: FaultContext): unknown {
  const { metadata, entry } = issuance ?? {}
  const other = metadata?.credentialsSupported.find(({ id }) => id !== entry?.id)
  return other ? [...other.types] : types
}

/** Deviations of the body of the credential request, but for what the proof says. */
export const credentialRequestFaults: readonly WalletFault[] = [
  {
    name: 'proof-missing',
    description: 'The credential is asked for without a proof of possession.',
    expected: refused('invalid_proof'),
    apply: { credentialRequest: setMembers({ proof: undefined }) },
  },
  {
    name: 'proof-no-jwt',
    description: 'The proof of possession is no JWT.',
    expected: { ...refused('invalid_proof'), rule: 'proof.format' },
    apply: { credentialRequest: setMembers({ 'proof.jwt': 'this is no JWT' }) },
  },
  {
    name: 'proof-wrong-proof-type',
    description: 'The proof_type is ldp_vp.',
    expected: refused('invalid_proof'),
    apply: { credentialRequest: setMembers({ 'proof.proof_type': 'ldp_vp' }) },
  },
  {
    name: 'proof-no-object',
    description: 'The proof is the JWT itself where an object is due.',
    expected: refused('invalid_proof'),
    apply: {
      credentialRequest: setMembers({ proof: (proof: unknown) => (proof as { jwt: string }).jwt }),
    },
  },
  {
    name: 'credential-body-array',
    description: 'The body of the credential request is an array with the request in it.',
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
    description: 'Another type is asked for than the offer is about, one that the issuer has.',
    needs: ['second-type'],
    expected: refused('unsupported_credential_type'),
    apply: { credentialRequest: setMembers({ types: otherTypes }) },
  },
  {
    name: 'credential-unknown-type',
    description: 'A type is asked for that the issuer does not have.',
    expected: refused('unsupported_credential_type'),
    apply: {
      credentialRequest: setMembers({ types: ['VerifiableCredential', 'UnheardOfCredential'] }),
    },
  },
  {
    name: 'credential-other-format',
    description: 'The credential is asked for as ldp_vc.',
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
