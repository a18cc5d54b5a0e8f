import { type CheckRow, defineChecks, type Finding } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import type { IssuerBehaviour } from '../counterparts/issuer-behaviour.ts'
import {
  type ExpectedOfferRefusal,
  findOfferRefused,
  firstNotHeld,
} from '../findings/issuance-findings.ts'

/** Offers that a wallet must not take, one after the other. */
interface WrongOffers
  extends Omit<CheckRow<WalletContext>, 'run' | 'expectation' | 'decides'>,
    Partial<Pick<CheckRow<WalletContext>, 'expectation' | 'decides'>>,
    Omit<ExpectedOfferRefusal, 'why'> {
  readonly offers: readonly WrongOffer[]
}

interface WrongOffer extends IssuerBehaviour, Pick<ExpectedOfferRefusal, 'why'> {
  /** A wallet that failed, and says this, is as good as one that refused. */
  readonly orFailsBy?: RegExp
  /** The link lacks its last letters. */
  readonly isCut?: true
}

export const checks = defineChecks<WalletContext, WrongOffers>(
  {
    'W07-metadata-of-another-issuer': {
      title: 'Metadata that names another issuer is not used',
      level: 'final',
      clauses: ['OpenID4VCI 1.0, 12.2.4'],
      description:
        'Otherwise metadata could be copied: the holder sees the name of one issuer and deals with another.',
      sends: 'An offer whose issuer answers metadata with the credential_issuer of somebody else.',
      after: 'metadata',
      offers: [
        {
          why: 'the metadata is that of another issuer',
          metadata: { credential_issuer: 'https://issuer.example' },
        },
      ],
    },
    'W08-no-metadata': {
      title: 'Without usable metadata nothing is asked for',
      level: 'final',
      clauses: ['OpenID4VCI 1.0, 12.2.2'],
      description:
        'A page, an error or nothing where the metadata has to be: a wallet that guesses sends codes to addresses that nobody named.',
      sends: 'Three offers whose issuer answers 404, 500 and an HTML page for its metadata.',
      decides: 'No token request until the verb ends; 404 and HTML are refused, and 500 is told.',
      after: 'metadata',
      offers: [
        {
          why: 'the metadata is not there (404)',
          answers: { metadata: () => ({ status: 404, body: '{"error":"not_found"}' }) },
        },
        {
          why: 'the metadata is an error (500)',
          // A wallet that says that the issuer failed has told what happened, though it refused nothing.
          orFailsBy: /500/,
          answers: { metadata: () => ({ status: 500, body: '{"error":"internal_error"}' }) },
        },
        {
          why: 'the metadata is an HTML page',
          answers: {
            metadata: () => ({ status: 200, contentType: 'text/html', body: '<h1>It works!</h1>' }),
          },
        },
      ],
    },
    'W09-offered-id-unknown': {
      title: 'An offered credential that the metadata does not have is not asked for',
      level: 'final',
      clauses: ['OpenID4VCI 1.0, 4.1.1'],
      description:
        'The ids of the offer are names of entries in the metadata: without the entry there is no format and no type to ask for.',
      sends: 'An offer of NoSuchCredential, of which the metadata has no entry.',
      after: 'metadata',
      offers: [
        {
          why: 'the metadata does not have the offered credential',
          offer: { credentials: ['NoSuchCredential'] },
        },
      ],
    },
    'W10-no-common-suite': {
      title: 'An offer whose suites the wallet does not have is not taken',
      level: 'final',
      clauses: ['OpenID4VCI 1.0, 12.2.4'],
      description:
        'Issuers declare the suites that they accept. A proof in another one is refused at best, after the code is used up.',
      sends: 'An offer whose metadata declares cryptographic_suites_supported [ES512] alone.',
      after: 'metadata',
      offers: [
        {
          why: 'the issuer accepts none of the suites of the profile',
          entry: { cryptographic_suites_supported: ['ES512'] },
        },
      ],
    },
    'W11-http-endpoint': {
      title: 'An issuer reached by https is not asked for a credential by http',
      level: 'final',
      clauses: ['OpenID4VCI 1.0, 12.2.4'],
      description:
        'An access token and a proof sent by http can be read and used by everybody on the way.',
      sends: 'An offer of an issuer at https whose metadata names a credential_endpoint at http.',
      decides: 'No credential request until the verb ends, and the wallet says that it refuses.',
      needs: ['https'],
      after: 'metadata',
      withheld: 'credential',
      offers: [
        {
          why: 'its endpoint is at http',
          metadata: (issuer) => ({
            credential_endpoint: `${issuer.replace('https:', 'http:')}/credential`,
          }),
        },
      ],
    },
    'W59-no-known-grant': {
      title: 'An offer without the pre-authorized code is not taken',
      level: 'practice',
      description:
        'The profile has the pre-authorized code alone; a wallet that goes on without it sends requests that mean nothing.',
      sends: 'An offer whose only grant is an unknown one.',
      offers: [
        {
          why: 'the offer has no pre-authorized code',
          offer: { grants: { 'urn:example:grant-type:unknown': { code: 'a-code' } } },
        },
      ],
    },
    'W60-huge-metadata': {
      title: 'Metadata of eight megabytes is not read to its end',
      level: 'practice',
      expectation: 'advice',
      description:
        'A QR code leads to any server. One that answers without end fills the memory of a wallet that reads on.',
      sends: 'An offer whose issuer answers good metadata with eight megabytes of padding.',
      after: 'metadata',
      offers: [
        {
          why: 'the metadata is larger than any real one',
          orFailsBy: /large|size|bytes|limit/i,
          answers: {
            metadata: (usual) => ({
              ...usual,
              body: `${usual.body?.slice(0, -1)},"padding":"${'x'.repeat(8 * 1024 * 1024)}"}`,
            }),
          },
        },
      ],
    },
    'W80-offer-malformed': {
      title: 'An offer that is none is not taken',
      level: 'practice',
      description:
        'Whatever stands in a QR code gets into the wallet; what is no offer has to end there, and not in a crash.',
      sends:
        'Three links: an offer without credential_issuer, one with no credentials, and one that is no JSON.',
      offers: [
        { why: 'the offer names no issuer', offer: { credential_issuer: undefined } },
        { why: 'the offer offers nothing', offer: { credentials: [] } },
        { why: 'the offer is no JSON', isCut: true },
      ],
    },
    'W81-pin-not-given': {
      title: 'Without the PIN no code is sent',
      level: 'spec',
      rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5'],
      description:
        'tx_code is required where the offer asks for it. A try without it may use up the code.',
      sends: 'An offer with tx_code, and no PIN to the wallet.',
      offers: [{ why: 'it asks for a PIN and nobody gave one', pin: '4935' }],
    },
  },
  ({ offers, after, withheld, ...texts }) => ({
    expectation: 'refuse',
    control: 'offers',
    decides: 'No token request until the verb ends, and the wallet says that it refuses.',
    ...texts,
    async run(context) {
      const findings: Finding[] = []
      for (const { why, orFailsBy, isCut, ...behaviour } of offers) {
        const session = context.openIssuer(behaviour)
        const whole = session.offerByValue()
        const link = isCut ? whole.slice(0, -3) : whole
        const answer = await context.wallet.acceptOffer({ link })
        const { outcome, reason } = answer
        const saysSo = outcome === 'failed' && orFailsBy?.test(reason)
        const told = saysSo ? { ...answer, outcome: 'refused' as const } : answer
        const expected = { why, ...(after && { after }), ...(withheld && { withheld }) }
        findings.push(findOfferRefused(session, told, expected))
      }
      return firstNotHeld(findings)
    },
  }),
)
