import { evaluateIssuerMetadata } from '#core/oid4vci/issuer-metadata/evaluate-issuer-metadata.ts'
import type { ExplainOptions } from '../explain-options.ts'
import { type ExplainableKind, type ExplainedContent, notRecognised } from '../explainable-kind.ts'
import { factsOf } from '../facts-of.ts'
import { asObject, type JsonObject } from '../read-input.ts'

const members = [
  'credential_endpoint',
  'credentials_supported',
  'credential_configurations_supported',
]

/** The metadata of a credential issuer. */
export const issuerMetadataKind: ExplainableKind = {
  kind: 'issuer-metadata',
  title: 'credential issuer metadata',
  recognise: ({ json, jsonProblem }) => {
    if (!json) return notRecognised(`it is no JSON object: ${jsonProblem}`)
    const name = members.find((member) => member in json)
    if (name === undefined) return notRecognised(`the JSON has none of ${members.join(', ')}`)
    return { ok: true, by: `JSON with ${name}`, explain: (options) => explain(json, options) }
  },
}

function explain(value: JsonObject, { credentialIssuer }: ExplainOptions): ExplainedContent {
  const supported = Array.isArray(value.credentials_supported) ? value.credentials_supported : []
  return {
    ...evaluateIssuerMetadata(value, credentialIssuer),
    facts: factsOf([
      ['Issuer', value.credential_issuer],
      ['Credential endpoint', value.credential_endpoint],
      ['Token endpoint', value.token_endpoint],
      [
        'Credentials',
        supported.slice(0, 16).map((entry: unknown) => {
          const { id, format } = asObject(entry) ?? {}
          return `${String(id)} (${String(format)})`
        }),
      ],
    ]),
    content: value,
    dialect: { kind: 'issuer-metadata', message: value },
  }
}
