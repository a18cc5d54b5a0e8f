import { defineChecks, type Finding } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findOfferRefused, firstNotHeld } from '../findings/issuance-findings.ts'

/** Offers that a wallet must not take. */
export const checks = defineChecks<WalletContext>({
  'W07-metadata-of-another-issuer': {
    title: 'Metadata that names another issuer is not used',
    level: 'final',
    expectation: 'refuse',
    control: 'offers',
    clauses: ['OpenID4VCI 1.0, 12.2.4'],
    description:
      'Otherwise metadata could be copied: the holder sees the name of one issuer and deals with another.',
    sends: 'An offer whose issuer answers metadata with the credential_issuer of somebody else.',
    decides: 'No token request until the verb ends, and the wallet says that it refuses.',
    async run(context) {
      const session = context.openIssuer({
        metadata: { credential_issuer: 'https://issuer.example' },
      })
      const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
      const why = 'the metadata is that of another issuer'
      return findOfferRefused(session, answer, { why, after: 'metadata' })
    },
  },
  'W08-no-metadata': {
    title: 'Without usable metadata nothing is asked for',
    level: 'final',
    expectation: 'refuse',
    control: 'offers',
    clauses: ['OpenID4VCI 1.0, 12.2.2'],
    description:
      'A page, an error or nothing where the metadata has to be: a wallet that guesses sends codes to addresses that nobody named.',
    sends: 'Three offers whose issuer answers 404, 500 and an HTML page for its metadata.',
    decides: 'No token request until the verb ends; 404 and HTML are refused, and 500 is told.',
    async run(context) {
      const findings: Finding[] = []
      for (const [name, answer] of Object.entries(answers)) {
        const session = context.openIssuer({ answers: { metadata: () => answer } })
        const told = await context.wallet.acceptOffer({ link: session.offerByValue() })
        // A wallet that says that the issuer failed has told what happened, though it refused nothing.
        const isToldOutage =
          answer.status === 500 && told.outcome === 'failed' && told.reason.includes('500')
        findings.push(
          findOfferRefused(session, isToldOutage ? { ...told, outcome: 'refused' } : told, {
            why: `the metadata is ${name}`,
            after: 'metadata',
          }),
        )
      }
      return firstNotHeld(findings)
    },
  },
  'W09-offered-id-unknown': {
    title: 'An offered credential that the metadata does not have is not asked for',
    level: 'final',
    expectation: 'refuse',
    control: 'offers',
    clauses: ['OpenID4VCI 1.0, 4.1.1'],
    description:
      'The ids of the offer are names of entries in the metadata: without the entry there is no format and no type to ask for.',
    sends: 'An offer of NoSuchCredential, of which the metadata has no entry.',
    decides: 'No token request until the verb ends, and the wallet says that it refuses.',
    async run(context) {
      const session = context.openIssuer({ offer: { credentials: ['NoSuchCredential'] } })
      const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
      const why = 'the metadata does not have the offered credential'
      return findOfferRefused(session, answer, { why, after: 'metadata' })
    },
  },
  'W10-no-common-suite': {
    title: 'An offer whose suites the wallet does not have is not taken',
    level: 'final',
    expectation: 'refuse',
    control: 'offers',
    clauses: ['OpenID4VCI 1.0, 12.2.4'],
    description:
      'Issuers declare the suites that they accept. A proof in another one is refused at best, after the code is used up.',
    sends: 'An offer whose metadata declares cryptographic_suites_supported [ES512] alone.',
    decides: 'No token request until the verb ends, and the wallet says that it refuses.',
    async run(context) {
      const session = context.openIssuer({
        entry: { cryptographic_suites_supported: ['ES512'] },
      })
      const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
      const why = 'the issuer accepts none of the suites of the documents'
      return findOfferRefused(session, answer, { why, after: 'metadata' })
    },
  },
  'W11-http-endpoint': {
    title: 'An issuer reached by https is not asked for a credential by http',
    level: 'final',
    expectation: 'refuse',
    control: 'offers',
    clauses: ['OpenID4VCI 1.0, 12.2.4'],
    description:
      'An access token and a proof sent by http can be read and used by everybody on the way.',
    sends: 'An offer of an issuer at https whose metadata names a credential_endpoint at http.',
    decides: 'No credential request until the verb ends, and the wallet says that it refuses.',
    needs: ['https'],
    async run(context) {
      const session = context.openIssuer({
        metadata: (issuer) => ({
          credential_endpoint: `${issuer.replace('https:', 'http:')}/credential`,
        }),
      })
      const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
      const why = 'its endpoint is at http'
      return findOfferRefused(session, answer, {
        why,
        after: 'metadata',
        withheld: 'credential',
      })
    },
  },
  'W59-no-known-grant': {
    title: 'An offer without the pre-authorized code is not taken',
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    description:
      'The documents have the pre-authorized code alone; a wallet that goes on without it sends requests that mean nothing.',
    sends: 'An offer whose only grant is an unknown one.',
    decides: 'No token request until the verb ends, and the wallet says that it refuses.',
    async run(context) {
      const session = context.openIssuer({
        offer: { grants: { 'urn:example:grant-type:unknown': { code: 'a-code' } } },
      })
      const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
      return findOfferRefused(session, answer, {
        why: 'the offer has no pre-authorized code',
      })
    },
  },
  'W60-huge-metadata': {
    title: 'Metadata of eight megabytes is not read to its end',
    level: 'practice',
    expectation: 'advice',
    control: 'offers',
    description:
      'A QR code leads to any server. One that answers without end fills the memory of a wallet that reads on.',
    sends: 'An offer whose issuer answers good metadata with eight megabytes of padding.',
    decides: 'No token request until the verb ends, and the wallet says that it refuses.',
    async run(context) {
      const session = context.openIssuer({
        answers: {
          metadata: (usual) => ({
            ...usual,
            body: `${usual.body?.slice(0, -1)},"padding":"${'x'.repeat(8 * 1024 * 1024)}"}`,
          }),
        },
      })
      const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
      const { outcome, reason } = answer
      const toldAsFailure = outcome === 'failed' && /large|size|bytes|limit/i.test(reason)
      return findOfferRefused(session, toldAsFailure ? { ...answer, outcome: 'refused' } : answer, {
        why: 'the metadata is larger than any real one',
        after: 'metadata',
      })
    },
  },
  'W80-offer-malformed': {
    title: 'An offer that is none is not taken',
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    description:
      'Whatever stands in a QR code gets into the wallet; what is no offer has to end there, and not in a crash.',
    sends:
      'Three links: an offer without credential_issuer, one with no credentials, and one that is no JSON.',
    decides: 'No token request until the verb ends, and the wallet says that it refuses.',
    async run(context) {
      const findings: Finding[] = []
      for (const [name, offer] of Object.entries(offers)) {
        const session = context.openIssuer({ offer })
        const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
        findings.push(findOfferRefused(session, answer, { why: `the offer ${name}` }))
      }
      const session = context.openIssuer()
      const link = session.offerByValue().slice(0, -3)
      const answer = await context.wallet.acceptOffer({ link })
      findings.push(findOfferRefused(session, answer, { why: 'the offer is no JSON' }))
      return firstNotHeld(findings)
    },
  },
  'W81-pin-not-given': {
    title: 'Without the PIN no code is sent',
    level: 'spec',
    expectation: 'refuse',
    control: 'offers',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5'],
    description:
      'tx_code is required where the offer asks for it. A try without it may use up the code.',
    sends: 'An offer with tx_code, and no PIN to the wallet.',
    decides: 'No token request until the verb ends, and the wallet says that it refuses.',
    async run(context) {
      const session = context.openIssuer({ pin: '4935' })
      const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
      return findOfferRefused(session, answer, {
        why: 'it asks for a PIN and nobody gave one',
      })
    },
  },
})

const answers = {
  'not there (404)': { status: 404, body: '{"error":"not_found"}' },
  'an error (500)': { status: 500, body: '{"error":"internal_error"}' },
  'an HTML page': { status: 200, contentType: 'text/html', body: '<h1>It works!</h1>' },
}

const offers = {
  'names no issuer': { credential_issuer: undefined },
  'offers nothing': { credentials: [] },
}
