import { randomBytes } from 'node:crypto'
import { defaultHolderSuites } from '#core/crypto/suites.ts'
import { preAuthorizedCodeGrant } from '#core/oid4vci/token.ts'
import { swapCase } from '../../../kit/near-misses.ts'
import type { TrustWorld } from '../../../world/create-trust-world.ts'
import { issueCredential } from '../../../world/issue-credential.ts'
import { type IssuerBehaviour, membersAt } from './issuer-behaviour.ts'
import { type ReceivedProof, readProof } from './read-proof.ts'

interface IssuanceOptions {
  readonly world: TrustWorld
  readonly now: () => number
  readonly behaviour: IssuerBehaviour
  readonly credentialIssuer: string
  /** The c_nonce that the first proof must contain. */
  readonly cNonce: string
}

/**
 * Creates the credential endpoint and the deferred credential endpoint of an issuer. They record
 * each request, and issue a credential to any DID in a proof, even if the request is invalid.
 */
export function createIssuance(options: IssuanceOptions) {
  const { world, now, behaviour, credentialIssuer } = options
  const proofs: ReceivedProof[] = []
  const delivered: string[] = []
  let cNonce = options.cNonce
  let holderDid: string | undefined

  const issueValid = (order: { holderDid: string; now: number }) => {
    const { defect } = behaviour
    return issueCredential(world, { ...order, defect, credentialIssuerUrl: credentialIssuer })
  }
  const issue = (did: string) => {
    const { credential = issueValid, issued } = behaviour
    const made = credential({ holderDid: did, now: now(), credentialIssuer })
    delivered.push(made)
    return json(200, { format: 'jwt_vc_json', credential: made, ...issued })
  }
  const rejectNonce = () => {
    // The first new one differs only in case, so that a loose comparison takes it for the old one.
    cNonce = proofs.length === 1 ? swapCase(cNonce) : randomBytes(16).toString('base64url')
    const fresh = { c_nonce: cNonce, c_nonce_expires_in: 300 }
    return json(400, {
      error: 'invalid_nonce',
      error_description: 'The c_nonce was used.',
      ...fresh,
    })
  }

  return {
    proofs,
    delivered,
    answerCredentialRequest(body: string) {
      const proof = readProof(body, {
        credentialIssuer,
        cNonce: { value: cNonce, expiresAt: now() + 86_400 },
        now: now(),
      })
      proofs.push(proof)
      if (proofs.length <= (behaviour.refusedNonces ?? 0)) return rejectNonce()
      holderDid = proof.holderDid
      if (holderDid === undefined) {
        return json(400, {
          error: 'invalid_proof',
          error_description: 'The proof does not name a holder.',
        })
      }
      if (behaviour.deferredPolls === undefined) return issue(holderDid)
      const nonce = { c_nonce: cNonce, c_nonce_expires_in: 300 }
      return json(200, { acceptance_token: 'acceptance-0', ...nonce, ...behaviour.deferral })
    },
    /** `nth` is 1 for the first poll. */
    answerPoll(nth: number) {
      if (holderDid === undefined) return json(400, { error: 'invalid_token' })
      if (nth > (behaviour.deferredPolls ?? 0)) return issue(holderDid)
      return json(202, behaviour.pending?.(nth) ?? {})
    },
  }
}

const json = (status: number, body: unknown) => ({ status, body: JSON.stringify(body) })

/** The secrets of one issuer session. */
export interface IssuerSecrets {
  readonly preAuthorizedCode: string
  readonly accessToken: string
  /** The c_nonce of the token response. */
  readonly cNonce: string
}

const types = ['VerifiableCredential', 'LEARCredential', 'OrgPortalLearCredential']

/** Creates the offer, the metadata and the token response of an issuer with the given behaviour. */
export function createIssuerMessages(
  credentialIssuer: string,
  { preAuthorizedCode, accessToken, cNonce }: IssuerSecrets,
  behaviour: IssuerBehaviour,
) {
  return {
    offer: {
      credential_issuer: credentialIssuer,
      credentials: ['OrgPortalLearCredential'],
      grants: {
        [preAuthorizedCodeGrant]: {
          'pre-authorized_code': preAuthorizedCode,
          ...txCodeOf(behaviour),
          ...behaviour.grant,
        },
        ...behaviour.otherGrants,
      },
      ...membersAt(behaviour.offer, credentialIssuer),
    },
    metadata: {
      credential_issuer: credentialIssuer,
      credential_endpoint: `${credentialIssuer}/credential`,
      credentials_supported: [
        {
          format: 'jwt_vc_json',
          id: 'OrgPortalLearCredential',
          types,
          cryptographic_binding_methods_supported: ['did:key', 'did:jwk'],
          cryptographic_suites_supported: [...defaultHolderSuites],
          ...behaviour.entry,
        },
      ],
      ...membersAt(behaviour.metadata, credentialIssuer),
    },
    token: {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: 86_400,
      c_nonce: cNonce,
      c_nonce_expires_in: 86_400,
      ...behaviour.token,
    },
  }
}

function txCodeOf({ pin, inputMode }: IssuerBehaviour) {
  if (pin === undefined) return {}
  const input_mode = inputMode ?? (/^\d+$/.test(pin) ? 'numeric' : 'text')
  return { tx_code: { length: pin.length, input_mode, description: 'The PIN that you received' } }
}
