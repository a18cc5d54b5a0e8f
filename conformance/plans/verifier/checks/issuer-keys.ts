import { randomBytes } from 'node:crypto'
import { createPrivateJwk } from '#core/crypto/jwk.ts'
import { verificationMethodIdOf } from '#core/did/did-org.ts'
import { toIsoTime } from '#core/verification/data-model.ts'
import type { Party, TrustWorld } from '../../../world/create-trust-world.ts'
import { registerIssuer } from '../../../world/register-issuer.ts'
import {
  acceptances,
  presentOnce,
  refusals,
  withDefect,
  withDefects,
} from '../presentation-checks.ts'

const hour = 3600

/** The issuer's key: known, for assertions, and valid when the credential was signed. */
export const checks = {
  ...refusals({
    'V28-issuer-unknown': {
      title: 'A credential of an issuer that the DID registry does not know is refused',
      level: 'spec',
      rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6'],
      description:
        'Without a DID document there is no key to verify the signature with; a verifier that goes on without it believes anything.',
      sends:
        'A credential of an issuer that is accredited in the TIR, but whose DID the registry answers with 404.',
      presentations: ({ trust: { world } }) => {
        const issuer = registerIssuer(world)
        const others = world.keyUses.filter(({ kid }) => kid !== issuer.kid)
        world.keyUses.splice(0, world.keyUses.length, ...others)
        return [{ what: 'The DID of the issuer is not registered.', issuer }]
      },
    },
    'V29-key-not-for-assertions': {
      title: 'A credential signed with a key that is not for assertions is refused',
      level: 'spec',
      rows: [
        '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6',
        '2.states-and-transitions.3',
      ],
      description:
        'An organization has keys for other things, in less careful hands; only what stands in assertionMethod signs credentials.',
      presentations: withDefects('key-not-for-assertions'),
    },
    'V30-key-revoked-before': {
      title: 'A credential that a revoked key signed is refused, however it is dated back',
      level: 'spec',
      rows: [
        '2.states-and-transitions.4',
        '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6',
      ],
      description:
        'Keys are revoked when they are stolen: what the thief signs afterwards must not count, and validFrom is the thief’s to choose. iat says when it was signed.',
      sends:
        'A credential whose iat is now, signed with a key that was revoked an hour ago; its validFrom and nbf lie before that.',
      presentations: ({ trust: { world }, now: clock }) => {
        const now = clock()
        const issuer = registerIssuer(world)
        endKey(world, issuer, now - hour)
        const what = 'The key was revoked an hour before the credential was signed.'
        const change = () => ({
          claims: { nbf: now - 2 * hour },
          vc: { validFrom: toIsoTime(now - 2 * hour) },
        })
        return [{ ...withDefect(what, { change }), issuer }]
      },
    },
    'V32-signed-after-revocation': {
      title: 'A credential that was signed a minute after its key was revoked is refused',
      level: 'spec',
      rows: ['2.states-and-transitions.4'],
      description:
        'notAfter is a time and not about a time: signatures made before it stay valid, later ones do not.',
      sends:
        'A credential that was signed nine minutes ago, with a key that was revoked ten minutes ago.',
      presentations: ({ trust: { world }, now: clock }) => {
        const now = clock()
        const issuer = registerIssuer(world)
        endKey(world, issuer, now - 600)
        const what = 'The key was revoked a minute before the credential was signed.'
        return [{ what, issuer, issuedAt: now - 540 }]
      },
    },
    'V34-rolled-key-after-overlap': {
      title: 'A credential that the old key signed after the overlap is refused',
      level: 'spec',
      rows: ['2.states-and-transitions.6'],
      description:
        'The old key expires by itself when the overlap is over. A verifier that remembers a DID document goes on taking it.',
      sends:
        'First a credential that the old key signed within the overlap, so that the verifier has seen it good; then one that it signed a minute ago, an hour after the overlap.',
      remark: 'This is about the second one.',
      presentations: async (context) => {
        const { world } = context.trust
        const now = context.now()
        const issuer = registerIssuer(world)
        endKey(world, issuer, now - hour)
        addKey(world, issuer, now - 2 * hour)
        const before = 'The old key signed within the overlap.'
        await presentOnce(context, { what: before, issuer, issuedAt: now - 1.5 * hour })
        const what = 'The old key signed an hour after the overlap.'
        return [{ what, issuer, issuedAt: now - 60 }]
      },
    },
  }),
  ...acceptances({
    'V31-signed-before-revocation': {
      title: 'A credential that was signed before its key was revoked is accepted',
      level: 'spec',
      rows: ['2.states-and-transitions.4'],
      description:
        'Signatures made before notAfter stay valid: otherwise each revoked key would lock out all whose credentials it signed.',
      sends:
        'A credential that was signed two hours ago, with a key that was revoked one hour ago.',
      presentations: ({ trust: { world }, now: clock }) => {
        const now = clock()
        const issuer = registerIssuer(world)
        endKey(world, issuer, now - hour)
        const what = 'The key was revoked an hour after the credential was signed.'
        return [{ what, issuer, issuedAt: now - 2 * hour }]
      },
    },
    'V33-rolled-key-overlap': {
      title: 'Both keys are accepted while a rolled key overlaps with its successor',
      level: 'spec',
      rows: ['2.states-and-transitions.6'],
      description:
        'Both keys are valid during the overlap: an issuer goes on signing with the old one until all its machines have the new one.',
      sends:
        'Two credentials that were signed a minute ago, within the overlap: with the old key, and with the new one.',
      presentations: ({ trust: { world }, now: clock }) => {
        const now = clock()
        const oldKey = registerIssuer(world)
        endKey(world, oldKey, now + 300)
        const newKey = addKey(world, oldKey, now - 300)
        const issuedAt = now - 60
        return [
          { what: 'The old key signed within the overlap.', issuer: oldKey, issuedAt },
          { what: 'The new key signed within the overlap.', issuer: newKey, issuedAt },
        ]
      },
    },
  }),
}

/** Ends all uses of a party's key: it was revoked, or has expired. Unix seconds, the last one it holds. */
function endKey({ keyUses }: TrustWorld, { kid }: Party, notAfter: number): void {
  for (const use of keyUses.filter((each) => each.kid === kid)) use.notAfter = notAfter
}

/** The party with a further key for assertions, which holds from then on. */
function addKey(world: TrustWorld, party: Party, notBefore: number): Party {
  const privateKey = createPrivateJwk('secp256k1', randomBytes(32))
  const kid = `${party.did}#${verificationMethodIdOf(privateKey)}`
  Object.assign(world.use(kid, privateKey, 'assertionMethod'), { notBefore })
  return { ...party, kid, privateKey }
}
