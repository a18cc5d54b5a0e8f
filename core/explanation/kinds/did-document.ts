import { evaluateDidDocument } from '#core/did/did-document-rules.ts'
import { type ExplainableKind, type ExplainedContent, notRecognised } from '../explainable-kind.ts'
import { factsOf } from '../facts-of.ts'
import { asObject, type JsonObject } from '../read-input.ts'

/** A DID document, as it is or in a resolution result. */
export const didDocumentKind: ExplainableKind = {
  kind: 'did-document',
  title: 'DID document',
  recognise: ({ json, jsonProblem }) => {
    if (!json) return notRecognised(`it is no JSON object: ${jsonProblem}`)
    const resolved = asObject(json.didDocument)
    if (resolved) {
      return { ok: true, by: 'JSON with didDocument', explain: () => explainDocument(resolved) }
    }
    const hasDid = typeof json.id === 'string' && json.id.startsWith('did:')
    if (hasDid || 'verificationMethod' in json) {
      const by = hasDid ? 'JSON whose id is a DID' : 'JSON with verificationMethod'
      return { ok: true, by, explain: () => explainDocument(json) }
    }
    return notRecognised('the JSON has neither verificationMethod nor a DID as its id')
  },
}

function explainDocument(document: JsonObject): ExplainedContent {
  const methods = Array.isArray(document.verificationMethod) ? document.verificationMethod : []
  return {
    ...evaluateDidDocument(document),
    facts: factsOf([
      ['DID', document.id],
      ['Controllers', document.controller],
      ['Known as', document.alsoKnownAs],
      ...methods.slice(0, 16).map((method: unknown, index) => {
        const { id, publicKeyJwk } = asObject(method) ?? {}
        const fragment = typeof id === 'string' ? id.split('#').at(-1) : undefined
        return [index === 0 ? 'Keys' : '', `${fragment} (${describe(publicKeyJwk)})`] as const
      }),
      ['Issues with', fragmentsOf(document.assertionMethod)],
    ]),
    content: document,
  }
}

function describe(jwk: unknown): string {
  const curve = asObject(jwk)?.crv
  return typeof curve === 'string' ? curve : 'no curve'
}

function fragmentsOf(value: unknown): readonly string[] {
  return [value]
    .flat()
    .flatMap((id) => (typeof id === 'string' ? (id.split('#').at(-1) ?? []) : []))
}
