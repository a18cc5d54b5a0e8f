import {
  createCredentialOfferReferenceUri,
  createCredentialOfferUri,
} from '#core/oid4vci/credential-offer.ts'
import { preAuthorizedCodeGrant } from '#core/oid4vci/token.ts'
import { createAuthorizationRequestReferenceUri } from '#core/oid4vp/authorization-request.ts'
import {
  defineChecks,
  type Finding,
  held,
  inconclusive,
  wronglyAccepted,
} from '../../../kit/check.ts'
import { findEach } from '../../../kit/find-each.ts'
import type { WalletContext } from '../context.ts'
import { openUntrustedServer, type UntrustedServer } from '../counterparts/untrusted-server.ts'
import { casesFor, outageIn } from '../findings/issuance-findings.ts'

/** Whether a wallet verifies who answers its requests. */
export const checks = defineChecks<WalletContext>({
  'W166-untrusted-certificate': {
    title: 'No request is sent to a server whose certificate no authority has signed',
    level: 'final',
    expectation: 'refuse',
    needs: ['same-machine'],
    control: 'offers',
    clauses: ['RFC 6749, 10.9', 'RFC 9110, 4.3.4'],
    description:
      'Verification is often turned off during development. Anyone in the same network can then play the issuer and take the code and the access token.',
    sends:
      'An offer of an issuer, the address of an offer, and the address of a request at an https server with a self-signed certificate.',
    decides:
      'The wallet must end the connection before it sends a request, and must not report success. A reported failure is enough.',
    fix: 'Verify the certificate and the host name of https servers, as HTTP clients do by default: remove options such as verify=False, rejectUnauthorized: false or a TrustManager that accepts everything. For tests, add your authority to the trusted ones.',
    async run(context) {
      await context.holdCredential()
      await using server = await openUntrustedServer()
      return await findEach(casesFor(context, links), ({ what, verb, link }) =>
        findNotTrusted(context, server, { what, verb, link: link(server.origin) }),
      )
    },
  },
})

interface UntrustedLink {
  /** What is at the server, as the subject of a sentence. */
  readonly what: string
  readonly verb: 'acceptOffer' | 'present'
}

const links: readonly (UntrustedLink & { readonly link: (origin: string) => string })[] = [
  {
    what: 'The issuer',
    verb: 'acceptOffer',
    link: (origin) =>
      createCredentialOfferUri({
        credential_issuer: origin,
        credentials: ['OrgPortalLearCredential'],
        grants: { [preAuthorizedCodeGrant]: { 'pre-authorized_code': 'a-code' } },
      }),
  },
  {
    what: 'The offer',
    verb: 'acceptOffer',
    link: (origin) => createCredentialOfferReferenceUri(`${origin}/offer`),
  },
  {
    what: 'The request',
    verb: 'present',
    link: (origin) => createAuthorizationRequestReferenceUri(`${origin}/request`),
  },
]

async function findNotTrusted(
  context: WalletContext,
  { origin, requests, connections }: UntrustedServer,
  { what, verb, link }: UntrustedLink & { readonly link: string },
): Promise<Finding> {
  const before = { connections: connections(), requests: requests.length }
  const answer = await context.wallet[verb]({ link })
  const { outcome, reason, hasCrashed, source: verdictSource } = answer
  const sent = requests.slice(before.requests).join(', ')
  if (sent !== '') {
    return wronglyAccepted(
      `${what} is at a server with a self-signed certificate, and the wallet sent ${sent}.`,
      {
        verdictSource: 'requests to the server',
        expected: 'no request',
        actual: sent,
      },
    )
  }
  if (outcome === 'done') {
    return inconclusive(`The wallet sent no request, but reported success.`, { verdictSource })
  }
  if (connections() === before.connections) {
    const missing = `The wallet did not connect to ${origin}, which only a wallet on this machine reaches`
    return inconclusive(`${missing}: ${reason}`, { verdictSource })
  }
  return (outcome === 'refused' || outcome === 'failed') && !hasCrashed
    ? held(`${what}: the wallet ended the connection and reported: ${reason}`, { verdictSource })
    : inconclusive(reason, { verdictSource, ...outageIn(context, { requests: [] }, { answer }) })
}
