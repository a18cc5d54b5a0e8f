import type { RuleResults } from '#core/verification/evaluate-rules.ts'
import { evaluateShape, type ShapeRule } from '#core/verification/shape-rules.ts'
import { preAuthorizedCodeGrant } from '../grant-types.ts'
import { zCredentialOffer } from './z-credential-offer.ts'

const grant = `grants.${preAuthorizedCodeGrant}`

/** What `zCredentialOffer` asks for, by name (Document 1, credential_offer object). */
export const credentialOfferRules: readonly ShapeRule[] = [
  { rule: 'offer.shape', statement: 'The offer is a JSON object.', path: '' },
  {
    rule: 'offer.credential-issuer',
    statement: 'credential_issuer is a web address.',
    path: 'credential_issuer',
  },
  {
    rule: 'offer.credentials',
    statement: 'credentials is a list of credential type ids with at least one element.',
    path: 'credentials',
  },
  {
    rule: 'offer.grants',
    statement: 'grants, where it is there, is an object.',
    path: 'grants',
  },
  {
    rule: 'offer.pre-authorized-code',
    statement: 'The grant of the pre-authorized code flow, where it is there, holds a code.',
    path: grant,
  },
  {
    rule: 'offer.tx-code',
    statement: 'tx_code, where a PIN is required, is an object of length, input_mode, description.',
    path: `${grant}.tx_code`,
  },
]

/** Evaluates every rule of a credential offer's JSON value. */
export function evaluateCredentialOffer(value: unknown): RuleResults {
  return evaluateShape(credentialOfferRules, zCredentialOffer.safeParse(value))
}
