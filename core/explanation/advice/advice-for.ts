import type { RuleVerdict } from '../explanation.ts'
import { credentialAdvice } from './credential-advice.ts'
import { issuanceAdvice } from './issuance-advice.ts'
import { presentationAdvice } from './presentation-advice.ts'
import { registryAdvice } from './registry-advice.ts'

const broken: Readonly<Record<string, string>> = {
  ...credentialAdvice,
  ...presentationAdvice,
  ...issuanceAdvice,
  ...registryAdvice,
}

/** Rules that rest on what whoever asks knows, not on a registry. */
const notKnown: Readonly<Record<string, string>> = {
  'presentation.audience': "Say which verifier it is for: the request's client_id.",
  'presentation.nonce': "Say which nonce it answers: the request's.",
  'submission.descriptor-map': "Say which query it answers: the id in the request's dcql_query.",
  'proof.aud': 'Say which credential issuer it is for.',
  'proof.nonce': 'Say which c_nonce it answers.',
  'metadata.issuer': 'Say which issuer it was fetched for.',
  'offer.reference': 'Allow it to be fetched, or hand over what is at that address.',
  'request.reference': 'Allow it to be fetched, or hand over what is at that address.',
}

const askRegistries =
  'Name the registries and the root of its environment, and see that they answer.'

/** What to do about a rule that is broken, or that could not be checked. */
export function adviceFor(rule: string, verdict: Exclude<RuleVerdict, 'held'>): string | undefined {
  return verdict === 'broken' ? broken[rule] : (notKnown[rule] ?? askRegistries)
}
