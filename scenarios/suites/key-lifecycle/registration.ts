import { createECDH } from 'node:crypto'
import type { PublicJwk } from '#core/crypto/jwk.ts'
import { verificationMethodIdOf } from '#core/did/did-org.ts'
import { createDidProof } from '#core/did/did-proof.ts'
import {
  createOwnIdentity,
  firstDocumentOf,
  registerDid,
  usualValidity,
} from '#scenarios/fixtures/own-dids.ts'
import {
  callDidRegistry,
  expectRegistryRefusal,
  expectRevert,
  openRegistries,
} from '#scenarios/fixtures/registries.ts'
import { cite, defineScenario, type ScenarioContext } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectPresent,
} from '#scenarios/harness/expectations.ts'

const registerAndResolve = defineScenario({
  id: 'key-lifecycle/register-and-resolve',
  title: 'An organization registers its DID, and anybody resolves it',
  algorithms: ['ES256K'],
  description: `
Before, the registry knows nothing: 404. The onboarding node sends the organization's first document,
and the organization itself adds \`assertionMethod\` to its key: built by the API, signed offline,
sent.

The DID document is in the W3C form: the key as \`publicKeyJwk\` of type \`JsonWebKey2020\` under
\`<did>#<vMethodId>\`, the address of the key as controller, the alternative identifier, and the
relationships.`,
  references: cite(
    'Profile: 2.states-and-transitions.1',
    'Profile: 2.resources-and-their-fields/did-document',
    'Assumptions: A-02, A-09',
  ),

  async run(context) {
    const { step, uniqueName } = context
    const { did } = createOwnIdentity(context)
    const path = `identifiers/${encodeURIComponent(did)}`

    await step('Before, nobody can resolve the DID', async () => {
      expectRegistryRefusal(await callDidRegistry(context, path), 404)
    })
    const own = await step('The organization registers it', () => registerDid(context))
    await step('Anybody resolves it', async () => {
      const document = expectJson(await callDidRegistry(context, path), 200)
      const xy = own.publicKey.slice(4)
      const coordinate = (from: number) =>
        Buffer.from(xy.slice(from, from + 64), 'hex').toString('base64url')
      expectIncludes('the DID document', document, {
        id: did,
        controller: [own.address],
        assertionMethod: [own.kid],
        authentication: [own.kid],
        capabilityInvocation: [own.kid],
        alsoKnownAs: [`urn:oid:organizationIdentifier:VATES-${uniqueName}`],
      })
      const [method, ...others] = document.verificationMethod as Record<string, unknown>[]
      expectEqual('the number of other methods', others.length, 0)
      const { publicKeyJwk, ...rest } = method ?? {}
      expectIncludes('the verification method', rest, { id: own.kid, type: 'JsonWebKey2020' })
      expectIncludes('its key', publicKeyJwk as Record<string, unknown>, {
        kty: 'EC',
        crv: 'secp256k1',
        x: coordinate(0),
        y: coordinate(64),
      })
    })
  },
})

const registeredOnce = defineScenario({
  id: 'key-lifecycle/registered-once',
  title: 'A DID is registered once, with its own key and its own proof',
  algorithms: ['ES256K'],
  description: `
\`insertFirstDidDocument\` is done once per entity: a second time reverts, although the onboarding node
signs it.

Nobody registers a DID with somebody else's key either: the proof belongs to the key, and the DID to
the proof. With another key, another proof, or another DID the transaction reverts, and the registry
knows nothing of it.`,
  references: cite(
    'Profile: 2.states-and-transitions.1',
    'Profile: 2.endpoints/did-registry',
    'Assumptions: A-01',
  ),
  needs: ['revert-reasons'],

  async run(context) {
    const { step, environment } = context
    const { didRegistry, writeDid } = openRegistries(context)
    const insert = (changed: object = {}) =>
      writeDid(
        'insertFirstDidDocument',
        { ...firstDocumentOf(context, victim), ...changed },
        environment.onboardingNode,
      )
    const victim = createOwnIdentity(context, 'victim')
    const thief = createOwnIdentity(context, 'thief')

    await step("Nobody registers it with another key under the owner's proof", () => {
      const { publicKey, vMethodId } = thief
      return expectRevert('the theft', insert({ publicKey, vMethodId }), 'DidRegistryInvalidProof')
    })
    await step('Nobody registers it with a proof and key of their own', () => {
      const { vMethodId, privateKey } = thief
      const theft = insert({ vMethodId, ...createDidProof(privateKey) })
      return expectRevert('the theft', theft, 'DidRegistryDidMismatch')
    })
    await step('The registry knows nothing of it', async () => {
      expectEqual('the document', await didRegistry.resolve(victim.did), undefined)
    })
    await step('Its owner registers it', () =>
      registerDid(context, 'victim', { isForAssertions: false }),
    )
    await step('A second time it is refused', () =>
      expectRevert('the second time', insert(), 'DidRegistryDidAlreadyRegistered'),
    )
  },
})

/** A key of the scenario's own on P-256; the last bytes of its kind stay below the curve's order. */
function createPrivateP256Jwk({ seededBytes }: ScenarioContext) {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(seededBytes(31))
  const point = pair.getPublicKey()
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)]
  const d = Buffer.concat([Buffer.of(0), pair.getPrivateKey()]).toString('base64url')
  return { kty: 'EC', crv: 'P-256', x, y, d } as const
}

const p256 = defineScenario({
  id: 'key-lifecycle/p-256',
  title: 'A key of P-256 is registered as a JWK, and as nothing else',
  algorithms: ['EdDSA'],
  description: `
\`publicKeyType\` P-256 is reserved: it answers 400 with the code \`UNSUPPORTED\`, in every operation
that takes a key. The same key goes in as \`JsonWebKey2020\`, a serialized JWK in hex, and comes back
with type \`JsonWebKey2020\` and crv P-256.

A JWK with its private part is refused: it would be published on a chain. And such a key may sign, but
not control: control is for raw secp256k1 keys.`,
  references: cite(
    'Profile: 2.resources-and-their-fields/verification-method-input',
    'Profile: 2.errors/did-registry',
    'Assumptions: A-05, A-11',
  ),
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

export const scenarios = [registerAndResolve, registeredOnce, p256]
