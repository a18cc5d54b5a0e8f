import { refusedDeviations } from '../deviations.ts'
import { isDeclared } from '../metadata.ts'

export const checks = refusedDeviations(
  {
    'I25-proof-missing': {
      title: 'Without a proof of possession there is no credential',
      level: 'spec',
      rows: ['1.authentication.7', '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.9'],
      clauses: ['OpenID4VCI 1.0, 8.3.1.2'],
      description:
        'A credential that is bound to no key can be presented by whoever gets hold of it.',
      deviations: ['proof-missing', 'proof-no-jwt'],
    },
    'I26-bad-proof-signature': {
      title: 'A proof of possession whose signature is wrong brings no credential',
      level: 'spec',
      rows: ['1.resources-and-their-fields/proof-of-possession-jwt.1', '1.authentication.7'],
      clauses: ['OpenID4VCI 1.0, F.4', 'RFC 7518, 3.4', 'RFC 8032, 5.1.7'],
      description:
        "Without it, whoever knows somebody's DID has a credential issued in their name.",
      deviations: [
        'proof-bad-signature',
        'proof-other-key',
        { name: 'proof-der-signature', level: 'final' },
        { name: 'proof-order-added', level: 'final' },
      ],
      note: 'Taking ASN.1 or an S out of range is a WARN.',
    },
    'I27-wrong-proof-typ': {
      title: 'A JWT of another type is no proof of possession',
      level: 'spec',
      rows: ['1.resources-and-their-fields/proof-of-possession-jwt.1'],
      clauses: ['OpenID4VCI 1.0, F.1'],
      description:
        'The type keeps tokens that the holder signed for something else, a login or a presentation, from being used for a credential.',
      deviations: ['proof-wrong-typ', 'proof-missing-typ'],
    },
    'I28-alg-none': {
      title: 'A proof that is not signed is none',
      level: 'spec',
      rows: ['1.resources-and-their-fields/proof-of-possession-jwt.1'],
      clauses: ['OpenID4VCI 1.0, F.1'],
      description: 'Libraries that honour alg none accept whatever anybody writes.',
      deviations: ['proof-alg-none'],
    },
    'I29-alg-hs256': {
      title: 'A proof with a MAC in place of a signature is none',
      level: 'spec',
      rows: ['1.resources-and-their-fields/proof-of-possession-jwt.1'],
      clauses: ['OpenID4VCI 1.0, F.1'],
      description:
        'The public key taken for the secret of a MAC: whoever knows it, and everybody does, can make the proof.',
      deviations: ['proof-hs256'],
    },
    'I30-alg-of-other-curve': {
      title: 'A proof whose alg does not fit the curve of the key is none',
      level: 'spec',
      rows: [
        '1.resources-and-their-fields/supported-curves.1',
        '1.resources-and-their-fields/supported-curves.2',
      ],
      clauses: ['OpenID4VCI 1.0, F.4'],
      description:
        'Each curve has one algorithm. Whoever lets the header choose another one verifies with a key that was made for something else.',
      deviations: ['proof-curve-mismatch'],
    },
    'I31-undeclared-algorithm': {
      title: 'A proof with an algorithm that the issuer does not declare is none',
      level: 'spec',
      rows: [
        '1.resources-and-their-fields/proof-of-possession-jwt.1',
        '1.resources-and-their-fields/supported-curves.4',
      ],
      clauses: ['OpenID4VCI 1.0, F.4'],
      description:
        'A credential bound to a key of an undeclared algorithm can be presented to nobody who follows the same rules.',
      deviations: ['proof-es256'],
      note: 'Where the metadata declares ES256, nothing is decided.',
      async findUndecided(context) {
        const isDeclaredToo = await isDeclared(context, 'cryptographic_suites_supported', 'ES256')
        return isDeclaredToo
          ? 'The issuer declares ES256, which goes beyond the profile.'
          : undefined
      },
    },
    'I32-kid-absent': {
      title: 'A proof that does not name its key is none',
      level: 'spec',
      rows: ['1.resources-and-their-fields/proof-of-possession-jwt.1'],
      clauses: ['OpenID4VCI 1.0, F.1'],
      description:
        'kid says whose key signed. An issuer that guesses may bind the credential to another DID than the holder showed.',
      deviations: [
        'proof-missing-kid', // A DID is a DID URL too (DID Core 1.0, 3.2), and that of did:key and did:jwk has but one key.
        { name: 'proof-kid-without-fragment', level: 'practice' },
      ],
      note: 'Taking the DID alone is a WARN.',
    },
    'I33-iss-of-another': {
      title: 'A proof whose iss is not the DID of kid is none',
      level: 'spec',
      rows: [
        '1.resources-and-their-fields/proof-of-possession-jwt.1',
        '1.resources-and-their-fields/proof-of-possession-jwt.2',
      ],
      description:
        'An issuer that takes the subject from iss and the key from kid gives a credential about somebody who never asked.',
      deviations: ['proof-other-iss', { name: 'proof-missing-iss', level: 'practice' }],
      note: 'Taking a proof without iss is a WARN: OpenID4VCI leaves it out where the wallet is unknown.',
    },
    'I34-unsupported-did-method': {
      title: 'A holder of another DID method than did:key and did:jwk gets no credential',
      level: 'spec',
      rows: [
        '1.resources-and-their-fields/supported-curves.1',
        '1.resources-and-their-fields/supported-curves.2',
      ],
      clauses: ['OpenID4VCI 1.0, 12.2.4'],
      description:
        'Resolving whatever method stands there lets strangers choose which addresses the issuer fetches.',
      deviations: ['proof-did-web'],
      note: 'Where the metadata declares did:web, nothing is decided.',
      async findUndecided(context) {
        const isDeclaredToo = await isDeclared(
          context,
          'cryptographic_binding_methods_supported',
          'did:web',
        )
        return isDeclaredToo
          ? 'The issuer declares did:web, which goes beyond the profile.'
          : undefined
      },
    },
    'I35-malformed-did-key': {
      title: 'A did:key that holds no key is refused',
      level: 'spec',
      rows: [
        '1.resources-and-their-fields/supported-curves.1',
        '1.resources-and-their-fields/supported-curves.2',
      ],
      clauses: ['OpenID4VCI 1.0, F.4'],
      description:
        'What does not decode to a point of the curve is no key, and nothing can be verified with it.',
      deviations: ['proof-malformed-did-key'],
    },
    'I36-wrong-aud': {
      title: 'A proof for another issuer brings no credential',
      level: 'spec',
      rows: ['1.resources-and-their-fields/proof-of-possession-jwt.2'],
      clauses: ['OpenID4VCI 1.0, F.1', 'OpenID4VCI 1.0, F.4'],
      description:
        'An issuer could pass on the proof that it was sent and take a credential in the name of its holder elsewhere.',
      deviations: ['proof-wrong-aud', 'proof-missing-aud'],
    },
    'I37-nonce-absent': {
      title: 'A proof without a nonce is none',
      level: 'spec',
      rows: ['1.resources-and-their-fields/proof-of-possession-jwt.2'],
      clauses: ['OpenID4VCI 1.0, F.4'],
      description: 'Without the c_nonce a proof that was recorded once works for ever.',
      errors: ['invalid_proof', 'invalid_nonce'],
      deviations: ['proof-missing-nonce'],
    },
    'I41-iat-in-the-future': {
      title: 'A proof of the future is refused',
      level: 'final',
      rows: ['1.resources-and-their-fields/proof-of-possession-jwt.2'],
      clauses: ['OpenID4VCI 1.0, F.4'],
      description: 'Proofs made ahead of time can be kept for later.',
      deviations: ['proof-iat-future', 'proof-not-yet-valid'],
    },
    'I42-iat-long-ago': {
      title: 'A proof of long ago is refused',
      level: 'final',
      rows: ['1.resources-and-their-fields/proof-of-possession-jwt.2'],
      clauses: ['OpenID4VCI 1.0, F.4'],
      description:
        'The creation time has to be within an acceptable window, or recorded proofs are good for longer than their holder means.',
      deviations: ['proof-iat-old', 'proof-missing-iat', 'proof-expired'],
    },
    'I43-private-key-in-header': {
      title: 'A proof that gives a private key away is refused',
      level: 'final',
      clauses: ['OpenID4VCI 1.0, F.4'],
      description:
        'A wallet that publishes private keys must hear of it before somebody relies on what it signs.',
      deviations: ['proof-private-jwk'],
    },
    'I44-symmetric-key': {
      title: 'A proof with a symmetric key in its header is refused',
      level: 'final',
      clauses: ['OpenID4VCI 1.0, F.1', 'OpenID4VCI 1.0, F.4'],
      description: 'A key that both sides know proves nothing about who holds it.',
      deviations: ['proof-symmetric-jwk'],
    },
  },
  ['invalid_proof'],
)
