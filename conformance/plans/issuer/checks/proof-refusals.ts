import { refusedDeviations } from '../deviations.ts'
import { isDeclared } from '../metadata.ts'

export const checks = refusedDeviations(
  {
    'I25-proof-missing': {
      title: 'A request without a proof of possession gets no credential',
      level: 'spec',
      rows: ['1.authentication.7', '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.9'],
      clauses: ['OpenID4VCI 1.0, 8.3.1.2'],
      description: 'Anyone who obtains a credential that is not bound to a key can present it.',
      fix: 'If you issued a c_nonce, require proof with proof_type jwt and jwt in the credential request. Reject a request without it with 400 invalid_proof.',
      deviations: ['proof-missing', 'proof-no-jwt'],
    },
    'I26-bad-proof-signature': {
      title: 'A proof of possession with an invalid signature does not yield a credential',
      level: 'spec',
      rows: ['1.resources-and-their-fields/proof-of-possession-jwt.1', '1.authentication.7'],
      clauses: ['OpenID4VCI 1.0, F.4', 'RFC 7518, 3.4', 'RFC 8032, 5.1.7'],
      description:
        "Otherwise an attacker who knows a holder's DID could get a credential in the holder's name.",
      fix: 'Verify the signature of the proof with the key in kid, as r and s in 64 bytes for ES256K, and with S below the order for EdDSA. If it is invalid, return 400 invalid_proof.',
      deviations: [
        'proof-bad-signature',
        'proof-other-key',
        { name: 'proof-der-signature', level: 'final' },
        { name: 'proof-order-added', level: 'final' },
      ],
      note: 'Accepting ASN.1 or an S out of range is a WARN.',
    },
    'I27-wrong-proof-typ': {
      title: 'A JWT of a different type is not accepted as a proof of possession',
      level: 'spec',
      rows: ['1.resources-and-their-fields/proof-of-possession-jwt.1'],
      clauses: ['OpenID4VCI 1.0, F.1'],
      description:
        'The type prevents tokens that the holder signed for another purpose, such as a login or a presentation, from being used for a credential.',
      fix: 'Require typ openid4vci-proof+jwt in the header of the proof. If it differs or is missing, return 400 invalid_proof.',
      deviations: ['proof-wrong-typ', 'proof-missing-typ'],
    },
    'I28-alg-none': {
      title: 'An unsigned proof is rejected',
      level: 'spec',
      rows: ['1.resources-and-their-fields/proof-of-possession-jwt.1'],
      clauses: ['OpenID4VCI 1.0, F.1'],
      description: 'Libraries that support alg none accept any content.',
      fix: 'Accept only the algorithms in cryptographic_suites_supported as alg of the proof. Reject alg none with 400 invalid_proof.',
      deviations: ['proof-alg-none'],
    },
    'I29-alg-hs256': {
      title: 'A proof with a MAC instead of a signature is rejected',
      level: 'spec',
      rows: ['1.resources-and-their-fields/proof-of-possession-jwt.1'],
      clauses: ['OpenID4VCI 1.0, F.1'],
      description:
        'If the public key is used as the secret of a MAC, anyone who knows the public key can create the proof.',
      fix: 'Accept only the algorithms in cryptographic_suites_supported as alg of the proof, none of which is a MAC. Reject HS256 with 400 invalid_proof.',
      deviations: ['proof-hs256'],
    },
    'I30-alg-of-other-curve': {
      title: 'A proof whose alg does not match the curve of the key is rejected',
      level: 'spec',
      rows: [
        '1.resources-and-their-fields/supported-curves.1',
        '1.resources-and-their-fields/supported-curves.2',
      ],
      clauses: ['OpenID4VCI 1.0, F.4'],
      description:
        'Each curve has one algorithm. An issuer that lets the header choose another one verifies with a key for a different purpose.',
      fix: 'Derive the algorithm from the key in kid: ES256K for secp256k1, EdDSA for Ed25519. If alg of the proof differs, return 400 invalid_proof.',
      deviations: ['proof-curve-mismatch'],
    },
    'I31-undeclared-algorithm': {
      title: 'A proof with an algorithm that the issuer does not declare is rejected',
      level: 'spec',
      rows: [
        '1.resources-and-their-fields/proof-of-possession-jwt.1',
        '1.resources-and-their-fields/supported-curves.4',
      ],
      clauses: ['OpenID4VCI 1.0, F.4'],
      description:
        'Verifiers with the same rules reject a credential that is bound to a key with an undeclared algorithm.',
      fix: 'Compare alg of the proof with cryptographic_suites_supported in the metadata. If it is not in the list, return 400 invalid_proof.',
      deviations: ['proof-es256'],
      note: 'If the metadata declares ES256, the check is inconclusive.',
      async findUndecided(context) {
        const isDeclaredToo = await isDeclared(context, 'cryptographic_suites_supported', 'ES256')
        return isDeclaredToo
          ? 'The issuer declares ES256, which goes beyond the profile.'
          : undefined
      },
    },
    'I32-kid-absent': {
      title: 'A proof that does not name its key is rejected',
      level: 'spec',
      rows: ['1.resources-and-their-fields/proof-of-possession-jwt.1'],
      clauses: ['OpenID4VCI 1.0, F.1'],
      description:
        'kid identifies the key. An issuer that guesses may bind the credential to a DID other than the holder’s.',
      fix: 'Require kid in the header of the proof, as a DID URL with a fragment. If it is missing, return 400 invalid_proof: do not derive the key from iss.',
      deviations: [
        'proof-missing-kid', // A DID is also a DID URL (DID Core 1.0, 3.2), and a did:key or did:jwk has only one key.
        { name: 'proof-kid-without-fragment', level: 'practice' },
      ],
      note: 'Accepting only the DID is a WARN.',
    },
    'I33-iss-of-another': {
      title: 'A proof whose iss is not the DID of kid is rejected',
      level: 'spec',
      rows: [
        '1.resources-and-their-fields/proof-of-possession-jwt.1',
        '1.resources-and-their-fields/proof-of-possession-jwt.2',
      ],
      description:
        'An issuer that reads the subject from iss and the key from kid issues a credential about a person who never requested it.',
      fix: 'Compare iss of the proof with the DID in kid, without its fragment. If it differs or is missing, return 400 invalid_proof.',
      deviations: ['proof-other-iss', { name: 'proof-missing-iss', level: 'practice' }],
      note: 'Accepting a proof without iss is a WARN: OpenID4VCI omits it if the wallet is unknown.',
    },
    'I34-unsupported-did-method': {
      title: 'A holder with a DID method other than did:key and did:jwk does not get a credential',
      level: 'spec',
      rows: [
        '1.resources-and-their-fields/supported-curves.1',
        '1.resources-and-their-fields/supported-curves.2',
      ],
      clauses: ['OpenID4VCI 1.0, 12.2.4'],
      description:
        'An issuer that resolves any method lets attackers choose the addresses that it fetches.',
      fix: 'Resolve only the methods in cryptographic_binding_methods_supported: did:key and did:jwk. Reject any other DID in kid with 400 invalid_proof, without fetching it.',
      deviations: ['proof-did-web'],
      note: 'If the metadata declares did:web, the check is inconclusive.',
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
      title: 'A did:key without a valid key is rejected',
      level: 'spec',
      rows: [
        '1.resources-and-their-fields/supported-curves.1',
        '1.resources-and-their-fields/supported-curves.2',
      ],
      clauses: ['OpenID4VCI 1.0, F.4'],
      description:
        'A value that does not decode to a point of the curve is not a key, and cannot verify a signature.',
      fix: 'Decode the did:key in kid, and require a valid public key of secp256k1 or Ed25519. If it is invalid, return 400 invalid_proof.',
      deviations: ['proof-malformed-did-key'],
    },
    'I36-wrong-aud': {
      title: 'A proof for a different issuer does not yield a credential',
      level: 'spec',
      rows: ['1.resources-and-their-fields/proof-of-possession-jwt.2'],
      clauses: ['OpenID4VCI 1.0, F.1', 'OpenID4VCI 1.0, F.4'],
      description:
        'An issuer could forward a received proof to another issuer and get a credential in the holder’s name.',
      fix: 'Compare aud of the proof with credential_issuer of the metadata. If it differs or is missing, return 400 invalid_proof.',
      deviations: ['proof-wrong-aud', 'proof-missing-aud'],
    },
    'I37-nonce-absent': {
      title: 'A proof without a nonce is rejected',
      level: 'spec',
      rows: ['1.resources-and-their-fields/proof-of-possession-jwt.2'],
      clauses: ['OpenID4VCI 1.0, 8.3.1.2', 'OpenID4VCI 1.0, F.4'],
      description: 'Without the c_nonce a recorded proof works indefinitely.',
      fix: 'If you issued a c_nonce, require nonce in the proof. If it is missing, return 400 invalid_proof.',
      deviations: ['proof-missing-nonce'],
    },
    'I41-iat-in-the-future': {
      title: 'A proof from the future is rejected',
      level: 'final',
      rows: ['1.resources-and-their-fields/proof-of-possession-jwt.2'],
      clauses: ['OpenID4VCI 1.0, F.4'],
      description: 'An attacker could prepare proofs and use them later.',
      fix: 'Compare iat and nbf of the proof with the current time. If one is in the future by more than a small clock difference, return 400 invalid_proof.',
      deviations: ['proof-iat-future', 'proof-not-yet-valid'],
    },
    'I42-iat-long-ago': {
      title: 'An old proof is rejected',
      level: 'final',
      rows: ['1.resources-and-their-fields/proof-of-possession-jwt.2'],
      clauses: ['OpenID4VCI 1.0, F.4'],
      description:
        'The creation time must be within an acceptable window. Otherwise recorded proofs are valid for longer than their holder intends.',
      fix: 'Require iat in the proof, and limit its age to a few minutes. If it is missing or older, or if exp has passed, return 400 invalid_proof.',
      deviations: ['proof-iat-old', 'proof-missing-iat', 'proof-expired'],
    },
    'I43-private-key-in-header': {
      title: 'A proof that contains a private key is rejected',
      level: 'final',
      clauses: ['OpenID4VCI 1.0, F.4'],
      description:
        'A wallet that publishes private keys must get an error before a verifier relies on its signatures.',
      fix: 'Check jwk in the header of the proof for private members, such as d. If it has one, return 400 invalid_proof.',
      deviations: ['proof-private-jwk'],
    },
    'I44-symmetric-key': {
      title: 'A proof with a symmetric key in its header is rejected',
      level: 'final',
      clauses: ['OpenID4VCI 1.0, F.1', 'OpenID4VCI 1.0, F.4'],
      description: 'A key that both sides know does not prove possession.',
      fix: 'Check jwk in the header of the proof for the type oct. If it is a symmetric key, return 400 invalid_proof.',
      deviations: ['proof-symmetric-jwk'],
    },
  },
  ['invalid_proof'],
)
