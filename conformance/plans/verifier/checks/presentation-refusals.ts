import { publicJwkOf } from '#core/crypto/jwk.ts'
import { allOf, setHeader, setPayload } from '#wallet-emulator/faults/set-members.ts'
import { signByOther } from '#wallet-emulator/faults/signature-changes.ts'
import type { FaultContext } from '#wallet-emulator/faults/wallet-fault.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'
import { asPractice, refusals, withChange, withFaults } from '../presentation-checks.ts'

const bringKey = setHeader({
  jwk: (_: unknown, { otherAccount }: FaultContext) => publicJwkOf(otherAccount.privateKey),
})

/** What is wrong with the presentation, its submission or its form. */
export const checks = refusals({
  'V05-bad-vp-signature': {
    title: 'A presentation with a wrong signature is refused',
    level: 'spec',
    rows: ['1.states-and-transitions.7', '1.errors.10'],
    description:
      'The signature is all that ties a presentation to its holder: without it anybody who has seen a credential can log in with it.',
    presentations: withFaults('presentation-bad-signature', 'presentation-other-key'),
  },
  'V06-wrong-audience': {
    title: 'A presentation for another verifier is refused',
    level: 'spec',
    rows: ['1.resources-and-their-fields/presentation-authorization-request.4'],
    description:
      'A verifier that looks at no aud can be shown what was presented elsewhere: whoever runs one verifier logs in at the others with it.',
    presentations: withFaults('presentation-wrong-aud', 'presentation-missing-aud'),
  },
  'V07-wrong-nonce': {
    title: 'A presentation with another nonce than the one of its session is refused',
    level: 'spec',
    rows: [
      '1.resources-and-their-fields/presentation-authorization-request.5',
      '1.resources-and-their-fields/presentation-token.2',
    ],
    description:
      'The nonce ties a presentation to one session: without it whoever has seen a presentation can use it again.',
    sends:
      'Three presentations: with a nonce of its own, without any, and with the nonce of another session that is open.',
    presentations: async ({ openRequest }) => {
      const { nonce } = (await openRequest()).parameters
      return [
        ...withFaults('presentation-wrong-nonce', 'presentation-missing-nonce'),
        withChange('The presentation carries the nonce of another session.', {
          presentation: setPayload({ nonce }),
        }),
      ]
    },
  },
  'V09-expired-presentation': {
    title: 'A presentation that has expired is refused',
    level: 'spec',
    rows: ['1.resources-and-their-fields/presentation-token.2'],
    clauses: ['RFC 7519, 4.1.4'],
    description:
      'exp ends the time in which a stolen presentation is of use; who looks past it takes presentations for ever.',
    presentations: withFaults('presentation-expired'),
  },
  'V10-presentation-of-the-future': {
    title: 'A presentation from the future is refused',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-28'],
    description:
      'A wallet whose presentation carries a later time makes it good for later: a supply of presentations for whoever steals them. Clocks differ by seconds, not by minutes.',
    presentations: withFaults('presentation-iat-future'),
  },
  'V11-iss-is-not-kid': {
    title: 'A presentation whose iss is not the DID of its key is refused',
    level: 'spec',
    rows: [
      '1.resources-and-their-fields/presentation-token.1',
      '1.resources-and-their-fields/presentation-token.2',
    ],
    description:
      'kid says who signed and iss who speaks. A verifier that verifies with one and believes the other takes anybody for the holder.',
    remark: 'Taking the one without iss is a WARN: kid names the holder.',
    presentations: [
      ...withFaults('presentation-other-iss'),
      ...asPractice(withFaults('presentation-missing-iss')),
    ],
  },
  'V12-holder-mismatch': {
    title: "Somebody else's credential is refused",
    level: 'spec',
    rows: [
      '1.resources-and-their-fields/presentation-token.1',
      '1.resources-and-their-fields/presentation-token.2',
    ],
    description:
      'Credentials are no secret: every verifier has seen them. Only the holder that a credential was issued to may present it.',
    presentations: withFaults('holder-mismatch'),
  },
  'V13-presentation-alg-none': {
    title: 'A presentation with alg none is refused',
    level: 'spec',
    rows: ['1.resources-and-their-fields/presentation-token.1'],
    description:
      'A library that lets the header choose takes a token without any signature for a verified one.',
    presentations: withFaults('presentation-alg-none'),
  },
  'V14-presentation-hs256': {
    title: 'A presentation with HS256 is refused',
    level: 'spec',
    rows: ['1.resources-and-their-fields/presentation-token.1'],
    description:
      "A library that lets the header choose takes the holder's public key for the secret of a MAC, and everybody has the public key.",
    presentations: withFaults('presentation-hs256'),
  },
  'V15-curve-mismatch': {
    title: 'A presentation whose alg is not that of its key is refused',
    level: 'spec',
    rows: [
      '1.resources-and-their-fields/presentation-token.1',
      '1.resources-and-their-fields/supported-curves.1',
      '1.resources-and-their-fields/supported-curves.2',
    ],
    description:
      'ES256K goes with secp256k1 and EdDSA with Ed25519; a verifier that looks at the key alone lets the header say what it likes.',
    presentations: withFaults('presentation-curve-mismatch'),
  },
  'V16-wrong-typ': {
    title: 'A presentation of another typ is refused',
    level: 'spec',
    rows: ['1.resources-and-their-fields/presentation-token.1'],
    description:
      'typ keeps tokens apart: a proof of possession that a holder made for an issuer is no presentation.',
    remark: 'Taking the one without typ is a WARN: it is taken for nothing else.',
    presentations: [
      ...withFaults('presentation-wrong-typ'),
      ...asPractice(withFaults('presentation-missing-typ')),
    ],
  },
  'V17-no-credential': {
    title: 'A presentation without a credential is refused',
    level: 'spec',
    rows: ['1.resources-and-their-fields/presentation-token.2', '1.states-and-transitions.6'],
    description: 'A loop over no credentials finds nothing wrong with any of them.',
    presentations: withFaults('presentation-empty'),
  },
  'V18-two-credentials': {
    title: 'A presentation of two credentials is refused where one was asked for',
    level: 'final',
    clauses: ['OpenID4VP 1.0, 6.1', 'OpenID4VP 1.0, 8.6'],
    description:
      'Verifying one of them and reading the other one is a mistake that is made; the request asks for one, and the submission names one.',
    presentations: withFaults('presentation-two-credentials'),
  },
  'V19-wrong-submission': {
    title: 'A presentation_submission that is missing or wrong is refused',
    level: 'practice',
    rows: [
      '1.resources-and-their-fields/presentation-submission.1',
      '1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.1',
    ],
    description:
      'The submission says which query is answered with what. One that is about something else belongs to another conversation.',
    remark:
      'The profile has wallets send it, and does not have verifiers refuse a credential that verifies without it.',
    presentations: withFaults(
      'submission-missing',
      'submission-malformed',
      'submission-wrong-definition-id',
      'submission-wrong-descriptor-id',
      'submission-wrong-path',
    ),
  },
  'V47-huge-presentation': {
    title: 'A presentation of a mebibyte is refused',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-29'],
    description:
      'Anybody may post to response_uri: what is larger than any presentation costs memory and time before it is found out.',
    remark: 'The answer is 413 as a rule, or the session ends as refused.',
    presentations: withFaults('presentation-huge'),
  },
  'V52-wrong-vp-context': {
    title: 'A presentation of another @context or type is refused',
    level: 'practice',
    rows: ['1.resources-and-their-fields/presentation-token.2'],
    description:
      'They say that it is a presentation, and in which words; something else that the holder signed is none.',
    remark: 'The profile says it of what wallets send, and not that verifiers look.',
    presentations: withFaults('presentation-wrong-context', 'presentation-wrong-type'),
  },
  'V54-wrong-state': {
    title: 'A form with the state of another session is refused',
    level: 'final',
    clauses: ['OpenID4VP 1.0, 14.3.2', 'RFC 6749, 4.1.2'],
    description:
      'state ties the answer to the session that asked. A wallet that sends it back sends the one of the request.',
    presentations: withFaults('response-wrong-state'),
  },
  'V66-signature-of-another-form': {
    title: 'A presentation with a signature in another form is refused',
    level: 'final',
    clauses: ['RFC 7518, 3.4', 'RFC 8812, 3.2', 'RFC 8032, 5.1.7'],
    description:
      'Whoever takes other forms too has several signatures for one message, and a second parser to attack.',
    presentations: [
      ...withFaults('presentation-der-signature'),
      ...withFaults('presentation-order-added').map((each) => ({
        ...each,
        account: createAccount({ curve: 'Ed25519' }),
      })),
    ],
  },
  'V67-two-audiences': {
    title: 'A presentation for several verifiers is refused',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-28'],
    description:
      'Each of the verifiers could show it to the others: client_id must equal the aud, and a list that has it among others does not.',
    presentations: withFaults('presentation-two-audiences'),
  },
  'V68-no-exp': {
    title: 'A presentation that does not expire is refused',
    level: 'practice',
    rows: ['1.resources-and-their-fields/presentation-token.2'],
    description:
      'A presentation without exp is good for ever to whoever checks exp only where it is there.',
    remark:
      'The profile has wallets send exp, and does not say what a presentation without it is worth.',
    presentations: withFaults('presentation-missing-exp'),
  },
  'V69-long-lived': {
    title: 'A presentation that lives too long is refused',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-28'],
    description:
      'A presentation is made for one login. A day of lifetime, or one that began an hour ago, is a supply for whoever steals it; the testbed takes fifteen minutes.',
    presentations: withFaults('presentation-long-lived', 'presentation-iat-old'),
  },
  'V70-no-iat': {
    title: 'A presentation without iat is refused',
    level: 'practice',
    rows: ['1.resources-and-their-fields/presentation-token.2'],
    description: 'Without iat nobody can tell how old it is.',
    remark:
      'The profile has wallets send iat, and does not say what a presentation without it is worth.',
    presentations: withFaults('presentation-missing-iat'),
  },
  'V71-nbf-ahead': {
    title: 'A presentation that is not valid yet is refused',
    level: 'final',
    clauses: ['RFC 7519, 4.1.5'],
    description: 'nbf says from when on a token may be accepted.',
    presentations: withFaults('presentation-not-yet-valid'),
  },
  'V72-no-kid': {
    title: 'A presentation without kid is refused',
    level: 'practice',
    rows: ['1.resources-and-their-fields/presentation-token.1'],
    description:
      'kid names the key of the holder; a verifier that guesses it from the rest lets the rest choose.',
    remark:
      'The profile has wallets send kid, and does not say what a presentation without it is worth.',
    presentations: withFaults('presentation-missing-kid'),
  },
  'V73-wrong-descriptor': {
    title: 'A submission without an id, or that describes something else, is refused',
    level: 'practice',
    rows: ['1.resources-and-their-fields/presentation-submission.1'],
    description:
      'The map says in what format the presentation is and where in it the credential stands.',
    remark:
      'The profile says it of what wallets send: a verifier that finds the credential all the same is no danger, but others refuse its wallets.',
    presentations: withFaults(
      'submission-missing-id',
      'submission-empty-map',
      'submission-wrong-format',
      'submission-wrong-nested-path',
      'submission-wrong-nested-format',
    ),
  },
  'V92-vp-key-in-header': {
    title: 'A presentation that brings its own key along is refused',
    level: 'spec',
    rows: ['1.resources-and-their-fields/presentation-token.1'],
    description:
      'kid is the DID URL of the holder key. A library that prefers the jwk of the header takes anybody for the holder.',
    presentations: [
      withChange("Somebody else's key signed, and is in the header as jwk.", {
        presentation: allOf(bringKey, signByOther),
      }),
    ],
  },
})
