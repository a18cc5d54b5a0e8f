import { broken, defineChecks, held, inconclusive } from '../../../kit/check.ts'
import { registerIssuer } from '../../../world/register-issuer.ts'
import type { WalletContext } from '../context.ts'
import { takePresentation } from '../findings/presentation-findings.ts'

/** Presentation requests that a wallet has to answer. */
export const checks = defineChecks<WalletContext>({
  'W32-request-by-value': {
    title: 'A request in the link itself is answered',
    level: 'spec',
    expectation: 'accept',
    control: 'requests',
    rows: [
      '1.resources-and-their-fields/presentation-authorization-request.8',
      '1.resources-and-their-fields/presentation-authorization-request.1',
      '1.resources-and-their-fields/presentation-authorization-request.2',
      '1.resources-and-their-fields/presentation-authorization-request.3',
    ],
    description: 'A request may come as URL-encoded parameters, with dcql_query as JSON.',
    sends:
      'A link openid4vp://?response_type=…&client_id=… with all parameters, whose client_id is the address of the verifier.',
    decides: 'The kit gets a presentation, and the wallet says that it gave it.',
    async run(context) {
      const { session, post } = await takePresentation(context, {
        link: (verifier) => verifier.requestByValue(),
      })
      return held(`The wallet answered the request of ${session.baseUrl}.`, {
        verdictSource: 'post to response_uri',
        actual: post.contentType,
      })
    },
  },
  'W33-request-by-reference': {
    title: 'A request at request_uri is fetched and answered',
    level: 'spec',
    expectation: 'accept',
    control: 'requests',
    rows: [
      '1.resources-and-their-fields/presentation-authorization-request.8',
      '1.resources-and-their-fields/presentation-authorization-request.9',
    ],
    description:
      'This is the recommended way: the QR code is small, and the verifier makes the request when it is fetched.',
    sends: 'A link openid4vp://?request_uri=… whose address answers the request as a signed JWT.',
    decides: 'The wallet fetches the request, and the kit gets a presentation.',
    async run(context) {
      const { session } = await takePresentation(context, {
        link: (verifier) => verifier.requestByReference(),
      })
      const fetched = session.requestsTo('request').length
      return fetched > 0
        ? held('The wallet fetched the request and answered it.', { verdictSource: 'request_uri' })
        : broken('The wallet answered without having fetched the request.', {
            verdictSource: 'request_uri',
          })
    },
  },
  'W34-signed-request-verified': {
    title: 'The key of a signed request is looked up',
    level: 'final',
    expectation: 'accept',
    control: 'requests',
    clauses: ['RFC 9101, 6.2', 'OpenID4VP 1.0, 5.9.3'],
    description:
      "A signature that is not held against the verifier's DID document says nothing of who asks.",
    sends: 'A signed request of a verifier that was registered just before.',
    decides:
      "The wallet asks the DID registry for the verifier's document and posts a presentation.",
    async run(context) {
      await context.holdCredential()
      const { world } = context.trust
      const party = registerIssuer(world)
      await takePresentation(context, { behaviour: { party } })
      const verdictSource = 'requests to the DID registry'
      const isAsked = context.trust.asked.some((path) =>
        decodeURIComponent(path).includes(party.did),
      )
      return isAsked
        ? held("The wallet looked the verifier's key up.", { verdictSource })
        : broken("The wallet answered without having asked for the verifier's DID document.", {
            verdictSource,
          })
    },
  },
  'W55-request-used-up': {
    title: 'A request that is used up is not answered from memory',
    level: 'practice',
    expectation: 'refuse',
    control: 'requests',
    description:
      'A verifier gives a request out once. A wallet that answers the copy it kept presents to a session that is over.',
    sends: 'A link that was answered, a second time; its request_uri answers 404 by then.',
    decides: 'Nothing is posted the second time, and the wallet says that it refuses.',
    async run(context) {
      const { session } = await takePresentation(context, {
        behaviour: {
          answers: { request: (usual, nth) => (nth === 1 ? usual : { status: 404, body: '{}' }) },
        },
      })
      const {
        outcome,
        reason,
        source: verdictSource,
      } = await context.wallet.present({
        link: session.requestByReference(session.party.did),
      })
      if (session.posts.length > 1) {
        return broken('The wallet answered a request that it had answered before.', {
          verdictSource: 'posts to response_uri',
        })
      }
      return outcome === 'refused'
        ? held(`The wallet posted nothing more and said: ${reason}`, { verdictSource })
        : inconclusive(`The wallet posted nothing more; ${reason}`, { verdictSource })
    },
  },
  'W75-unknown-request-members': {
    title: 'Members of a request that are not known are passed over',
    level: 'final',
    expectation: 'accept',
    control: 'requests',
    clauses: ['OpenID4VP 1.0, 5', 'RFC 6749, 3.1'],
    description:
      'Verifiers say more than the profile knows; a wallet that refuses it answers nobody tomorrow.',
    sends:
      'A signed request at request_uri with unknown claims, and unknown members in its query and its client_metadata.',
    decides: 'The kit gets a presentation, and the wallet says that it gave it.',
    async run(context) {
      const unknown = { x_number: 7, x_list: [1, { deep: true }], x_object: { a: null } }
      const { answer } = await takePresentation(context, {
        behaviour: {
          claims: { ...unknown, client_metadata: { client_name: 'The kit', ...unknown } },
          query: unknown,
        },
      })
      return held('The wallet passed over what it does not know.', { verdictSource: answer.source })
    },
  },
  'W92-signed-request-in-link': {
    title: 'A signed request in the link itself is answered',
    level: 'final',
    expectation: 'accept',
    control: 'requests',
    rows: ['1.resources-and-their-fields/presentation-authorization-request.9'],
    clauses: ['RFC 9101, 5.1', 'OpenID4VP 1.0, 5'],
    description:
      'The request may be a signed JWT; small ones stand in the link. The profile shows the link without the parameter request, which RFC 9101 has for that.',
    sends: 'A link openid4vp://?client_id=…&request=… with the signed JWT.',
    decides: 'The kit gets a presentation, and the wallet says that it gave it.',
    async run(context) {
      const { answer } = await takePresentation(context, {
        link: (verifier) => verifier.requestInLink(),
      })
      return held('The wallet answered the signed request in the link.', {
        verdictSource: answer.source,
      })
    },
  },
  'W93-several-types-accepted': {
    title: 'A query that accepts several types is answered with one of them',
    level: 'spec',
    expectation: 'accept',
    control: 'requests',
    rows: ['1.resources-and-their-fields/presentation-authorization-request.7'],
    description: 'meta.vct_values is a list of accepted types: one of them is enough.',
    sends:
      'A signed request at request_uri whose query accepts two types, of which the wallet holds one, and asks for two claims.',
    decides: 'The kit gets a presentation, and the wallet says that it gave it.',
    async run(context) {
      const { answer } = await takePresentation(context, {
        behaviour: {
          query: {
            meta: { vct_values: ['SomeOtherCredential', 'OrgPortalLearCredential'] },
            claims: [
              { path: ['$.vc.credentialSubject.mandate.power'] },
              { path: ['$.vc.credentialSubject.mandate.mandatee.employeeId'] },
            ],
          },
        },
      })
      return held('The wallet answered with the type that it holds.', {
        verdictSource: answer.source,
      })
    },
  },
})
