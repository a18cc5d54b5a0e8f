import { publicJwkOf } from '#core/crypto/jwk.ts'
import { parseJws, verifyJws } from '#core/crypto/jws.ts'
import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { createRequestBody, redeemOffer } from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'

/** How the identifiers of each method begin (Document 1, Supported curves). */
const prefixes = {
  key: { ES256K: 'did:key:zQ3s', EdDSA: 'did:key:z6Mk' },
  jwk: { ES256K: 'did:jwk:', EdDSA: 'did:jwk:' },
} as const

export const scenarios = (['key', 'jwk'] as const).map((didMethod) =>
  defineScenario({
    id: `issuance/holder-did-${didMethod}`,
    title: `A holder with a did:${didMethod} gets a credential about that DID`,
    category: 'Issuance',
    description: `
An account has one curve and one DID method from its creation on. The issuer declares both suites and
both methods, and so has to take every one of the four combinations: the proof's \`kid\` is a DID URL
of the holder, its \`iss\` the DID, and the credential is **about that DID** and no other.

The other four of the table run as the same scenario with the other algorithm and the other method.`,
    references: [
      { document: 'Document 1', section: 'Supported curves, rows 1 to 4' },
      { document: 'Document 1', section: 'Proof of possession JWT, rows 1, 2' },
    ],

    async run(context) {
      const { step, control, algorithm, environment } = context
      const wallet = context.createWallet({ didMethod })
      const { did, kid, privateKey } = wallet.account

      const { offerUri } = await step('The issuer makes an offer', () => control.createOffer())
      await step(`The account has a DID of did:${didMethod}`, () => {
        const prefix = prefixes[didMethod][algorithm]
        expectTrue(`the DID begins with ${prefix}`, did.startsWith(prefix), did)
        expectTrue('the kid is a DID URL of it', kid.startsWith(`${did}#`), kid)
      })
      await step('Its proof is made as the document says', async () => {
        const { offerUri: other } = await control.createOffer()
        const redeemed = await redeemOffer(wallet, other)
        const jws = parseJws(createRequestBody(wallet, redeemed).proof.jwt)
        if (!jws.ok) throw new TypeError(jws.reason)
        expectEqual('the header', jws.header, { alg: algorithm, typ: 'openid4vci-proof+jwt', kid })
        const { iat, ...payload } = jws.payload
        expectEqual('the payload beside iat', payload, {
          iss: did,
          aud: environment.credentialIssuerUrl,
          nonce: redeemed.token.cNonce,
        })
        expectTrue('iat is in Unix seconds', Number.isInteger(iat), iat)
        const publicKey = publicJwkOf(privateKey)
        expectTrue('it is signed', verifyJws({ jws, publicKey, algorithms: [algorithm] }))
      })
      const credential = await step('The wallet accepts the offer', () =>
        acceptOfferLink(context, wallet, offerUri),
      )
      await step('The credential is about that DID', () => {
        expectEqual('sub', credential.payload.sub, did)
        expectEqual('credentialSubject.id', credential.vc.credentialSubject.id, did)
      })
    },
  }),
)
