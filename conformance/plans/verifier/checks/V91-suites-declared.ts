import { broken, held } from '../../../kit/finding.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { requestToAnswer } from '../read-request.ts'

const member = 'cryptographic_suites_supported'

export const check = defineVerifierCheck({
  id: 'V91',
  title: 'The request declares which suites the verifier accepts',
  level: 'practice',
  expectation: 'accept',
  rows: ['1.resources-and-their-fields/supported-curves.4'],
  description:
    'A wallet with several accounts chooses the one that the verifier takes, where it is told which.',
  sends: 'A session is begun, and its request is fetched as a wallet does.',
  decides: `The request, or its client_metadata, has a list ${member}. The documents do not say where verifiers declare it.`,
  async run({ openRequest }) {
    const opened = await openRequest()
    requestToAnswer(opened)
    const { parameters } = opened
    const { client_metadata: metadata } = parameters
    const declared = parameters[member] ?? memberOf(metadata)
    const verdictSource = 'the request'
    if (Array.isArray(declared) && declared.length > 0) {
      return held(`It declares ${declared.join(', ')}.`, { verdictSource })
    }
    const details = { verdictSource, expected: ['ES256K', 'EdDSA'], actual: declared }
    return broken(`The request has no list ${member}.`, details)
  },
})

/** The member of metadata, which a link carries as JSON text. */
function memberOf(metadata: unknown): unknown {
  if (typeof metadata === 'string') {
    try {
      return memberOf(JSON.parse(metadata))
    } catch {
      return undefined
    }
  }
  return typeof metadata === 'object' && metadata !== null && member in metadata
    ? metadata[member as keyof typeof metadata]
    : undefined
}
