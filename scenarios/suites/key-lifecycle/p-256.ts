import { createECDH } from 'node:crypto'
import type { PublicJwk } from '#core/crypto/jwk.ts'
import { verificationMethodIdOf } from '#core/did/did-org.ts'
import { registerDid, usualValidity } from '#scenarios/fixtures/own-dids.ts'
import {
  callDidRegistry,
  expectRegistryRefusal,
  expectRevert,
  openRegistries,
} from '#scenarios/fixtures/registries.ts'
import { defineScenario, type ScenarioContext } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectIncludes, expectPresent } from '#scenarios/harness/expectations.ts'

/** A key of the scenario's own on P-256; the last bytes of its kind stay below the curve's order. */
function createPrivateP256Jwk({ seededBytes }: ScenarioContext) {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(seededBytes(31))
  const point = pair.getPublicKey()
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)]
  const d = Buffer.concat([Buffer.of(0), pair.getPrivateKey()]).toString('base64url')
  return { kty: 'EC', crv: 'P-256', x, y, d } as const
}

export const scenario = defineScenario({
  id: 'key-lifecycle/p-256',
  title: 'A key of P-256 is registered as a JWK, and as nothing else',
  category: 'Key lifecycle',
  algorithms: ['EdDSA'],
  description: `
\`publicKeyType\` P-256 is reserved: it answers 400 with the code \`UNSUPPORTED\`, in every operation
that takes a key. The same key goes in as \`JsonWebKey2020\`, a serialized JWK in hex, and comes back
with type \`JsonWebKey2020\` and crv P-256.

A JWK with its private part is refused: it would be published on a chain. And such a key may sign, but
not control: control is for raw secp256k1 keys.`,
  references: [
    { document: 'Document 2', section: 'Verification method input' },
    { document: 'Document 2', section: 'Errors, DID registry' },
    { document: 'Assumptions', section: 'A-05, A-11' },
  ],
  needs: ['revert-reasons'],

  async run(context) {
    const { step } = context
    const { writeDid, didRegistry } = openRegistries(context)
    const own = await step('An organization registers a DID', () =>
      registerDid(context, 'organization', { isForAssertions: false }),
    )
    const { did, address: from } = own
    const { d, ...publicJwk } = createPrivateP256Jwk(context)
    const vMethodId = verificationMethodIdOf(publicJwk as PublicJwk)
    const serialize = (jwk: object) => `0x${Buffer.from(JSON.stringify(jwk)).toString('hex')}`
    const method = { did, vMethodId, from }
    const build = (publicKeyType: string, publicKey: string) =>
      callDidRegistry(context, 'contract/addVerificationMethod', {
        json: { ...method, publicKeyType, publicKey },
      })

    await step('As P-256 it is refused', async () => {
      const { x, y } = publicJwk
      const point = Buffer.concat([Buffer.of(4), ...[x, y].map((c) => Buffer.from(c, 'base64url'))])
      const answer = await build('P-256', `0x${point.toString('hex')}`)
      expectRegistryRefusal(answer, 400, 'UNSUPPORTED')
    })
    await step('With its private part it is refused', async () => {
      const answer = await build('JsonWebKey2020', serialize({ ...publicJwk, d }))
      expectRegistryRefusal(answer, 400, 'validation_error')
    })
    await step('As a JWK it is registered, for assertions', async () => {
      const publicKey = serialize(publicJwk)
      const body = { ...method, publicKeyType: 'JsonWebKey2020', publicKey }
      await writeDid('addVerificationMethod', body, own)
      const use = { did, name: 'assertionMethod', vMethodId, ...usualValidity(context) }
      await writeDid('addVerificationRelationship', use, own)
    })
    await step('The document has it with its curve', async () => {
      const document = expectPresent('the document', await didRegistry.resolve(did))
      expectEqual('assertionMethod', document.assertionMethod, [`${did}#${vMethodId}`])
      const found = document.verificationMethod.find(({ id }) => id === `${did}#${vMethodId}`)
      expectIncludes('the method', expectPresent('the method', found) as never, {
        type: 'JsonWebKey2020',
        publicKeyJwk: publicJwk,
      })
    })
    await step('It cannot become a control key', () =>
      expectRevert(
        'capabilityInvocation for a JWK',
        writeDid(
          'addVerificationRelationship',
          { did, name: 'capabilityInvocation', vMethodId, ...usualValidity(context) },
          own,
        ),
        'DidRegistryNotControlKey',
      ),
    )
  },
})
