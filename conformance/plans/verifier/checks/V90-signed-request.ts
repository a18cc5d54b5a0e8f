import { evaluateSignedRequest, signedRequestRules } from '#core/oid4vp/signed-request.ts'
import { broken, held, inconclusive } from '../../../kit/finding.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'

export const check = defineVerifierCheck({
  id: 'V90',
  title: 'A signed request verifies with the key of its client_id',
  level: 'final',
  expectation: 'accept',
  clauses: ['RFC 9101, 6.2', 'docs/assumptions.md, A-45'],
  description:
    'The request may be a signed JWT; a wallet that verifies it answers none whose signature is wrong.',
  sends: 'A session is begun, and its request is fetched as a wallet does.',
  decides: 'Signature, typ, client_id and times of the request have to be right.',
  async run({ openRequest, trust, now }) {
    const { jwt, link, parameters } = await openRequest()
    if (jwt === undefined) {
      return inconclusive('The request is not signed, which the documents allow.')
    }
    const clientId = String(parameters.client_id)
    const { resolveDidDocument } = trust.world.sources
    if (!(await resolveDidDocument(clientId)).ok) {
      const reason = `The kit's DID registry does not know ${clientId}`
      return inconclusive(`${reason}: add its signer to the target.`)
    }
    const named = URL.parse(link)?.searchParams.get('client_id') ?? undefined
    const { failures: all } = await evaluateSignedRequest({
      jwt,
      now: now(),
      resolveDidDocument,
      ...(named === undefined ? {} : { clientId: named }),
    })
    // The parameters inside are V01's.
    const own = ['request.format', ...signedRequestRules.map(({ rule }) => rule)]
    const failures = all.filter(({ rule }) => own.includes(rule))
    const verdictSource = 'the signed request'
    if (failures.length === 0) return held('The signed request verifies.', { verdictSource })
    const rules = failures.map(({ rule, reason }) => `${rule}: ${reason}`).join('; ')
    return broken(`The signed request breaks ${rules}.`, { verdictSource, failures })
  },
})
