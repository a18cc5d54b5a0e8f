import { createDidJwk } from '#core/crypto/holder-did.ts'
import { publicJwkOf } from '#core/crypto/jwk.ts'
import {
  convertibleTypes,
  lineBreakAtEnd,
  type NearMiss,
  similarTexts,
  withOther,
} from '../../../kit/near-misses.ts'
import {
  headerRow,
  type Proof,
  payloadRow,
  refusedProofs,
  type WrongProof,
  withHeader,
  withPayload,
} from '../proofs.ts'

/** Wrong values of a claim, made of its right value. */
const claims = (
  name: 'aud' | 'nonce' | 'iss',
  misses: readonly NearMiss[],
): readonly WrongProof[] =>
  misses.map(({ what, change, isLenient }) => ({
    what: `a value in ${name} that ${what}`,
    ...(isLenient && { level: 'practice' as const }),
    change: (proof: Proof) => {
      const right = String(proof.payload[name])
      const wrong = change(right)
      // A nonce of digits has no other case.
      return withPayload({ [name]: wrong === right ? null : wrong })(proof)
    },
  }))

/** Audiences that contain the address of the issuer, or that it is a part of. */
const similarAddresses: readonly NearMiss[] = [
  { what: 'is an address below that of the issuer', change: (issuer) => `${issuer}/other` },
  {
    what: 'is that of a credential endpoint below the issuer',
    change: (issuer) => `${issuer}/credential`,
  },
  {
    what: 'has a host that begins like that of the issuer',
    change: (issuer) => `${issuer}.attacker.example`,
  },
  {
    what: 'has the address of the issuer in its query',
    change: (issuer) => `https://attacker.example/?${issuer}`,
  },
  { what: 'has another port', change: (issuer) => withPort(issuer, '1') },
  { what: 'has a slash at its end', change: (issuer) => `${issuer}/`, isLenient: true },
]

function withPort(address: string, port: string): string {
  const url = new URL(address)
  url.port = port
  return url.href.replace(/\/$/, '')
}

const isListOfOne = ({ what }: NearMiss) => what === 'is the only element of a list'

export const checks = refusedProofs({
  'I95-similar-aud': {
    title: 'A proof whose audience only resembles the issuer is rejected',
    level: 'spec',
    rows: [payloadRow],
    clauses: ['OpenID4VCI 1.0, F.1', 'OpenID4VCI 1.0, F.4'],
    description:
      'An attacker registers an address that begins with that of the issuer, collects proofs for it and forwards them.',
    sends:
      'proofs whose aud is similar to credential_issuer: one character changed, added or missing, a longer host, a path below it, another type, or the issuer and another audience in any order',
    fix: 'Compare aud of the proof with credential_issuer as complete strings. Do not search for one in the other, ignore case or convert types. Return 400 invalid_proof.',
    proofs: [
      ...claims('aud', [
        ...similarTexts,
        ...similarAddresses,
        // RFC 7519, 4.1.3: a single audience may be in a list.
        ...convertibleTypes.filter((miss) => !isListOfOne(miss)),
      ]),
      {
        what: 'the issuer and another audience in aud',
        level: 'final',
        change: (proof) =>
          withPayload({ aud: [proof.credentialIssuer, 'https://attacker.example'] })(proof),
      },
      {
        what: 'another audience and the issuer in aud',
        level: 'final',
        change: (proof) =>
          withPayload({ aud: ['https://attacker.example', proof.credentialIssuer] })(proof),
      },
    ],
  },
  'I96-similar-nonce': {
    title: 'A proof whose nonce only resembles the c_nonce is rejected',
    level: 'spec',
    rows: [payloadRow],
    clauses: ['OpenID4VCI 1.0, F.4', 'OpenID4VCI 1.0, 8.3.1.2'],
    description: 'A lenient comparison accepts a nonce that the issuer never created.',
    sends:
      'proofs whose nonce is similar to c_nonce: one character changed, added or missing, a different case, spaces around it, or another type',
    fix: 'Require nonce to be a string that is exactly the c_nonce of the session. Do not trim, truncate or convert it. Return 400 invalid_nonce.',
    proofs: claims('nonce', [...similarTexts, ...convertibleTypes]),
  },
  'I97-similar-iss': {
    title: 'A proof whose iss only resembles the DID in kid is rejected',
    level: 'spec',
    rows: [headerRow, payloadRow],
    description:
      'An issuer that finds one DID in the other issues a credential to a holder who did not sign.',
    sends:
      'proofs whose iss is similar to the DID in kid: one character changed, added or missing, a different case, or another type',
    fix: 'Require iss to be a string that is exactly the DID in kid, without its fragment. Return 400 invalid_proof.',
    proofs: [
      ...claims('iss', [
        ...similarTexts.filter(({ what }) => what !== 'is an empty string'),
        ...convertibleTypes.filter(({ what }) => what !== 'is null'),
      ]),
      {
        what: 'the value of kid as iss',
        level: 'practice',
        change: (proof) => withPayload({ iss: proof.account.kid })(proof),
      },
    ],
  },
  'I98-similar-kid': {
    title: 'A kid that is not exactly a key of the holder is rejected',
    level: 'spec',
    rows: [headerRow, '1.authentication.7'],
    // F.4: the signature must verify with the key in the header, so a kid of another key proves nothing.
    clauses: ['OpenID4VCI 1.0, F.1', 'OpenID4VCI 1.0, F.4'],
    description:
      'The signature must verify with the key that kid names. An issuer that takes the key from iss, or guesses it from a part of kid, may bind the credential to another DID.',
    sends:
      'proofs whose kid has another type, has an empty fragment, a similar one or that of another key, is only the fragment, has a query or DID:KEY in upper case, or has additional characters, also around a did:jwk',
    fix: 'Require kid to be a string that is the DID URL of the key: for did:key the fragment repeats the identifier, for did:jwk it is 0. Return 400 invalid_proof.',
    proofs: [
      ...convertibleTypes.map(
        ({ what, change }): WrongProof => ({
          what: `a value in kid that ${what}`,
          change: (proof) => withHeader({ kid: change(proof.account.kid) })(proof),
        }),
      ),
      { what: 'an empty kid', change: withHeader({ kid: '' }) },
      {
        what: 'a changed character in the identifier of kid',
        change: (proof) => {
          const did = withOther(proof.account.did, proof.account.did.length - 9)
          const kid = `${did}#${did.slice('did:key:'.length)}`
          return withHeader({ kid })(proof)
        },
      },
      {
        what: 'only the fragment as kid',
        level: 'practice',
        change: (proof) => withHeader({ kid: `#${proof.account.kid.split('#')[1]}` })(proof),
      },
      {
        what: 'a query in the DID of kid and iss',
        level: 'practice',
        change: ({ header, payload, account }) => {
          const [did, fragment] = account.kid.split('#')
          const iss = `${did}?kit=1`
          return {
            header: { ...header, kid: `${iss}#${fragment}` },
            payload: { ...payload, iss },
          }
        },
      },
      {
        what: 'an empty fragment in kid',
        level: 'practice',
        change: (proof) => withHeader({ kid: `${proof.account.did}#` })(proof),
      },
      // A pattern whose $ matches before a line break accepts the last one.
      ...[...similarTexts, lineBreakAtEnd].map(
        ({ what, change }): WrongProof => ({
          what: `a fragment of kid that ${what}`,
          level: 'practice',
          change: ({ header, account }) => {
            const [did, fragment = ''] = account.kid.split('#')
            return { header: { ...header, kid: `${did}#${change(fragment)}` } }
          },
        }),
      ),
      ...[
        { what: 'the method twice in the DID', didOf: (did: string) => `did:key:${did}` },
        { what: 'a DID of another method around it', didOf: (did: string) => `did:web:${did}` },
        {
          what: 'the scheme and the method in upper case in the DID',
          didOf: (did: string) => did.replace('did:key:', 'DID:KEY:'),
        },
      ].map(
        ({ what, didOf }): WrongProof => ({
          what: `${what} of kid and iss`,
          level: 'practice',
          change: ({ header, payload, account }) => {
            const did = didOf(account.did)
            const kid = `${did}#${did.slice('did:key:'.length)}`
            return { header: { ...header, kid }, payload: { ...payload, iss: did } }
          },
        }),
      ),
      ...[
        { what: 'characters before a did:jwk', didOf: (did: string) => `x-${did}` },
        { what: 'characters after the key of a did:jwk', didOf: (did: string) => `${did}.x` },
        { what: 'a colon after the key of a did:jwk', didOf: (did: string) => `${did}:0` },
      ].map(
        ({ what, didOf }): WrongProof => ({
          what: `${what}, in kid and iss`,
          level: 'practice',
          change: ({ header, payload, account }) => {
            const did = didOf(createDidJwk(publicJwkOf(account.privateKey)))
            return { header: { ...header, kid: `${did}#0` }, payload: { ...payload, iss: did } }
          },
        }),
      ),
      {
        what: 'a did:jwk without a fragment in kid',
        level: 'practice',
        change: ({ header, payload, account }) => {
          const did = createDidJwk(publicJwkOf(account.privateKey))
          return { header: { ...header, kid: did }, payload: { ...payload, iss: did } }
        },
      },
      {
        what: 'the fragment of another key in kid',
        level: 'practice',
        change: (proof) => withHeader({ kid: `${proof.account.did}#key-1` })(proof),
      },
    ],
  },
  'I99-similar-typ': {
    title: 'A proof whose typ only resembles the documented type is rejected',
    level: 'spec',
    rows: [headerRow],
    clauses: ['OpenID4VCI 1.0, F.1'],
    description:
      'A JWT that the holder signed for another purpose may have a typ that begins or ends like that of a proof.',
    sends:
      'proofs whose typ is openid4vci-proof, kb+jwt, dpop+jwt, the documented one with more characters or a space, or in a list',
    fix: 'Compare typ of the proof with openid4vci-proof+jwt as complete strings. Return 400 invalid_proof.',
    proofs: [
      'openid4vci-proof',
      'openid4vci-proof+jwt+more',
      'not-openid4vci-proof+jwt',
      'kb+jwt',
      'dpop+jwt',
      'jwt',
      '',
      null,
      ['openid4vci-proof+jwt'],
    ]
      .map(
        (typ): WrongProof => ({ what: `typ ${JSON.stringify(typ)}`, change: withHeader({ typ }) }),
      )
      .concat({
        what: 'a space at the end of typ',
        level: 'practice',
        change: withHeader({ typ: 'openid4vci-proof+jwt ' }),
      }),
  },
})
