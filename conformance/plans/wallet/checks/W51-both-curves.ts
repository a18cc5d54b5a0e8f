import { parseVpToken, verifyVpToken } from '#core/oid4vp/vp-token.ts'
import { broken, defineCheck, type Finding, held, inconclusive } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { firstNotHeld } from '../findings/first-not-held.ts'
import { takePresentation } from '../findings/take-presentation.ts'

export const check = defineCheck<WalletContext>({
  id: 'W51',
  title: 'Accounts of both curves present in their suite',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '1.resources-and-their-fields/supported-curves.1',
    '1.resources-and-their-fields/supported-curves.2',
    '1.resources-and-their-fields/supported-curves.3',
    '1.resources-and-their-fields/presentation-token.1',
  ],
  description:
    'The wallet uses the curve that was chosen with the account: secp256k1 signs ES256K, Ed25519 signs EdDSA.',
  sends:
    'The wallet is emptied with a new account of each curve, takes a credential and presents it.',
  decides:
    'alg is ES256K and EdDSA, a did:key begins with zQ3s and z6Mk, and the signatures verify.',
  needs: ['curves'],
  async run(context) {
    const findings: Finding[] = []
    try {
      for (const [curve, { alg, prefix }] of curves) {
        context.noteChanged()
        const { outcome, reason } = await context.wallet.reset({ curve })
        if (outcome !== 'done') return inconclusive(`There is no account on ${curve}: ${reason}`)
        const { session, post } = await takePresentation(context)
        const verdictSource = 'post to response_uri'
        const kid = String(post.header.kid)
        const jws = parseVpToken(post.vpToken)
        const audience = session.party.did
        const checked =
          jws && (await verifyVpToken({ jws, audience, nonce: session.nonce, now: context.now() }))
        const isSigned = checked?.failures.every(({ rule }) => rule !== 'presentation.signature')
        const isOfCurve = !kid.startsWith('did:key:') || kid.startsWith(`did:key:${prefix}`)
        findings.push(
          post.header.alg === alg && isOfCurve && isSigned
            ? held(`The account on ${curve} signs ${alg}.`, { verdictSource })
            : broken(`The account on ${curve} does not sign ${alg} with a key of that curve.`, {
                verdictSource,
                expected: { alg, did: `did:key:${prefix}…, or a did:jwk` },
                actual: { alg: post.header.alg, kid },
              }),
        )
      }
    } finally {
      context.noteChanged()
    }
    return firstNotHeld(findings)
  },
})

const curves = [
  ['secp256k1', { alg: 'ES256K', prefix: 'zQ3s' }],
  ['Ed25519', { alg: 'EdDSA', prefix: 'z6Mk' }],
] as const
