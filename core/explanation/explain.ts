import { createExplanation } from './create-explanation.ts'
import type { ExplainableKind, ExplainOptions, Explanation } from './explanation.ts'
import { credentialOfferKind, issuerMetadataKind, proofOfPossessionKind } from './kinds/issuance.ts'
import { credentialKind, presentationKind } from './kinds/presentation.ts'
import { authorizationRequestKind, signedRequestKind } from './kinds/presentation-request.ts'
import {
  accreditationKind,
  didDocumentKind,
  statusListKind,
  tirAttributeKind,
} from './kinds/registries.ts'
import { readInput } from './read-input.ts'

/** Every kind of message that core explains; the first one that knows an input explains it. */
const explainableKinds: readonly ExplainableKind[] = [
  signedRequestKind,
  proofOfPossessionKind,
  presentationKind,
  statusListKind,
  accreditationKind,
  credentialKind,
  tirAttributeKind,
  credentialOfferKind,
  authorizationRequestKind,
  issuerMetadataKind,
  didDocumentKind,
]

/**
 * Tells what a text or a JSON value is, among everything that these protocols send, and rule by rule
 * what holds, what does not, and what could not be checked for want of somebody to ask. The rules are
 * those that the services judge by. Secrets are masked. Never throws for what the input holds.
 */
export async function explain(input: unknown, options: ExplainOptions): Promise<Explanation> {
  const read = readInput(input)
  const lookedFor: { kind: string; reason: string }[] = []
  for (const { kind, title, recognise } of [...(options.furtherKinds ?? []), ...explainableKinds]) {
    const recognition = recognise(read)
    if (recognition.ok) {
      const content = await recognition.explain(options)
      return createExplanation({ kind, title, recognisedBy: recognition.by }, content)
    }
    lookedFor.push({ kind: title, reason: recognition.reason })
  }
  return {
    kind: 'unknown',
    title: 'unknown',
    recognisedBy: '',
    verdict: 'unrecognised',
    facts: [],
    rules: [],
    notes: [],
    content: undefined,
    parts: [],
    lookedFor,
  }
}
