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

/**
 * Every kind of message that core explains. The first kind that recognizes an input explains it.
 */
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
 * Identifies a string or a JSON value among the messages of these protocols and evaluates every
 * rule: passed, broken, or not checked because no source is configured. The services verify with
 * the same rules. Secrets are masked. Never throws because of the input's content.
 *
 * @throws TypeError if `now` is not a finite number: no time would be before or after it, so that
 * the rules about times would pass
 */
export async function explain(input: unknown, options: ExplainOptions): Promise<Explanation> {
  if (!Number.isFinite(options.now)) throw new TypeError('options.now must be a finite number.')
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
