import { randomUUID } from 'node:crypto'
import { encodeBase64url } from '#core/crypto/base64url.ts'
import { createPrivateJwk, type PrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import { createSignature, createSigningInput, parseJws, signJws } from '#core/crypto/jws.ts'
import { membersOf } from '#core/json/json-object.ts'
import { createTermsOfUseUrl } from '#core/trust/tir-attribute.ts'
import { setPayload } from '#wallet-emulator/faults/change-jws.ts'
import { nearMisses, otherTypes, untrimmedMisses } from '../../../kit/near-misses.ts'
import { certificateOfJwk } from '../../../kit/signatures.ts'
import { forgedForms, otherEncodings } from '../../../world/defects/signature-defects.ts'
import { addKey } from '../../../world/key-uses.ts'
import { accreditSimilar, registerIssuer, registerSimilar } from '../../../world/register-issuer.ts'
import {
  acceptances,
  asPractice,
  refusals,
  withChange,
  withDefect,
  withDefects,
  withFaults,
} from '../presentation-checks.ts'

/** A credential with the issuer's kid, and the key of an attacker in its header. */
const signedByItsOwnKey = (what: string, headerOf: (key: PrivateJwk) => object) =>
  withDefect(`The header has the kid of the issuer, ${what}.`, {
    sign: (header, payload) => {
      const privateKey = createPrivateJwk('secp256k1', Buffer.alloc(32, 7))
      return signJws({ header: { ...header, ...headerOf(privateKey) }, payload, privateKey })
    },
  })

/** The content of a credential without its JWT, as formats with an embedded proof have it. */
const otherFormats: readonly { readonly what: string; readonly form: (vc: object) => unknown }[] = [
  { what: 'The credential is an object without a signature.', form: (vc) => vc },
  {
    what: 'The credential is an object with an invalid proof.',
    form: (vc) => ({
      ...vc,
      proof: { type: 'DataIntegrityProof', cryptosuite: 'eddsa-jcs-2022', proofValue: 'z1' },
    }),
  },
  {
    what: 'The credential is the JSON of an object without a signature.',
    form: (vc) => JSON.stringify(vc),
  },
]

/** The organization that signed a credential, and the one that the credential names. */
export const checks = {
  ...refusals({
    'V20-bad-credential-signature': {
      title: 'A credential with a wrong signature is rejected',
      level: 'spec',
      rows: [
        '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6',
        '1.states-and-transitions.7',
      ],
      clauses: ['RFC 7518, 3.4'],
      remark: 'Accepting a signature in ASN.1 DER, or with one more byte, is a WARN.',
      description:
        'A credential is a statement of the issuer about the holder. Without a valid signature, anyone could have written it.',
      fix: 'Verify the signature of the credential with the key in kid from the DID document of iss. If it is invalid, reject the presentation.',
      presentations: [
        ...withDefects('bad-signature', 'signed-by-strange-key'),
        ...withFaults('presentation-tampered-credential'),
        ...Object.entries(otherEncodings).map(([what, afterwards]) => ({
          ...withDefect(`It ${what}.`, { afterwards }),
          // The signature of these two is a real one.
          ...(/more byte|DER/.test(what) && { level: 'final' as const }),
        })),
      ],
    },
    'V74-credential-alg-none': {
      title: 'A credential without a real signature is rejected',
      level: 'spec',
      rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6'],
      clauses: ['RFC 8725, 3.1'],
      description:
        'The sender of a credential chooses the algorithm in its header. The value none, and a MAC with the public key, prove nothing. Neither does an object in place of the JWT.',
      fix: "Derive the algorithm from the issuer's registered key, such as ES256K for secp256k1, and require it as alg of the credential. Reject none, HS256, and a credential that is not a JWT.",
      remark: 'Accepting a real signature under another alg is a WARN.',
      presentations: [
        ...withDefects('alg-none', 'alg-hs256'),
        ...Object.entries(forgedForms).map(([what, sign]) => withDefect(`It ${what}.`, { sign })),
        ...otherFormats.map(({ what, form }) =>
          withChange(what, {
            presentation: setPayload({
              'vp.verifiableCredential': ([credential]: readonly string[]) => [
                form(readVc(credential)),
              ],
            }),
          }),
        ),
        withDefect('There is no alg.', {
          sign: (header, payload, privateKey) =>
            signText({ ...header, alg: undefined }, payload, privateKey),
        }),
        ...['ES256', 'EdDSA', 'es256k', 'RS256'].map((alg) => ({
          ...withDefect(`alg is ${alg}, but key and signature are those of ES256K.`, {
            sign: (header, payload, privateKey) =>
              signText({ ...header, alg }, payload, privateKey),
          }),
          level: 'final' as const,
        })),
      ],
    },
    'V83-key-in-header': {
      title: 'A credential that contains its own verification key is rejected',
      level: 'spec',
      rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6'],
      description:
        'The signature must verify with a key in the DID document of the issuer. A library that prefers the jwk or x5c of the header accepts any signature.',
      fix: 'Ignore jwk, jku, x5u and x5c in the header of the credential. Verify it only with the key in kid from the DID document of iss.',
      presentations: [
        signedByItsOwnKey('and the key that signed the credential as jwk', (key) => ({
          jwk: publicJwkOf(key),
        })),
        signedByItsOwnKey(
          'and the certificate of the key that signed the credential as x5c',
          (key) => ({
            x5c: [certificateOfJwk(key)],
          }),
        ),
      ],
    },
    'V85-issuer-mismatch': {
      title: 'A credential whose issuer is not iss is rejected',
      level: 'practice',
      clauses: ['docs/assumptions.md, A-28'],
      description:
        'The signature is verified for iss, but applications read vc.issuer. Both must be equal.',
      fix: 'Compare vc.issuer, or its id, with iss of the credential. If they differ, reject the presentation.',
      presentations: [
        ...withDefects('issuer-mismatch'),
        ...[...nearMisses, ...untrimmedMisses, ...otherTypes].map(({ what, change }) =>
          withDefect(`vc.issuer ${what}.`, {
            change: ({ issuer }) => ({ vc: { issuer: change(issuer.did) } }),
          }),
        ),
        withDefect('vc.issuer is missing.', { change: () => ({ vc: { issuer: undefined } }) }),
        withDefect('vc.issuer is an object with another id.', {
          change: ({ tao }) => ({ vc: { issuer: { id: tao.did } } }),
        }),
      ],
    },
    'V86-subject-mismatch': {
      title: 'A credential whose sub is not its subject is rejected',
      level: 'practice',
      clauses: ['docs/assumptions.md, A-28'],
      description:
        'Some verifiers compare the presenter with sub, others with credentialSubject.id. Both must give the same result.',
      fix: 'If the credential has sub, compare it with credentialSubject.id. If they differ, reject the presentation.',
      presentations: [
        ...withDefects('sub-mismatch'),
        ...[...nearMisses, ...untrimmedMisses, ...otherTypes].map(({ what, change }) =>
          withDefect(`sub ${what}.`, {
            change: ({ holderDid }) => ({ claims: { sub: change(holderDid) } }),
          }),
        ),
      ],
    },
    'V106-signer-is-not-issuer': {
      title: 'A credential that another organization signed is rejected',
      level: 'spec',
      rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6'],
      description:
        'Each accredited issuer has a registered key. If the key in kid verifies but is not that of iss, one issuer can issue in the name of every other.',
      sends:
        'Credentials that one accredited issuer, or an organization with a similar DID, signed in the name of another or of a similar DID that is accredited, one of an organization that names an accredited issuer in vc.issuer and termsOfUse, and credentials whose iss, kid or both are missing, malformed or almost right.',
      fix: 'Require that the DID in kid, iss and vc.issuer are the same. Verify the signature only with the key that kid names in the DID document of that DID. Otherwise reject the presentation.',
      remark:
        'Accepting a credential without iss, or with a wrong kid, is a WARN: a verifier may try each key of the issuer.',
      presentations: ({ trust: { world } }) => {
        const other = registerIssuer(world)
        const similar = registerSimilar(world, world.issuer)
        return [
          withDefect('An organization whose DID has one more character signed it.', {
            sign: (header, payload) =>
              signJws({
                header: { ...header, kid: similar.kid },
                payload,
                privateKey: similar.privateKey,
              }),
          }),
          withDefect('Another accredited issuer signed it under its own kid.', {
            sign: (header, payload) =>
              signJws({
                header: { ...header, kid: other.kid },
                payload,
                privateKey: other.privateKey,
              }),
          }),
          {
            ...withDefect('Only vc.issuer and termsOfUse name an accredited issuer.', {
              change: ({ tirBaseUrl }) => ({
                vc: {
                  issuer: world.issuer.did,
                  termsOfUse: {
                    id: createTermsOfUseUrl(tirBaseUrl, world.issuer),
                    type: 'TrustedIssuersRegistryEntry',
                  },
                },
              }),
            }),
            issuer: world.createParty(`not accredited ${randomUUID()}`),
          },
          withDefect('Another accredited issuer signed it under the kid of the issuer.', {
            sign: (header, payload) => signJws({ header, payload, privateKey: other.privateKey }),
          }),
          ...nearMisses.map(({ what, change }) =>
            withDefect(`iss, as well as vc.issuer, ${what}.`, {
              change: ({ issuer: { did } }) => ({
                claims: { iss: change(did) },
                vc: { issuer: change(did) },
              }),
            }),
          ),
          ...accreditSimilar(world, world.issuer).map(({ what, change }) =>
            withDefect(`iss, vc.issuer and termsOfUse name an accredited DID that ${what}.`, {
              change,
            }),
          ),
          ...asPractice([
            ...withDefects('wrong-kid', 'kid-of-another-method'),
            ...nearMisses.map(({ what, change }) =>
              withDefect(`kid ${what}.`, {
                change: () => ({ header: { kid: change(world.issuer.kid) } }),
              }),
            ),
            withDefect('There is no iss.', { change: () => ({ claims: { iss: undefined } }) }),
            withDefect('There is no kid.', { change: () => ({ header: { kid: undefined } }) }),
            withDefect('kid is the DID of the issuer, without a fragment.', {
              change: ({ issuer: { did } }) => ({ header: { kid: did } }),
            }),
            withDefect('kid is only the fragment.', {
              change: () => ({ header: { kid: world.issuer.kid.replace(/^.*#/, '#') } }),
            }),
            withDefect('kid is the only element of a list.', {
              change: () => ({ header: { kid: [world.issuer.kid] } }),
            }),
          ]),
        ]
      },
    },
  }),
  ...acceptances({
    'V107-p256-issuer': {
      title: 'A credential that is signed with a registered P-256 key is accepted',
      level: 'practice',
      rows: ['2.resources-and-their-fields/did-document.2'],
      description:
        'The DID registry contains keys of secp256k1 and of P-256. A verifier that supports only one of them rejects all credentials of some organizations.',
      sends:
        'Credentials that are signed with ES256 and a P-256 key of the issuer, with both values of s.',
      fix: 'Support ES256 for credentials: verify them with the publicKeyJwk in the DID document whose crv is P-256.',
      presentations: ({ trust: { world } }) => {
        const issuer = addKey(world, registerIssuer(world), { curve: 'P-256' })
        return [
          { ...signedWithEs256('The credential is signed with ES256.', false), issuer },
          {
            ...signedWithEs256('The credential is signed with ES256, and s is high.', true),
            fix: 'Accept both values of s in ES256 signatures: turn off the low-S rule of your library.',
            issuer,
          },
        ]
      },
    },
  }),
}

/** Half of these signatures have an s in the upper half of the order, which some verifiers reject. */
const signedWithEs256 = (what: string, isHigh: boolean) =>
  withDefect(what, {
    sign(header, payload, privateKey) {
      for (;;) {
        const jwt = signJws({ header: { ...header, alg: 'ES256' }, payload, privateKey })
        const [first = 0] = Buffer.from(jwt.replace(/^.*\./, ''), 'base64url').subarray(32)
        // The order begins with 0xff, so that the middle is at 0x80.
        if (isHigh ? first > 0x80 : first < 0x7f) return jwt
      }
    },
  })

/** Signs with ES256K, regardless of alg in the header. */
function signText(header: object, payload: object, privateKey: PrivateJwk): string {
  const input = createSigningInput(header, payload)
  const signature = createSignature('ES256K', privateKey, Buffer.from(input))
  return `${input}.${encodeBase64url(signature)}`
}

function readVc(credential = ''): object {
  const jws = parseJws(credential)
  return membersOf(jws.ok ? jws.payload.vc : undefined)
}
