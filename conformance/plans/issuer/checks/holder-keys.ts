import { encodeBase64url } from '#core/crypto/base64url.ts'
import { publicJwkOf } from '#core/crypto/jwk.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'
import { swapCase } from '../../../kit/near-misses.ts'
import { ofDid, refusedProofs, type WrongProof } from '../proofs.ts'

export const checks = refusedProofs({
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
      'proofs of a did:jwk that contains the private key, another use or alg, padding, a different case, no key or other data, and of a did:key with a character more, a character less or another multibase',
    fix: 'Accept only did:key and did:jwk with a public key on secp256k1 or Ed25519, without private members and with exactly the length of such a key. Return 400 invalid_proof.',
    proofs: [
      {
        what: 'a did:jwk that contains the private key',
        level: 'practice',
        change: (proof) =>
          ofDid(proof, `did:jwk:${encodeBase64url(JSON.stringify(proof.account.privateKey))}`, '0'),
      },
      ...[{ use: 'enc' }, { alg: 'ES256' }].map(
        (members): WrongProof => ({
          what: `a did:jwk with ${JSON.stringify(members)}`,
          level: 'practice',
          change: (proof) => {
            const jwk = { ...publicJwkOf(proof.account.privateKey), ...members }
            return ofDid(proof, `did:jwk:${encodeBase64url(JSON.stringify(jwk))}`, '0')
          },
        }),
      ),
      {
        what: 'a did:jwk of the right key with another fragment',
        level: 'practice',
        change: (proof) => {
          const jwk = publicJwkOf(proof.account.privateKey)
          return ofDid(proof, `did:jwk:${encodeBase64url(JSON.stringify(jwk))}`, '1')
        },
      },
      {
        what: 'a did:jwk without a key',
        change: (proof) => ofDid(proof, `did:jwk:${encodeBase64url('{}')}`, '0'),
      },
      {
        what: 'a did:jwk whose x is a number',
        change: (proof) => {
          const jwk = { ...publicJwkOf(proof.account.privateKey), x: 7 }
          return ofDid(proof, `did:jwk:${encodeBase64url(JSON.stringify(jwk))}`, '0')
        },
      },
      ...(['x', 'y'] as const).map(
        (name): WrongProof => ({
          what: `a did:jwk whose ${name} is padded`,
          level: 'practice',
          change: (proof) => {
            const jwk = publicJwkOf(proof.account.privateKey)
            const padded = { ...jwk, [name]: `${jwk[name] ?? ''}=` }
            return ofDid(proof, `did:jwk:${encodeBase64url(JSON.stringify(padded))}`, '0')
          },
        }),
      ),
      ...(['kty', 'crv'] as const).map(
        (name): WrongProof => ({
          what: `a did:jwk whose ${name} has a different case`,
          level: 'practice',
          change: (proof) => {
            const jwk = publicJwkOf(proof.account.privateKey)
            const other = { ...jwk, [name]: swapCase(jwk[name] ?? '') }
            return ofDid(proof, `did:jwk:${encodeBase64url(JSON.stringify(other))}`, '0')
          },
        }),
      ),
      {
        what: 'a did:jwk of Ed25519 whose x is padded',
        level: 'practice',
        change: ({ header, payload }) => {
          const account = createAccount({ curve: 'Ed25519' })
          const jwk = publicJwkOf(account.privateKey)
          const did = `did:jwk:${encodeBase64url(JSON.stringify({ ...jwk, x: `${jwk.x}=` }))}`
          return {
            header: { ...header, alg: account.algorithm, kid: `${did}#0` },
            payload: { ...payload, iss: did },
            account,
          }
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
        what: 'a did:key in another multibase',
        change: (proof) => ofDid(proof, proof.account.did.replace('did:key:z', 'did:key:u')),
      },
    ],
  },
})
