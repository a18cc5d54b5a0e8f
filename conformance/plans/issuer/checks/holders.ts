import { base58 } from '@scure/base'
import { encodeBase64url } from '#core/crypto/base64url.ts'
import { publicJwkOf } from '#core/crypto/jwk.ts'
import { parseCredentialResponse } from '#core/oid4vci/credential-response.ts'
import { requestCredential } from '#wallet-emulator/actions/request-credential.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'
import { broken, type CheckRow, defineChecks, held } from '../../../kit/check.ts'
import { requireJson } from '../../../kit/classify-answer.ts'
import { swapCase } from '../../../kit/near-misses.ts'
import { findShortR, signJwtWith } from '../../../kit/signatures.ts'
import type { IssuerContext } from '../context.ts'
import {
  createBodyWith,
  ofDid,
  ofJwk,
  type Proof,
  refusedProofs,
  type WrongProof,
} from '../proofs.ts'
import { askForCredential, entryOf, redeem } from '../redeeming.ts'
import { findAcceptance } from '../refusals.ts'

/** A kind of holder that the profile lists. */
interface Holder {
  readonly curve: 'secp256k1' | 'Ed25519'
  readonly didMethod: 'key' | 'jwk'
}

const documented = {
  secp256k1: { algorithm: 'ES256K', row: '1.resources-and-their-fields/supported-curves.1' },
  Ed25519: { algorithm: 'EdDSA', row: '1.resources-and-their-fields/supported-curves.2' },
} as const

/** Where a DID has its key. */
const keyIn = {
  key: 'its multibase identifier',
  jwk: 'the base64url-encoded JWK in its identifier',
} as const

export const checks = {
  ...defineChecks<IssuerContext, Holder>(
    {
      'I21-es256k-did-key': { curve: 'secp256k1', didMethod: 'key' },
      'I22-eddsa-did-key': { curve: 'Ed25519', didMethod: 'key' },
      'I23-es256k-did-jwk': { curve: 'secp256k1', didMethod: 'jwk' },
      'I24-eddsa-did-jwk': { curve: 'Ed25519', didMethod: 'jwk' },
    },
    toCheck,
  ),
  ...defineChecks<IssuerContext>({
    'I94-high-s': {
      title: 'A proof signature with a high s or a short r is accepted',
      level: 'practice',
      expectation: 'accept',
      control: 'offer',
      clauses: ['RFC 8812, 3.2'],
      description:
        'About half of the signatures that OpenSSL creates have a high s. Ethereum libraries reject it, so about half of all attempts to get a credential fail. In one of 256 signatures r begins with a zero byte, which a number without padding loses.',
      sends:
        'The credential request with an ES256K proof whose s is above half of the order, and with one whose r begins with a zero byte.',
      decides: 'The credential endpoint issues the credential, as for a proof with a low s.',
      fix: 'Turn off the low-s check of the library that verifies ES256K, for example with lowS: false, or normalize s before you verify. Read r and s as 32 bytes each, with their zeros.',
      async run(context) {
        const wallet = context.createWallet({ curve: 'secp256k1', faults: ['proof-high-s'] })
        const { resolved, token } = await redeem(context, { wallet })
        const { metadata } = resolved
        await requestCredential(wallet, { metadata, entry: entryOf(resolved), ...token })
        const short = await redeem(context, {
          wallet: context.createWallet({ curve: 'secp256k1' }),
        })
        const signJwt = signJwtWith(await findShortR())
        const json = createBodyWith(short, ({ header, payload, account }) =>
          signJwt(header, payload, account.privateKey),
        )
        const answer = await askForCredential(context, short, { json })
        return findAcceptance(answer, 'A proof whose r begins with a zero byte')
      },
    },
  }),
  ...refusedProofs({
    'I106-unusable-holder-keys': {
      title: 'A DID whose key is not a public key of the profile is rejected',
      level: 'spec',
      rows: [
        '1.resources-and-their-fields/supported-curves.1',
        '1.resources-and-their-fields/supported-curves.2',
      ],
      description:
        'A credential that is bound to a key which verifiers do not accept, or to a published private key, is worthless.',
      sends:
        'proofs of a did:jwk that contains the private key, another use or alg, padding, a longer x, a different case, another kty or crv, no key or other data, and of a did:key with a character or a byte more, a character less, an uncompressed point, another multicodec or another multibase',
      fix: 'Accept only did:key and did:jwk with a public key on secp256k1 or Ed25519, without private members and with exactly the length of such a key. Return 400 invalid_proof.',
      proofs: [
        {
          what: 'a did:jwk that contains the private key',
          level: 'practice',
          change: (proof) => ofJwk(proof, proof.account.privateKey),
        },
        ...[{ use: 'enc' }, { alg: 'ES256' }].map(
          (members): WrongProof => ({
            what: `a did:jwk with ${JSON.stringify(members)}`,
            level: 'practice',
            change: (proof) => {
              const jwk = { ...publicJwkOf(proof.account.privateKey), ...members }
              return ofJwk(proof, jwk)
            },
          }),
        ),
        {
          what: 'a did:jwk of the right key with another fragment',
          level: 'practice',
          change: (proof) => {
            const jwk = publicJwkOf(proof.account.privateKey)
            return ofJwk(proof, jwk, '1')
          },
        },
        {
          what: 'a did:jwk without a key',
          change: (proof) => ofJwk(proof, {}),
        },
        {
          what: 'a did:jwk whose x is a number',
          change: (proof) => {
            const jwk = { ...publicJwkOf(proof.account.privateKey), x: 7 }
            return ofJwk(proof, jwk)
          },
        },
        ...(['x', 'y'] as const).map(
          (name): WrongProof => ({
            what: `a did:jwk whose ${name} is padded`,
            level: 'practice',
            change: (proof) => {
              const jwk = publicJwkOf(proof.account.privateKey)
              const padded = { ...jwk, [name]: `${jwk[name] ?? ''}=` }
              return ofJwk(proof, padded)
            },
          }),
        ),
        {
          what: 'a did:jwk whose x has a zero byte before it',
          level: 'practice',
          change: (proof) => {
            const jwk = publicJwkOf(proof.account.privateKey)
            const x = Buffer.concat([Buffer.of(0), Buffer.from(jwk.x ?? '', 'base64url')])
            return ofJwk(proof, { ...jwk, x: encodeBase64url(x) })
          },
        },
        ...(['kty', 'crv'] as const).map(
          (name): WrongProof => ({
            what: `a did:jwk whose ${name} has a different case`,
            level: 'practice',
            change: (proof) => {
              const jwk = publicJwkOf(proof.account.privateKey)
              const other = { ...jwk, [name]: swapCase(jwk[name] ?? '') }
              return ofJwk(proof, other)
            },
          }),
        ),
        {
          what: 'a did:jwk with padding',
          level: 'practice',
          change: (proof) => {
            const text = JSON.stringify(publicJwkOf(proof.account.privateKey))
            // White space between members lets the text end with one byte to encode.
            const longer = text.replace('{', `{${' '.repeat((4 - (text.length % 3)) % 3)}`)
            return ofDid(proof, `did:jwk:${encodeBase64url(longer)}==`, '0')
          },
        },
        ...[{ kty: 'EC' }, { crv: 'X25519' }].map(
          (members): WrongProof => ({
            what: `a did:jwk of Ed25519 with ${JSON.stringify(members)}`,
            level: 'practice',
            change: (proof) => {
              const own = byEd25519(proof)
              const other = { ...publicJwkOf(own.account.privateKey), ...members }
              return { ...own, ...ofJwk(own, other) }
            },
          }),
        ),
        {
          what: 'a did:jwk of Ed25519 whose x is padded',
          level: 'practice',
          change: (proof) => {
            const own = byEd25519(proof)
            const jwk = publicJwkOf(own.account.privateKey)
            return { ...own, ...ofJwk(own, { ...jwk, x: `${jwk.x}=` }) }
          },
        },
        {
          what: 'a did:jwk that is not in UTF-8',
          level: 'practice',
          change: (proof) => {
            const text = JSON.stringify({ name: '\xff', ...publicJwkOf(proof.account.privateKey) })
            return ofDid(proof, `did:jwk:${encodeBase64url(Buffer.from(text, 'latin1'))}`, '0')
          },
        },
        {
          what: 'a did:jwk that is not JSON',
          change: (proof) => ofDid(proof, 'did:jwk:bm90IGEga2V5', '0'),
        },
        {
          what: 'a did:key with more characters',
          change: (proof) => ofDid(proof, `${proof.account.did}1`),
        },
        {
          what: 'a did:key with a character that base58 lacks',
          change: (proof) => ofDid(proof, `${proof.account.did}0`),
        },
        {
          what: 'a did:key with a character less',
          change: (proof) => ofDid(proof, proof.account.did.slice(0, -1)),
        },
        {
          what: 'a did:key with a byte after the key',
          change: (proof) => ofDid(proof, withBytes(proof.account.did, { after: [0] })),
        },
        {
          what: 'a did:key of Ed25519 with a byte after the key',
          change: (proof) => {
            const own = byEd25519(proof)
            return { ...own, ...ofDid(own, withBytes(own.account.did, { after: [0] })) }
          },
        },
        {
          // To a big integer, the digits 1 at the beginning are zeros.
          what: 'a did:key with a zero byte before the key',
          change: (proof) => ofDid(proof, withBytes(proof.account.did, { before: [0] })),
        },
        {
          what: 'a did:key with the multicodec of P-256',
          change: (proof) => ofDid(proof, withMulticodec(proof.account.did, [0x80, 0x24])),
        },
        {
          what: 'a did:key of Ed25519 with the multicodec of X25519',
          change: (proof) => {
            const own = byEd25519(proof)
            return { ...own, ...ofDid(own, withMulticodec(own.account.did, [0xec, 0x01])) }
          },
        },
        {
          what: 'a did:key with an uncompressed point',
          level: 'practice',
          change: (proof) => {
            const { x = '', y = '' } = publicJwkOf(proof.account.privateKey)
            const point = Buffer.concat([x, y].map((text) => Buffer.from(text, 'base64url')))
            // The multicodec of secp256k1, and the mark of an uncompressed point.
            const bytes = Uint8Array.of(0xe7, 0x01, 0x04, ...point)
            return ofDid(proof, `did:key:z${base58.encode(bytes)}`)
          },
        },
        {
          what: 'a did:key in another multibase',
          change: (proof) => ofDid(proof, proof.account.did.replace('did:key:z', 'did:key:u')),
        },
      ],
    },
  }),
}

/** The proof of a new holder with a key of Ed25519, before it is signed. */
function byEd25519({ header, payload, ...proof }: Proof): Proof {
  const account = createAccount({ curve: 'Ed25519' })
  const own = { ...proof, header: { ...header, alg: account.algorithm }, payload, account }
  return { ...own, ...ofDid(own, account.did) }
}

/** The did:key with more bytes around the key and its multicodec. */
function withBytes(
  did: string,
  { before = [], after = [] }: { readonly before?: number[]; readonly after?: number[] },
): string {
  const bytes = base58.decode(did.slice('did:key:z'.length))
  return `did:key:z${base58.encode(Uint8Array.of(...before, ...bytes, ...after))}`
}

/** The did:key with the bytes that name another kind of key. */
function withMulticodec(did: string, multicodec: readonly [number, number]): string {
  const key = base58.decode(did.slice('did:key:z'.length)).subarray(2)
  return `did:key:z${base58.encode(Uint8Array.of(...multicodec, ...key))}`
}

/** Checks that a holder of this kind gets a credential. */
function toCheck({ curve, didMethod }: Holder): CheckRow<IssuerContext> {
  const { algorithm, row } = documented[curve]
  return {
    title: `A holder with a did:${didMethod} of ${curve} gets a credential`,
    level: 'spec',
    expectation: 'accept',
    rows: [
      row,
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.9',
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.10',
    ],
    clauses: ['OpenID4VCI 1.0, F.1'],
    description:
      'Holders choose curve and DID method when they create an account; none of the documented choices may be excluded.',
    sends: `The credential request as documented, with an ${algorithm} proof of a did:${didMethod}.`,
    decides: 'The credential endpoint returns 200 with a credential, or an acceptance_token.',
    fix: `Accept proofs with alg ${algorithm} by a did:${didMethod}: read the ${curve} key from ${keyIn[didMethod]}, and verify the signature with it. Declare did:${didMethod} and ${algorithm} in the metadata.`,
    async run(context) {
      const session = await redeem(context, { wallet: context.createWallet({ curve, didMethod }) })
      const { algorithm: used, did } = session.wallet.account
      const what = `The credential request with ${used} by ${did.slice(0, 24)}…`
      const json = requireJson(await askForCredential(context, session), what, [200, 202])
      const result = parseCredentialResponse(json)
      const verdictSource = 'the response of the credential endpoint'
      if (!result.ok) {
        const { failures } = result
        const actual = Object.keys(json)
        return broken('The response does not contain a credential.', {
          failures,
          actual,
          verdictSource,
        })
      }
      return held(`${what} returned a credential (${result.response.kind}).`, { verdictSource })
    },
  }
}
