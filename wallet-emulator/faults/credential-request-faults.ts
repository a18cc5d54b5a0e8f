import {
  changeCall,
  sampleLifetimeSeconds,
  sendAgain,
  sendLate,
  setBody,
  setHeaders,
} from './change-call.ts'
import { setMembers } from './change-jws.ts'
import type { FaultContext, WalletFault } from './wallet-fault.ts'

const invalidToken = { at: 'credential', status: 401, error: 'invalid_token' } as const

const refused = (error: string) => ({ at: 'credential', status: 400, error }) as const
const invalidRequest = refused('invalid_request')

/** Returns the types of an entry in the metadata that is not in the offer. */
function otherTypes(types: unknown, { issuance }: FaultContext): unknown {
  const { metadata, entry } = issuance ?? {}
  const other = metadata?.credentialsSupported.find(({ id }) => id !== entry?.id)
  return other ? [...other.types] : types
}

/** Deviations of the credential request, except for the content of the proof. */
export const credentialRequestFaults: readonly WalletFault[] = [
  {
    name: 'bearer-missing',
    description: 'The credential request has no access token.',
    expected: invalidToken,
    apply: { credentialCall: setHeaders({ authorization: undefined }) },
  },
  {
    name: 'bearer-garbage',
    description: 'The credential request has an access token that was never issued.',
    expected: invalidToken,
    apply: { credentialCall: setHeaders({ authorization: 'Bearer no.access.token' }) },
  },
  {
    name: 'bearer-expired',
    description: 'The credential request arrives after expires_in of the access token.',
    needs: ['clock'],
    expected: invalidToken,
    apply: {
      credentialCall: sendLate(({ issuance }) => issuance?.expiresIn ?? sampleLifetimeSeconds),
    },
  },
  {
    name: 'bearer-in-query',
    description: 'The access token is in the URL, as access_token.',
    expected: invalidToken,
    apply: {
      credentialCall: changeCall(['authorization', 'url'], ({ url, headers, ...call }) => {
        const { authorization = '', ...others } = headers ?? {}
        const query = new URLSearchParams({ access_token: authorization.replace(/^Bearer /, '') })
        return { ...call, headers: others, url: `${url}?${query}` }
      }),
    },
  },
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

const invalidPoll = { at: 'deferred', status: 400, error: 'invalid_request' } as const

/** Deviations while a credential is deferred. */
export const deferredFaults: readonly WalletFault[] = [
  {
    name: 'deferred-unknown-token',
    description: 'The acceptance_token was never issued.',
    needs: ['deferral'],
    expected: invalidPoll,
    apply: { deferredRequest: setMembers({ acceptance_token: 'no-acceptance-token-0123456789' }) },
  },
  {
    name: 'deferred-missing-token',
    description: 'The body of the deferred request is empty.',
    needs: ['deferral'],
    expected: invalidPoll,
    apply: { deferredRequest: setMembers({ acceptance_token: undefined }) },
  },
  {
    name: 'deferred-after-delivery',
    description:
      'After the delivery, the wallet requests the credential again until the issuer rejects the request.',
    needs: ['deferral'],
    expected: invalidPoll,
    // The issuer records the delivery after its response, so the next request may arrive earlier.
    apply: { deferredCall: sendAgain(20) },
  },
  {
    name: 'deferred-other-bearer',
    description: 'The deferred request has a different access token.',
    needs: ['deferral'],
    expected: { at: 'deferred', status: 401, error: 'invalid_token' },
    apply: { deferredCall: setHeaders({ authorization: 'Bearer another.access.token' }) },
  },
  {
    name: 'deferred-without-pause',
    description: 'The wallet polls without a pause and ignores Retry-After.',
    needs: ['deferral'],
    expected: { at: 'nowhere', because: 'The profile sets no limit to polling: 202 until ready' },
    apply: { pollInterval: { members: ['milliseconds'], apply: () => 0 } },
  },
]
